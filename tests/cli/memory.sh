# SPDX-License-Identifier: BSD-3-Clause
# What a method takes is what its plan says, over what a small fit takes, and a little more.
. "$SRC/tests/cli/lib.sh"

command -v python3 >peak || skip 'there is no python3 to measure memory with'
if grep -q -e __asan_init -e __tsan_init "$SCREE"; then skip 'sanitizers keep memory that was freed'; fi

peak() { python3 "$SRC/tests/cli/peak.py" "$SCREE" "$@"; }
planned() { "$SCREE" plan -q "$@" --json | tr -d ' \t\n' | grep -o '"chosen":true,[^}]*' | sed 's/.*"memory":\([0-9]*\).*/\1/'; }

numbers 20 10000 >few.csv
"$SCREE" fit -q few.csv -k 5 -o few.scree
"$SCREE" sample -q few.scree -n 300 --type f4 -o wide.npy
numbers 40 4 >small.csv
base=$(peak fit -q small.csv -k 2 --threads 1 -o small.scree)
for case in 'wide.npy -k 10 --solver gram' 'wide.npy -k 200 --solver gram'; do
    most=$(($(planned $case --threads 1) / 1024))
    took=$(($(peak fit -q $case --threads 1 -o model.scree) - base))
    [ "$took" -le $((most + 8192)) ] || echo "$case: $took KiB were taken, $most planned"
    [ $((2 * took)) -ge "$most" ] || echo "$case: $took KiB were taken, and as many as $most planned"
done
echo done
