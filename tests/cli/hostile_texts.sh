# SPDX-License-Identifier: BSD-3-Clause
# Names, labels, cells and file names that carry escape sequences: no command lets one through to people. Data in files
# and pipes keeps its bytes; on a terminal it does not. needs pictures
. "$SRC/tests/cli/lib.sh"

esc=$(printf '\033]0;pwned\007')   # sets the title of the terminal
csi=$(printf '\302\23331m')        # the same begin as one letter of UTF-8, U+009B
bidi=$(printf '\342\200\256txt')   # turns the direction of writing around
evil="$esc$csi$bidi"
# Whatever would steer a terminal: ESC, BEL, other control characters but line ends and tabs, DEL, C1, U+2028 to U+202E.
steering=$(printf '[\001-\010\013\014\016-\037\177]|\302[\200-\237]|\342\200[\250-\256]|\342\201[\246-\251]')

tried=0
worked=0
# quiet COMMAND...: must not steer, on standard output and standard error.
quiet()
{
    tried=$((tried + 1))
    "$SCREE" "$@" >stdout.txt 2>stderr.txt
    code=$?
    [ $code -ne 0 ] || worked=$((worked + 1))
    [ $code -le 2 ] || echo "ended with $code: $*"
    for stream in stdout stderr; do
        if LC_ALL=C grep -aqE "$steering" $stream.txt; then
            echo "steers on $stream: $*" | cat -v
            LC_ALL=C grep -aE "$steering" $stream.txt | cat -v | head -3
        fi
    done
}

table()
{
    printf '"%s_a","%s b",c,"%s=kind"\n' "$evil" "$evil" "$evil"
    i=0
    while [ $i -lt 40 ]; do
        printf '%d.%d,%d.5,%d,"%s%d"\n' $((i * 7 % 13)) $i $((i * 5 % 11)) $((i * i % 17)) "$evil" $((i % 3))
        i=$((i + 1))
    done
    printf '900,-800,700,"%sfar"\n' "$evil"
}

data="rows$esc.csv"
model="model$evil.scree"
table >"$data"
printf 'a,b,c\n1,2,3\n4,5,"%s"\n' "$evil" >"cell$esc.csv"
{ printf '"%s",b,c\n' "$evil" && printf '%d,7,%d\n' 1 2 2 3 3 5 4 4 5 9 6 1; } >constant.csv
{ printf '"%s",b,c\n' "$evil" && printf '%d,%d,%d\n' 1 -999 2 2 -999 9 3 1 5 4 2 3 5 3 6 6 5 1 7 2 5 8 9 4 9 1 1 10 2 7; } >look.csv
{ printf '"%s",b,c\n' "$evil" && printf '%s,%s,%s\n' 1 2 3 4 '' 6 7 8 9 1 5 2 2 6 8 9 1 4; } >gaps.csv

quiet fit "$data" -o "$model" -k 2
quiet fit "$data" -o "$model" -k auto
quiet fit "$data" -o "$model" -k 2 --columns "$evil"
quiet fit "$data" -o "$model" -k 2 --label "$evil"
quiet fit "$data" -o "$model" -k 2 --scale unit --id "$evil=kind"
quiet fit "cell$esc.csv" -o other.scree
quiet fit constant.csv -o other.scree
quiet fit look.csv -o other.scree
quiet fit gaps.csv -o gaps.scree -k 1
quiet fit "missing$evil.csv" -o other.scree
quiet fit "$data" "cell$esc.csv" -o other.scree
quiet fit "$data" -o "no$evil/where.scree"
quiet fit "$data" "--$evil" 1
quiet fit "$data" "-$esc"
quiet fit "$data" --solver "$evil"
quiet fit "$data" -k "$evil"
quiet "$evil"
quiet help "$evil"
quiet fit "$data" -o "$model" -k 2
for command in info select plan; do
    quiet $command "$model"
    quiet $command "$data"
    quiet $command "$data" --json
    quiet $command "$model" --json
done
quiet info "$model" --views
quiet score "$model" "$data" -o scores.csv --why 3
quiet score "$model" "$data" -o "scores$evil.csv" --json
quiet score "$model" "$data" --calibrate "$data" -o scores.csv
quiet score "$model" "$data" --format json
quiet score "$model" constant.csv -o scores.csv
quiet project "$model" "cell$esc.csv" -o codes.csv
quiet project "$model" constant.csv -o codes.csv
quiet project "$data" "$data" -o codes.csv
quiet project "$model" "$data" -o "codes$evil.csv"
quiet reconstruct "$model" "$data" -o rows.csv
quiet reconstruct "$model" --data "$data" -o rows.csv
quiet posterior "$model" "$data" -o posterior.csv
quiet sample "$model" -o "sample$evil.xyz"
quiet explore "$model" "$data" -o explored.csv
quiet impute gaps.scree gaps.csv -o "full$evil.csv"
quiet autoencode "$data" -o "net$evil.scree" --code 1 --epochs 2
quiet info "net$evil.scree"
quiet convert "$data" -o "copy$evil.npy"
quiet convert "$data" -o "copy$evil.npy"
quiet compress "$data" -o "rows$evil.screez"
quiet compress "$data" --error 0.1 -o "rows$evil.screez"
quiet info "rows$evil.screez"
quiet decompress "rows$evil.screez" -o "back$evil.csv"
quiet decompress "$data" -o back.csv
quiet report "$model" "$data" -o "report$evil.html"
for kind in scree loadings; do
    quiet plot "$model" --kind $kind --terminal unicode
    quiet plot "$model" --kind $kind -o "picture$evil.svg"
done
for kind in embedding biplot outliers reconstruction rows; do
    quiet plot "$model" "$data" --kind $kind --terminal unicode
    quiet plot "$model" "$data" --kind $kind -o "picture$evil.svg"
done
quiet demo -o "demo$evil" "$evil"
echo "$tried commands tried, $worked of them to the end"

echo '--- what is seen instead'
"$SCREE" info "$model" | sed -n '1p;3p'
"$SCREE" fit "cell$esc.csv" -o other.scree
"$SCREE" score "$model" "$data" --why 3 -o scores.csv 2>&1 | head -2
echo '--- a command that can be pasted'
"$SCREE" fit "$data" -o "$model" -k auto 2>&1 | sed -n 's/.*; \(scree select .*\) explains it/\1/p' >paste.txt
cat paste.txt
echo '--- pipes and files keep the bytes; a terminal is not steered'
"$SCREE" project "$model" "$data" 2>notes.txt | head -1 | cat -v
"$SCREE" project "$model" "$data" --format json 2>notes.txt | sed -n 2p | cut -c 1-60
need_terminal
for output in - /dev/stdout /dev/fd/1 /dev/tty; do
    echo "to $output"
    NO_COLOR=1 python3 "$SRC/tests/cli/on_terminal.py" "$SCREE" project "$model" "$data" --format csv -o $output -q | sed -n 1,2p | tr -d '\r' | cut -c 1-60 | cat -v
done
