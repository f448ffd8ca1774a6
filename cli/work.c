/* SPDX-License-Identifier: BSD-3-Clause */
/* What every command does at its start and at its end. */

#include "work.h"
#include "cache.h"
#include "element_types.h"
#include "left_out.h"
#include "model_text.h"
#include "together.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

void cli_out_of_memory(void)
{
    scree_outputs_discard();
    scree_cleanup();
    fputs("scree: out of memory; close other programs, or set a smaller --memory\n", stderr);
    exit(CLI_FAILURE);
}

scree_status cli_known(scree_status status)
{
    if (status == SCREE_ERR_MEMORY)
        cli_out_of_memory();
    return status;
}

void *cli_alloc(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        cli_out_of_memory();
    return memory;
}

/* As many threads as were asked for, or as the machine has, but no more than the limit of memory bears. */
static int threads_within(int threads, int64_t memory)
{
    const int64_t most = memory / CLI_THREAD_MEMORY > 1 ? memory / CLI_THREAD_MEMORY : 1;
    const int64_t wanted = threads > 0 ? threads : sysconf(_SC_NPROCESSORS_ONLN);
    return memory > 0 && wanted > most ? (int)most : threads;
}

/* One seed is for all that is drawn: where a command has its own, it is that of a sample of rows, too. */
static void share_seed(cli_work *work)
{
    cli_walk walk = cli_walk_start(work->call->command);
    for (const cli_option *option; (option = cli_walk_next(&walk));)
        if (strcmp(option->name, "seed") == 0)
            work->read.sample_seed =
                *(const uint64_t *)(const void *)((const char *)work->call->arguments + walk.offset);
}

cli_work *cli_work_start(const cli_call *call)
{
    cli_work *work = call->arguments;
    work->call = call;
    share_seed(work);
    work->read.threads = work->run.threads;
    work->read.memory = work->run.memory;
    work->read.held = work->run.memory > 0 ? CLI_OWN_MEMORY : 0;
    work->run.cache = cli_cache_folder();
    work->run.communicator = cli_together_with();
    scree_outputs_hold(); /* until nothing is left to be said */
    return work;
}

scree_status cli_memory_check(cli_work *work)
{
    const double mebibyte = 1 << 20;
    if (work->run.memory <= 0 || work->run.memory >= work->read.held)
        return SCREE_OK;
    work->error.status = SCREE_ERR_LIMIT;
    snprintf(work->error.text, sizeof work->error.text,
             "%.3g MiB is too little memory: the program itself needs %.0f MiB; allow that much",
             (double)work->run.memory / mebibyte, (double)work->read.held / mebibyte);
    return work->error.status;
}

int cli_work_finish(cli_work *work, scree_status status)
{
    scree_sink_free(work->sink);
    scree_source_free(work->source);
    scree_model_free(work->model);
    return cli_finish(status, &work->error);
}

static scree_status with_noise(scree_model **model, const cli_noise *noise, scree_error *error)
{
    scree_model *noisy = NULL;
    const double own = scree_model_get(scree_model_distribution(*model))->noise_variance;
    const double chosen = fmax(noise->variance >= 0.0 ? noise->variance : own, noise->floor);
    if (chosen == own || (noise->variance < 0.0 && noise->floor == 0.0))
        return SCREE_OK;
    const scree_status status = scree_model_with_noise(&noisy, *model, chosen, error);
    if (status == SCREE_OK) {
        scree_model_free(*model);
        *model = noisy;
    }
    return status;
}

/* The first components, and all of them for the distribution: they were asked for. */
static scree_status cut(scree_model **out, const scree_model *model, int64_t components, scree_error *error)
{
    scree_model *shorter = NULL;
    scree_status status = scree_model_truncate(&shorter, model, components, error);
    if (status == SCREE_OK && scree_model_can(model, SCREE_CAN_DENSITY))
        status = scree_model_with_latent(out, shorter, components, error);
    else if (status == SCREE_OK)
        *out = shorter;
    if (*out != shorter)
        scree_model_free(shorter);
    return status;
}

/* What rows have to have: those of a live pipe, so that a bad first row does not say what its columns are, and
 * genotypes, of which the other allele may be counted. */
static void know_columns(cli_work *work)
{
    const scree_model_view *view = scree_model_get(work->model);
    if (!view->columns)
        return;
    work->read.numeric = (const char *const *)view->columns;
    work->read.numeric_count = view->d;
    const bool wants_others = work->every_column || work->copies_unknown;
    if (!wants_others && view->normalize == 0 && !view->log1p) /* the mean is that of rows as they come */
        work->read.means = view->mean;
}

scree_status cli_work_model(cli_work *work)
{
    scree_model *whole = NULL;
    work->run.threads = work->read.threads = threads_within(work->run.threads, work->run.memory);
    scree_status status = scree_model_load(&whole, work->call->operands[0], &work->error);
    if (status == SCREE_OK && work->components > 0) {
        status = cut(&work->model, whole, work->components, &work->error);
        scree_model_free(whole);
    } else if (status == SCREE_OK) {
        work->model = whole;
    }
    if (status == SCREE_OK)
        work->read.row_width = scree_model_get(work->model)->d; /* one row may come as an array of one dimension */
    if (status == SCREE_OK)
        work->read.totals = scree_model_get(work->model)->normalize > 0;
    if (status == SCREE_OK)
        status = with_noise(&work->model, &work->noise, &work->error);
    if (status == SCREE_OK)
        know_columns(work);
    return status;
}

bool cli_whiten_lacks(const cli_whiten *whiten)
{
    return whiten->how.ddof >= 0 && !whiten->wanted;
}

scree_type cli_work_type(const cli_work *work)
{
    const scree_type stored = scree_source_element_type(work->source);
    return stored == SCREE_F32 || stored == SCREE_F16 ? SCREE_F32 : SCREE_F64;
}

scree_status cli_work_rows(cli_work *work, int first)
{
    if (work->read.sample == 0 && cli_given_of(work->call, cli_sample_options)) {
        snprintf(work->error.text, sizeof work->error.text,
                 "--seed is for a sample of the rows, and there is none: add --sample");
        return work->error.status = SCREE_ERR_ARGUMENT;
    }
    const char *const *paths = (const char *const *)work->call->operands + first;
    for (int i = 0; cli_together_with() && i < work->call->operand_count - first; i++)
        if (strcmp(paths[i], "-") == 0) {
            snprintf(work->error.text, sizeof work->error.text,
                     "standard input can be read only once, and the processes of mpirun share rows that each of them "
                     "can read; save the rows to a file first");
            return work->error.status = SCREE_ERR_UNSUPPORTED;
        }
    return scree_source_open_many(&work->source, paths, work->call->operand_count - first, &work->read, &work->error);
}

/* Names a row that could not be used, the first few of them. May be called by the thread that reads. */
static void name_fault(void *context, const char *sentence)
{
    enum { NAMED = 10 };
    cli_work *work = context;
    if (!work->quiet && work->faults < NAMED)
        cli_print(stderr, "%s\n", sentence);
    work->faults++;
}

/* Rows are written to it as they come, not all at the end: a pipe, a device, or a file that is added to. */
static bool takes_rows(const cli_work *work)
{
    struct stat about;
    return cli_work_is_piped(work) || work->write.append ||
           (stat(work->write.output, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode));
}

void cli_work_live(cli_work *work)
{
    if (work->write.output && !takes_rows(work))
        cli_signals_unwritten(work->write.output);
    work->read.live = true;
    work->read.fault = name_fault;
    work->read.fault_context = work;
}

/* The same rows of the file, where they are those of rows: part. */
static scree_status open_beside(cli_work *work, scree_source **out, const char *path, const char *without_numbers,
                                bool part)
{
    scree_read_options plain = SCREE_READ_OPTIONS_INIT;
    plain.threads = work->run.threads;
    plain.memory = work->run.memory;
    plain.held = work->read.held;
    plain.first_row = part ? work->read.first_row : 0;
    plain.last_row = part ? work->read.last_row : 0;
    plain.sample = part ? work->read.sample : 0;
    plain.sample_seed = work->read.sample_seed;
    const scree_status status = scree_source_open(out, path, &plain, &work->error);
    if (status == SCREE_ERR_VALUE && strstr(work->error.text, "no column holds numbers"))
        snprintf(work->error.text, sizeof work->error.text, "%s: %s", path, without_numbers);
    return status;
}

scree_status cli_work_beside(cli_work *work, scree_source **out, const char *path, const char *without_numbers)
{
    return open_beside(work, out, path, without_numbers, false);
}

scree_status cli_work_labels(cli_work *work, scree_source **out, const char *path)
{
    return open_beside(work, out, path,
                       "labels in a file are numbers, or text beside a column of numbers; number its lines, or "
                       "make the labels a column of DATA and name it with --label",
                       true);
}

/* An AnnData file may be given its own codes. */
static bool is_own(const cli_work *work)
{
    const char *dot = work->write.output ? strrchr(work->write.output, '.') : NULL; /* none: it is not asked for */
    const char *format = work->write.format ? work->write.format : dot ? dot + 1 : "";
    return work->write.takes_codes && strcasecmp(format, "h5ad") == 0;
}

scree_status cli_work_open(cli_work *work)
{
    cli_call inputs = *work->call;
    if (is_own(work))
        inputs.operand_count = 1; /* the model */
    scree_status status = cli_output_distinct(&inputs, work->write.output, NULL, &work->error);
    if (status == SCREE_OK)
        status = cli_work_model(work);
    return status == SCREE_OK ? cli_work_rows(work, 1) : status;
}

/* Numbers in text have no element type; the rest is for scree_sink_open to judge. */
static scree_status check_type(const cli_write *write, scree_error *error)
{
    static const char *const typed[] = {"npy", "npz", "arrow", "arrows", "feather", "h5", "hdf5", "h5ad"};
    const char *dot = strrchr(write->output, '.');
    const char *format = write->format ? write->format : dot ? dot + 1 : "csv";
    bool has = !write->type;
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        has = has || strcasecmp(format, typed[i]) == 0;
    if (has)
        return SCREE_OK;
    snprintf(error->text, sizeof error->text,
             "--type %s is the element type of an NPY, NPZ, Arrow or HDF5 file, and %s is not written as one; use "
             "--format npy, or "
             "leave --type out",
             write->type, strcmp(write->output, "-") == 0 ? "standard output" : write->output);
    return error->status = SCREE_ERR_ARGUMENT;
}

static scree_status sink_open(scree_sink **out, const cli_write *write, scree_write_options *options, scree_type type,
                              scree_error *error)
{
    if (check_type(write, error) != SCREE_OK)
        return error->status;
    options->format = write->format;
    options->type = write->type ? cli_type_of(write->type) : type;
    options->spreadsheet = write->spreadsheet != 0;
    options->append = write->append != 0;
    return scree_sink_open(out, write->output, options, error);
}

scree_status cli_sink_open(scree_sink **out, const cli_write *write, scree_type type, scree_error *error)
{
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    return sink_open(out, write, &options, type, error);
}

static scree_status check_into(const cli_work *work, scree_error *error)
{
    if (!is_own(work) || work->call->operand_count == 2)
        return SCREE_OK;
    snprintf(error->text, sizeof error->text,
             "%s: gets the codes of the cells of one AnnData file, and %d files are given; give one, or choose another "
             "format",
             work->write.output, work->call->operand_count - 1);
    return error->status = SCREE_ERR_ARGUMENT;
}

scree_status cli_work_sink(cli_work *work, scree_type type)
{
    scree_write_options options = SCREE_WRITE_OPTIONS_INIT;
    scree_status status = check_into(work, &work->error);
    if (status == SCREE_OK && is_own(work)) {
        options.into = work->call->operands[1];
        options.model = scree_model_get(work->model);
    }
    return status == SCREE_OK ? sink_open(&work->sink, &work->write, &options, type, &work->error) : status;
}

scree_status cli_sink_finish(scree_sink *sink, scree_error *error)
{
    return cli_together_is_first() ? scree_sink_finish(sink, error) : SCREE_OK;
}

scree_status cli_work_copy(cli_work *work, scree_source *source, scree_type type)
{
    scree_status status = SCREE_OK;
    CLI_TRY(cli_work_sink(work, type));
    CLI_TRY_ROWS(work, scree_source_copy(source, work->sink, &work->run, &work->error));
    CLI_TRY(scree_sink_finish(work->sink, &work->error));
done:
    return status;
}

bool cli_work_is_piped(const cli_work *work)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; work->write.output && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(work->write.output, names[i]) == 0)
            return true;
    return false;
}

bool cli_work_is_straight(const cli_work *work)
{
    return work->read.live && (!work->sink || takes_rows(work));
}

scree_status cli_density_check(const scree_model *model, const char *path, scree_error *error)
{
    const scree_model_view *view = scree_model_get(scree_model_distribution(model));
    scree_facts facts = SCREE_FACTS_INIT;
    const char *reason = view->m == view->d       ? ": all components are kept"
                         : view->n - 1 <= view->m ? ": the fitted rows span no more than the components"
                                                  : "";
    const bool lost = cli_model_loses_digits(view) && view->n - 1 > view->m;
    if (!scree_model_can(model, SCREE_CAN_DENSITY)) /* the call that needs one says so */
        return SCREE_OK;
    const scree_status status = scree_model_facts(model, &facts, error);
    const bool has_density = view->noise_variance > 0 || !isnan(facts.log_likelihood);
    if (status != SCREE_OK || has_density)
        return status;
    error->status = SCREE_ERR_NUMERIC;
    snprintf(
        error->text, sizeof error->text,
        "%s: rows have no density because the model has no noise (σ² = 0%s); %s%skeep fewer components with -k, or "
        "add noise with --noise-floor",
        path, lost ? ": it is lost in rounding beside columns in much larger units" : reason,
        lost ? cli_model_for_digits(view) : "", lost ? ", " : "");
    return error->status;
}

static void print_faults(const cli_work *work)
{
    const int64_t count = scree_source_faults(work->source);
    if (count > 0)
        cli_print(stderr, "%s: %" PRId64 " row%s could not be used, and %s %s\n", scree_source_name(work->source),
                  count, count == 1 ? "" : "s", count == 1 ? "was" : "were",
                  work->read.on_error == SCREE_SKIP ? "skipped" : "answered with nan");
}

void cli_work_note(const cli_work *work)
{
    const char *note = scree_source_note(work->source);
    if (work->quiet)
        return;
    cli_flush(); /* results and notes appear in the order in which they were made */
    print_faults(work);
    if (work->model && !work->chose_columns)
        cli_left_out_print(stderr, work->model, work->source, work->copies_unknown != 0);
    if (note)
        cli_print(stderr, "%s: %s\n", scree_source_name(work->source), note);
}

void cli_work_notes(const cli_work *work)
{
    scree_gaps gaps = SCREE_GAPS_INIT;
    cli_known(scree_source_gaps(work->source, &gaps, NULL));
    if (!work->quiet && gaps.rows > 0) {
        cli_flush();
        cli_print(stderr, "%s: %" PRId64 " row%s with missing cells, answered from the observed ones",
                  scree_source_name(work->source), gaps.rows, gaps.rows == 1 ? "" : "s");
        if (gaps.empty > 0)
            cli_print(stderr, "; nothing was observed in %" PRId64 " row%s", gaps.empty, gaps.empty == 1 ? "" : "s");
        fputc('\n', stderr);
    }
    cli_work_note(work);
}
