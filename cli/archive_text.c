/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of an archive: its shape, its bits per value, the error it guarantees and the error it has, and the
 * bits of its codes next to the theoretical minimum. */

#include "archive_text.h"
#include "element_types.h"
#include "human.h"
#include "json.h"
#include "print.h"

#include <inttypes.h>
#include <string.h>

static void print_coding(FILE *out, const scree_archive *about)
{
    if (strcmp(about->coding, "bytes") == 0)
        fputs("coding      raw elements: no model makes them smaller\n", out);
    else if (strcmp(about->coding, "numbers") == 0)
        fputs("coding      whole numbers by their neighbours or columns: smaller than by a model\n", out);
    else if (strcmp(about->coding, "beside") == 0)
        fputs("coding      predicted from neighbouring values: smaller than by a model\n", out);
    else
        cli_print(out, "coding      %" PRId64 " component%s\n", about->components, about->components == 1 ? "" : "s");
    if (about->components > 0)
        cli_print(out, "codes       %.2f bits each; the rate-distortion bound is %.2f\n", about->code_bits,
                  about->rate_bound);
    if (strcmp(about->coding, "model") == 0)
        cli_print(out, "corrected   %" PRId64 " values\n", about->corrected);
    if (about->raw > 0)
        cli_print(out, "stored raw  %" PRId64 " values: missing, infinite or extreme\n", about->raw);
}

void cli_archive_print(FILE *out, const scree_archive *about)
{
    char bytes[32];
    cli_print(out, "rows        %" PRId64 "\ncolumns     %" PRId64 " of type %s\n", about->rows, about->cols,
              cli_type_names[about->type]);
    cli_print(out, "size        %s, %.4g bits per value, ratio %.4g\n",
              cli_human_bytes(bytes, sizeof bytes, (double)about->bytes), about->bits, about->ratio);
    if (about->worst > 0)
        cli_print(out, "error       at most %.4g (bound %.4g), rmse %.4g\n", about->worst, about->bound, about->rmse);
    else
        fputs("error       none: lossless\n", out);
    print_coding(out, about);
    cli_print(out, "blocks      %" PRId64 "\n", about->blocks);
}

void cli_archive_json(cJSON *object, const scree_archive *about)
{
    cli_json_integer(object, "n", about->rows);
    cli_json_integer(object, "d", about->cols);
    cli_json_text(object, "type", cli_type_names[about->type]);
    cli_json_integer(object, "m", about->components);
    cli_json_text(object, "coding", about->coding);
    cli_json_integer(object, "blocks", about->blocks);
    cli_json_integer(object, "bytes", about->bytes);
    cli_json_number(object, "bits_per_value", about->bits);
    cli_json_number(object, "ratio", about->ratio);
    cli_json_number(object, "bound", about->bound);
    cli_json_number(object, "worst_error", about->worst);
    cli_json_number(object, "rmse", about->rmse);
    cli_json_number(object, "bits_per_code", about->code_bits);
    cli_json_number(object, "least_bits_per_code", about->rate_bound);
    cli_json_integer(object, "corrected", about->corrected);
    cli_json_integer(object, "raw", about->raw);
}

scree_status cli_archive_info(const char *path, const scree_read_options *read, bool json, scree_error *error)
{
    scree_archive about = SCREE_ARCHIVE_INIT;
    scree_status status = scree_archive_read_within(path, read, &about, error);
    if (status != SCREE_OK)
        return status;
    if (json) {
        cJSON *object = cli_json_object();
        cli_archive_json(object, &about);
        cli_json_print(object, stdout);
    } else {
        cli_print(stdout, "archive     %s\n", path);
        cli_archive_print(stdout, &about);
    }
    return SCREE_OK;
}
