/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a fit has still to go.
 *
 * The plan says how long the rows will take and how long what follows them, such as the eigenvectors. What is at work
 * is soon known better: where a share x of it took t seconds, and P were planned, all of it takes
 *
 *     (t + cP) / (x + c)
 *
 * the plan counting as much as a first small share c that took what was planned. What has not begun takes what the plan
 * says. */

#include "fit/course.h"

#include "base/progress.h"

static const double PLAN = 0.05;     /* c */
static const double INTERVAL = 0.05; /* seconds */

static double left_of(const scree__course *c, double done, double planned, double now)
{
    const double taken = now - c->began;
    const double all = done >= 0 ? (taken + PLAN * planned) / (done + PLAN) : planned;
    return done >= 0 ? all * (1 - done) : all - taken;
}

/* How much of the rows a pass is the end of; negative: nobody knows. */
static double done_of_rows(const scree__course *c, const scree_progress *p)
{
    double done = -1;
    if (c->steps >= 0)
        done = c->steps + (p->done > 0 ? p->done * c->stride : 0);
    else if (p->passes > 0 && p->done >= 0)
        done = (p->pass - 1 + p->done) / p->passes;
    return done < 1 ? done : 1;
}

static int on_pass(void *context, const scree_progress *progress)
{
    scree__course *c = context;
    c->pass = *progress;
    if (c->rows_seconds + c->rest_seconds > 0 && !c->part) {
        const double left = left_of(c, done_of_rows(c, progress), c->rows_seconds, scree__seconds());
        c->pass.seconds_left = left >= 0 ? left + c->rest_seconds + c->later : -1;
    }
    return c->tell(c->context, &c->pass);
}

static scree_status tell(const scree__course *c, const scree_progress *p, scree_error *error)
{
    return c->tell(c->context, p) == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_CANCELLED, "cancelled");
}

/* For scree__watch. */
static scree_status on_part(void *context, double done, scree_error *error)
{
    scree__course *c = context;
    const double now = scree__seconds();
    scree_progress p = c->pass;
    if (now - c->told < INTERVAL)
        return SCREE_OK;
    c->told = now;
    p.size = sizeof p;
    p.part = c->part;
    p.done = done;
    p.seconds_left = left_of(c, done, c->rest_seconds, now) + c->later;
    return tell(c, &p, error);
}

static scree_status on_step(void *context, double done, scree_error *error)
{
    scree__course *c = context;
    (void)error;
    c->stride = done > c->steps ? done - c->steps : 0;
    c->steps = done;
    return SCREE_OK;
}

void scree__course_open(scree__course *c, scree_run *run)
{
    *c = (scree__course){.tell = run->progress, .context = run->progress_context, .steps = -1};
    if (!run->progress)
        return;
    run->progress = on_pass;
    run->progress_context = c;
}

scree__course *scree__course_of(const scree_run *run)
{
    return run && run->progress == on_pass ? run->progress_context : NULL;
}

scree_status scree__course_plan(scree__course *c, const char *stage, double rows_seconds, double rest_seconds,
                                double later, scree_error *error)
{
    if (!c)
        return SCREE_OK;
    c->rows_seconds = rows_seconds;
    c->rest_seconds = rest_seconds;
    c->later = later;
    c->began = scree__seconds();
    c->part = NULL;
    c->steps = -1;
    c->pass = (scree_progress){.size = sizeof c->pass,
                               .stage = stage,
                               .pass = 1,
                               .rows_total = -1,
                               .seconds_left = rows_seconds + rest_seconds + later};
    return tell(c, &c->pass, error);
}

scree__watch scree__course_steps(scree__course *c)
{
    if (!c)
        return (scree__watch){0};
    c->steps = 0;
    c->stride = 0;
    return (scree__watch){.tell = on_step, .context = c};
}

scree__watch scree__course_part(scree__course *c, const char *name, double from, double to)
{
    if (!c)
        return (scree__watch){0};
    if (!c->part)
        c->began = scree__seconds();
    c->part = name;
    c->told = 0;
    return (scree__watch){.tell = on_part, .context = c, .from = from, .to = to};
}
