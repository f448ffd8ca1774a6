/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_COHORT_FILE_H
#define SCREE_TESTS_COHORT_FILE_H

/* Genotypes as the three files of PLINK, from copies of A1, sample by sample; -1 is a missing call. Include after
 * temporary_folder.h. */

/* NAME.bed in the folder, good until the fourth call of folder_path after it. */
static inline const char *cohort_write_bed(const char *name, const signed char *copies, int samples, int variants)
{
    static const unsigned char codes[] = {1, 3, 2, 0}; /* of -1, 0, 1 and 2 */
    const int stride = (samples + 3) / 4;
    const size_t size = 3 + (size_t)(variants * stride);
    unsigned char *bytes = calloc(size, 1);
    char file[64];
    assert_non_null(bytes);
    bytes[0] = 0x6c;
    bytes[1] = 0x1b;
    bytes[2] = 1;
    for (int j = 0; j < variants; j++)
        for (int i = 0; i < samples; i++)
            bytes[3 + j * stride + i / 4] |= (unsigned char)(codes[copies[i * variants + j] + 1] << i % 4 * 2);
    snprintf(file, sizeof file, "%s.bed", name);
    const char *path = file_write(file, bytes, size);
    free(bytes);
    return path;
}

static inline void cohort_write_text(const char *name, const char *extension, const char *text)
{
    char file[64];
    snprintf(file, sizeof file, "%s.%s", name, extension);
    file_write(file, text, strlen(text));
}

/* .fam and .bim of samples s1, s2 ... in families f1, f2, and variants v1, v2 ... on chromosomes 1, 2 and X in turns.
 */
static inline void cohort_write_tables(const char *name, int samples, int variants)
{
    char *text = calloc((size_t)(samples + variants + 1), 64);
    assert_non_null(text);
    char *end = text;
    for (int i = 0; i < samples; i++)
        end += sprintf(end, "f%d s%d 0 0 %d -9\n", i % 2 + 1, i + 1, i % 2 + 1);
    cohort_write_text(name, "fam", text);
    *text = '\0';
    end = text;
    for (int j = 0; j < variants; j++)
        end += sprintf(end, "%s\tv%d\t0\t%d\tA\tG\n",
                       j % 3 == 0   ? "1"
                       : j % 3 == 1 ? "chr2"
                                    : "X",
                       j + 1, 100 * (j + 1));
    cohort_write_text(name, "bim", text);
    free(text);
}

#endif
