/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions to the table of methods: by name, by what one can do, and whether one takes the rows of a job. */

#include "fit/method.h"

#include "base/sentence.h"

#include <stdio.h>
#include <string.h>

int64_t scree__method_count(void)
{
    int64_t count = 0;
    while (scree__methods[count])
        count++;
    return count;
}

const scree__method *scree__method_named(const char *name)
{
    for (int i = 0; scree__methods[i]; i++)
        if (strcmp(scree__methods[i]->name, name) == 0)
            return scree__methods[i];
    return NULL;
}

const scree__method *scree__method_that(unsigned flag)
{
    for (int i = 0; scree__methods[i]; i++)
        if (scree__methods[i]->can & flag)
            return scree__methods[i];
    return NULL;
}

void scree__method_names(char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; scree__methods[i]; i++)
        scree__list_add(text, size, scree__methods[i]->name, !scree__methods[i + 1]);
}

bool scree__method_takes(const scree__method *method, const scree__job *job, char *reason)
{
    const scree_source *source = job->source;
    const char *problem = NULL;
    if (source->about.weighted && !(method->can & SCREE__TAKES_WEIGHTS))
        problem = "it takes no weights";
    else if (source->about.type == SCREE_U8 && !(method->can & SCREE__TAKES_BYTES))
        problem = "it takes no bytes";
    else if (!(source->can & SCREE__CAN_REWIND) && !(method->can & SCREE__TAKES_PIPES))
        problem = "it needs several passes, and a pipe can be read only once (save it to a file)";
    else if (job->options->uncentred && !(method->can & SCREE__TAKES_UNCENTRED))
        problem = "it centres the rows";
    if (problem)
        snprintf(reason, 256, "%s", problem);
    return !problem;
}

double scree__method_tolerance(const scree__method *method, const scree__job *job)
{
    return job->options->tolerance > 0 ? job->options->tolerance : method->tolerance;
}
