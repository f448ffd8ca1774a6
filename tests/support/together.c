/* SPDX-License-Identifier: BSD-3-Clause */
/* A mailbox for each pair of processes: a message waits until it is fetched whole. A broadcast is a message to each. */

#include "support/together.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct message {
    struct message *next;
    int64_t bytes;
    char data[];
} message;

typedef struct office {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    int ranks;
    message *first[TOGETHER_MOST][TOGETHER_MOST]; /* from, to */
    together_task task;
    void *context;
} office;

typedef struct process {
    office *all;
    int rank;
} process;

static scree_status post(void *context, int to, const void *data, int64_t bytes, scree_error *error)
{
    const process *p = context;
    message *m = malloc(sizeof *m + (size_t)bytes);
    (void)error;
    if (!m)
        abort();
    m->next = NULL;
    m->bytes = bytes;
    memcpy(m->data, data, (size_t)bytes);
    pthread_mutex_lock(&p->all->lock);
    message **end = &p->all->first[p->rank][to];
    while (*end)
        end = &(*end)->next;
    *end = m;
    pthread_cond_broadcast(&p->all->arrived);
    pthread_mutex_unlock(&p->all->lock);
    return SCREE_OK;
}

static scree_status fetch(void *context, int from, void *data, int64_t bytes, scree_error *error)
{
    const process *p = context;
    message **first = &p->all->first[from][p->rank];
    pthread_mutex_lock(&p->all->lock);
    while (!*first)
        pthread_cond_wait(&p->all->arrived, &p->all->lock);
    message *m = *first;
    *first = m->next;
    pthread_mutex_unlock(&p->all->lock);
    const bool fits = m->bytes == bytes;
    if (fits)
        memcpy(data, m->data, (size_t)bytes);
    free(m);
    if (fits)
        return SCREE_OK;
    strcpy(error->text, "a message of another length");
    return error->status = SCREE_ERR_IO;
}

static scree_status spread(void *context, void *data, int64_t bytes, scree_error *error)
{
    const process *p = context;
    for (int to = 1; p->rank == 0 && to < p->all->ranks; to++)
        post(context, to, data, bytes, error);
    return p->rank == 0 ? SCREE_OK : fetch(context, 0, data, bytes, error);
}

static void *run_process(void *context)
{
    process *p = context;
    scree_communicator own = SCREE_COMMUNICATOR_INIT;
    own.context = p;
    own.rank = p->rank;
    own.ranks = own.ranks_here = p->all->ranks;
    own.send = post;
    own.receive = fetch;
    own.broadcast = spread;
    p->all->task(p->all->context, &own);
    return NULL;
}

void together_run(int ranks, together_task task, void *context)
{
    office *all = calloc(1, sizeof *all);
    process p[TOGETHER_MOST];
    pthread_t thread[TOGETHER_MOST];
    if (!all)
        abort();
    all->ranks = ranks;
    all->task = task;
    all->context = context;
    pthread_mutex_init(&all->lock, NULL);
    pthread_cond_init(&all->arrived, NULL);
    for (int i = 0; i < ranks; i++) {
        p[i] = (process){all, i};
        if (pthread_create(&thread[i], NULL, run_process, &p[i]) != 0)
            abort();
    }
    for (int i = 0; i < ranks; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < ranks; i++)
        for (int j = 0; j < ranks; j++)
            if (all->first[i][j])
                abort(); /* a message that nobody fetched */
    pthread_mutex_destroy(&all->lock);
    pthread_cond_destroy(&all->arrived);
    free(all);
}

typedef struct fitting {
    together_fits *fits;
    together_source source;
    void *context;
    const scree_fit_options *options;
} fitting;

static void fit_one(void *context, const scree_communicator *with)
{
    const fitting *f = context;
    scree_source *source = f->source(f->context, with->rank);
    scree_fit_options options = *f->options;
    scree_run run = SCREE_RUN_INIT;
    if (options.run)
        run = *options.run;
    run.communicator = with;
    options.run = &run;
    f->fits->status[with->rank] =
        scree_model_fit(&f->fits->model[with->rank], source, &options, &f->fits->error[with->rank]);
    scree_source_free(source);
}

void together_fit(together_fits *fits, int ranks, together_source source, void *context,
                  const scree_fit_options *options)
{
    fitting f = {fits, source, context, options};
    memset(fits, 0, sizeof *fits);
    together_run(ranks, fit_one, &f);
}

void together_clear(together_fits *fits, int ranks)
{
    for (int i = 0; i < ranks; i++)
        scree_model_free(fits->model[i]);
}
