/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that many have and that are not read: known by their first bytes, whatever their name, and refused with what
 * they are and with a command that turns them into a file that is read. A line in the table is all that a further
 * format needs; those that take more than a comparison of bytes have a function. */

#include "data/foreign.h"

#include <stdio.h>
#include <string.h>

enum { LOOK_BYTES = 4096 };

/* Where FILE stands, the message has the path. */
typedef struct foreign {
    const char *magic;
    int size;   /* bytes of it */
    int offset; /* where it stands */
    const char *name;
    const char *advice;
} foreign;

#define PANDAS(reader) "in Python: pandas." reader "('FILE').to_csv('data.csv', index=False)"
#define PLINK(input) "plink2 " input " --make-bed --out data, and give data.bed"
#define NUMPY_OF "numpy.save('data.npy', "

/* Those that have bytes which text has not, and those that may look like text at first. */
static const foreign known[] = {
    {"PAR1", 4, 0, "Parquet", "in Python: pandas.read_parquet('FILE').to_feather('data.arrow', compression='zstd')"},
    {"FEA1", 4, 0, "an Arrow file (Feather, version 1)", PANDAS("read_feather")},
    {"CDF\1", 4, 0, "NetCDF", "in Python: " NUMPY_OF "xarray.open_dataset('FILE')['NAME'].values)"},
    {"CDF\2", 4, 0, "NetCDF", "in Python: " NUMPY_OF "xarray.open_dataset('FILE')['NAME'].values)"},
    {"BZh", 3, 0, "compressed with bzip2", "bzip2 -dc 'FILE' | scree ... -, or compress it with xz or zstd instead"},
    {"\x04\x22\x4D\x18", 4, 0, "compressed with lz4",
     "lz4 -dc 'FILE' | scree ... -, or compress it with xz or zstd instead"},
    {"7z\xBC\xAF\x27\x1C", 6, 0, "a 7z archive", "take it apart with 7z x 'FILE', and give a file of it"},
    {"Rar!", 4, 0, "a rar archive", "take it apart with unrar x 'FILE', and give a file of it"},
    {"ustar", 5, 257, "a tar archive", "take it apart with tar -xf 'FILE', and give a file of it"},
    {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", 8, 0, "an Excel workbook (xls)",
     "save the sheet as CSV UTF-8; or " PANDAS("read_excel")},
    {"X\n\0\0\0", 5, 0, "an R object (rds)", "in R: write.csv(readRDS('FILE'), 'data.csv', row.names = FALSE)"},
    {"RDX", 3, 0, "an R workspace (RData)", "in R: load('FILE'), then write.csv(NAME, 'data.csv', row.names = FALSE)"},
    {"RDA", 3, 0, "an R workspace (RData)", "in R: load('FILE'), then write.csv(NAME, 'data.csv', row.names = FALSE)"},
    {"$FL2", 4, 0, "an SPSS file", PANDAS("read_spss")},
    {"ORC", 3, 0, "ORC", PANDAS("read_orc")},
    {"Obj\1", 4, 0, "Avro", "convert it to CSV, NPY or another format that is read"},
    {"BCF\2", 4, 0, "a BCF", PLINK("--bcf 'FILE'")},
    {"\x89PNG\r\n", 6, 0, "a PNG image", "save its pixels as an array with numpy.save"},
    {"\xFF\xD8\xFF", 3, 0, "a JPEG image", "save its pixels as an array with numpy.save"},
};
static const foreign like_text[] = {
    {"<stata_dta>", 11, 0, "a Stata file", PANDAS("read_stata")},
    {"##fileformat=VCF", 16, 0, "a VCF", PLINK("--vcf 'FILE'")},
    {"%PDF-", 5, 0, "a PDF", "save the table as CSV"},
    {"{\\rtf", 5, 0, "a text document (RTF)", "save the table as CSV"},
    {"SIMPLE  =", 9, 0, "FITS", "in Python: " NUMPY_OF "astropy.io.fits.getdata('FILE'))"},
};

/* Of protocols 2 to 5, which begin with a mark and their number, and then make something. */
static bool is_pickle(const unsigned char *head, int64_t size)
{
    static const char begins[] = {'\x95', 'c', '}', ']', ')', '(', 'K', 'X', 'G', 'J', '\x8C'};
    return size > 4 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5 && memchr(begins, head[2], sizeof begins);
}

static bool has(const unsigned char *head, int64_t size, const char *text)
{
    const int64_t length = (int64_t)strlen(text);
    for (int64_t i = 0; i + length <= size; i++)
        if (memcmp(head + i, text, (size_t)length) == 0)
            return true;
    return false;
}

/* The first bytes of a .bed, and the kind of its storage, which are others. */
static bool is_pgen(const unsigned char *head, int64_t size)
{
    return size > 3 && head[0] == 0x6c && head[1] == 0x1b && head[2] >= 2;
}

/* Archives of zip, by the names of what is in them. */
static const foreign *zip_of(const unsigned char *head, int64_t size)
{
    static const foreign sheet = {NULL, 0, 0, "an Excel workbook (xlsx)",
                                  "save the sheet as CSV UTF-8; or " PANDAS("read_excel")};
    static const foreign calc = {NULL, 0, 0, "a LibreOffice document",
                                 "save the sheet as CSV; or soffice --headless --convert-to csv 'FILE'"};
    static const foreign arrays = {NULL, 0, 0, "an npz, several arrays of NumPy",
                                   "in Python: " NUMPY_OF "numpy.load('FILE')['NAME'])"};
    static const foreign any = {NULL, 0, 0, "a zip archive", "unzip 'FILE', and give a file of it"};
    if (size < 4 || memcmp(head, "PK\3\4", 4) != 0)
        return NULL;
    const int64_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
    if (has(head, look, "[Content_Types].xml") || has(head, look, "xl/"))
        return &sheet;
    if (has(head, look, "application/vnd.oasis.opendocument"))
        return &calc;
    return has(head, look, ".npy") ? &arrays : &any;
}

static int64_t skip_spaces(const unsigned char *head, int64_t size, int64_t at)
{
    static const char spaces[] = {' ', '\t', '\r', '\n'};
    while (at < size && memchr(spaces, head[at], sizeof spaces))
        at++;
    return at;
}

/* An object or an array of things that JSON knows; a CSV may begin with a bracket, too. */
static bool is_json(const unsigned char *head, int64_t size)
{
    static const char inside[] = "\"{}[]-0123456789";
    int64_t at = skip_spaces(head, size, 0);
    if (at == size || (head[at] != '{' && head[at] != '['))
        return false;
    at = skip_spaces(head, size, at + 1);
    return at < size && memchr(inside, head[at], sizeof inside - 1);
}

/* Pages and documents in tags; spreadsheets save such under other names. */
static bool is_tagged(const unsigned char *head, int64_t size)
{
    static const char *const begins[] = {"<!DOCTYPE", "<!doctype", "<html", "<HTML", "<?xml", "<table", "<TABLE"};
    const int64_t mark = size >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    const int64_t at = skip_spaces(head, size, mark);
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (size - at >= (int64_t)strlen(begins[i]) && memcmp(head + at, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* Bytes that steer, which text has not. */
static bool is_binary(const unsigned char *head, int64_t size)
{
    for (int64_t i = 0; i < size && i < LOOK_BYTES; i++)
        if (head[i] < '\t' || (head[i] > '\r' && head[i] < ' '))
            return true;
    return false;
}

static const foreign *look_up(const foreign *table, size_t count, const unsigned char *head, int64_t size)
{
    for (size_t i = 0; i < count; i++)
        if (size >= table[i].offset + table[i].size &&
            memcmp(head + table[i].offset, table[i].magic, (size_t)table[i].size) == 0)
            return &table[i];
    return NULL;
}

static const foreign *find(const unsigned char *head, int64_t size)
{
    static const foreign pickle = {NULL, 0, 0, "a Python pickle",
                                   "in Python: pandas.DataFrame(pandas.read_pickle('FILE')).to_csv('data.csv', "
                                   "index=False); never open one that you do not trust"};
    static const foreign json = {NULL, 0, 0, "JSON, which is written but not read", PANDAS("read_json")};
    static const foreign tags = {NULL, 0, 0, "HTML or XML",
                                 "save the table as CSV; or, in Python: "
                                 "pandas.read_html('FILE')[0].to_csv('data.csv', index=False)"};
    static const foreign model = {NULL, 0, 0, "a model, not rows",
                                  "scree info 'FILE' shows it; give DATA, with MODEL before it where the command takes "
                                  "one"};
    static const foreign state = {NULL, 0, 0, "the state of a fit, not rows",
                                  "scree info 'FILE' shows it, scree fit 'FILE' -o MODEL makes a model of it, and "
                                  "scree merge adds it to others"};
    static const foreign pgen = {NULL, 0, 0, "a .pgen of PLINK 2",
                                 "plink2 --pfile 'FILE', without .pgen, --make-bed --out data, and give data.bed"};
    static const foreign tensors = {NULL, 0, 0, "a safetensors file, not rows",
                                    "in Python: " NUMPY_OF "safetensors.numpy.load_file('FILE')['NAME'])"};
    const int64_t look = size < LOOK_BYTES ? size : LOOK_BYTES;
    const foreign *found = is_binary(head, size) ? look_up(known, sizeof known / sizeof known[0], head, size) : NULL;
    found = found ? found : look_up(like_text, sizeof like_text / sizeof like_text[0], head, size);
    if (found)
        return found;
    if (size > 9 && head[7] == 0 && memcmp(head + 8, "{\"", 2) == 0)
        return has(head, look, "\"format\":\"scree-state\"") ? &state
               : has(head, look, "\"format\":\"scree\"")     ? &model
                                                             : &tensors;
    if (is_pgen(head, size))
        return &pgen;
    if (is_pickle(head, size))
        return &pickle;
    if (is_tagged(head, size))
        return &tags;
    return is_json(head, size) ? &json : zip_of(head, size);
}

scree_status scree__foreign_refuse(const char *path, const unsigned char *head, int64_t size, scree_error *error)
{
    char advice[1024] = "";
    const foreign *f = find(head, size);
    if (!f)
        return SCREE_OK;
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    for (const char *p = f->advice; *p; p++) {
        const size_t used = strlen(advice);
        const bool here = strncmp(p, "FILE", 4) == 0 && strcmp(path, "-") != 0;
        snprintf(advice + used, sizeof advice - used, "%.*s", here ? 200 : 1, here ? file : p);
        p += here ? 3 : 0;
    }
    return scree__fail(error, SCREE_ERR_FORMAT, "%s: is %s: %s", strcmp(path, "-") == 0 ? "standard input" : path,
                       f->name, advice);
}
