# SPDX-License-Identifier: BSD-3-Clause
"""The commands that tools/same_answers runs, in order: later ones read files that earlier ones wrote.

A line holds the arguments of scree. `FILE | ` before it pipes the file to standard input; ` => 1` after it is the exit
code, if not 0. Where the new command spells an option differently, `{old|new}` gives both spellings. No two commands
write the same file.
"""

READ_AS = "{--format|--input-format}"  # rows that are read
KINDS = {"": ("scree", "error", "loadings", "samples", "circle"),
         " iris.csv": ("embedding", "biplot", "reconstruction", "outliers", "monitor", "rows", "cos2", "contributions")}


def fits():
    """Every method on every element type and format."""
    threads = 0
    tall = ("rows-f8.npy", "rows-f4.npy", "rows-u1.npy", "rows.csv", "rows.csv.gz", "rows.mtx",
            f"cells.csv {READ_AS} triplets", "medium-f4.npy", "medium-f8.npy", "medium-u1.npy", "digits.gz")
    wide = ("wide-f8.npy", "wide-f4.npy", "wide-u1.npy", "wide.csv")
    for solver, sources in (("covariance", tall + wide), ("svd", tall + wide), ("lanczos", tall + wide),
                            ("gram", wide), ("em", tall[:8] + wide[:1])):
        for source in sources:
            threads = threads * 2 % 7 or 1
            name = source.split()[0].replace(".", "-")
            few = "-k 5" if source[0] in "md" else "-k 2"
            yield f"fit {source} {few} --solver {solver} --threads {threads} -o {solver}-{name}.scree"


FIT_OPTIONS = """
fit iris.csv -k 2 --threads 2 -o iris.scree
fit iris.csv -k 2 --json --threads 2 -o iris-json.scree
fit iris.csv -k 0.95 --threads 2 -o iris-share.scree
fit iris.csv -k 97% --scale unit --threads 2 -o iris-percent.scree
fit iris.csv -k all --threads 2 -o iris-all.scree
fit iris.csv -k auto --threads 2 -o iris-auto.scree
fit iris.csv -k 3 --scale unit --ddof 1 --threads 2 -o iris-unit.scree
fit iris.csv --columns petal_length,1-2 --ddof 1 -k 1 --threads 1 -o iris-columns.scree
fit iris.csv -k 2 --bootstrap 100 --threads 2 -o iris-bootstrap.scree
fit iris.csv -k 3 --scale range --threads 2 -o iris-range.scree
fit iris.csv -k 3 --scale pareto --threads 2 -o iris-pareto.scree
fit iris.csv -k 3 --log1p --scale unit --threads 2 -o iris-log1p.scree
fit iris.csv -k 3 --center none --threads 2 -o iris-uncentred.scree
fit rows.csv -k 2 --transpose --threads 2 -o rows-transposed.scree
fit fitted.csv -k 3 --threads 2 -o fitted.scree
fit rows-f4.npy --scale unit -k 4 --solver svd --threads 2 -o unit-svd.scree
fit medium-f4.npy --scale unit --ddof 1 -k 5 --solver lanczos --tol 1e-10 --seed 3 --threads 2 -o unit-lanczos.scree
fit wide-f8.npy --scale unit -k 6 --solver gram --threads 2 -o unit-gram.scree
fit rows-i4.npy -k 3 --threads 2 -o i4.scree
fit rows-swapped.npy -k 3 --threads 2 -o swapped.scree
fit rows-fortran.npy -k 3 --threads 2 -o fortran.scree
fit rows.tsv -k 3 --threads 2 -q -o tsv.scree
fit bare.csv --no-header --delimiter semicolon -k 3 --threads 2 -o bare.scree
fit digits.idx -k 20 --threads 2 -o digits.scree
fit medium-u1.npy -k auto --threads 2 -o medium-auto.scree
fit part-1.csv part-2.csv part-3.csv -k 3 --threads 2 -o parts-csv.scree
fit part-1.npy part-2.npy part-3.npy -k 3 --block-rows 7 --threads 2 -o parts-npy.scree
fit part-1.csv part-2.npy part-3.csv -k 3 --threads 4 -o parts-mixed.scree
part-2.csv | fit part-1.csv - part-3.csv -k 3 --threads 2 -o parts-pipe.scree
fit wide.csv -k all --threads 2 -o wide-all.scree
fit wide-f4.npy -k 0.9 --threads 2 -o wide-share.scree
fit far.csv -k 3 --threads 2 -o far-csv.scree
fit far-f8.npy -k 2 --solver lanczos --threads 2 -o far-lanczos.scree
fit far-f8.npy -k 3 --solver svd --threads 2 -o far-svd.scree
fit far-f4.npy -k 3 --threads 2 -o far-f4.scree
fit flat.csv -k 4 --threads 2 -o flat.scree
fit flat.csv -k all --scale unit --threads 2 -o flat-unit.scree
fit flat.csv -k 4 --solver svd --threads 2 -o flat-svd.scree
fit equal.csv -k 3 --threads 1 -o equal.scree
fit equal.csv -k 2 --threads 1 -o equal-open.scree
fit counted.csv --weights count -k 3 --threads 2 -o counted.scree
fit counted.csv --weights count -k 3 --ddof 1 --scale unit --solver svd --threads 2 -o counted-svd.scree
fit counted.csv --weights count -k auto --threads 2 -o counted-auto.scree
fit counted-f8.npy --weights 9 -k 3 --threads 2 -o counted-npy.scree
fit counted-f8.npy --weights 9 -k 3 --solver em --threads 2 -o counted-em.scree
fit rows-f8.npy --bayes -k 6 --threads 2 -o bayes.scree
rows.csv | fit - -k 3 --threads 2 -o pipe.scree
rows.csv.gz | fit - -k 3 --threads 2 -o pipe-gz.scree
rows-f8.npy | fit - -k 3 --threads 2 -o pipe-npy.scree
digits.gz | fit - -k 5 --memory 64M --threads 2 -o pipe-idx.scree
iris.csv | fit -q - -k 2 --threads 2 -o -
"""

BLOCKS = """
fit long-f4.npy -k 8 --threads 1 -o long-1.scree
fit long-f4.npy -k 8 --threads 2 -o long-2.scree
fit long-f4.npy -k 8 --threads 4 -o long-4.scree
fit long-f4.npy -k 8 --threads 2 --block-rows 333 -o long-blocks.scree
fit long-f4.npy -k 8 --solver svd --threads 4 --block-rows 1000 -o long-svd.scree
fit long-f4.npy -k 5 --solver lanczos --threads 4 --block-rows 1000 -o long-lanczos.scree
fit medium-u1.npy -k 8 --threads 1 --block-rows 64 -o bytes-1.scree
fit medium-u1.npy -k 8 --threads 4 --block-rows 65 -o bytes-4.scree
fit rows.csv -k 3 --threads 1 --block-rows 1 -o blocks-1.scree
fit rows.csv -k 3 --threads 4 --block-rows 7 -o blocks-7.scree
fit long-f4.npy -k 8 --threads 2 --memory 40M -o long-memory.scree
project long-2.scree long-f4.npy --threads 1 --block-rows 100 -o long-codes-1.npy
project long-2.scree long-f4.npy --threads 4 -o long-codes-4.npy
score long-2.scree long-f4.npy --threads 1 -o long-scores-1.npy
score long-2.scree long-f4.npy --threads 4 --block-rows 129 -o long-scores-4.npy
"""

GAPS = f"""
fit gaps.csv -k 2 --threads 2 -o gaps.scree
fit gaps.csv -k 2 --em ml --json --threads 1 -o gaps-ml.scree
fit gaps.csv -k 4 --em vb --threads 2 -o gaps-vb.scree
fit gaps.csv -k 2 --no-imputer --threads 2 -o gaps-plain.scree
fit gaps.csv -k auto --threads 2 -o gaps-auto.scree
fit gaps-NA.csv -k 2 --em ml --scale unit --ddof 1 --threads 4 -o gaps-unit.scree
fit gaps-f8.npy -k 2 --em ml --tol 1e-9 --threads 2 -o gaps-f8.scree
fit gaps-f4.npy -k 2 --em vb --block-rows 11 --threads 2 -o gaps-f4.scree
fit gaps-counted.csv --weights count -k 2 --em ml --threads 2 -o gaps-counted.scree
fit gaps-counted.csv --weights count -k 3 --em vb --threads 2 -o gaps-counted-vb.scree
fit ratings.csv {READ_AS} triplets -k 2 --em ml --threads 2 -o ratings.scree
fit ratings.csv {READ_AS} triplets -k 3 --threads 2 -o ratings-vb.scree
fit ratings.csv.gz {READ_AS} triplets -k 2 --em vb --threads 4 -o ratings-gz.scree
fit ratings.mtx --absent missing -k 2 --em ml --threads 2 -o ratings-mtx.scree
fit ratings.mtx -k 2 --threads 2 -o ratings-zeros.scree
gaps.csv | fit - -k 2 --solver em --threads 2 -o gaps-pipe.scree
gaps.csv | fit - -k 2 --threads 2 -o refused.scree => 1
stream.csv | fit - -k 2 --online --threads 2 -o online.scree
fit stream.csv -k 2 --online --threads 1 --json -o online-file.scree
gaps.csv | fit - -k 2 --online --threads 2 -o online-few.scree
info gaps.scree
info gaps-vb.scree --json
info online.scree --json
project gaps.scree gaps.csv --threads 2 -o gaps-codes.csv
reconstruct gaps.scree --data gaps.csv --threads 2 -o gaps-back.csv
posterior gaps.scree gaps.csv --interval 0.9 --threads 2 -o gaps-means.csv
score gaps.scree gaps.csv --why 2 --threads 2 -o gaps-scores.csv
explore gaps.scree gaps.csv -n 2 --latent --seed 4 --threads 2 -o gaps-drawn.csv
impute gaps.scree gaps.csv --sd gaps-sd.csv --threads 2 -o gaps-filled.csv
impute gaps-vb.scree gaps-f8.npy --sd gaps-sd.npy --threads 4 -o gaps-filled.npy
impute gaps.scree gaps-f4.npy --block-rows 13 --threads 1 -o gaps-filled-f4.npy
impute gaps.scree gaps.csv --draws 3 --seed 2 --threads 2 -o gaps-draws.csv
gaps.csv | impute gaps.scree - -k 1 --threads 2
impute ratings.scree ratings.csv --input-format triplets --sd ratings-sd.csv --threads 2 -o ratings-filled.csv
plot gaps.scree gaps.csv --highlight 2,10 --threads 2 -o gaps.svg
report gaps.scree gaps.csv --threads 2 -o gaps.html
"""

ANSWERS = """
info iris.scree
info iris.scree --json
info -k 1 iris.scree
info iris.scree --views --distortion 0.3
info iris-unit.scree --views
info equal-open.scree
info counted.scree --json
info digits.scree --json
loadings iris.scree
loadings iris-unit.scree --what all -o loadings.csv
loadings iris-unit.scree --json
loadings iris-unit.scree iris.csv --training --threads 2 -o described.csv
loadings iris-columns.scree iris.csv --supplementary all --threads 2
loadings iris-columns.scree iris.csv --supplementary petal_width,species --json --threads 2
fit iris.csv --state iris.state --threads 2
fit iris.csv --state iris-svd.state --state-method svd --threads 2 -k 3 -o iris-svd.scree
fit iris.csv --state iris-low.state --state-method low-rank --rank 1 --json
fit iris.state -k 2 --scale unit -o iris-state.scree
merge iris.state iris.state -o twice.state
merge iris.state iris.state -k auto -o twice.scree
update iris.state iris.csv --forget 40 -o faded.state --threads 2
info iris.state --json
rotate iris-unit.scree -k 2 -o iris-varimax.scree
rotate iris-unit.scree --method promax --json -o iris-promax.scree
rotate iris-unit.scree --method oblimin --no-kaiser -o iris-oblimin.scree
rotate iris-unit.scree --method quartimax --seed 3 -q -o iris-quartimax.scree
info iris-oblimin.scree
project iris-oblimin.scree iris.csv --threads 2 -o factors.csv
project iris.scree iris.csv --threads 2 -o codes.csv
project iris.scree iris.csv --whiten --ddof 1 --threads 2 -o white.csv
reconstruct iris.scree white.csv --whiten --ddof 1 --threads 2
project iris-log1p.scree iris.csv --threads 2
reconstruct iris-log1p.scree --data iris.csv --threads 2
score iris-pareto.scree iris.csv --threads 2
score iris-uncentred.scree iris.csv --threads 2
project iris.scree iris.csv --threads 2
project iris.scree iris.csv -k 1 --format json --threads 2
project iris-unit.scree iris.csv --id species --threads 2 -o codes.tsv
iris.csv | project iris.scree - --type f4 --threads 2 -o codes.npy
project covariance-rows-u1-npy.scree rows-u1.npy --type f4 --threads 2 -o codes-u1.npy
project far-csv.scree far-f8.npy --threads 2 -o far-codes.npy
project far-f4.scree far-f4.npy --threads 2 -o far-codes-f4.npy
project wide-all.scree wide.csv --threads 2 -o wide-codes.csv
project parts-csv.scree part-1.csv part-2.npy part-3.csv --threads 2 -o parts-codes.csv
project digits.scree digits.gz --threads 2 -o digit-codes.npy
reconstruct iris.scree codes.csv --threads 2 -o back.csv
reconstruct iris.scree codes.npy --threads 2 -o back.npy
reconstruct -k 1 iris.scree codes.csv --threads 2
reconstruct iris.scree --data iris.csv --threads 2 -o round.csv
reconstruct iris-unit.scree --data iris.csv --threads 2 -o round-unit.csv
reconstruct counted.scree --data counted.csv --threads 2 -o round-counted.csv
reconstruct far-csv.scree --data far.csv --threads 2 -o round-far.csv
reconstruct digits.scree digit-codes.npy --type f4 --threads 2 -o digit-back.npy
reconstruct digits.scree --data digits.gz --type f4 --threads 2 -o digit-round.npy
score fitted.scree new.csv --threads 2
score fitted.scree new.csv --why 3 --alpha 0.05 --threads 2 -o scores.csv
score fitted.scree fitted.csv --training --alpha 0.1 --threads 2 -o scores-training.csv
score fitted.scree new.csv --alpha 0.05 --fdr --threads 2 -o scores-fdr.csv
score fitted.scree new.csv --calibrate held.csv --alpha 0.05 --threads 2 -o scores-calibrated.csv
score fitted.scree new.csv --json --threads 2
drift fitted.scree held.csv --threads 2
drift fitted.scree held.csv --fitted new.csv --threads 2
drift fitted.scree new.csv --json --against model --threads 2
new.csv | score fitted.scree - --on-error nan --threads 2 -o scores-pipe.csv
score -k 2 fitted.scree new.csv --noise 0.5 --threads 2 -o scores-noise.npy
score iris-all.scree iris.csv --noise-floor 0.05 --why 1 --threads 2 -o scores-floor.csv
score digits.scree digits.gz --training --threads 2 -o digit-scores.npy
posterior iris.scree iris.csv --threads 2 -o means.csv
posterior iris.scree iris.csv --interval 0.95 --threads 2 -o means-interval.csv
posterior iris.scree iris.csv --json --threads 2 -o means-json.csv
posterior digits.scree digits.gz --noise-floor 10 --threads 2 -o digit-means.npy
sample iris.scree -n 50 --seed 7 --threads 2 -o drawn.csv
sample iris.scree -n 3 --noise 0 --threads 1
sample -k 5 digits.scree -n 40 --seed 1 --type f4 --threads 2 -o digit-drawn.npy
sample counted.scree -n 2000 --seed 3 --threads 4 --block-rows 77 -o drawn.npy
explore iris.scree iris.csv --row 51 -n 4 --threads 2
explore iris.scree iris.csv -n 2 --latent --seed 9 --threads 2 -o explored.csv
explore digits.scree digits.gz --row 3 -n 5 --noise-floor 10 --threads 2 -o explored.npy
impute iris.scree iris.csv --threads 2 -o nothing-missing.csv
select iris.csv --threads 2
select iris.csv --json --threads 2
select iris.csv --scale unit --folds 7 --seed 5 --max 3 --json --threads 1
select rows-f4.npy --noise-sd 0.3 --json --threads 2
select medium-f8.npy --max 20 --json --threads 4
select wide-f8.npy --json --threads 2
select counted.csv --weights count --json --threads 2
select digits.scree --json --threads 2
select part-1.csv part-2.csv part-3.csv --threads 2 -q
plan iris.csv -k 2 --threads 2 --memory 1G
plan digits.gz -k 50 --json --threads 2 --memory 1G
plan wide-f4.npy -k 5 --json --threads 1 --memory 1G
plan medium-f8.npy -k 0.9 --scale unit --json --threads 4 --memory 64M
plan gaps.csv -k 2 --solver em --json --threads 2 --memory 1G
version
"""

CONVERSIONS = """
convert iris.csv --threads 2 -o iris.npy
ls iris.csv iris.npy
convert iris.csv --columns 4,1-2 --threads 2 -o iris-some.npy
convert iris.csv --format json --threads 2
convert rows.csv --id 1 --label kind --threads 2 -o rows-labels.tsv
convert rows.csv --id 1 --label kind --spreadsheet --threads 2 -o rows-safe.csv
convert rows.csv --id 1 --encoding latin1 --threads 2 -o rows-latin1.csv
convert iris.csv --exclude petal_width,1 --threads 2 -o iris-left.csv
convert gaps.csv --na -9,none --decimal . --threads 2 -o gaps-more.csv
convert iris.csv --skip 3 --no-header --threads 2 -o iris-rest.csv
convert rows-f8.npy --type f4 --threads 2 -o narrow.npy
convert rows-f4.npy --threads 2 -o printed.csv
convert rows-fortran.npy --threads 2 -o turned.npy
convert digits.gz --threads 2 -o digits.npy
convert cells.csv --input-format triplets --columns c3,c0 --threads 2 -o cells-some.csv
convert ratings.mtx --absent missing --threads 2 -o ratings-rows.csv
convert part-1.csv part-2.npy part-3.csv --threads 2 -o parts.npy
convert strange.npy --threads 2 -o strange.csv
rows.csv.gz | convert - --format tsv --threads 2
convert iris.scree -o iris.onnx
convert iris-unit.scree -o iris-f8.onnx --type f8
convert digits.scree -o encoder.onnx --part encode -k 5
convert far-csv.scree -o decoder.onnx --part decode
compress iris.csv --threads 2 -o iris.screez
compress iris.csv --json --threads 2 -o iris-json.screez
compress digits.gz --threads 2 -o digits.screez
compress digits.gz --max-error 8 --threads 2 -o digits-8.screez
compress medium-f4.npy --max-error 0.05 --threads 2 -o medium.screez
compress medium-f8.npy --rmse 0.2 -k 6 --threads 4 --block-rows 500 -o medium-rmse.screez
compress medium-f8.npy --psnr 30 --threads 1 --json -o medium-psnr.screez
compress rows-f4.npy --ratio 6 --threads 2 -o rows-ratio.screez
compress strange.npy --max-error 0.01 --threads 2 -o strange.screez
compress gaps.csv --threads 2 -o gaps.screez
compress part-1.npy part-2.npy part-3.npy --rmse 0.1 --threads 2 -o parts.screez
compress --rd iris.csv --threads 2
compress --rd --json rows-f4.npy --threads 2
compress --rd rows-f8.npy --threads 2 -o curve.svg
decompress iris.screez --threads 2
decompress digits.screez --threads 2 -o digits-back.npy
decompress digits.screez --type f4 --threads 2 -o digits-f4.npy
decompress digits-8.screez --rows 501:510 --threads 2 -o digits-some.npy
decompress medium.screez --threads 1 -o medium-back.npy
decompress medium-rmse.screez --threads 4 -o medium-rmse.npy
decompress strange.screez --threads 2 -o strange-back.npy
decompress gaps.screez --threads 2 -o gaps-again.csv
fit medium.screez -k 5 --threads 2 -o archive.scree
medium.screez | project archive.scree - --threads 2 -o archive-codes.npy
info medium.screez
info medium-rmse.screez --json
"""

NETWORKS = """
autoencode iris.csv --code 2 --linear --epochs 60 --threads 2 -o linear.scree
autoencode iris.csv --code 2 --linear --epochs 60 --json --threads 1 -o linear-json.scree
autoencode rows.csv --code 2 --hidden 12,6 --epochs 8 --batch 32 --patience 8 --threads 2 -o deep.scree
autoencode rows-f4.npy --code 2 --hidden 8 --tied --activation tanh --epochs 5 --seed 3 --json --threads 4 -o tied.scree
autoencode rows-f8.npy --code 3 --hidden 9 --activation relu --decay 0.01 --epochs 5 --threads 2 -o relu.scree
autoencode digits.gz --code 4 --hidden 40,20 --epochs 2 --threads 2 -o digit-net.scree
autoencode rows.csv --code 2 --hidden 12,6 --epochs 8 --batch 32 --time 0.000001 --threads 2 -q -o part.scree
autoencode rows.csv --resume part.scree --threads 1 -q -o resumed.scree
info deep.scree
info deep.scree --json
project deep.scree rows.csv --threads 2 -o net-codes.csv
reconstruct deep.scree net-codes.csv --threads 2 -o net-back.npy
reconstruct digit-net.scree --data digits.gz --threads 2 -o net-round.npy
convert deep.scree -o net.onnx
plot deep.scree rows.csv --threads 2 -o net.svg
plot deep.scree --kind loadings --threads 2 -o net-loadings.svg
report digit-net.scree digits.gz --labels labels.gz --rows 200 --threads 2 -o net.html
"""


def pictures():
    for rows, kind in ((rows, kind) for rows, kinds in KINDS.items() for kind in kinds):
        yield f"plot iris.scree{rows} --kind {kind} --threads 2 -o {kind}.svg"
        yield f"plot iris.scree{rows} --kind {kind} --width 400 --threads 2 -o {kind}.png"
        yield f"plot iris.scree{rows} --kind {kind} --terminal unicode --width 70 --threads 2"
    yield "plot digits.scree digits.gz --labels labels.gz --threads 2 -o digits.svg"
    yield "plot digits.scree --kind loadings {--components|--show} 1-6 --dark --width 400 --threads 2 -o components.png"
    yield "plot digits.scree digits.gz --kind reconstruction --threads 2 -o digits-back.svg"
    yield "plot digits.scree digits.gz --kind reconstruction --at 1,5,10 --highlight 1,8 --threads 2 -o digits-at.svg"
    yield "plot digits.scree --kind error --at 1,5,10 --threads 2 -o digits-error.svg"
    yield "explore digits.scree digits.gz --row 7 -n 6 --threads 2 -o digits-near.npy"
    yield "plot digits.scree digits-near.npy --kind rows --threads 2 -o digits-near.svg"
    yield "plot long-2.scree long-f4.npy {--components|--show} 2,3 --width 500 --threads 4 -o long.svg"
    yield "plot fitted.scree new.csv --kind outliers --alpha 0.05 --threads 2 -o new.svg"
    yield "plot iris.scree iris.csv --threads 2 -o iris.pdf"
    yield "compress --rd rows-f8.npy --width 400 --threads 2 -o curve.png"
    yield "report iris.scree iris.csv --training --threads 2 -o iris.html"
    yield "report digits.scree digits.gz --labels labels.gz --rows 300 --seed 2 --threads 2 -o digits.html"
    yield "report fitted.scree new.csv --alpha 0.05 --max-size 1MB --threads 2 -o new.html"
    yield "demo -o demo"


MISTAKES = """
fit iris.csv -k 9 -o wrong.scree => 1
fit gaps.csv -k 0.9 -o wrong.scree => 1
fit digits.gz -k 50 --threads 2 --memory 1M -o wrong.scree => 1
project iris.scree rows-f8.npy => 1
score iris-all.scree iris.csv => 1
posterior deep.scree rows.csv => 1
fit iris.csv --scale none --solver qr -o wrong.scree => 2
fti iris.csv => 2
"""


def all_commands():
    yield from fits()
    for block in (FIT_OPTIONS, BLOCKS, GAPS, ANSWERS, CONVERSIONS, NETWORKS):
        yield from block.strip().splitlines()
    yield from pictures()
    yield from MISTAKES.strip().splitlines()
