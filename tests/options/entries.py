# SPDX-License-Identifier: BSD-3-Clause
"""What each option is tried with. Every option of every command needs an entry; one without fails the test.

An entry is `Try(words)`: the words, added to the command's base, must change what is printed or written. `base` is
another base where the usual one has nothing for the option to act on. `Same(words, reason)` is an option that by design
changes nothing; then nothing may change. `Refused(words, part)` must end with 1 or 2 and a sentence with that part;
`Mends(words)` must succeed where its base fails. Entries of a command come before those for all commands, which begin with "*".
"""

import gzip
import os
import random
import struct
import subprocess


class Try:
    def __init__(self, words, base=None):
        self.words, self.base = words, base


class Same(Try):
    def __init__(self, words, reason, base=None):
        super().__init__(words, base)
        self.reason = reason


class Mends(Try):
    """The base fails, and the option helps."""


class Refused(Try):
    def __init__(self, words, part, base=None):
        super().__init__(words, base)
        self.part = part


# ---- inputs ----

NAMES = ["height", "width", "depth", "d\u00e9bit", "group"]


def table(rows, seed):
    draw = random.Random(seed).gauss
    made = []
    for i in range(rows):
        a, b = draw(0, 3), draw(0, 1)
        noise = [draw(0, 0.3) for _ in range(4)]
        made.append([round(x, 3) for x in (a + noise[0], 2 * a + b + noise[1], a - b + noise[2], 3 + b + noise[3])] + [i % 4])
    return made


def csv(rows, header=True, separator=",", texts=True):
    kinds = ["=1+2", "ch\u00eane", "ash"]
    lines = [separator.join((["name", "kind"] if texts else []) + NAMES)] if header else []
    for i, row in enumerate(rows):
        lines.append(separator.join(([f"r{i}", kinds[i % 3]] if texts else []) + ["" if x is None else repr(x) for x in row]))
    return "\n".join(lines) + "\n"


def npy(rows):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    head = head.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + \
        b"".join(struct.pack(f"<{len(row)}d", *row) for row in rows)


def images(count):
    draw = random.Random(5)
    pixels = bytes(min(255, int(draw.random() * 60 + 12 * ((i // 6) % 6) * (i % 3))) for i in range(36 * count))
    return struct.pack(">IIII", 0x803, count, 6, 6) + pixels


def cohort(samples, variants):
    """The three files of PLINK, two populations, one call in 40 missing."""
    draw = random.Random(8)
    calls = [[1 if draw.random() < 0.025 else [3, 2, 0][sum(draw.random() < 0.2 + 0.5 * ((i % 2) ^ (j % 2)) for _ in "ab")]
              for i in range(samples)] for j in range(variants)]
    bed = b"\x6c\x1b\x01" + b"".join(bytes(sum(c << 2 * k for k, c in enumerate(line[i:i + 4])) for i in range(0, samples, 4))
                                     for line in calls)
    fam = "".join(f"f{i % 2} s{i} 0 0 1 -9\n" for i in range(samples))
    bim = "".join(f"{1 + j // 15}\trs{j}\t0\t{100 * j + 100}\tA\tG\n" for j in range(variants))
    return {"cohort.bed": bed, "cohort.fam": fam, "cohort.bim": bim}


MADE = """
fit in/rows.csv -k 3 -o in/m.scree
fit in/cohort.bed -k 2 -o in/cohort.scree
fit in/rows.csv -k all -o in/all.scree
fit in/rows.csv --exclude height -k 3 -o in/part.scree
fit in/gaps.csv -k 2 --tol 0.1 -o in/gaps.scree
fit in/odd.csv -k 2 -o in/odd.scree
fit in/images.idx -k 4 -o in/images.scree
autoencode in/rows.csv --code 2 --hidden 4 --epochs 2 -o in/net.scree
project in/m.scree in/rows.csv -o in/codes.csv
project in/m.scree in/rows.csv -o in/codes.npy
explore in/m.scree in/rows.csv --row 3 -n 5 -o in/near.npy
fit in/rows.csv --state in/all.state
compress in/rows.csv -o in/rows.screez
compress in/rows.csv -o in/torn.screez
"""


def make_inputs(scree, folder):
    rows, more = table(60, 1), table(40, 2)
    gaps = [[None if (i + 3 * j) % 11 == 0 and j < 4 else x for j, x in enumerate(row)] for i, row in enumerate(table(60, 3))]
    more[7] = [90.0, -80.0, 70.0, 60.0, 1]
    files = {"rows.csv": csv(rows), "new.csv": csv(more), "gaps.csv": csv(gaps), "held.csv": csv(table(150, 4)),
             "plain.csv": csv(rows, header=False, texts=False), "rows.npy": npy(rows), "images.idx": images(40),
             "labels.csv": "label\n" + "".join(f"{i % 2}\n" for i in range(60)),
             "odd.csv": csv(rows, texts=False).replace("height", "=height"),
             "drifted.csv": csv([[row[0], row[1] + 9, row[2], row[3] - 7, row[4]] for row in rows]),
             "infinite.csv": csv([*more[:9], [float("inf"), *more[9][1:]], *more[10:]]),
             "infinite-codes.csv": "pc1,pc2,pc3\n1,2,3\n4,inf,6\n", "kept.csv": "another,header\n1,2\n",
             "few.csv": "pc1,pc2,pc3\n1,2,3\n4,5,6\n",
             "counts.csv": "a,b,c,d\n" + "".join(f"{i % 7},{3 * i % 11},{i * i % 13},{5 + i % 3}\n" for i in range(60)),
             "weighted.csv": csv([[*row[:4], 1 + i % 3] for i, row in enumerate(rows)])}
    files |= cohort(48, 40)
    os.mkdir(os.path.join(folder, "in"))
    for name, data in files.items():
        with open(os.path.join(folder, "in", name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())
    for line in MADE.strip().splitlines():
        subprocess.run([scree, *line.split(), "-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "SCREE_CACHE": "off"})
    path = os.path.join(folder, "in", "torn.screez")
    with open(path, "r+b") as file:
        file.seek(-5, os.SEEK_END)
        byte = file.read(1)
        file.seek(-5, os.SEEK_END)
        file.write(bytes([byte[0] ^ 255]))
    return os.path.join(folder, "in")


# ---- bases: the plainest good use of each command ----

BASES = {
    "fit": "fit in/rows.csv -k 2 -o m.scree",
    "project": "project in/m.scree in/rows.csv",
    "reconstruct": "reconstruct in/m.scree in/codes.csv",
    "info": "info in/m.scree",
    "posterior": "posterior in/m.scree in/rows.csv",
    "score": "score in/m.scree in/new.csv",
    "drift": "drift in/m.scree in/drifted.csv",
    "sample": "sample in/m.scree -n 5",
    "loadings": "loadings in/m.scree in/rows.csv",
    "rotate": "rotate in/m.scree -k 2 -o r.scree",
    "explore": "explore in/m.scree in/rows.csv -n 2",
    "impute": "impute in/gaps.scree in/gaps.csv",
    "autoencode": "autoencode in/rows.csv --code 2 --hidden 4 --epochs 3 -o net.scree",
    "report": "report in/m.scree in/rows.csv -o page.html",
    "serve": "serve in/m.scree in/rows.csv",
    "select": "select in/rows.csv",
    "plot": "plot in/m.scree in/rows.csv -o p.svg",
    "plan": "plan in/rows.csv",
    "convert": "convert in/rows.csv",
    "ls": "ls in/rows.csv",
    "merge": "merge in/all.state -o merged.state",
    "update": "update in/all.state in/new.csv -o updated.state",
    "compress": "compress in/rows.csv -o rows.screez",
    "decompress": "decompress in/rows.screez",
    "demo": "demo",
    "version": "version",
    "help": "help",
}

KILLED = "a fit with checkpoints is the same fit, and removes its file in the end"
ONCE = "results do not depend on it"
PLANNED = "plan takes what fit takes, so that a fit is planned by changing one word, and the cost is the same"
EM = "fit in/gaps.csv -k 2 -o m.scree"
HEAD = "plan looks at the first lines, and at no cell"
SILENT = "there is nothing to say, and no progress away from a terminal"
CURVE = "compress --rd in/rows.csv -o curve.svg"

ENTRIES = {
    # reading
    "* input-format": Try("--input-format npy"),
    "* dataset": Refused("--dataset some", "has no parts"),
    "* absent": Refused("--absent zero", "list their cells"),
    "* query": Refused("--query SELECT", "is for databases"),
    "* columns-from": Refused("--columns-from highly_variable", "for AnnData files"),
    "* rows": Try("--rows 2:30"),
    "* sample": Try("--sample 25"),
    "project seed": Try("--seed 3", base="{base} --sample 20"),
    "reconstruct seed": Try("--seed 3", base="{base} --sample 20"),
    "posterior seed": Try("--seed 3", base="{base} --sample 20"),
    "score seed": Try("--seed 3", base="{base} --sample 20"),
    "drift seed": Try("--seed 3", base="{base} --sample 20"),
    "loadings seed": Try("--seed 3", base="{base} --sample 20"),
    "explore seed": Try("--seed 3", base="{base} --sample 20"),
    "convert seed": Try("--seed 3", base="{base} --sample 20"),
    "compress seed": Try("--seed 3", base="{base} --sample 20"),
    "* columns": Try("--columns height,width"),
    "* label": Try("--label group"),
    "* id": Try("--id name"),
    "* header": Try("--header"),
    "* no-header": Try("--no-header"),
    "* delimiter": Try("--delimiter semicolon"),
    "* encoding": Try("--encoding utf-16"),
    "* weights": Try("--weights group"),
    # running
    "* threads": Same("--threads 2", ONCE),
    "* block-rows": Same("--block-rows 7", ONCE),
    "* mpi": Same("--mpi none", ONCE),
    "* memory": Refused("--memory 1M", "1 MiB is too little memory"),
    "* quiet": Try("--quiet"),
    "* help": Try("--help"),
    # writing
    "* output": Try("-o out.csv"),
    "* format": Try("--format json"),
    "* type": Try("--type f4", base="{base} -o out.npy"),
    "* spreadsheet": Try("--spreadsheet"),
    "* json": Try("--json"),
    # of a model
    "* components": Try("-k 1"),
    "* noise": Try("--noise 0.5"),
    "* noise-floor": Try("--noise-floor 50"),
    "* seed": Try("--seed 3"),
    "* draws": Try("-n 3"),
    "* alpha": Try("--alpha 0.5"),
    "* training": Try("--training"),
    "* image": Try("--image 4x9", base="report in/images.scree in/images.idx -o page.html"),
    "* labels": Try("--labels in/labels.csv"),
    # fit and plan
    "fit output": Try("-o other.scree", base="fit in/rows.csv -k 2 -o -"),
    "fit state": Try("--state rows.state"),
    "fit checkpoint": Same("--checkpoint rows.checkpoint", KILLED),
    "fit every": Same("--every 1h", KILLED, base="{base} --checkpoint rows.checkpoint"),
    "autoencode checkpoint": Same("--checkpoint rows.checkpoint", KILLED),
    "autoencode every": Same("--every 1h", KILLED, base="{base} --checkpoint rows.checkpoint"),
    "fit state-method": Try("--state-method svd", base="fit in/rows.csv --state rows.state"),
    "fit rank": Try("--rank 1", base="fit in/rows.csv --state rows.state --state-method low-rank"),
    "fit forget": Try("--forget 20", base="fit in/rows.csv --state rows.state"),
    "merge output": Try("-o other.state", base="merge in/all.state -o -"),
    "merge components": Try("-k 2"),
    "update output": Try("-o other.state", base="update in/all.state in/new.csv -o -"),
    "update forget": Try("--forget 20"),
    "* solver": Try("--solver svd"),
    "fit em": Try("--em vb", base=EM),
    "* scale": Try("--scale unit"),
    "* ddof": Try("--ddof 1"),
    "fit tol": Try("--tol 0.5", base=EM),
    "fit seed": Try("--seed 3", base="fit in/rows.csv -k 2 --bootstrap 50 -o m.scree"),
    "* bootstrap": Try("--bootstrap 50"),
    "* bayes": Try("--bayes"),
    "fit latent": Try("--latent 1"),
    "fit model-kind": Try("--model-kind network"),
    "fit online": Try("--online", base=EM),
    "fit no-imputer": Try("--no-imputer", base=EM),
    "plan em": Same("--em ml", PLANNED, base="plan in/gaps.csv -k 2"),
    "plan tol": Same("--tol 0.1", PLANNED),
    "plan scale": Same("--scale unit", PLANNED),
    "plan ddof": Same("--ddof 1", PLANNED),
    "plan seed": Same("--seed 3", PLANNED),
    "plan log1p": Same("--log1p", PLANNED),
    "plan normalize": Same("--normalize 100", PLANNED, base="plan in/counts.csv -k 2"),
    "plan na": Same("--na 2", HEAD),
    "plan decimal": Same("--decimal comma", HEAD),
    "plan components": Try("-k all", base="plan in/images.idx -k 1"),
    # the others
    "reconstruct data": Try("--data in/rows.csv", base="reconstruct in/m.scree in/codes.csv"),
    "reconstruct na": Try("--na 2", base="reconstruct in/m.scree in/few.csv"),
    "loadings what": Try("--what cos2"),
    "loadings variants": Try("--variants in/cohort.bed", base="loadings in/cohort.scree -o out.csv"),
    "loadings supplementary": Try("--supplementary kind"),
    "loadings type": Try("--type f4", base="loadings in/m.scree --what cos2 -o out.npy"),
    "rotate output": Try("-o other.scree"),
    "rotate method": Try("--method quartimax"),
    "rotate no-kaiser": Try("--no-kaiser"),
    "rotate power": Try("--power 2", base="rotate in/m.scree -k 2 --method promax -o r.scree"),
    "rotate gamma": Try("--gamma -1", base="rotate in/m.scree -k 2 --method oblimin -o r.scree"),
    "rotate starts": Same("--starts 2", "one start finds the optimum here"),
    "rotate seed": Same("--seed 3", "all starts find the optimum here"),
    "rotate components": Try("-k 3"),
    "info views": Try("--views"),
    "info distortion": Try("--distortion 0.2", base="info in/m.scree --views"),
    "info memory": Refused("--memory 1M", "1 MiB is too little memory", base="info in/rows.screez"),
    "posterior interval": Try("--interval 0.5"),
    "score fdr": Try("--fdr"),
    "score calibrate": Try("--calibrate in/held.csv"),
    "score why": Try("--why 2"),
    "drift level": Try("--level 0.2"),
    "drift against": Try("--against model"),
    "drift why": Try("--why 1"),
    "drift fitted": Try("--fitted in/rows.csv"),
    "explore row": Try("--row 4"),
    "explore latent": Try("--latent"),
    "impute seed": Try("--seed 3", base="impute in/gaps.scree in/gaps.csv -n 2"),
    "impute sd": Try("--sd sd.csv"),
    "autoencode output": Try("-o other.scree", base="autoencode in/rows.csv --code 2 --hidden 4 --epochs 3 -o -"),
    "autoencode code": Try("--code 1"),
    "autoencode hidden": Try("--hidden 3"),
    "autoencode linear": Try("--linear", base="autoencode in/rows.csv --code 2 --epochs 3 -o net.scree"),
    "autoencode tied": Try("--tied"),
    "autoencode untied": Try("--untied", base="autoencode in/rows.csv --code 2 --linear --epochs 3 -o net.scree"),
    "autoencode activation": Try("--activation tanh"),
    "autoencode output-layer": Try("--output-layer sigmoid"),
    "autoencode epochs": Try("--epochs 4"),
    "autoencode batch": Try("--batch 50"),
    "autoencode rate": Try("--rate 0.01"),
    "autoencode decay": Try("--decay 0.1"),
    "autoencode validation": Try("--validation 0.3"),
    "autoencode patience": Try("--patience 1",
                               base="autoencode in/rows.csv --code 2 --hidden 4 --epochs 40 --rate 0.5 -o net.scree"),
    "autoencode time": Try("--time 0.000001s"),
    "autoencode resume": Try("--resume in/net.scree", base="autoencode in/rows.csv --code 2 --hidden 4 --epochs 2 -o net.scree"),
    "report output": Try("-o other.html"),
    "report points": Try("--points 10"),
    "report max-size": Refused("--max-size 1K", "bytes"),
    "report title": Try("--title Trees"),
    "report seed": Try("--seed 3", base="report in/m.scree in/rows.csv --points 10 -o page.html"),
    "serve port": Same("--port 43117", "where the page is does not change it"),
    "serve image": Try("--image 4x9", base="serve in/images.scree in/images.idx"),
    "serve open": Same("--open", "the browser is another program"),
    "serve idle": Try("--idle 0.05"),
    "serve points": Try("--points 10"),
    "serve title": Try("--title Trees"),
    "serve seed": Try("--seed 3", base="serve in/m.scree in/rows.csv --points 10"),
    "select max": Try("--max 2"),
    "select folds": Try("--folds 3"),
    "select noise-sd": Try("--noise-sd 0.3"),
    "select memory": Refused("--memory 1M", "1 MiB is too little memory"),
    "convert part": Try("--part encode", base="convert in/m.scree out.onnx"),
    "convert components": Try("-k 1", base="convert in/m.scree out.onnx"),
    "compress output": Try("-o other.screez"),
    "compress max-error": Try("--max-error 0.1"),
    "compress rmse": Try("--rmse 0.1"),
    "compress psnr": Try("--psnr 30"),
    "compress ratio": Try("--ratio 5"),
    "compress components": Try("-k 1", base="compress in/rows.csv --max-error 0.1 -o rows.screez"),
    "compress rd": Try("--rd", base="compress in/rows.csv -o curve.svg"),
    "compress width": Try("--width 400", base=CURVE),
    "compress dark": Try("--dark", base=CURVE),
    "decompress rows": Try("--rows 3:9"),
    "decompress salvage": Mends("--salvage", base="decompress in/torn.screez"),
    "decompress quiet": Try("-q", base="decompress in/torn.screez --salvage"),
    "sample quiet": Same("-q", SILENT),
    "sample spreadsheet": Try("--spreadsheet", base="sample in/odd.scree -n 5"),
    "demo output": Try("-o other"),
    "help man": Try("--man"),
    "help completion": Try("--completion zsh"),
    "help list": Try("--list"),
    # names that several commands may give options of reading, scaling and writing
    "* na": Try("--na 2"),
    "* decimal": Try("--decimal comma"),
    "* skip": Try("--skip 1"),
    "* exclude": Try("--exclude width"),
    "* append": Try("--append", base="{base} -o kept.csv"),
    "* on-error": Mends("--on-error skip", base="{command} in/m.scree in/infinite.csv"),
    "impute on-error": Mends("--on-error skip", base="impute in/gaps.scree in/infinite.csv"),
    "reconstruct on-error": Mends("--on-error skip", base="reconstruct in/m.scree in/infinite-codes.csv"),
    "score alarm": Try("--alarm"),
    "drift alarm": Try("--alarm"),
    "* center": Try("--center none"),
    "* log1p": Try("--log1p"),
    "fit normalize": Try("--normalize median", base="fit in/counts.csv -k 2 -o m.scree"),
    "select normalize": Try("--normalize 100", base="select in/counts.csv"),
    "* top-variance": Try("--top-variance 3"),
    "fit maf": Try("--maf 0.4", base="fit in/cohort.bed -k 2 -o m.scree"),
    "fit chr": Try("--chr 2-3", base="fit in/cohort.bed -k 2 -o m.scree"),
    "fit missing": Try("--missing keep", base="fit in/cohort.bed -k 2 -o m.scree"),
    "* maf": Try("--maf 0.4", base="{command} in/cohort.bed"),
    "* chr": Try("--chr 2-3", base="{command} in/cohort.bed"),
    "* missing": Try("--missing keep", base="{command} in/cohort.bed"),
    "* transpose": Try("--transpose"),
    "* whiten": Try("--whiten"),
}

# ---- pictures: every kind with every option ----

OF_MODEL = ("scree", "error", "loadings", "samples", "circle", "contributions", "variance", "heatmap")  # the others show rows
PICTURE = {
    "output": Try("-o other.svg"),
    "kind": Try("--kind loadings", base="plot in/m.scree -o p.svg"),
    "show": Try("--show 2,3"),
    "at": Try("--at 1,2"),
    "top": Try("--top 2"),
    "colour-by": Try("--colour-by cos2"),
    "size-by": Try("--size-by contribution"),
    "supplementary": Try("--supplementary kind"),
    "supplementary-rows": Try("--supplementary-rows in/new.csv"),
    "around": Try("--around normal"),
    "level": Try("--level 0.5"),
    "highlight": Try("--highlight 4,9"),
    "width": Try("--width 500"),
    "height": Try("--height 300"),
    "dark": Try("--dark"),
    "layout": Try("--layout column"),
    "font-size": Try("--font-size 20"),
    "title": Try("--title Seen"),
    "no-title": Try("--no-title"),
    "theme": Try("--theme print"),
    "palette": Try("--palette tol-muted"),
    "outlines": Try("--outlines"),
    "terminal": Try("--terminal sixel", base="{shown}"),
    "draws": Try("-n 3"),
    "points": Try("--points 10"),
    "components": Try("-k 1"),
    "image": Try("--image 4x9", base="plot in/images.scree {images} --kind {kind} -o p.svg"),
}
KINDS = {f"{kind} quiet": Same("-q", SILENT) for kind in OF_MODEL} | {
    f"{kind} {option}": Try(f"--{option} 50", base="{base} --highlight 4")
    for kind in ("embedding", "biplot") for option in ("noise", "noise-floor")
} | {
    f"{kind} level": Try("--level 0.5", base="{base} --around normal") for kind in ("embedding", "biplot")
} | {
    "circle supplementary": Try("in/rows.csv --supplementary height", base="plot in/part.scree --kind circle -o p.svg"),
    "biplot image": Try("--image 4x9", base="plot in/images.scree in/images.idx --kind biplot --highlight 3 -o p.svg"),
    "reconstruction noise": Try("--noise 0.5", base="plot in/gaps.scree in/gaps.csv --kind reconstruction --highlight 1 -o p.svg"),
    "reconstruction noise-floor": Try("--noise-floor 50",
                                      base="plot in/gaps.scree in/gaps.csv --kind reconstruction --highlight 1 -o p.svg"),
}

# ---- options that have nothing to act on ----


def refused(words, part):
    return [Refused(word, part) for word in words.split("; ")]


def tried(words):
    return [Try(word) for word in words.split("; ")]


TEXT = "--header; --no-header; --delimiter tab; --encoding latin1; --na 2; --decimal comma; --skip 1"

# Where an option has nothing to act on. What only the data can tell is said in a note, and so changes what is printed.
IDLE = {
    "{fit}": tried("--tol 0.1; --em ml; --seed 3; --no-imputer; --online"),
    "{project}": refused("--type f4; --type f4 -o out.json; --type f4 --format tsv", "is the element type of"),
    "project in/m.scree in/rows.csv -o out.npy": refused("--spreadsheet", "only csv and tsv"),
    "project in/m.scree in/rows.csv --format json": refused("--spreadsheet", "only csv and tsv"),
    "project in/m.scree in/rows.npy": refused(TEXT, "is for CSV and other text") + refused("--label 3; --id 1", "no text"),
    "project in/m.scree in/rows.screez": refused(TEXT, "is for CSV and other text"),
    "project in/images.scree in/images.idx": refused(TEXT, "is for CSV and other text"),
    "{info}": refused("--distortion 0.1", "needs --views") + refused("--memory 1G", "needs an archive"),
    "info in/rows.screez": refused("-k 1; --views", "needs a model"),
    "info in/net.scree": refused("-k 1", "") + tried("--views"),
    "{compress}": refused("--width 400; --dark", "--rd"),
    "compress --rd in/rows.csv": refused("--width 400; --dark", "-o") + refused("--max-error 0.1; --ratio 3", "--rd"),
    "{convert}": refused("--part encode; -k 1", "written as ONNX") + refused("--type f4", "is the element type of"),
    "convert in/m.scree out.onnx": refused("--columns 1; --label 1; --id 1; --input-format csv; " + TEXT, "do not apply to a model")
                                   + refused("--spreadsheet", "not for a model") + refused("--format csv", "extension .onnx"),
    "loadings in/m.scree": refused("--training; --supplementary kind; --columns 1; --label 1; --id 1; --input-format csv; --weights 1; "
                                   "--exclude 1; --block-rows 5; " + TEXT, "DATA")
                           + refused("--spreadsheet; --type f4", "-o FILE or --format"),
    "loadings in/m.scree --json": refused("--spreadsheet; --type f4", "-o FILE or --format"),
    "loadings in/m.scree in/rows.csv --supplementary kind": refused("--spreadsheet; --type f4", "-o FILE or --format"),
    "project in/m.scree in/rows.csv": refused("--seed 3", "add --sample") + refused("--rows 61; --rows 50:61", "among those") + refused("--sample 61", "cannot be drawn")
                                       + refused("--ddof 1", "--whiten") + refused("--append", "a file of csv or tsv only"),
    "{rotate}": refused("--power 2", "promax") + refused("--gamma -1; --gamma 0", "oblimin"),
    "{rotate} --starts 0": refused("--seed 4", "--starts 0 asks for none"),
    "{impute}": refused("--seed 3", "add --draws or --sample"),
    "select in/m.scree": refused("--folds 3; --weights 1; --scale unit; --log1p; --normalize 10; --top-variance 2; --columns 1; --label 1; --id 1; --input-format csv; "
                                 "--block-rows 5; " + TEXT, "is a model, which has none"),
    "select in/m.scree --json": tried("--seed 5; --noise-sd 0.3; --max 2"),
    "autoencode in/rows.csv --code 2 --linear --epochs 3 -o net.scree":
        refused("--activation tanh; --output-layer sigmoid; --batch 50; --rate 0.01; --decay 0.1; --patience 1; --hidden 3",
                "remove")
        + tried("--validation 0.3"),
    "autoencode in/rows.csv --code 2 --epochs 3 -o net.scree": refused("--activation tanh", "add --hidden"),
    "autoencode in/rows.csv --resume in/net.scree -o n.scree":
        refused("--code 1; --hidden 3; --activation tanh; --linear; --tied", "does not match")
        + refused("--seed 4; --validation 0.3", "remove"),
    "{report}": refused("--labels in/labels.csv --label kind", "not both"),
    "{plot}": refused("--labels in/labels.csv --label kind", "not both") + refused("--dark --theme light", "not both")
              + refused("--title A --no-title", "not both")
              + refused("--palette #12", "is neither") + refused("--palette #123456", "give two at least")
              + refused("--font-size 2", "the size may be 4 to 96")
              + refused("--colour-by nothing; --size-by nothing", "no column of numbers")
              + refused("--level 0.5", "needs --around") + refused("--around hull --level 0.5", "holds all rows"),
    "plot in/part.scree in/rows.csv -o p.svg": refused("--supplementary height", "the groups of texts"),
    "plot in/m.scree --kind circle -o p.svg": refused("--supplementary kind", "needs DATA") + refused("in/rows.csv", "add --supplementary"),
    "plot in/m.scree": refused("--layout page", "is for files") + refused("--font-size 9", "is for files"),
    "plot in/images.scree in/images.idx --kind rows -o p.svg": refused("--palette viridis", "no use for a palette"),
    "{score}": refused("--training --calibrate in/held.csv", "not both"),
    "score in/m.scree in/new.csv --json": refused("--why 2; --format csv; --type f4; --spreadsheet; --append", "needs -o FILE"),
    "drift in/m.scree in/drifted.csv --json": refused("--why 2", "names all"),
    "drift in/m.scree in/drifted.csv": refused("--fitted in/rows.csv --against model", "not both"),
    "posterior in/m.scree in/new.csv --json": refused("--format csv; --type f4; --spreadsheet", "needs -o FILE"),
    "{decompress}": tried("--salvage"),
    "help": refused("--man --list; --completion bash --man", "give one of"),
    "fit in/rows.csv -k 2 -o m.scree": refused("--rank 2; --forget 9; --state-method svd", "give --state FILE"),
    "fit in/rows.csv --state rows.state": refused("-k 2; --scale unit; --center none; --latent 1", "give -o MODEL")
    + refused("--solver svd; --tol 0.1; --bootstrap 50; --online; --log1p", "needs the rows themselves"),
    "fit in/all.state -k 2 -o m.scree": refused("--columns height; --label kind; --weights group", "is for rows that are read")
    + refused("--state more.state", "use scree merge") + refused("--scale range", "needs the rows"),
    "info in/all.state": refused("-k 2; --views", "needs a model"),
    "help fit": refused("--list; --completion zsh", "for all commands"),
}
