#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the files of this folder: small real files of formats that scree does not read, as their own libraries write them.

Needs pyarrow, h5py, openpyxl, xlwt, scipy, pandas and the tool lz4, and is run by hand: the files are kept, so that the
test needs none of these. What R writes is made here byte by byte, after its documented format.
"""
import gzip
import lzma
import os
import pickle
import struct
import subprocess
import tarfile
import zipfile

import h5py
import numpy
import openpyxl
import pandas
import pyarrow
import pyarrow.feather
import pyarrow.orc
import pyarrow.parquet
import scipy.io
import xlwt

os.chdir(os.path.dirname(os.path.abspath(__file__)))
table = pandas.DataFrame({"a": [1.5, 2.5], "b": [3.0, 4.0]})
arrow = pyarrow.Table.from_pandas(table)
rows = table.to_numpy()

pyarrow.parquet.write_table(arrow, "table.parquet")
pyarrow.feather.write_feather(arrow, "table1.feather", version=1)
pyarrow.orc.write_table(arrow, "table.orc")
table.to_pickle("table.pkl")
with open("list.pickle", "wb") as out:
    pickle.dump([1, 2.5], out, protocol=2)
table.to_stata("table.dta", version=118, write_index=False)
table.to_json("table.json")
table.to_html("table.html")
scipy.io.netcdf_file("array.nc", "w").close()

book = openpyxl.Workbook()
book.active.append(["a", "b"])
book.active.append([1.5, 3.0])
book.save("book.xlsx")
old = xlwt.Workbook()
old.add_sheet("one").write(0, 0, 1.5)
old.save("book.xls")
with zipfile.ZipFile("book.ods", "w") as out:
    out.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    out.writestr("content.xml", "<office:document-content/>")
with zipfile.ZipFile("table.zip", "w") as out:
    out.writestr("table.csv", "a,b\n1,2\n")
with tarfile.open("table.tar", "w") as out:
    out.add("make.py")

# A vector of doubles as R serializes it: version 3, written by R 4.2.1, readable from 3.5.0 on.
value = b"X\n" + struct.pack(">iii", 3, 0x00040201, 0x00030500) + struct.pack(">i", 5) + b"UTF-8"
value += struct.pack(">ii", 14, 2) + struct.pack(">dd", 1.5, 2.5)
with gzip.GzipFile("vector.rds", "wb", mtime=0) as out:
    out.write(value)
with lzma.open("vector_xz.rds", "wb") as out:
    out.write(value)
# A list of one pair, tagged with the symbol x.
pair = struct.pack(">i", 1026) + struct.pack(">ii", 1, 0x00040009) + struct.pack(">i", 1) + b"x"
with gzip.GzipFile("workspace.RData", "wb", mtime=0) as out:
    out.write(b"RDX3\n" + value[:23] + pair + value[23:] + struct.pack(">i", 254))

with open("table.csv.lz4", "wb") as out:
    out.write(subprocess.run(["lz4", "-c"], input=b"a,b\n1,2\n3,4\n", stdout=subprocess.PIPE, check=True).stdout)
with open("picture.png", "wb") as out:  # one grey pixel
    out.write(bytes.fromhex(
        "89504e470d0a1a0a0000000d4948445200000001000000010800000000"
        "3a7e9b550000000a49444154789c636800000082008177cd72b60000000049454e44ae426082"))
with open("page.pdf", "wb") as out:
    out.write(b"%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")
