# SPDX-License-Identifier: BSD-3-Clause
# Ctrl-C, kill and a closed terminal, while a slow pipe is read: the status is that of the signal, nothing is left.
. "$SRC/tests/cli/lib.sh"
env --default-signal=INT true 2>/dev/null || skip 'env has no --default-signal here'

# signal command...: sends the signal when the command has taken the first rows from the pipe and waits for more.
interrupt()
{
    signal=$1
    shift
    mkfifo rows
    env --default-signal=INT,TERM,HUP "$SCREE" "$@" <rows >printed 2>&1 &
    work=$!
    exec 3>rows
    numbers 20000 5 >&3 # more than a pipe holds: when this returns, some has been read
    kill -"$signal" $work
    wait $work 2>/dev/null # where some shells name the signal
    echo "$signal $1: exit $?"
    exec 3>&-
    cat printed
    rm rows printed
    left
}

flowers >flowers.csv
"$SCREE" fit -q flowers.csv --columns 1-4 -k 2 -o model.scree
numbers 5 5 >five.csv
"$SCREE" fit -q five.csv -k 2 -o five.scree
left
interrupt INT fit - --solver covariance -k 2 -o new.scree
interrupt TERM fit - --solver covariance -k 2 -o new.scree
interrupt HUP project five.scree - -o codes.csv
interrupt TERM score five.scree - -k 1 -q -o "$(printf 'sc\033ores.csv')"
interrupt INT convert - out.npy
interrupt TERM convert - out.csv

# The same while rows keep coming, as soon as there is something that could be left behind.
for signal in INT TERM HUP; do
    mkfifo rows
    yes 1,2,3 >rows 2>/dev/null &
    env --default-signal=INT,TERM,HUP "$SCREE" convert rows out.csv >printed 2>&1 &
    work=$!
    until [ -n "$(find . -name '.scree*' -size +0)" ]; do
        kill -0 $work || break
    done
    kill -$signal $work
    wait $work 2>/dev/null
    echo "$signal convert: exit $?"
    cat printed
    rm rows printed
    left
done

# A training that has no epoch yet says so; a megabyte of rows is more than is looked at before reading begins.
mkfifo rows
{ yes 1,2,3,4,7 | head -n 1000000; : >begun; yes 1,2,3,4,7; } >rows 2>/dev/null &
env --default-signal=INT,TERM,HUP "$SCREE" autoencode rows --code 1 -o new.scree >printed 2>&1 &
work=$!
until [ -e begun ]; do
    kill -0 $work || break
done
kill -INT $work
wait $work 2>/dev/null
echo "INT autoencode: exit $?"
cat printed
rm rows printed begun
left
