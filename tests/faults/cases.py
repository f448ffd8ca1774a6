# SPDX-License-Identifier: BSD-3-Clause
"""The commands whose calls are made to fail, one by one, and the files that they read: tables as small as the work allows,
since a command has some hundred to some thousand points.

A line is NAME: the arguments of scree. `FILE | ` before them pipes the file to standard input. Words that begin with @ are
files that the command writes: they exist before it runs, and must be replaced whole or left as they were.
"""

import bz2
import gzip
import io
import lzma
import os
import random
import struct
import subprocess
import zipfile

CASES = """
fit: fit rows.csv -k 2 -o @m.scree
fit all: fit rows.csv -k all --scale unit -o @m.scree
fit range: fit rows.csv -k 2 --scale range -o @m.scree
fit scales: fit rows.csv -k 2 --scale scales.csv -o @m.scree
fit log1p: fit bytes.npy -k 2 --log1p -o @m.scree
fit counts: fit bytes.npy -k 2 --normalize median --log1p --top-variance 3 -o @m.scree
fit folder: fit folder -k 2 --normalize 100 -o @m.scree
project folder: project folder.scree folder -o @codes.csv
fit uncentred: fit rows.csv -k 2 --center none -o @m.scree
fit transposed: fit rows.csv -k 2 --transpose -o @m.scree
fit auto: fit rows.csv -k auto -o @m.scree
fit json: fit rows.csv -k 2 --json -o @m.scree
fit svd: fit rows.csv -k 2 --solver svd -o @m.scree
fit gram: fit wide.npy -k 2 --solver gram -o @m.scree
fit lanczos: fit broad.npy -k 1 --solver lanczos -o @m.scree
fit bytes: fit bytes.npy -k 2 --threads 2 -o @m.scree
fit bootstrap: fit rows.csv -k 2 --bootstrap 40 -o @m.scree
fit weights: fit counted.csv --weights count -k 2 -o @m.scree
fit gz: fit rows.csv.gz -k 2 -o @m.scree
fit latin: fit latin.csv --encoding latin1 -k 2 -o @m.scree
fit guessed: fit latin.csv -k 2 -o @m.scree
fit xz: fit rows.csv.xz -k 2 -o @m.scree
fit bz2: fit rows.csv.bz2 -k 2 -o @m.scree
fit zstd: fit stored.csv.zst -k 2 -o @m.scree
fit awkward: fit awkward.csv --na <*,"x,y",-9 --exclude "b,c" -k 1 -o @m.scree
fit pipe: rows.csv | fit - -k 2 -o @m.scree
fit npy: fit rows.npy -k 2 -o @m.scree
fit idx: fit rows.idx -k 2 -o @m.scree
fit mtx: fit rows.mtx -k 2 -o @m.scree
fit arrow: fit rows.arrow -k 2 -o @m.scree
fit arrows: rows.arrows | fit - -k 2 -o @m.scree
convert arrow: convert rows.csv -o @x.arrow
fit bed: fit cohort.bed --chr 1 --maf 0.1 -k 2 -o @m.scree
fit bed lanczos: fit cohort.bed -k 1 --solver lanczos -o @m.scree
fit bed missing: fit cohort.bed --missing keep --tol 0.1 -k 2 -o @m.scree
fit npz: fit rows.npz -k 2 -o @m.scree
fit npz csr: fit csr.npz -k 1 -o @m.scree
fit npz csc: fit csc.npz -k 1 -o @m.scree
fit npz lanczos: fit broad.npz -k 1 --solver lanczos -o @m.scree
convert npz: convert rows.csv -o @x.npz
convert rows: convert rows.npy --rows 3:9 -o @x.csv
fit sample: fit rows.csv --sample 20 --seed 3 -k 2 -o @m.scree
fit h5: fit rows.h5 -k 2 -o @m.scree
fit h5ad: fit cells.h5ad -k 2 -o @m.scree
convert h5: convert rows.csv -o @x.h5
project h5ad: project cells.scree cells.h5ad -o @codes.h5ad
fit triplets: fit cells.csv --input-format triplets -k 2 -o @m.scree
fit parts: fit rows.csv rows.csv -k 2 -o @m.scree
fit archive: fit rows.screez -k 2 -o @m.scree
fit far: fit far.csv -k 2 -o @m.scree
fit threads: fit rows.npy -k 2 --threads 2 -o @m.scree
em: fit gaps.csv -k 2 --tol 0.1 -o @m.scree
em plain: fit gaps.csv -k 2 --em ml --no-imputer --tol 0.1 -o @m.scree
em vb: fit gaps.csv -k 2 --em vb --no-imputer --tol 0.1 --threads 2 -o @m.scree
fit mtx missing: fit rows.mtx --absent missing -k 2 -o @m.scree
em triplets: fit gappy.mtx --absent missing -k 1 --tol 0.1 -o @m.scree
online: gaps.csv | fit - -k 2 --online -o @m.scree
autoencode: autoencode rows.csv --code 2 --hidden 4 --epochs 2 --batch 16 -o @m.scree
autoencode json: autoencode rows.csv --code 2 --linear --epochs 2 --json -o @m.scree
autoencode resume: autoencode rows.csv --resume net.scree -o @m.scree
ls: ls rows.csv
info: info rows.scree
info views: info rows.scree --views --distortion 0.3
info json: info rows.scree --json
info gaps json: info gaps.scree --json
info network: info net.scree --json
info archive: info rows.screez --json
select: select rows.csv
select json: select rows.csv --json
select gaps: select gaps.csv --max 2 --json
select model: select rows.scree --json
plan: plan rows.csv -k 2 --memory 1G
plan json: plan rows.csv -k 2 --json --memory 1G
loadings: loadings rows.scree --what all
loadings csv: loadings rows.scree --what all -o @c.csv
loadings json: loadings rows.scree --json
loadings rows: loadings rows.scree rows.csv --training -o @c.csv
loadings groups: loadings rows.scree rows.csv --supplementary all -o @c.csv
loadings groups json: loadings rows.scree rows.csv --supplementary all --json
state: fit rows.csv --state @s.state
state svd: fit rows.csv --state @s.state --state-method svd -o @m.scree
state low-rank: fit rows.csv --state @s.state --state-method low-rank --forget 10 --json
merge: merge rows.state rows.state -o @all.state
merge model: merge rows.state rows.state -k 2 -o @m.scree
update: update rows.state rows.csv -o @new.state
state model: fit rows.state -k 2 -o @m.scree
rotate: rotate rows.scree --starts 1 -o @m.scree
rotate oblimin: rotate rows.scree --method oblimin --starts 1 --json -o @m.scree
rotated: project turned.scree rows.csv -o @c.csv
rotated info: info turned.scree --json
rotated report: report turned.scree rows.csv -o @r.html
project: project rows.scree rows.csv -o @c.csv
project white: project rows.scree rows.csv --whiten -o @c.csv
reconstruct white: reconstruct rows.scree white.csv --whiten -o @c.csv
project raw: rows.f8 | project rows.scree - --input-format f8:5 -o @c.csv
project npy: project rows.scree rows.npy -o @c.npy
project json: project rows.scree rows.csv --format json
project network: project net.scree rows.csv -o @c.csv
reconstruct: reconstruct rows.scree --data rows.csv -o @r.csv
reconstruct codes: reconstruct rows.scree codes.csv -o @r.npy
reconstruct network: reconstruct net.scree --data rows.csv -o @r.csv
score: score rows.scree rows.csv -o @s.csv
score why: score rows.scree rows.csv --why 2 --alpha 0.3 -o @s.csv
score fdr: score rows.scree rows.csv --training --fdr --alpha 0.3 -o @s.csv
score calibrate: score rows.scree rows.csv --calibrate held.csv --alpha 0.3 -o @s.csv
score json: score rows.scree rows.csv --json
drift: drift rows.scree held.csv
drift json: drift rows.scree held.csv --json --against model
drift fitted: drift rows.scree held.csv --fitted rows.csv
score pipe: bad.csv | score rows.scree - --on-error skip -o @s.csv
score gaps: score gaps.scree gaps.csv --why 1 --threads 2 -o @s.csv
posterior: posterior rows.scree rows.csv --interval 0.9 -o @p.csv
posterior json: posterior rows.scree rows.csv --json -o @p.csv
posterior gaps: posterior gaps.scree gaps.csv -o @p.npy
sample: sample rows.scree -n 5 -o @d.csv
explore: explore rows.scree rows.csv --row 2 -n 4 -o @d.csv
explore gaps: explore gaps.scree gaps.csv -n 2 --latent -o @d.npy
explore nan: explore rows.scree bad.csv -n 2 --on-error nan -o @d.csv
impute: impute gaps.scree gaps.csv -o @f.csv
impute nan: impute rows.scree bad.csv --on-error nan --sd @sd.csv -o @f.csv
impute sd: impute gaps.scree gaps.csv --sd @sd.csv -o @f.csv
impute draws: impute gaps.scree gaps.csv --draws 2 -o @f.npy
convert: convert rows.csv -o @o.npy
convert csv: convert rows.npy -o @o.csv
convert gz: convert rows.csv.gz --columns 3,1 -o @o.tsv
convert json: convert rows.mtx --format json
convert onnx: convert rows.scree -o @o.onnx
convert network: convert net.scree -o @o.onnx
compress: compress rows.csv -o @z.screez
compress error: compress rows.npy --max-error 0.01 -o @z.screez
compress json: compress bytes.npy --rmse 2 --json -o @z.screez
compress gaps: compress gaps.csv --threads 2 -o @z.screez
compress rd: compress --rd rows.npy
compress rd json: compress --rd rows.npy --json
decompress: decompress rows.screez -o @b.npy
decompress csv: decompress gaps.screez --threads 2 -o @b.csv
decompress rows: decompress rows.screez --rows 3:9 -o @b.csv
decompress salvage: decompress rows.screez --salvage -o @b.npy
decompress torn: decompress torn.screez --salvage -o @b.csv
plot: plot rows.scree -o @p.svg
plot png: plot rows.scree rows.csv --kind embedding --width 300 -o @p.png
plot outliers: plot rows.scree rows.csv --kind outliers -o @p.pdf
plot at: plot rows.scree rows.csv --kind reconstruction --at 1,2 --width 300 -o @p.svg
plot rows: plot rows.scree near.npy --kind rows --width 300 -o @p.svg
plot monitor: plot rows.scree rows.csv --kind monitor -o @p.svg
plot terminal: plot rows.scree rows.csv --kind biplot --terminal unicode
plot pairs: plot rows.scree rows.csv --kind pairs -o @p.svg
plot heatmap: plot rows.scree --kind heatmap -o @p.svg
plot beside: plot rows.scree rows.csv --kind biplot --colour-by cos2 --size-by cos2 --supplementary-rows rows.csv -o @p.svg
plot loadings: plot net.scree rows.csv -o @p.svg
plot rd: compress --rd rows.npy -o @p.svg
report: report rows.scree rows.csv -o @r.html
report network: report net.scree rows.csv -o @r.html
serve: serve rows.scree rows.csv --idle 0.001
demo: demo -o demo
help: help fit
"""

# Left out of the quick run: what takes longest there, and whose points the others have, too.
LONG = {"em", "em triplets", "fit bootstrap", "autoencode resume", "demo", "plot rd", "select gaps", "plot png", "plot outliers", "plot at",
        "plot loadings", "report network", "fit auto", "fit far", "compress rd json", "reconstruct network"}
# Draws with libraries whose own allocations end the program when they fail.
DRAWS = ("plot", "report", "serve", "demo")


def is_here(line):
    """Whether the module that the line takes is built."""
    return ".h5" not in line or os.path.exists(os.path.join(os.path.dirname(os.environ["SCREE"]), "scree-hdf5.so"))


def read_cases():
    """NAME → (what is piped or None, words, files that are written)."""
    cases = {}
    for line in filter(is_here, CASES.strip().splitlines()):
        name, _, rest = line.partition(": ")
        piped, bar, words = rest.partition(" | ")
        words = (words if bar else rest).split()
        if "--threads" not in words and words[0] not in ("info", "version", "help", "demo", "rotate", "merge", "ls"):
            words += ["--threads", "1"]
        outputs = [word[1:] for word in words if word.startswith("@")]
        cases[name] = (piped if bar else None, [word.lstrip("@") for word in words], outputs)
    return cases


AWKWARD = (b'A title\nsep\nrow names,"b,c",share,mass,note,\na,1,25%,"1,234.5",x,\nb,2,30%,"x,y",y,\nc,3,-9,"2,000",z,\n'
           b"d,4,40%,<0.5,n.d.,\ne,5,41%,7,#N/A,\n,,,,,\n")


def stored_zstd(data):
    """A frame of one block, as it is."""
    head = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data))
    return head + struct.pack("<I", len(data) << 3 | 1)[:3] + data


def low_rank(rows, columns, seed):
    draw = random.Random(seed).gauss
    axes = [[draw(0, 1) for _ in range(columns)] for _ in range(2)]
    table = []
    for _ in range(rows):
        code = [draw(0, 3), draw(0, 1.5)]
        table.append([round(sum(z * axis[j] for z, axis in zip(code, axes)) + draw(0, 0.3), 3) for j in range(columns)])
    return table


def as_csv(rows, names, labels=None):
    lines = [",".join(names + (["kind"] if labels else []))]
    for i, row in enumerate(rows):
        lines.append(",".join(["" if x is None else repr(x) for x in row] + ([labels[i % len(labels)]] if labels else [])))
    return ("\n".join(lines) + "\n").encode()


def as_npy(rows, descr, code):
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    cells = [x for row in rows for x in row]
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(cells)}{code}", *cells)


def as_mtx(rows):
    cells = [f"{i + 1} {j + 1} {x!r}" for i, row in enumerate(rows) for j, x in enumerate(row) if x is not None]
    return (f"%%MatrixMarket matrix coordinate real general\n{len(rows)} {len(rows[0])} {len(cells)}\n"
            + "\n".join(cells) + "\n").encode()


def as_npz(rows, by_rows):
    """What scipy.sparse.save_npz writes."""
    lines = [[x or 0 for x in line] for line in (rows if by_rows else zip(*rows))]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + sum(x != 0 for x in line))
    members = {
        "indices": as_array([j for line in lines for j, x in enumerate(line) if x], "<i4", "i"), "indptr": as_array(starts, "<i4", "i"),
        "format": as_array(["csr" if by_rows else "csc"], "|S3", None), "shape": as_array([len(rows), len(rows[0])], "<i8", "q"),
        "data": as_array([x for line in lines for x in line if x], "<f8", "d"),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy"), content)
    return file.getvalue()


def as_array(cells, descr, code):
    shape = f"({len(cells)},)" if code else "()"
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    packed = struct.pack(f"<{len(cells)}{code}", *cells) if code else cells[0].encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + packed


def as_cohort(samples, variants):
    """The three files of PLINK."""
    draw = random.Random(8)
    calls = [[draw.choice([3, 3, 2, 2, 0, 3, 2, 0, 3, 1 if j == 4 else 2]) for _ in range(samples)] for j in range(variants)]
    bed = b"\x6c\x1b\x01" + b"".join(bytes(sum(c << 2 * k for k, c in enumerate(line[i:i + 4])) for i in range(0, samples, 4))
                                     for line in calls)
    fam = "".join(f"f{i % 2} s{i} 0 0 1 -9\n" for i in range(samples))
    bim = "".join(f"{1 + j // 60}\t{'.' if j < 2 else f'rs{j}'}\t0\t{100 * j + 100}\tA\tG\n" for j in range(variants))
    return {"cohort.bed": bed, "cohort.fam": fam.encode(), "cohort.bim": bim.encode()}


def write_inputs(folder):
    rows = low_rank(40, 5, 1)
    names = ["a", "b", "c", "d", "e"]
    gaps = [[None if (7 * i + 3 * j) % 11 == 0 else x for j, x in enumerate(row)] for i, row in enumerate(rows)]
    sparse = [[x if (i + 2 * j) % 3 == 0 else None for j, x in enumerate(row)] for i, row in enumerate(low_rank(30, 6, 2))]
    table = as_csv(rows, names, ["one", "two"])
    byte_rows = [[min(255, max(0, int(128 + 9 * x))) for x in row] for row in rows]
    images = struct.pack(">BBBBIII", 0, 0, 8, 3, 20, 2, 3) + bytes((i * i + 7 * i) % 251 for i in range(120))
    files = {
        "rows.csv": table, "rows.csv.gz": gzip.compress(table, mtime=0), "rows.csv.xz": lzma.compress(table),
        "rows.csv.bz2": bz2.compress(table), "csr.npz": as_npz(sparse, True), "csc.npz": as_npz(sparse, False),
        "broad.npz": as_npz([[x if (i + 2 * j) % 3 == 0 else 0 for j, x in enumerate(row)]
                             for i, row in enumerate(low_rank(90, 60, 4))], True),
        "stored.csv.zst": stored_zstd(table), "awkward.csv": AWKWARD, "held.csv": as_csv(low_rank(30, 5, 1), names),
        "latin.csv": as_csv(rows, names, ["gr\u00f6\u00dfer", "two"]).decode().encode("latin1"),
        "rows.npy": as_npy(rows, "<f8", "d"), "bytes.npy": as_npy(byte_rows, "|u1", "B"),
        "wide.npy": as_npy(low_rank(12, 40, 3), "<f8", "d"),         "broad.npy": as_npy(low_rank(90, 60, 4), "<f8", "d"),
        "rows.mtx": as_mtx(rows), "gappy.mtx": as_mtx(sparse),
        "bad.csv": table + b"1,2,x,4,5,one\n1,2\n1,2,3,inf,5,two\n" + table.split(b"\n")[1] + b"\n",
        "rows.f8": as_npy(rows, "<f8", "d")[-8 * 200:],
        "rows.idx": images, "gaps.csv": as_csv(gaps, names),
        "counted.csv": as_csv([row + [1 + i % 3] for i, row in enumerate(rows)], names + ["count"]),
        "far.csv": as_csv([[x * 1e-120 for x in row] for row in rows], names),
        "scales.csv": b"b,2\na,1\nc,0.5\ne,3\nd,1\n",
        "cells.csv": ("row,column,value\n" + "".join(f"r{i},c{j},{x!r}\n" for j in range(5)
                                                      for i, x in enumerate(row[j] for row in rows))).encode(),
    }
    counts = [(g + 1, c + 1, (3 * g + c * c) % 5) for c in range(12) for g in range(6) if (3 * g + c * c) % 5]
    files |= {
        "folder/features.tsv": "".join(f"E{g}\t{'AB'[g % 2]}{g // 3}\tGene Expression\n" for g in range(6)).encode(),
        "folder/barcodes.tsv": "".join(f"cell{c}\n" for c in range(12)).encode(),
        "folder/matrix.mtx": (f"%%MatrixMarket matrix coordinate integer general\n6 12 {len(counts)}\n" +
                              "".join(f"{g} {c} {n}\n" for g, c, n in counts)).encode(),
    }
    with open(os.path.join(os.path.dirname(__file__), "../conformance/stored/tall.h5ad"), "rb") as file:
        files["cells.h5ad"] = file.read()
    os.makedirs(os.path.join(folder, "folder"))
    files |= as_cohort(60, 80)
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)


MADE = """
fit rows.csv -k 2 -o rows.scree
fit gaps.csv -k 2 --tol 0.1 -o gaps.scree
fit rows.csv --state rows.state
fit folder -k 2 --normalize 100 -o folder.scree
autoencode rows.csv --code 2 --hidden 4 --epochs 2 --batch 16 -o net.scree
project rows.scree rows.csv -o codes.csv
explore rows.scree rows.csv --row 3 -n 4 -o near.npy
rotate rows.scree --method oblimin -o turned.scree
project rows.scree rows.csv --whiten -o white.csv
compress rows.csv -o rows.screez
convert rows.csv -o rows.npz
convert rows.csv -o rows.h5
fit cells.h5ad -k 2 -o cells.scree
convert rows.csv -o rows.arrow
convert rows.csv -o rows.arrows
compress gaps.csv -o gaps.screez
compress rows.npy -o torn.screez
"""


def make_inputs(scree, folder):
    write_inputs(folder)
    for line in filter(is_here, MADE.strip().splitlines()):
        threads = [] if line.startswith("rotate") else ["--threads", "1"]
        subprocess.run([scree, *line.split(), "-q", *threads], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    path = os.path.join(folder, "torn.screez")
    with open(path, "rb") as file:
        data = bytearray(file.read())
    data[-5] ^= 255  # in the index
    with open(path, "wb") as file:
        file.write(data)
