/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a stack of layers: three arrays of batch × width a layer, and one gradient. */

#include "kernel/stack.h"

#include "base/memory.h"

static int64_t width_of(const scree__stack *stack, int64_t l)
{
    return l < stack->count ? stack->layers[l].in : stack->layers[stack->count - 1].out;
}

int64_t scree__stack_memory(const scree__stack *stack, int64_t size)
{
    int64_t elements = stack->parameters;
    for (int64_t l = 0; l <= stack->count; l++)
        elements += (l > 0 ? 3 : 1) * stack->capacity * width_of(stack, l);
    return elements * size + stack->capacity * (int64_t)sizeof(double);
}

static scree_status take(void **array, int64_t count, int64_t size, scree_error *error)
{
    *array = scree__alloc(count, (size_t)size);
    if (*array)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_MEMORY,
                       "out of memory: %lld numbers of a batch cannot be kept; ask for a smaller batch",
                       (long long)count);
}

scree_status scree__stack_alloc(scree__stack *stack, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(take(&stack->gradient, stack->parameters, size, error));
    SCREE_ALLOC(stack->errors, stack->capacity, error);
    for (int64_t l = 0; l <= stack->count; l++)
        SCREE_TRY(take(&stack->h[l], stack->capacity * width_of(stack, l), size, error));
    for (int64_t l = 0; l < stack->count; l++) {
        SCREE_TRY(take(&stack->slope[l], stack->capacity * width_of(stack, l + 1), size, error));
        SCREE_TRY(take(&stack->delta[l], stack->capacity * width_of(stack, l + 1), size, error));
    }
done:
    return status;
}

void scree__stack_clear(scree__stack *stack)
{
    for (int64_t l = 0; l <= SCREE__STACK_DEEPEST; l++)
        free(stack->h[l]);
    for (int64_t l = 0; l < SCREE__STACK_DEEPEST; l++) {
        free(stack->slope[l]);
        free(stack->delta[l]);
    }
    free(stack->gradient);
    free(stack->errors);
    *stack = (scree__stack){0};
}
