# SPDX-License-Identifier: BSD-3-Clause
# SQLite databases: tables, views and queries; what a query may not do; cells of two kinds; damaged files.
. "$SRC/tests/cli/lib.sh"

"$SCREE" version | grep -q '^with sqlite' || skip 'the module scree-sqlite.so was not built'
command -v python3 >/dev/null && python3 -c 'import sqlite3' 2>/dev/null || skip 'there is no python3 with sqlite3'

# file: makes a database of the statements on standard input.
database()
{
    python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.stdin.read())' "$1"
}

flowers | "$SCREE" convert -q - -o flowers.csv # labels are in front
echo '--- written and read again'
try convert flowers.csv -q -o flowers.db
try ls flowers.db
"$SCREE" convert -q flowers.db -o - | cmp flowers.csv - && echo same
"$SCREE" fit -q flowers.csv -k 2 -o a.scree
try fit -q flowers.db -k 2 -o b.scree
cmp a.scree b.scree && echo same
try project a.scree flowers.db -q -o codes.sqlite
"$SCREE" convert -q codes.sqlite:data --columns pc1 -o - | head -2 | nine_decimals
echo '--- tables, views, queries'
database some.db <<'END'
CREATE TABLE t1 (a, b);
INSERT INTO t1 VALUES (1, 2), (2, 'x'), (9007199254740993, NULL);
CREATE TABLE t2 (name TEXT, "x y" REAL, b INTEGER, day DATE, empty TEXT);
INSERT INTO t2 VALUES ('n', 1, 2, '2024-02-29', NULL), (NULL, 2.5, NULL, '2024-03-01', NULL), ('größe', -1e300, 4, NULL, NULL);
CREATE VIEW v AS SELECT b, "x y" FROM t2 WHERE name IS NOT NULL;
CREATE TABLE blobs (a, b);
INSERT INTO blobs VALUES (x'00ff', 1), (x'01', 2);
CREATE TABLE bare (a, b);
CREATE TABLE texts (a TEXT, b);
INSERT INTO texts VALUES ('', 1), (2.5, 2);
END
try ls some.db
try convert some.db -o -
try convert some.db:t2 -o -
try convert some.db --dataset v -o -
try convert some.db:t2 --label day --columns b -o -
try convert some.db -o - --query 'SELECT "x y" AS x, b + 1 AS c FROM t2 ORDER BY x;'
try fit some.db:t2 --query 'SELECT 1' -o m.scree
try fit flowers.csv --query 'SELECT 1' -o m.scree
try convert some.db:none -o -
try convert some.db:bare -o -
echo '--- cells of another kind'
try convert some.db:t1 -o -
try convert some.db:t1 --columns a -o -
try convert some.db:texts -o -
try convert some.db:blobs -o -
try convert some.db:blobs --exclude a -q -o -
database imported.db <<'END'
CREATE TABLE t (a TEXT, b TEXT);
INSERT INTO t VALUES ('1.5', '2'), ('', '3e2');
END
try convert imported.db -o -
try convert imported.db -q -o - --query "SELECT CAST(NULLIF(a, '') AS REAL) AS a, CAST(b AS REAL) AS b FROM t"
rm imported.db
echo '--- what a query may not do'
cp some.db before.db
for query in 'DELETE FROM t1' 'DROP TABLE t1' "ATTACH 'other.db' AS o" "SELECT load_extension('x')" 'PRAGMA user_version = 3' \
    'SELECT 1; SELECT 2' 'SELECT nonsense' '' 'CREATE TABLE z (a)' "VACUUM INTO 'z.db'"; do
    try convert some.db -o - --query "$query"
done
cmp some.db before.db && echo untouched
echo '--- damaged'
head -c 3000 some.db >cut.db
try convert cut.db:t2 -o -
head -c 40 some.db >cut.db
try convert cut.db -o -
{ head -c 4196 some.db; head -c 200 /dev/zero | tr '\0' '\377'; tail -c +4397 some.db; } >torn.db
"$SCREE" convert torn.db:t1 -o - >out 2>&1
echo "exit $?"
echo '--- compressed, and through a pipe'
cat some.db | try convert -q - --dataset v -o -
for pack in gzip xz; do
    $pack -c flowers.db >packed.db
    "$SCREE" convert -q packed.db -o - | cmp flowers.csv - && echo same
done
try ls packed.db
gzip -c some.db >packed.db
try convert packed.db:t1 -o -
try convert packed.db:none -o -
try convert flowers.csv --input-format sqlite -o -
left
