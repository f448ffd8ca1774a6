# SPDX-License-Identifier: BSD-3-Clause
# Under a limit of address space a command does its work or says in one sentence why it cannot, and ends.
. "$SRC/tests/cli/lib.sh"

grep -q __asan_init "$SCREE" && exit 77 # its shadow takes more than any limit here
grep -q __tsan_init "$SCREE" && exit 77
(ulimit -v 500000) 2>no_limits || exit 77
unset OPENBLAS_NUM_THREADS

flowers >flowers.csv
"$SCREE" fit -q flowers.csv -k 2 -o unlimited.scree
fitted=0
for kilobytes in 200000 250000 300000 350000 400000 450000 500000; do
    rm -f flowers.scree
    (ulimit -v $kilobytes && timeout 20 "$SCREE" fit -q flowers.csv -k 2 -o flowers.scree) 2>said
    code=$?
    case $code in
    0)
        cmp flowers.scree unlimited.scree && fitted=$((fitted + 1))
        (ulimit -v $kilobytes && timeout 20 "$SCREE" score -q flowers.scree flowers.csv -o scores.csv) || echo "score $?"
        ;;
    1) grep -q 'ulimit -v' said || cat said ;;
    *) echo "with $kilobytes KiB: exit $code" && cat said ;;
    esac
    (ulimit -v $kilobytes && timeout 20 "$SCREE" version) >version || echo "version: exit $?"
done
[ $fitted -ge 2 ] || echo "only $fitted fits were done"
echo done
