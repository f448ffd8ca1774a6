/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_REPORT_PAGE_H
#define SCREE_VIEW_REPORT_PAGE_H

/* The page that a report is, less its data: what stands before them, between them and the rows as they were, and
 * behind. The build makes the C file that holds it (cmake/Page.cmake), from src/view/page and D3. */

#include <stdint.h>

typedef struct scree__report_page_text {
    const unsigned char *head; /* NULL: D3 was not there when scree was built */
    int64_t head_size;
    int64_t policy_start; /* in the head: its content security policy .. */
    int64_t policy_end;   /* .. and what is behind it */
    const unsigned char *middle;
    int64_t middle_size;
    const unsigned char *tail;
    int64_t tail_size;
} scree__report_page_text;

extern const scree__report_page_text scree__report_page;

#endif
