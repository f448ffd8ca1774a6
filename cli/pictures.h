/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_PICTURES_H
#define SCREE_CLI_PICTURES_H

/* Pictures and pages: the calls of scree_view.h, through libscree-view, which is loaded when the first of them is made.
 * Where it cannot be, they fail with SCREE_ERR_UNSUPPORTED and a sentence that says what to do. */

#include "scree_view.h"

scree_status cli_model_plot(const scree_model *model, scree_source *rows, const char *path,
                            const scree_plot_options *options, scree_error *error);
scree_status cli_curve_plot(const scree_curve *curve, const char *path, const scree_plot_options *options,
                            scree_error *error);
scree_status cli_model_report(const scree_model *model, scree_source *source, const char *path,
                              scree_report_summary *summary, const scree_report_options *options, scree_error *error);

scree_status cli_server_open(scree_server **out, const scree_model *model, scree_source *source,
                             const scree_serve_options *options, scree_error *error);
scree_status cli_server_count(scree_server *server, scree_source *source, const scree_run *run, scree_error *error);
scree_status cli_server_about(const scree_server *server, scree_serve_summary *about, scree_error *error);
void cli_server_answer(const scree_server *server, const scree_request *request, scree_reply *reply);
void cli_reply_clear(scree_reply *reply);
void cli_server_free(scree_server *server);

/* Can pictures be drawn? The library is loaded; *error says why not. */
bool cli_pictures_can_be_drawn(scree_error *error);

/* Is the library there? It is looked for, and not loaded where it lies beside libscree. *error says why not. */
bool cli_pictures_are_there(scree_error *error);

#endif
