# SPDX-License-Identifier: BSD-3-Clause
# Every command in README.md and docs/ does what these pages say.
# It needs pictures.
. "$SRC/tests/cli/lib.sh"

"$SCREE" fit -q "$SRC/examples/iris.csv" -k 2 -o model.scree
"$SCREE" report -q model.scree "$SRC/examples/iris.csv" 2>said ||
    { grep -q 'needs D3' said && skip 'this scree was built without D3, and the documents show scree report'; }
python3 "$SRC/tools/docs_check.py" "$SCREE"
echo '--- what is wrong is found'
cat >wrong.md <<'END'
```console
$ echo one
two
```

```sh
true && false
```

```sh no-run
make demo
```

```c
int nowhere;
```

```python
print(
```
END
python3 "$SRC/tools/docs_check.py" "$SCREE" "$PWD/wrong.md" 2>&1 | sed "s|$PWD/||g; s/\(a block of Python\).*/\1/"
