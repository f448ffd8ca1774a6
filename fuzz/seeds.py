#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the seeds of the fuzz targets, fuzz/corpus/NAME/seed-*: fuzz/seeds.py SCREE

What scree writes is made by the command itself; everything else stands here. Inputs that a fuzzer found lie beside the
seeds, under other names, and are left alone.
"""

import bz2
import gzip
import io
import lzma
import os
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
TABLE = b"a,b,c,kind\n1,2,3,x\n2,4.5,6,y\n3,6,9.5,x\n4,7,12,y\n5,11,15,x\n6,12,18.5,y\n"
GAPS = b"a,b,c\n1,,3\n2,4.5,6\n3,6,NA\n4,7,12\n,11,15\n6,12,18.5\n7,-,20\n8,15,25\n9,18,27\n"


def keep(target, name, data):
    folder = os.path.join(CORPUS, target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "seed-" + name), "wb") as file:
        file.write(data)


def genotypes():
    """PLINK's .fam, .bim and .bed, each behind a line of one exclamation mark."""
    fam = b"f a 0 0 1 -9\nf b 0 0 2 -9\ng c 0 0 1 1\n"
    bim = b"1\trs1\t0\t10\tA\tG\n2 . 0 20 C T\nX rs3 0 30 A T\n1 rs1 0 40 A C\n"
    bed = b"\x6c\x1b\x01\x2c\x38\x31\x3f"
    keep("bed", "whole", b"!\n".join((fam, bim, bed)))
    keep("bed", "blocks", b"!read block=2 columns=2-3\n" + b"!\n".join((fam, bim, bed)))
    keep("bed", "short", b"!\n".join((fam, bim, bed[:-1])))
    keep("bed", "samples", b"!\n".join((fam, bim, bed.replace(b"\x01", b"\x00", 1))))
    keep("bed", "few", b"!\n".join((fam, bim[20:], bed)))


def folders():
    """10x folders of both generations: features, barcodes and the matrix, each behind a line of one exclamation mark."""
    two = b"ENSG1\tA\nENSG2\tB\nENSG3\tA\n"
    three = b"ENSG1\tA\tGene Expression\nENSG2\tB\tGene Expression\nENSG3\tC\tAntibody Capture\n"
    cells = b"AA-1\nCC-1\nGG-1\nTT-1\n"
    head = b"%%MatrixMarket matrix coordinate integer general\n%metadata\n"
    by_cell = head + b"3 4 5\n3 1 2\n1 1 7\n2 2 1\n1 4 3\n2 4 9\n"
    by_gene = head + b"3 4 5\n1 1 7\n1 4 3\n2 2 1\n2 4 9\n3 1 2\n"
    turned = head + b"4 3 2\n1 3 2.5\n4 1 1e3\n"
    keep("10x", "second", b"!\n".join((two, cells, by_cell)))
    keep("10x", "third", b"!\n".join((three, cells, by_gene)))
    keep("10x", "turned", b"!read block=2 columns=A\n" + b"!\n".join((two, cells, turned)))
    keep("10x", "type", b"!read dataset=Antibody\n" + b"!\n".join((three.replace(b" Capture", b""), cells, by_cell)))
    keep("10x", "again", b"!\n".join((two, cells, by_cell.replace(b"3 1 2", b"1 1 2"))))
    keep("10x", "few", b"!\n".join((two, cells[5:], by_cell)))


def awkward():
    """What spreadsheets, R and people write, and ask for."""
    keep("csv", "sep", b"sep=;\r\na;b;;\r\n1.234,5;2;;\r\n7;3;;\r\n;;;\r\n;;;\r\n")
    keep("csv", "titles", b"A report\n\nof May\na,b,c\n1,2,3\n4,5,6\n")
    keep("csv", "titles-padded", b"A report;;\n;;\na;b;c\n1;2;3\n4;5;6\n")
    keep("csv", "short-header", b'"x" "y"\n"1" 1.5 2\n"2" 3 4\n')
    keep("csv", "row-ends", b"a,b\n1,2,\n3,4,\n")
    keep("csv", "thousands", b'a,b\n"1,234,567",2.5\n"12,345","1 000"\n')
    keep("csv", "either", b'a,b\n"1,234",2\n"2,500",3\n')
    keep("csv", "by-comma", b'!read decimal=,\na,b\n"1,234",2\n"1.000,5",3\n')
    keep("csv", "by-point", b'!read decimal=.\na,b\n"1,234",2\n1\xc2\xa0000,3\n')
    keep("csv", "per-cent", b"a,b\n25%,1\n30 %,2\n4%,3\n")
    keep("csv", "limits", b"a,b\n<0.5,1\n0.7,2\n<0.5,3\n0.9,n.d.\n#DIV/0!,4\n")
    keep("csv", "missing", b'!read na=<*,-999,"x,y"\na;b\n<0.5;1\n-999.0;2\n3;x,y\n5;#DIV/0!\n')
    keep("csv", "wide-missing", b"!read na=-999\na,b\n9007199254740993,1\n-999,2\n9007199254740995,3\n")
    keep("csv", "skip", b"!read skip=2 exclude=b,4\nmade by a, b, c, d, e\nin May\na,b,c,d\n1,2,3,4\n5,6,7,8\n")
    keep("csv", "returns", b"name,a\rx,1\ry,2\r")
    keep("csv", "guessed-1252", b"h\xf6he,n\n1,2\n3,4\n")
    keep("csv", "bare-utf-16", "höhe,n\n1,2\n3,4\n".encode("utf-16-be"))
    keep("csv", "libsvm", b"+1 1:0.5 3:1.25\n-1 2:0.5 3:1\n")
    keep("csv", "bad-cells", b"!read threads=2\na,b\n" + b"1,2\n3,5 mg\n4,x\n" * 60)
    keep("csv", "empty-rows", b"!read pipe block=2\na,b\n1,2\n,\n,\n3,4\n,\n,\n")
    small = b"a,b,text\n1,2,x\n3,4,y\n"
    keep("xz", "small", lzma.compress(small))
    keep("xz", "two", lzma.compress(small) + bytes(4) + lzma.compress(b"5,6,z\n"))
    keep("xz", "pipe", b"!read pipe\n" + lzma.compress(small * 300))
    keep("xz", "cut", lzma.compress(small * 300)[:-20])
    keep("xz", "large", lzma.compress(small, filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]))
    frame = b"\x28\xb5\x2f\xfd"  # and blocks that are stored as they are
    stored = frame + b"\x20" + bytes([len(small)]) + struct.pack("<I", len(small) << 3 | 1)[:3] + small
    keep("zstd", "stored", stored)
    keep("zstd", "two", stored + frame + b"\x20\x06" + struct.pack("<I", 6 << 3 | 1)[:3] + b"5,6,z\n")
    keep("zstd", "run", b"!read pipe\n" + frame + b"\x00\x58" + struct.pack("<I", 4 << 3)[:3] + b"1,2\n" +
         struct.pack("<I", 300 << 3 | 1 << 1 | 1)[:3] + b"7")
    keep("zstd", "large", frame + b"\x00\xa8" + struct.pack("<I", len(small) << 3 | 1)[:3] + small)
    keep("bzip2", "small", bz2.compress(small))
    keep("bzip2", "two", bz2.compress(small) + bz2.compress(b"5,6,z\n"))
    keep("bzip2", "pipe", b"!read pipe\n" + bz2.compress(small * 300))
    keep("bzip2", "cut", bz2.compress(small * 300)[:-9])
    keep("guess", "xz", lzma.compress(small))
    keep("guess", "zstd", stored)
    keep("guess", "rds", gzip.compress(b"X\n\0\0\0\3\0\4\2\1", mtime=0))
    keep("guess", "parquet", b"PAR1\x15\x04\x15\x20\x15\x20L\x15\x02")
    keep("guess", "xlsx", b"PK\3\4\x14\0\0\0\x08\0\0\0!\0[Content_Types].xml")
    keep("guess", "pickle", b"\x80\4\x95\x0a\0\0\0\0\0\0\0]\x94K\1a.")
    keep("guess", "html", b"<!DOCTYPE html><table></table>")


def texts():
    keep("csv", "label", TABLE)
    keep("csv", "gaps", GAPS)
    keep("csv", "plain", b"1,2\n3,4\n5,6\n")
    keep("csv", "quotes", b'"a ""x""","b, c"\r\n"1",2\r\n" 3 ","4"\r\n')
    keep("csv", "semicolons", b"\xef\xbb\xbfx;y\n1,5;-2e3\n.5;+4\n")
    keep("csv", "spaces", b"  1   2.25 3\n 4 5e-7  6\n\n7 8 9")
    keep("csv", "bars", b"a|b\n1|inf\n0x1p3|-Infinity\n")
    keep("csv", "wide", b"id,n\n1,9007199254740993\n2,9007199254740995\n3,-9223372036854775808\n")
    keep("csv", "digits", b"v,w\n0.1000000000000000055511151231257827,1e308\n123456789012345678901234567890,4.9e-324\n")
    keep("csv", "chosen", b"!read columns=a,3-4 label=kind weights=b block=2\n" + TABLE.replace(b"kind", b"d,kind").replace(b",x", b",7,x").replace(b",y", b",8,y"))
    keep("csv", "faults", b"a,b,kind\n1,2,x\n1,y,x\n1\n3,4,\xff\n5,6,\"z\nz\"\n1,2,3,4\n7,8,x\n")
    keep("raw", "rows", struct.pack("<6f", 1, 2, 3, 4, 5, float("inf")))
    keep("raw", "torn", b"!read pipe\n" + struct.pack("<5f", 1, 2, 3, 4, 5))
    keep("csv", "pipe", b"!read pipe id=kind header=1 delimiter=,\n" + TABLE)
    keep("csv", "twice", b"!read twice header=0 delimiter=;\n1;2\n3;4\n")
    keep("csv", "latin1", b"!read encoding=latin1 label=name memory=1000000\nx,name\n1,Gr\xf6\xdfe\n2,y\n")
    keep("csv", "last-letter", b"!read encoding=windows-1258 label=n\nx,n\n1,b\n2,a")
    keep("csv", "utf-16", "\ufeffx,name\n1,Größe\n2,y\n".encode("utf-16-le"))
    long = b"a,b,text\n" + b"".join(b"%d,%d.25,\"x \"\"%d\"\"\n y\"\n" % (i, i * i, i) for i in range(90))
    keep("csv", "long", long)
    keep("csv", "threads", b"!read threads=3 block=7\n" + b"1,2,3\n4,5,6\n7,8.5,\n" * 120)
    keep("csv", "threads-quotes", b"!read threads=2\n" + long)
    keep("gzip", "long", gzip.compress(long, mtime=0))
    keep("gzip", "long-pipe", b"!read pipe\n" + gzip.compress(b"1,2\n3,4\n" * 700, mtime=0))
    keep("gzip", "cut", gzip.compress(long, mtime=0)[:-200])
    folders()
    genotypes()
    awkward()
    keep("tsv", "plain", b"a\tb\n1\t2\n3\t\n")
    keep("tsv", "text", b"!read label=2\nn\tk\n1\tone thing\n2\t\"two\"\n")
    keep("triplets", "ratings", b"user,item,rating\nu1,i1,3.5\nu1,i2,4\nu2,i1,\nu3,i2,1\n")
    keep("triplets", "numbers", b"1 1 2.5 881250949\n1 2 3 881250950\n2 1 4 881250951\n")
    keep("triplets", "pipe", b"!read pipe columns=i1\nu1;i1;3\nu2;i2;4\n")
    head = b"%%MatrixMarket matrix coordinate real general\n"
    keep("mtx", "real", head + b"% a comment\n\n3 2 4\n1 1 2.5\n2 2 -1e3\n3 1 4\n1 2 0\n")
    keep("mtx", "integer", head.replace(b"real", b"integer") + b"2 2 3\n1 1 1\n1 2 9007199254740993\n2 2 3\n")
    keep("mtx", "pattern", head.replace(b"real", b"pattern") + b"2 2 1\n1 1\n")
    keep("mtx", "symmetric", head.replace(b"general", b"symmetric") + b"2 2 1\n1 1 1\n")
    keep("mtx", "array", b"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")
    keep("mtx", "pipe", b"!read pipe columns=2\n" + head + b"2 2 4\n1 1 1\n1 2 2\n2 1 3\n2 2 4\n")


def npy(descr, shape, data, fortran="False", version=1):
    header = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    length = struct.pack("<H" if version == 1 else "<I", len(header) + 1)
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + b"\n" + data


def archives_of_arrays():
    """NumPy's archives, plain and sparse."""
    def archive(name, members, method=zipfile.ZIP_STORED, before=b""):
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w", method) as z:
            for key, value in members.items():
                z.writestr(zipfile.ZipInfo(key + ".npy", (1980, 1, 1, 0, 0, 0)), value, method)
        keep("npz", name, before + made.getvalue())

    def ints(*values):
        return npy("<i4", f"({len(values)},)", struct.pack(f"<{len(values)}i", *values))

    def sparse(kind, members):
        return {"format": npy("|S3", "()", kind), "shape": npy("<i8", "(2,)", struct.pack("<2q", 3, 3)),
                "data": npy("<f4", "(4,)", struct.pack("<4f", 1, 2, 3, 4)), **members}

    table = npy("<f8", "(3, 2)", struct.pack("<6d", 1, 2, 3, 4, 5, 6))
    archive("one", {"x": table, "names": npy("<U1", "(2,)", "xy".encode("utf-32-le"))})
    archive("deflated", {"x": table, "y": npy("<i4", "(2,)", struct.pack("<2i", 1, 2))}, zipfile.ZIP_DEFLATED)
    archive("pipe", {"x": table}, before=b"!read pipe\n")
    rows = {"indices": ints(2, 0, 0, 0), "indptr": ints(0, 2, 2, 4)}
    archive("csr", sparse(b"csr", rows))
    archive("csr-deflated", sparse(b"csr", rows), zipfile.ZIP_DEFLATED)
    archive("csc", sparse(b"csc", rows), before=b"!read columns=1,3\n")
    archive("coo", sparse(b"coo", {"row": ints(2, 0, 2, 0), "col": ints(0, 2, 0, 0)}))
    archive("far", sparse(b"csr", {"indices": ints(2, 0, 9, 0), "indptr": ints(0, 2, 2, 4)}))
    archive("back", sparse(b"csc", {"indices": ints(2, 0, 0, 0), "indptr": ints(0, 3, 2, 4)}))


def arrays():
    numbers = [1, 2, 3, 4, 5, 60]
    for descr, code in (("<f8", "<6d"), (">f4", ">6f"), ("<f2", "<6e"), ("|u1", "6B"), ("|i1", "6b"), ("<i2", "<6h"),
                        (">u2", ">6H"), ("<i4", "<6i"), ("<u4", "<6I"), ("<i8", "<6q"), ("<u8", "<6Q")):
        keep("npy", descr[1:] + ("-swapped" if descr[0] == ">" else ""), npy(descr, "(3, 2)", struct.pack(code, *numbers)))
    keep("npy", "bool", npy("|b1", "(3, 2)", bytes([0, 1, 1, 0, 1, 1])))
    keep("npy", "wide", npy("<i8", "(2, 2)", struct.pack("<4q", 2**53 + 1, 2**60, 2**53 + 3, 2**60 + 7)))
    keep("npy", "fortran", npy("<f8", "(3, 2)", struct.pack("<6d", *numbers), "True"))
    keep("npy", "fortran-bytes", npy("|u1", "(3, 2)", bytes(6), "True"))
    keep("npy", "fortran-floats", npy("<f4", "(3, 2)", struct.pack("<6f", *numbers), "True"))
    keep("npy", "fortran-pipe", b"!read pipe\n" + npy("|u1", "(3, 2)", bytes(6), "True"))
    keep("npy", "slice", b"!read first=1 count=2\n" + npy("<f8", "(3, 2)", struct.pack("<6d", *numbers)))
    keep("npy", "slice-past", b"!read first=2 count=9\n" + npy("<f8", "(3, 2)", struct.pack("<6d", *numbers)))
    keep("npy", "label", b"!read label=1\n" + npy("|u1", "(3, 2)", bytes(6)))
    keep("npy", "cut-pipe", b"!read pipe\n" + npy("<f8", "(9, 2)", struct.pack("<6d", *numbers)))
    keep("idx", "slice", b"!read first=1 count=1\n" + struct.pack(">HBBII", 0, 8, 2, 3, 2) + bytes(6))
    keep("idx", "label", b"!read id=1\n" + struct.pack(">HBBII", 0, 8, 2, 3, 2) + bytes(6))
    keep("idx", "cut-pipe", b"!read pipe\n" + struct.pack(">HBBII", 0, 8, 2, 9, 2) + bytes(6))
    keep("npy", "images", npy("|u1", "(2, 2, 2)", bytes(range(8)), version=2))
    keep("npy", "column", npy("<f4", "(3,)", struct.pack("<3f", 1, 2, 3), version=3))
    keep("npy", "chosen", b"!read columns=2 weights=1 block=1\n" + npy("<f8", "(3, 2)", struct.pack("<6d", *numbers)))
    keep("npy", "pipe", b"!read pipe\n" + npy("<f8", "(3, 2)", struct.pack("<6d", *numbers)))
    keep("npy", "twice", b"!read twice\n" + npy("<f4", "(3, 2)", struct.pack("<6f", *numbers)))
    for code, form in ((8, ">6B"), (9, ">6b"), (11, ">6h"), (12, ">6i"), (13, ">6f"), (14, ">6d")):
        keep("idx", str(code), struct.pack(">HBBII", 0, code, 2, 3, 2) + struct.pack(form, *numbers))
    keep("idx", "labels", struct.pack(">HBBI", 0, 8, 1, 4) + bytes(4))
    keep("idx", "images", struct.pack(">HBBIII", 0, 8, 3, 2, 2, 3) + bytes(range(12)))
    keep("idx", "pipe", b"!read pipe columns=1\n" + struct.pack(">HBBII", 0, 8, 2, 3, 2) + bytes(6))


def drawn(count):
    """Bytes that no neighbour foretells."""
    state, result = 12345, []
    for _ in range(count):
        state = (1103515245 * state + 12345) & 0x7FFFFFFF
        result.append(state >> 20 & 0x7F)
    return result


def packed():
    member = gzip.compress(TABLE, mtime=0)
    keep("gzip", "member", member)
    keep("gzip", "two", gzip.compress(TABLE[:40], mtime=0) + gzip.compress(TABLE[40:], mtime=0))
    keep("gzip", "stored", gzip.compress(b"1,2\n3,4\n", 0, mtime=0))
    keep("gzip", "trailing", member + b"\0\0\0")
    keep("gzip", "named", member[:3] + b"\x1e" + member[4:10] + b"\x02\0ab" + b"t.csv\0" + b"note\0" + b"\0\0" + member[10:])
    keep("gzip", "pipe", b"!read pipe\n" + member)
    keep("gzip", "npy", gzip.compress(npy("|u1", "(3, 2)", bytes(6)), mtime=0))
    keep("gzip", "idx", b"!read twice\n" + gzip.compress(struct.pack(">HBBII", 0, 8, 2, 3, 2) + bytes(6), mtime=0))
    keep("guess", "csv", TABLE)
    keep("guess", "tsv", TABLE.replace(b",", b"\t"))
    keep("guess", "npy", npy("|u1", "(3, 2)", bytes(6)))
    keep("guess", "idx", struct.pack(">HBBII", 0, 8, 2, 3, 2) + bytes(6))
    keep("guess", "mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 2\n")
    keep("guess", "named", b"!read format=csv\n1,2\n3,4\n")
    keep("guess", "text", b"this is no table\nat all\n")
    keep("guess", "gzip", member)
    keep("guess", "twice", b"!read twice\n" + TABLE)
    keep("guess", "twice-header", b"!read twice header=1 delimiter=,\na,b\n")
    keep("guess", "header", b"!read header=1 delimiter=,\na,b\n")
    keep("guess", "twice-cut", b"!read twice\n" + gzip.compress(TABLE, mtime=0)[:-30])
    keep("guess", "latin1", b"!read encoding=latin1 label=n\nx,n\n1,Gr\xf6\n2,y\n")
    keep("guess", "slice", b"!read first=1 count=1\n" + npy("|u1", "(3, 2)", bytes(6)))
    keep("guess", "slice-gzip", b"!read first=1 count=1\n" + gzip.compress(npy("|u1", "(3, 2)", bytes(6)), mtime=0))
    keep("guess", "slice-text", b"!read first=1 count=1\n" + TABLE)
    keep("guess", "zip", b"PK\3\4" + bytes(30))
    keep("guess", "model", struct.pack("<Q", 20) + b'{"__metadata__": {}}')
    keep("guess", "json", b'[ {"a": 1}]')
    keep("guess", "unknown", b"!read format=parquet\n1,2\n")
    # fields, batches; a byte of bits and a format for each field; then what the batches take
    keep("arrow", "numbers", bytes([3, 1, 0, 9, 2, 8, 2, 0, 0, 0, 5, 0, 0, 0]) + bytes(range(1, 200)))
    keep("arrow", "texts", bytes([2, 2, 2, 9, 2, 12, 0, 0, 6, 0, 0, 0]) + bytes(range(1, 120)) * 2)
    keep("arrow", "dictionary", bytes([2, 1, 2, 4, 18, 0, 0, 0, 6, 0, 0, 0]) + bytes(i % 7 for i in range(200)))
    keep("arrow", "bytes", bytes([2, 3, 0, 1, 0, 1, 0, 0, 9]) + bytes(200))
    keep("arrow", "all", bytes([6, 2, 2, 0, 2, 2, 2, 5, 2, 10, 2, 11, 2, 6, 0, 0, 7]) + bytes(range(250)))
    keep("arrow", "chosen", b"!read columns=a,c label=b weights=d\n" + bytes([4, 1, 0, 9, 0, 13, 0, 7, 0, 3, 0, 0, 5]) + bytes(range(200)))


STATES = {"covariance": ("t.csv",), "svd": ("t.csv", "--state-method", "svd"), "forget": ("t.csv", "--forget", "5"),
          "low-rank": ("i.idx", "--state-method", "low-rank", "--rank", "1"), "images": ("i.idx",),
          "names": ("f.npy",)}


def written(scree):
    """What the command writes: models, networks, archives."""

    def run(*words):
        subprocess.run([scree, *words, "--quiet"], check=True, stdout=subprocess.DEVNULL)

    def take(target, name, path, head=b""):
        with open(path, "rb") as file:
            keep(target, name, head + file.read())

    older = os.path.join(os.path.dirname(os.path.dirname(CORPUS)), "tests/kept/0.1")
    for target, name in (("screez", "lossless.screez"), ("screez", "lossy.screez"), ("model", "em.scree"), ("network", "network.scree")):
        take(target, "0.1-" + name.split(".")[0], os.path.join(older, name))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, data in (("t.csv", TABLE), ("g.csv", GAPS), ("w.csv", b"n\n" + b"9007199254740993\n9007199254740995\n" * 3),
                           ("i.idx", struct.pack(">HBBIII", 0, 8, 3, 6, 2, 2) + bytes((i * i) % 251 for i in range(24))),
                           ("s.npy", npy("<i2", "(20, 2)", struct.pack("<40h", *[i * 3 % 17 for i in range(40)]))),
                           ("f.npy", npy("<f4", "(20, 2)", struct.pack("<40f", *[i * 0.37 % 5 for i in range(40)]))),
                           ("m.npy", npy("|u1", "(4200, 4)", bytes(3 * (value < 6) for value in drawn(16800)))),
                           ("r.npy", npy("<f4", "(4200, 4)", bytes(65 * (value < 1) for value in drawn(67200)))),
                           ("l.npy", npy("|u1", "(16400, 2)", bytes(b for value in drawn(16400) for b in ((30, 60) if value < 2 else (0, 0))))),
                           ("d.npy", npy("<f8", "(90, 2)", struct.pack("<180d", *[value * 0.25 for value in drawn(180)]))),
                           ("b.npy", npy("|b1", "(8, 2)", bytes([0, 1] * 8)))):
            with open(name, "wb") as file:
                file.write(data)
        for name, words in {
            "plain": ("t.csv", "-k", "1"), "all": ("t.csv",), "scaled": ("t.csv", "--scale", "unit", "-k", "1"),
            "gaps": ("g.csv", "-k", "1"), "bayes": ("g.csv", "--em", "vb"), "images": ("i.idx", "-k", "2"),
            "bare": ("g.csv", "-k", "1", "--no-imputer"), "bootstrap": ("f.npy", "-k", "1", "--bootstrap", "40"),
            "wide": ("w.csv",), "latent": ("t.csv", "--latent", "0"), "weighted": ("t.csv", "--weights", "c", "-k", "1"),
            "online": ("g.csv", "-k", "1", "--online"),
        }.items():
            run("fit", *words, "-o", "m.scree")
            take("model", name, "m.scree")
        for name, words in STATES.items():
            run("fit", *words, "--state", "s.state")
            take("state", name, "s.state")
        run("fit", "t.csv", "-k", "2", "--scale", "unit", "-o", "m.scree")
        for name in ("varimax", "promax", "oblimin"):
            run("rotate", "m.scree", "--method", name, "-o", "r.scree")
            take("model", name, "r.scree")
        for name, words in {
            "deep": ("t.csv", "--code", "1", "--hidden", "2"), "linear": ("t.csv", "--code", "1", "--linear"),
            "tied": ("t.csv", "--code", "1", "--hidden", "2", "--tied", "--activation", "tanh"),
            "bytes": ("i.idx", "--code", "1", "--hidden", "3", "--activation", "relu"),
        }.items():
            run("autoencode", *words, "--epochs", "2", "-o", "n.scree")
            take("network", name, "n.scree")
        # One that was interrupted holds what training goes on from.
        training = subprocess.Popen([scree, "autoencode", "t.csv", "--code", "1", "--hidden", "2", "--quiet", "-o", "n.scree",
                                     "--epochs", "100000000", "--patience", "100000000"], stdout=subprocess.DEVNULL)
        time.sleep(1)
        training.terminate()
        training.wait()
        take("network", "interrupted", "n.scree")
        for name, words in {
            "csv": ("t.csv",), "gaps": ("g.csv",), "lossy": ("t.csv", "-e", "0.5"), "rmse": ("f.npy", "--rmse", "0.3"),
            "shorts": ("s.npy",), "floats": ("f.npy",), "images": ("i.idx",), "images-lossy": ("i.idx", "-e", "3"),
            "booleans": ("b.npy",), "model": ("t.csv", "-e", "0.5", "-k", "1"),
        }.items():
            run("compress", *words, "-o", "a.screez")
            take("screez", name, "a.screez")
        take("screez", "slice", "a.screez", b"!read first=1 count=3\n")
        take("screez", "salvage", "a.screez", b"!read salvage\n")
        take("screez", "pipe", "a.screez", b"!read pipe\n")
        take("screez", "twice", "a.screez", b"!read twice columns=1-2 block=3\n")
        take("guess", "screez", "a.screez")
        take("screez", "slice-past", "a.screez", b"!read first=1 count=99\n")
        take("screez", "slice-pipe", "a.screez", b"!read pipe first=1 count=3\n")
        take("screez", "label", "a.screez", b"!read label=kind\n")
        take("screez", "no-label", "a.screez", b"!read id=none\n")
        take("screez", "no-column", "a.screez", b"!read columns=99\n")
        with open("a.screez", "rb") as file:
            archive = file.read()
        keep("screez", "cut", archive[:-9])
        keep("screez", "cut-salvage", b"!read salvage\n" + archive[:-9])
        keep("screez", "head", archive[:60])
        for name, words in {"many": ("m.npy",), "many-raw": ("r.npy",), "many-model": ("l.npy", "-e", "0.5", "-k", "1"), "gaps-model": ("g.csv", "-e", "0.5", "-k", "1"),
                            "many-lossy": ("d.npy", "-e", "0.2"), "blocks": ("d.npy", "--block-rows", "40")}.items():
            run("compress", *words, "-o", "a.screez")
            take("screez", name, "a.screez")
        with open("a.screez", "rb") as file:
            archive = file.read()
        keep("screez", "blocks-cut", b"!read salvage\n" + archive[: len(archive) // 2])
        for name in ("blocks", "floats"):
            with open(os.path.join(CORPUS, "screez", "seed-" + name), "rb") as file:
                archive = bytearray(file.read())
            archive[len(archive) // 2:len(archive) // 2 + 6] = b"\xff" * 6  # what no coder writes
            keep("screez", name + "-wrong", bytes(archive))
            keep("screez", name + "-lost", b"!read salvage\n" + bytes(archive))


def arrow(scree):
    """Arrow files: scree's own, and where pyarrow is installed those that only others write."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, data in (("t.csv", TABLE), ("g.csv", GAPS)):
            with open(name, "wb") as file:
                file.write(data)
        for name, words in {"file": ("t.csv", "-o", "a.arrow"), "gaps": ("g.csv", "--type", "f4", "-o", "a.arrow"),
                            "stream": ("t.csv", "-o", "a.arrows"), "bytes": ("t.csv", "--columns", "a", "--type", "u1", "-o", "a.arrow")}.items():
            subprocess.run([scree, "convert", *words, "-q"], check=True)
            with open(words[-1], "rb") as file:
                keep("arrow_ipc", name, file.read())
    with open(os.path.join(CORPUS, "arrow_ipc", "seed-stream"), "rb") as file:
        stream = file.read()
    keep("arrow_ipc", "pipe", b"!read pipe\n" + stream)
    keep("arrow_ipc", "cut", stream[:-70])
    keep("arrow_ipc", "chosen", b"!read columns=c,a label=kind weights=b block=2\n" + stream)
    keep("arrow_ipc", "twice", b"!read twice\n" + stream)
    try:
        import pyarrow as pa
    except ImportError:
        return
    import datetime
    words = ["ant", "bee", None, "a text of more than twelve bytes"] * 3
    kinds = {"dictionary": pa.array(words).dictionary_encode(), "large": pa.array(words, pa.large_string()),
             "view": pa.array(words, pa.string_view()), "day": pa.array([datetime.date(1969, 12, 31 - i) for i in range(12)]),
             "at": pa.array([datetime.datetime(2024, 2, 29, i) for i in range(12)], pa.timestamp("us", "UTC")),
             "list": pa.array([[1, 2], None, [3]] * 4), "struct": pa.array([{"x": 1, "y": "z"}] * 12), "nothing": pa.nulls(12),
             "flag": pa.array([True, None, False] * 4), "half": pa.array([0.5] * 12, pa.float16()),
             "i64": pa.array([2**53 + 2 * i for i in range(12)]), "u8": pa.array(range(12), pa.uint8()),
             "g": pa.array([1.5, None, 2.5] * 4)}
    all_of = pa.table(kinds)
    delta = pa.schema([("d", pa.dictionary(pa.int8(), pa.string())), ("x", pa.float64())])

    def take(name, table, batches=None, head=b"", stream=False, **how):
        out = pa.BufferOutputStream()
        make = pa.ipc.new_stream if stream else pa.ipc.new_file
        with make(out, table.schema, options=pa.ipc.IpcWriteOptions(**how)) as writer:
            for batch in batches or table.to_batches(max_chunksize=5):
                writer.write_batch(batch)
        keep("arrow_ipc", name, head + out.getvalue().to_pybytes())

    some = b"!read exclude=list,struct block=3\n"
    take("all", all_of)
    take("types", all_of, head=some)
    take("types-pipe", all_of, head=b"!read pipe exclude=list,struct\n", stream=True)
    take("types-zstd", all_of, head=some, compression="zstd")
    take("lz4", all_of, head=some, compression="lz4")
    take("lz4-numbers", all_of.select(["g", "u8"]), compression="lz4")
    take("values", all_of.select(["view", "dictionary", "u8", "half"]), stream=True)
    parts = [pa.record_batch([pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), pa.array(texts)), pa.array([1.0, 2, 4])], schema=delta)
             for texts in (["a", "b"], ["a", "b", "c"], ["x", "y"])]
    take("deltas", pa.table({"d": parts[0][0], "x": parts[0][1]}, schema=delta), parts, stream=True, emit_dictionary_deltas=True)
    take("replaced", pa.table({"d": parts[0][0], "x": parts[0][1]}, schema=delta), parts, stream=True)


def databases():
    """SQLite databases of the smallest pages, by Python's own module."""
    import sqlite3
    with tempfile.TemporaryDirectory() as folder:
        def take(name, words, head=b""):
            path = os.path.join(folder, name)
            with sqlite3.connect(path) as base:
                base.executescript("PRAGMA page_size = 512; VACUUM;" + words)
            base.close()
            with open(path, "rb") as file:
                keep("sqlite", name, head + file.read())
        some = ("CREATE TABLE t (name TEXT, a REAL, b INTEGER); INSERT INTO t VALUES ('x', 1.5, 2), (NULL, NULL, 3), ('y', -2, 9007199254740992);"
                "CREATE VIEW v AS SELECT a, b FROM t WHERE a > 0;")
        take("one", some)
        take("two", some + "CREATE TABLE u (a, b); INSERT INTO u VALUES (1, 2), (2, 'text'), (3, x'00ff');")
        take("pages", "CREATE TABLE t (a, b, c); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)"
             " INSERT INTO t SELECT i, i * i, printf('text %d', i) FROM n;", b"!read block=7\n")
        take("keyed", "CREATE TABLE t (k TEXT PRIMARY KEY, x) WITHOUT ROWID; INSERT INTO t VALUES ('a', 1), ('b', 2); CREATE INDEX i ON t (x);")
        take("chosen", some, b"!read columns=b label=name\n")


def matrices():
    """MAT files, by scipy where it is installed."""
    try:
        import io
        import numpy as np
        import scipy.io
        import scipy.sparse
    except ImportError:
        return
    x = np.array([[1.5, 2, 3], [np.nan, 5, 6], [7, 8, 9], [0, 1, -2e300]])
    sparse = scipy.sparse.csc_matrix(np.array([[0, 1.5, 0], [2, 0, 0], [0, 0, 0], [3, 0, -4]]))

    def take(name, values, head=b"", **how):
        file = io.BytesIO()
        scipy.io.savemat(file, values, **how)
        data = file.getvalue()
        if how.get("format") != "4":  # the date of the day
            data = b"MATLAB 5.0 MAT-file, a seed".ljust(116) + data[116:]
        keep("mat", name, head + data)

    take("small", {"x": x})
    take("packed", {"x": x}, do_compression=True)
    take("old", {"x": x}, format="4")
    take("sparse", {"s": sparse})
    take("block", {"x": x}, b"!read columns=1,3 block=2\n")
    take("all", {"f": x.astype("f4"), "u": np.arange(6, dtype="u1").reshape(2, 3), "i": np.arange(4, dtype="i8").reshape(2, 2),
                 "b": np.array([[True, False], [False, True]]), "S": sparse, "c": x + 1j, "t": "text", "cell": np.array(["a", 1], dtype=object),
                 "st": {"a": 1}, "cube": np.zeros((2, 2, 2)), "e": np.zeros((0, 3))})


LINES = [
    "fit data.csv -k 2 -o m.scree\nscore m.scree data.csv -o -",
    "fit table.csv -o m.scree --scale unit --bootstrap 40 --json",
    "fit gaps.csv -o m.scree --em vb\nimpute m.scree gaps.csv -o x.csv --sd s.csv",
    "fit data.csv --solver svd -k 95% --weights a -o -",
    "fit - -k 1 --solver covariance -o m.scree",
    "project data.scree table.csv -o -",
    "project model.scree data.csv -o codes.npy",
    "reconstruct model.scree codes.csv -o -",
    "info data.scree --json",
    "info model.scree\ninfo network.scree --json\ninfo rows.screez",
    "posterior model.scree data.csv --interval 0.9 -o -",
    "score model.scree data.csv --why 2 --fdr -o -",
    "score model.scree table.csv --calibrate data.csv -o -",
    "sample model.scree -n 5 --seed 3 -o -",
    "explore model.scree data.csv -n 2 -o -",
    "impute gaps.scree data.csv -o - -n 2",
    "autoencode data.csv --code 1 --hidden 3 --epochs 2 -o n.scree",
    "autoencode table.csv --resume network.scree --epochs 3 -o n.scree",
    "report model.scree data.csv -o r.html",
    "select data.csv --max 2 --json",
    "plot model.scree data.csv -o p.svg",
    "plot model.scree --kind scree",
    "plan data.csv -k 2 --memory 40M",
    "convert data.csv -o x.npy\nconvert x.npy -o x.json\nconvert x.npy -o x.tsv",
    "convert data --input-format csv --columns a,c --delimiter , --header -o -",
    "compress data.csv -e 0.5 -o a.screez\ndecompress a.screez -o -",
    "compress data.csv --rd",
    "decompress data.screez -o - --salvage",
    "decompress rows.screez --rows 2:4 -o -",
    "version",
    "help fit",
    "help --man score",
    "loadings model.scree table.csv --supplementary all -o -\nloadings data.scree --json",
    "loadings model.scree data.csv --training -o -",
    "rotate model.scree --method oblimin -o r.scree\nproject r.scree data.csv -o -\nreport r.scree table.csv -o r.html",
    "rotate data.scree -k 2 --no-kaiser -o r.scree",
]


def commands():
    for i, lines in enumerate(LINES):
        keep("command", f"{i:02d}", lines.encode() + b"\n\n" + TABLE)
        keep("options", f"{i:02d}", lines.split("\n")[0].replace(" ", "\n").encode())
    for target, name in (("model", "plain"), ("network", "deep"), ("screez", "lossy")):
        with open(os.path.join(CORPUS, target, "seed-" + name), "rb") as file:
            line = "decompress data.screez -o -" if target == "screez" else "project data.scree table.csv -o -"
            keep("command", target, line.encode() + b"\n\n" + file.read())
    keep("options", "clusters", b"fit\n-qk2\n-o=x\n--\n-data\n--components=3\n-3.5\n-\n")
    keep("options", "unknown", b"score\n--interpol\n")
    keep("options", "help", b"report\n--help\n")


def requests():
    """Requests to a served page: method, target, Host, Origin, Sec-Fetch-Site."""
    own = "\n127.0.0.1:4321\n-\nsame-origin"
    for name, target in (("page", ""), ("status", "status"), ("row", "row?n=7"), ("nearest", "nearest?x=0&y=1&cx=1.5&cy=-2&r=30"),
                         ("tiles", "tiles?x=0&y=1&z=-5&i=-1&j=-1&w=2&h=2"), ("path", "../../etc/passwd"), ("query", "row?n=%31&n=1e9")):
        keep("serve", name, f"GET\n/T/{target}{own}".encode())
    keep("serve", "head", f"HEAD\n/T/{own}".encode())
    keep("serve", "post", f"POST\n/T/{own}".encode())
    keep("serve", "host", b"GET\n/T/\nevil.example:4321")
    keep("serve", "origin", b"GET\n/T/status\nlocalhost:4321\nhttp://localhost:4321\nnone")
    keep("serve", "site", b"GET\n/T/status\n127.0.0.1:4321\nhttp://evil.example\ncross-site")
    keep("serve", "token", b"GET\n/0123456789abcdef/status\n127.0.0.1:4321")


def checkpoints():
    """Which fit, after how many reports it is broken off, and changes: a place, two bytes, and a value (fuzz/checkpoint.c)."""
    for fit in range(7):
        for reports in (0, 1, 2, 5, 20):
            keep("checkpoint", f"{fit}-{reports}", bytes([fit, reports]))
        keep("checkpoint", f"{fit}-count", bytes([fit, 2, 39, 0, 255, 79, 0, 255]))
        keep("checkpoint", f"{fit}-bytes", bytes([fit, 3, 16, 0, 200, 112, 0, 127]))
        keep("checkpoint", f"{fit}-sums", bytes([fit, 4] + [(37 * i) % 256 for i in range(60)]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n")[0])
    texts()
    checkpoints()
    requests()
    arrays()
    archives_of_arrays()
    packed()
    written(os.path.abspath(sys.argv[1]))
    arrow(os.path.abspath(sys.argv[1]))
    databases()
    matrices()
    commands()
