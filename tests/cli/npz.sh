# SPDX-License-Identifier: BSD-3-Clause
# NumPy archives and SciPy's sparse arrays: members by name, the only one that there is, damage.
. "$SRC/tests/cli/lib.sh"

python3 -c '
import io, struct, zipfile
def npy(descr, shape, data):
    head = ("{\"descr\": \"%s\", \"fortran_order\": False, \"shape\": %s, }" % (descr, shape)).replace("\"", chr(39))
    head = head.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data
def write(name, members, method=zipfile.ZIP_STORED):
    with zipfile.ZipFile(name, "w", method) as z:
        for key, value in members.items():
            info = zipfile.ZipInfo(key + ".npy", (1980, 1, 1, 0, 0, 0))
            z.writestr(info, value, method)
a = npy("<f8", "(3, 2)", struct.pack("<6d", 1, 2, 3, 4, 5, 6))
b = npy("<i4", "(2, 2)", struct.pack("<4i", 7, 8, 9, 10))
t = npy("<U1", "(2,)", "xy".encode("utf-32-le"))
write("one.npz", {"x": a, "names": t})
write("two.npz", {"x": a, "y": b, "names": t}, zipfile.ZIP_DEFLATED)
write("none.npz", {"names": t})
ints = lambda *v: npy("<i4", "(%d,)" % len(v), struct.pack("<%di" % len(v), *v))
floats = lambda *v: npy("<f4", "(%d,)" % len(v), struct.pack("<%df" % len(v), *v))
shape = lambda n, d: npy("<i8", "(2,)", struct.pack("<2q", n, d))
kind = lambda k: npy("|S3", "()", k)
data = floats(1, 2, 3, 4)
write("csr.npz", {"indices": ints(2, 0, 0, 0), "indptr": ints(0, 2, 2, 4), "format": kind(b"csr"), "shape": shape(3, 3), "data": data})
write("csc.npz", {"indices": ints(0, 2, 2, 0), "indptr": ints(0, 3, 3, 4), "format": kind(b"csc"), "shape": shape(3, 3), "data": floats(2, 3, 4, 1)}, zipfile.ZIP_DEFLATED)
write("coo.npz", {"row": ints(2, 0, 2, 0), "col": ints(0, 2, 0, 0), "format": kind(b"coo"), "shape": shape(3, 3), "data": floats(3, 1, 4, 2)})
write("bsr.npz", {"indices": ints(0, 1), "indptr": ints(0, 1, 2), "format": kind(b"bsr"), "shape": shape(4, 4), "data": npy("<f4", "(2, 2, 2)", struct.pack("<8f", *range(8)))})
write("dia.npz", {"offsets": ints(0, 1), "format": kind(b"dia"), "shape": shape(3, 3), "data": npy("<f4", "(2, 3)", struct.pack("<6f", *range(6)))})
write("odd.npz", {"format": kind(b"\\1"), "shape": shape(3, 3), "data": data})
write("far.npz", {"indices": ints(2, 0, 3, 0), "indptr": ints(0, 2, 2, 4), "format": kind(b"csr"), "shape": shape(3, 3), "data": data})
write("back.npz", {"indices": ints(2, 0, 0, 0), "indptr": ints(0, 2, 1, 4), "format": kind(b"csr"), "shape": shape(3, 3), "data": data})
write("short.npz", {"indices": ints(2, 0, 0, 0), "indptr": ints(0, 2, 4), "format": kind(b"csr"), "shape": shape(3, 3), "data": data})
write("claims.npz", {"indices": ints(2, 0, 0, 0), "indptr": ints(0, 2, 2, 4), "format": kind(b"csr"), "shape": shape(3, 2000000000), "data": data})
raw = open("two.npz", "rb").read()
open("cut.npz", "wb").write(raw[:-9])
at = raw.index(b"x.npy") + 5 + 40
open("flipped.npz", "wb").write(raw[:at] + bytes([raw[at] ^ 4]) + raw[at + 1:])
large = bytearray(raw)
at = raw.rindex(b"PK\x01\x02")
large[at + 24:at + 28] = struct.pack("<I", 0xFFFFFF00)
open("large.npz", "wb").write(large)
' || skip 'there is no python3 to write archives with'

try convert one.npz
try convert two.npz:y
try convert two.npz --dataset x.npy --rows 2:
try ls two.npz
for kind in csr csc coo; do "$SCREE" convert -q $kind.npz; done
try ls csc.npz

echo '--- written'
flowers >flowers.csv
try convert flowers.csv -q -o flowers.npz
try convert flowers.npz -q -o - | head -4
try fit -q flowers.csv -k 2 -o m.scree
try project m.scree flowers.csv -q -o codes.npz --type f4
try ls codes.npz
python3 -c '
import struct, zipfile
with zipfile.ZipFile("codes.npz") as z:
    print(z.testzip())
    for name in z.namelist():
        raw = z.read(name)
        print(name, raw[10:128].decode().strip())
        if name != "data.npy":
            print(raw[128:].decode("utf-32-le").replace("\0", ".")[:40])
'
cat codes.npz | try convert - -o no.csv
try convert flowers.csv -q --format npz
try convert flowers.csv -q -o flowers.npz --type u1
try convert flowers.npz -q -o - | head -2
rm flowers.csv flowers.npz codes.npz m.scree

echo '--- refused'
for name in two none two.npz:z bsr dia odd far back short claims cut flipped.npz:x large; do
    case $name in *:*) file=$name ;; *) file=$name.npz ;; esac
    try convert $file -q -o no.csv
done
try ls dia.npz
try convert one.npz:names -o no.csv
cat one.npz | try convert - -o no.csv
left
