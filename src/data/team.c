/* SPDX-License-Identifier: BSD-3-Clause */
/* Who works together: each process must have the same rows; the first says how many there are, and what memory plans
 * are made for. The number of ranges is a power of two that depends on the number of rows alone: 8, and more
 * where each would have more than 16384 rows, up to 4096. What a range comes to costs a little, whatever its size. */

#include "data/team.h"

#include "base/memory.h"
#include "base/threads.h"
#include "data/gather_sums.h"
#include "data/some_rows.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { FEWEST_RANGES = 8, MOST_RANGES = 4096, RANGE_ROWS = 1 << 14 };

/* What all must agree on. */
typedef struct shape {
    int64_t rows;
    int64_t cols;
    int64_t memory;
    int32_t type;
    int32_t weighted;
} shape;

/* ---- without a team: by the numbers of the processes ---- */

static scree_status gather_notes(const scree_communicator *with, scree__note *note, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__note other;
    for (int step = 1; step < with->ranks; step *= 2) {
        if (with->rank % (2 * step) != 0) {
            SCREE_TRY(with->send(with->context, with->rank - step, note, sizeof *note, error));
            break;
        }
        if (with->rank + step < with->ranks) {
            SCREE_TRY(with->receive(with->context, with->rank + step, &other, sizeof other, error));
            scree__note_join(note, &other);
        }
    }
    SCREE_TRY(with->broadcast(with->context, note, sizeof *note, error));
done:
    return status;
}

scree_status scree_communicator_agree(const scree_communicator *communicator, scree_status failed, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team nobody = {.with = communicator};
    scree__note note;
    if (!communicator)
        return failed;
    scree__note_set(&note, &nobody, failed, error);
    SCREE_TRY(gather_notes(communicator, &note, error));
    SCREE_TRY(scree__note_outcome(&note, error));
done:
    return status;
}

scree_status scree__team_settle(const scree_run *run, bool shared, scree_status status, scree_error *error)
{
    const bool tells = status != SCREE_OK && !shared && run && run->communicator;
    return tells ? scree_communicator_agree(run->communicator, status, error) : status;
}

/* ---- a team ---- */

int scree__team_owner(const scree__team *team, int64_t range)
{
    return (int)(range * team->with->ranks / team->ranges.count);
}

int64_t scree__team_range_rows(const scree__team *team)
{
    const scree__ranges *r = &team->ranges;
    return (r->rows + r->count - 1) / r->count;
}

static int64_t ranges_of(int64_t rows)
{
    int64_t count = FEWEST_RANGES;
    while (count < MOST_RANGES && rows / count > RANGE_ROWS)
        count *= 2;
    return count;
}

int64_t scree__team_first(int64_t ranges, int rank, int ranks)
{
    return (rank * ranges + ranks - 1) / ranks;
}

static scree_status count_rows(scree_source *source, int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__block block = {0};
    *rows = source->about.rows;
    if (*rows >= 0)
        return SCREE_OK;
    *rows = 0;
    SCREE_TRY(scree__source_restart(source, error));
    source->takes_sparse = source->sparse;
    do {
        SCREE_TRY(scree__source_next(source, &block, error));
        *rows += block.rows;
    } while (block.rows > 0);
done:
    source->takes_sparse = false;
    return status;
}

static scree_status check_source(const scree_source *source, scree_error *error)
{
    if (!(source->can & SCREE__CAN_REWIND))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s can be read only once, and several processes share rows that each of them can read; "
                           "save the rows to a file first",
                           source->about.path);
    if (source->faults)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: rows that cannot be used are passed over by one process alone; leave --on-error out, "
                           "or run one process",
                           source->about.path);
    return SCREE_OK;
}

static scree_status compare(const scree_source *source, const shape *own, const shape *first, scree_error *error)
{
    if (own->cols != first->cols || own->type != first->type || own->weighted != first->weighted ||
        (own->rows >= 0 && own->rows != first->rows))
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: has %" PRId64 " rows and %" PRId64 " columns here, and %" PRId64 " and %" PRId64
                           " for the first process, or other types; give all processes the same rows",
                           source->about.path, own->rows, own->cols, first->rows, first->cols);
    return SCREE_OK;
}

void scree__team_share_machine(scree_run *run)
{
    const scree_communicator *with = run->communicator;
    const int64_t here = with->ranks_here > 0 ? with->ranks_here : 1;
    if (run->threads == 0) {
        const int64_t cores = sysconf(_SC_NPROCESSORS_ONLN) / here;
        const int64_t allowed = scree__threads(0); /* fewer where the processes are bound to cores of their own */
        run->threads = (int)(cores < 1 ? 1 : cores < allowed ? cores : allowed);
    }
    if (run->memory == 0 && here > 1)
        run->memory = scree__memory_available() / 10 * 8 / here;
}

/* By all together, each looking at a part of the file, where that can be; else by the first. */
static scree_status count_together(const scree_communicator *with, scree_source *source, int64_t *rows,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t who[2] = {*rows >= 0, *rows < 0 && scree__source_can_seek(source)}; /* know it, can count */
    SCREE_TRY(scree__gather_sums(with, SCREE_OK, who, 2, error));
    if (who[1] == with->ranks)
        SCREE_TRY(scree__source_count(source, with, rows, error));
    if (who[0] == with->ranks || (who[1] == with->ranks && *rows >= 0))
        return SCREE_OK;
    source->can &= ~(unsigned)SCREE__CAN_SEEK;
    if (with->rank == 0 && *rows < 0)
        status = count_rows(source, rows, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
done:
    return status;
}

static scree_status agree_on_shape(const scree_communicator *with, scree_source *source, scree_run *run,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    shape own = {source->about.rows, source->about.cols, run->memory, (int32_t)source->about.type,
                 source->about.weighted};
    SCREE_TRY(count_together(with, source, &own.rows, error));
    shape first = own;
    SCREE_TRY(with->broadcast(with->context, &first, sizeof first, error));
    status = compare(source, &own, &first, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    source->about.rows = source->about.rows_estimate = first.rows;
    run->memory = first.memory;
done:
    return status;
}

static scree_status make_team(scree__team **out, const scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(check_source(source, error));
    SCREE_ALLOC(*out, 1, error);
done:
    return status;
}

scree_status scree__team_open(scree__team **out, scree_source *source, scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = run->communicator;
    scree__team *team = NULL;
    scree__team_share_machine(run);
    status = make_team(&team, source, error);
    SCREE_TRY(scree_communicator_agree(with, status, error));
    SCREE_TRY(agree_on_shape(with, source, run, error));
    const int64_t count = ranges_of(source->about.rows);
    team->with = with;
    team->ranges = (scree__ranges){.rows = source->about.rows,
                                   .count = count,
                                   .first = scree__team_first(count, with->rank, with->ranks),
                                   .end = scree__team_first(count, with->rank + 1, with->ranks)};
    source->team = team;
    *out = team;
    team = NULL;
done:
    free(team);
    return status;
}

void scree__team_close(scree__team *team, scree_source *source)
{
    if (team)
        source->team = NULL;
    free(team);
}

scree_status scree__team_run(scree_source *source, scree_run *run, scree__team_work *work, void *context,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team *team = NULL;
    SCREE_TRY(scree__team_open(&team, source, run, error));
    status = work(context, source, team, error);
    if (!team->failed)
        status = scree__team_agree(team, status, NULL, error);
    if (status == SCREE_OK)
        status = scree__source_tell(source, team->with, error);
done:
    scree__team_close(team, source);
    return status;
}

scree_status scree__team_tell(scree__team *team, void *data, int64_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = team->with;
    SCREE_TRY(scree__team_agree(team, SCREE_OK, NULL, error));
    SCREE_TRY(with->broadcast(with->context, data, bytes, error));
done:
    return status;
}

scree_status scree__team_part(scree_source **out, const scree__ranges *ranges, scree_source *source, scree_error *error)
{
    const int64_t first = scree__range_start(ranges, ranges->first);
    const int64_t end = scree__range_start(ranges, ranges->end);
    *out = NULL;
    if (first == end)
        return SCREE_OK;
    if (scree__memory_is(source) && (source->can & SCREE__IN_MEMORY) && !source->cells)
        return scree__memory_part(out, source, first, end - first, error);
    scree_status status = scree__source_restart(source, error);
    if (status == SCREE_OK)
        status = scree__some_rows_borrow(out, source, first, end, error);
    if (status == SCREE_OK)
        (*out)->team = NULL;
    return status;
}
