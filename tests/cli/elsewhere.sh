# SPDX-License-Identifier: BSD-3-Clause
# Names of other systems as commands: each is answered with one line, and the line runs. It needs pictures.
. "$SRC/tests/cli/lib.sh"

flowers >DATA.csv
cp DATA.csv NEW.csv
for name in transform predict inverse_transform fit_transform prcomp PCA summary biplot; do
    try $name DATA.csv
done
try help screeplot
try nothing_like_it
echo '--- every line runs'
scree()
{
    "$SCREE" "$@" -q >said 2>&1 </dev/stdin || { cat said; return 1; }
}
"$SCREE" fit -q DATA.csv -k 2 -o MODEL.scree
sed -n 's/^    {"\([A-Za-z_-]*\)", .*/\1/p' "$SRC/cli/elsewhere.c" >names
while read -r name; do
    "$SCREE" "$name" >said 2>&1 && echo "$name is a command"
    line=$(sed -n 's/.* run: //p' said)
    case $line in
    '') continue ;; # another command has its name, or does not exist here
    *info*) line=$(echo "$line" | sed 's/scree info/"$SCREE" info/') ;;
    esac
    "$SCREE" fit -q DATA.csv -k 2 -o MODEL.scree
    "$SCREE" project -q MODEL.scree DATA.csv -o codes.csv
    eval "$line" <DATA.csv >said 2>&1 || { echo "$name: '$line' fails"; cat said; }
done <names
[ "$(wc -l <names)" -gt 30 ] || echo 'there are hardly any names'
