#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The command under mpirun: test_ranks.sh SCREE openmpi|mpich|abi [sample]. Two, three and four processes, which share two
# cores where there are no more, write the same bytes as one does, speak with one voice, and fail with one sentence, exit
# code 1 and the old output intact. sample: every method, once.
set -u
scree=$1
kind=$2
extent=${3:-full}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
tree=$(dirname "$scree")
ls "$tree/libscree-mpi-$kind".so.* > /dev/null 2>&1 || {
    echo "skipped: libscree-mpi-$kind was not built"
    exit 77
}
if [ "$kind" = abi ]; then # taken where there is no other: so it is alone in a tree, with an MPI that has the ABI
    runner=$(sed -n 's/^SCREE_MPICC_abi:.*=\(.*\)mpicc_abi$/\1mpiexec/p' "$tree/CMakeCache.txt")
    LD_LIBRARY_PATH=$(dirname "$(dirname "$runner")")/lib
    export LD_LIBRARY_PATH
    mkdir tree && cp -d "$tree"/scree "$tree"/libscree.so* "$tree"/libscree-mpi-abi.so* "$tree"/scree-*.so tree
    scree=$work/tree/scree
else
    runner=$(command -v "mpirun.$kind")
fi
[ -x "$runner" ] || {
    echo "skipped: there is no mpirun of $kind"
    exit 77
}
export NO_COLOR=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 TMPDIR=$work
export OMPI_MCA_btl_vader_single_copy_mechanism=none # containers may not read each other's memory

wrong()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# together RANKS COMMAND...: exit code in $code, output in out and err.
together()
{
    local ranks=$1
    shift
    timeout -k 10 600 "$runner" -n "$ranks" "$@" > out 2> err
    code=$?
}

expect_code()
{
    [ "$code" = "$1" ] || wrong "exit code $code, not $1: $(cat out err)"
}

# One sentence of scree on standard error, which has these words.
expect_sentence()
{
    local count
    count=$(grep -c '^scree: ' err)
    [ "$count" = 1 ] || wrong "$count sentences: $(cat err)"
    grep -q "$1" err || wrong "no '$1' in: $(cat err)"
}

python3 - << 'END'
import random, struct
random.seed(7)
n, d = 1500, 12
rows = [[random.gauss(3 + j, 5.0 / (1 + j)) for j in range(d)] for i in range(n)]
with open("a.csv", "w") as f:
    f.write("name," + ",".join(f"c{j}" for j in range(d)) + "\n")
    for i, row in enumerate(rows):
        f.write(f"row{i}," + ",".join(repr(x) for x in row) + "\n")
with open("gaps.csv", "w") as f:
    f.write(",".join(f"c{j}" for j in range(d)) + "\n")
    for row in rows[:400]:
        f.write(",".join("" if random.random() < 0.05 else repr(x) for x in row) + "\n")
def npy(name, code, pack, chosen):
    head = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({len(chosen)}, {len(chosen[0])}), }}"
    head += " " * (63 - (10 + len(head)) % 64) + "\n"
    with open(name, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in chosen:
            f.write(struct.pack(f"<{len(row)}{pack}", *row))
npy("a.npy", "<f8", "d", rows)
npy("a32.npy", "<f4", "f", rows)
npy("first.npy", "<f8", "d", rows[:700])
npy("second.npy", "<f8", "d", rows[700:])
with open("quoted.csv", "w", newline="") as f: # texts that hold rows, blank lines, and empty ones at the end
    f.write("c0,note,c1,c2\r\n")
    for i, row in enumerate(rows):
        note = ['plain', '"1,x,2,3\r\n4,""y"",5,6\r\n"', 'in"side', '""', '"\n\n\n"'][i * i % 5]
        f.write(f"{row[0]!r},{note},{row[1]!r},{row[2]!r}\r\n" + "\r\n" * (i % 50 == 7))
    f.write(",,,\r\n,,,\r\n")
for part, (begin, end) in enumerate([(0, 1), (1, 600), (600, 610), (610, 1100), (1100, 1500)]):
    with open(f"part-{part}.csv", "w") as f:
        f.write(",".join(f"c{j}" for j in range(d)) + "\n")
        for row in rows[begin:end]:
            f.write(",".join(repr(x) for x in row) + "\n")
wide = [[random.gauss(0, 1 + (j == i % 7)) for j in range(300)] for i in range(60)]
npy("wide.npy", "<f8", "d", wide)
broad = [[random.gauss(100 * (j % 3), 1 + (j % 50 == i % 5)) for j in range(9000)] for i in range(70)]
npy("broad.npy", "<f8", "d", broad)
npy("broad32.npy", "<f4", "f", broad)
npy("bytes.npy", "|u1", "B", [[int(x) % 256 for x in row] for row in broad])
far = [[random.gauss(1e8 + j, 5.0 / (1 + j)) for j in range(d)] for i in range(n)]
npy("far.npy", "<f8", "d", far)
for part, (begin, end) in enumerate([(0, 1), (1, 300), (300, 301), (301, 700), (700, 710), (710, 1100), (1100, 1500)]):
    npy(f"far-{part}.npy", "<f8", "d", far[begin:end])
npy("long.npy", "<f4", "f", [[random.gauss(0, 0.9 ** j) for j in range(90)] for i in range(500)])
END

# same NAME RANKS ARGUMENTS...: the file NAME of so many processes is that of one.
same()
{
    local name=$1
    shift
    together 1 "$scree" "$@" -o "one.$name"
    expect_code 0
    for ranks in 2 3 4; do
        together "$ranks" "$scree" "$@" -o "more.$name"
        expect_code 0
        cmp -s "one.$name" "more.$name" || wrong "$ranks processes: other bytes: $*"
    done
}

if [ "$extent" = sample ]; then
    same m.scree fit a.npy -k 3 --solver covariance
    same m.scree fit a32.npy -k 3 --solver svd
    same m.scree fit broad.npy -k 3 --solver svd
    same m.scree fit long.npy -k 2 --solver lanczos --tol 1e-5
    same m.scree fit broad32.npy -k 3 --solver gram
    same m.scree fit gaps.csv -k 2 --em ml
    same codes.npy project one.m.scree gaps.csv
    for data in a.npy broad32.npy gaps.csv; do
        "$scree" select "$data" > select.alone 2> /dev/null
        together 3 "$scree" select "$data"
        cmp -s select.alone out || wrong "select $data prints something else: $(diff select.alone out)"
    done
    same m.scree fit a.npy -k auto
    for part in 0 1 2 3 4 5 6; do "$scree" fit -q "far-$part.npy" --state "part-$part.state"; done
    same all.state merge part-?.state
    same more.state update part-3.state a.npy --forget 100
    [ $failures = 0 ] && echo "the sample is well under $kind"
    exit $((failures > 0))
fi

for method in covariance svd; do
    for data in a.npy a32.npy a.csv "first.npy second.npy" quoted.csv "part-0.csv part-1.csv part-2.csv part-3.csv part-4.csv"; do
        # shellcheck disable=SC2086
        same m.scree fit $data -k 3 --solver $method
    done
done
same m.scree fit long.npy -k 2 --solver lanczos --tol 1e-5
same m.scree fit wide.npy -k 3 --solver gram
for data in broad.npy broad32.npy bytes.npy; do
    same m.scree fit $data -k 4 --solver gram
    same m.scree fit $data -k 4 --solver gram --scale unit
    same m.scree fit $data -k 4 --solver svd
    same m.scree fit $data -k 0.3 --solver svd --scale unit
done
same m.scree fit broad32.npy -k 4 --solver gram --weights 2
same m.scree fit broad.npy -k 69 --solver gram
same m.scree fit wide.npy -k 3 --solver svd
same m.scree fit broad32.npy -k 4 --solver svd --weights 2
same m.scree fit broad.npy -k 69 --solver svd --center none
same m.scree fit "$SRC/examples/iris.csv" -k 2
same m.scree fit "$SRC/examples/cohort.bed" -k 2
same m.scree fit a.csv -k 3 --weights c11 --columns c0,c3,c5,c11
if "$scree" convert a.csv a.h5 > /dev/null 2>&1; then
    same m.scree fit a.h5 -k 3
    same m.scree fit a.h5 a.h5 -k 3
    same codes.csv project one.m.scree a.h5
fi
"$scree" convert a.npy a.arrow > /dev/null 2>&1 && same m.scree fit a.arrow -k 3
gzip -k a.csv && same m.scree fit a.csv.gz -k 3
same m.scree fit gaps.csv -k 2 --em ml
same m.scree fit a.npy -k 0.9 --scale unit
same m.scree fit a.npy -k auto
same m.scree fit broad32.npy -k auto
# Selection is that of a process that is alone, but for the last digits, which --json prints.
for data in a.npy a32.npy a.csv "first.npy second.npy" quoted.csv gaps.csv broad.npy wide.npy "a.npy --scale unit" \
            "a.csv --weights c11 --columns c0,c3,c5,c11" "broad32.npy --folds 7 --scale unit"; do
    # shellcheck disable=SC2086
    "$scree" select $data > select.alone 2> /dev/null
    # shellcheck disable=SC2086
    together 1 "$scree" select $data --json
    cp out select.json
    for ranks in 2 3 4; do
        # shellcheck disable=SC2086
        together $ranks "$scree" select $data
        expect_code 0
        cmp -s select.alone out || wrong "$ranks: select $data prints something else: $(diff select.alone out)"
        # shellcheck disable=SC2086
        together $ranks "$scree" select $data --json
        cmp -s select.json out || wrong "$ranks: select $data: other bits"
    done
done

# Answers are those of a process that is alone.
"$scree" fit a.csv -k 3 -o alone.scree > /dev/null 2>&1
"$scree" fit quoted.csv -k 2 -o quoted.scree > /dev/null 2>&1
"$scree" fit gaps.csv -k 2 --em ml -o gaps.scree > /dev/null 2>&1
for ranks in 1 2 4; do
    for question in "project alone.scree a.csv" "project alone.scree a.csv --whiten" "score alone.scree a.csv" \
                    "score alone.scree a.csv --why 2" "impute gaps.scree gaps.csv" "project quoted.scree quoted.csv" \
                    "project alone.scree part-0.csv part-1.csv part-2.csv part-3.csv part-4.csv"; do
        for format in csv npy; do
            # shellcheck disable=SC2086
            "$scree" $question -o "alone.$format" 2> alone.err > alone.out
            # shellcheck disable=SC2086
            together "$ranks" "$scree" $question -o "together.$format"
            expect_code "$(cmp -s alone.$format /dev/null; [ -e alone.$format ] && echo 0 || echo 1)"
            cmp -s "alone.$format" "together.$format" || wrong "$ranks: $question: another $format"
            [ "$(grep -c 'missing cells' err)" = "$(grep -c 'missing cells' alone.err)" ] || wrong "$question: $(cat err)"
            rm -f "alone.$format" "together.$format"
        done
    done
done

# numbers FILE: what a model or a state has, in full precision.
numbers()
{
    "$scree" info --json "$1" 2> /dev/null
}

# agrees MODEL ONE: eigenvalues of one fit of all rows, to 1e-12, or within the bounds of what is low-rank.
agrees()
{
    numbers "$1" > agrees.one
    numbers "$2" > agrees.two
    python3 - << 'END' || wrong "another model: $1, $2"
import json
a, b = (json.load(open(f"agrees.{x}")) for x in ("one", "two"))
bounds = [x + y for x, y in zip(a["eigenvalue_bounds"], b["eigenvalue_bounds"])]
assert len(a["eigenvalues"]) == len(b["eigenvalues"]) == 3
for x, y, bound in zip(a["eigenvalues"], b["eigenvalues"], bounds):
    assert abs(x - y) <= 1e-12 * y + (bound if bound > 1e-11 * y else 0), (x, y, bound)
END
}

# States: merged, with those of a process without mpirun; made, of rows that are shared; and added to.
"$scree" fit -q far.npy -k 3 --solver svd -o once.scree
for method in covariance svd low-rank; do
    rank=
    [ $method = low-rank ] && rank="--rank 4"
    # shellcheck disable=SC2086
    for part in 0 1 2 3 4 5 6; do
        "$scree" fit -q "far-$part.npy" --state "part-$part.state" --state-method $method $rank
    done
    same all.state merge part-?.state
    "$scree" merge -q part-?.state -o alone.state
    cmp -s alone.state one.all.state || wrong "mpirun merges something else: $method"
    same m.scree merge part-?.state -k 3
    same m.scree fit part-?.state -k 3
    agrees one.m.scree once.scree
    for data in far.npy "far-0.npy far-1.npy far-2.npy far-3.npy far-4.npy far-5.npy far-6.npy"; do
        # shellcheck disable=SC2086
        same m.scree fit $data -k 3 --state made.state --state-method $method $rank
        cp made.state made.4
        agrees one.m.scree once.scree
        # shellcheck disable=SC2086
        together 1 "$scree" fit $data --state made.state --state-method $method $rank
        cmp -s made.state made.4 || wrong "4 processes make another state: $method of $data"
    done
    for data in far.npy a.csv "part-1.csv part-0.csv" "a.npy --sample 1000"; do
        case "$data" in *.csv*) state="named.state" ;; *) state="part-3.state" ;; esac
        # shellcheck disable=SC2086
        "$scree" fit -q part-3.csv --state named.state --state-method $method $rank
        # shellcheck disable=SC2086
        same more.state update $state $data
        # shellcheck disable=SC2086
        same more.state update $state $data --forget 50
    done
    cp part-3.state alone.state
    "$scree" update -q alone.state a.npy --forget 50
    together 3 "$scree" update -q part-3.state a.npy --forget 50
    expect_code 0
    "$scree" fit -q alone.state -k 3 -o once.alone
    "$scree" fit -q part-3.state -k 3 -o once.together
    agrees once.together once.alone
done
"$scree" fit -q far-4.npy --state part-4.state

# One voice: the report once.
together 4 "$scree" fit a.npy -k 2 -o m.scree
[ "$(grep -c '1500 rows' out)" = 1 ] || wrong "the report: $(cat out)"

# Failures: everybody ends, within 10 s.
fails()
{
    local began=$SECONDS
    together "$@"
    expect_code 1
    [ $((SECONDS - began)) -lt 10 ] || wrong "it took $((SECONDS - began)) s: $*"
}
cp m.scree before
cp one.all.state all.state
for part in 0 1 2 3 5 6; do "$scree" fit -q "far-$part.npy" --state "part-$part.state"; done
"$scree" fit -q a.csv --state named.state
"$scree" fit -q far-2.npy --state svd.state --state-method svd
cp part-2.state damaged.state
printf '\125' | dd of=damaged.state bs=1 seek=1500 conv=notrunc 2> /dev/null
for bad in damaged none named svd; do
    words="$bad.state"
    [ $bad = named ] && "$scree" fit -q quoted.csv --state named.state
    for ranks in 1 2 4; do
        fails $ranks "$scree" merge part-0.state part-1.state part-2.state $bad.state part-3.state -o all.state
        expect_sentence "$words"
        fails $ranks "$scree" fit part-0.state part-1.state part-2.state part-4.state $bad.state -k 2 -o m.scree
        expect_sentence "$words"
    done
done
cmp -s all.state one.all.state || wrong "the old state has changed"
cp part-2.state kept.state
fails 3 "$scree" update part-2.state none.npy
expect_sentence 'none.npy'
fails 3 "$scree" update part-2.state quoted.csv
expect_sentence 'part-2.state'
fails 3 "$scree" update part-2.state gaps.csv
expect_sentence 'a state takes complete rows'
fails 3 "$scree" update part-2.state - < /dev/null
expect_sentence 'only once'
fails 2 "$scree" fit gaps.csv --state part-2.state
expect_sentence 'a state takes complete rows'
cmp -s part-2.state kept.state || wrong "the state has changed"
fails 3 "$scree" fit none.npy -k 2 -o m.scree
expect_sentence 'none.npy'
awk 'NR == 1200 { sub(",[^,]*$", ",inf") } { print }' a.csv > bad.csv
fails 4 "$scree" fit bad.csv -k 2 -o m.scree
expect_sentence "bad.csv: row 1199, column 'c11' is infinite"
fails 4 "$scree" select bad.csv
expect_sentence "bad.csv: row 1199, column 'c11' is infinite"
cat > lacks.sh << END
[ "\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}" = 2 ] && set -- "\$1" none.npy "\${@:3}"
exec "$scree" "\$@"
END
fails 4 bash lacks.sh fit a.npy -k 2 -o m.scree
expect_sentence 'rank 2: none.npy'
fails 4 bash lacks.sh select a.npy
expect_sentence 'rank 2: none.npy'
fails 2 "$scree" fit a.npy -k 2 --bootstrap 10 -o m.scree
expect_sentence 'one process'
fails 2 "$scree" project before none.npy -o codes.csv
fails 3 "$scree" fit - -k 2 -o m.scree < /dev/null
expect_sentence 'only once'
fails 2 "$scree" impute gaps.scree gaps.csv --draws 3 -o codes.csv
expect_sentence 'one process'
cmp -s m.scree before || wrong "the old model has changed"

together 3 "$scree" fit a.npy -k 2 --nonsense -o m.scree
expect_code 2
[ "$(grep -c 'unknown option --nonsense' err)" = 1 ] || wrong "not one voice: $(cat err)"
other=mpich
[ "$kind" = openmpi ] || other=openmpi
if [ "$kind" != abi ] && ls "$(dirname "$scree")/libscree-mpi-$other".so.* > /dev/null 2>&1; then
    together 2 "$scree" fit a.npy -k 2 -o m.scree --mpi $other
    [ "$code" != 0 ] || wrong "processes that do not know of each other: $(cat out err)"
    cmp -s m.scree before || wrong "processes that do not know of each other have written a model"
fi

# A disk that is full where the first process writes.
fails 2 "$scree" project before a.npy -o /dev/full --format csv
expect_sentence '/dev/full'
mkdir small
if mount -t tmpfs -o size=32k none small 2> /dev/null; then
    trap 'umount "$work/small"; rm -rf "$work"' EXIT
    cp before small/m.scree
    head -c 40000 /dev/zero > small/fill 2> /dev/null
    fails 2 "$scree" fit wide.npy -k 30 -o small/m.scree
    expect_sentence 'small/m.scree'
    cmp -s small/m.scree before || wrong "a full disk has changed the old model"
    fails 2 "$scree" project before a.npy -o small/codes.npy
    [ -e small/codes.npy ] && wrong "half an output on a full disk"
fi
[ -e codes.csv ] && wrong "half an output"
leftovers=$(find . -name '.*' -type f)
[ -z "$leftovers" ] || wrong "left behind: $leftovers"

# What is not shared is refused, once.
together 3 "$scree" info m.scree
expect_code 2
expect_sentence 'run it without mpirun'

# A process that is killed takes the others along, and its guard says so. It is stopped first, so that all have to wait
# for it, and at its rows: Open MPI 4's mpirun may itself hang where one is killed while MPI starts.
{
    printf '\223NUMPY\1\0\166\0%-117s\n' "{'descr': '|u1', 'fortran_order': False, 'shape': (200000, 200), }"
    head -c 40000000 /dev/urandom
} > noise.npy
cat > killed.sh << END
if [ "\${OMPI_COMM_WORLD_RANK:-\${PMI_RANK:-0}}" = \$1 ]; then
    "$scree" "\${@:3}" &
    until worker=\$(pgrep -P \$!); do :; done
    until ls -l /proc/\$worker/fd | grep -q noise.npy; do [ -e /proc/\$worker/fd ] || exit; done
    kill -STOP \$worker
    kill -\$2 \$worker
    kill -CONT \$worker
    wait \$!
    exit
fi
exec "$scree" "\${@:3}"
END
for signal in KILL SEGV TERM; do
    for rank in 0 2; do
        fails 3 bash killed.sh $rank $signal fit noise.npy --solver svd -k 2 -o m.scree
        expect_sentence "rank $rank, on .*, was ended by signal $(kill -l $signal) "
        cmp -s m.scree before || wrong "a kill has changed the old model"
    done
done

[ $failures = 0 ] && echo "all is well under $kind"
exit $((failures > 0))
