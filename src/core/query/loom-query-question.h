/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core/query: the input of a worker that runs a query: the text of the query, and the run that it
 * reads. Made on the main thread, then owned by the worker.
 */
#pragma once

#include "loom-query-answer.h"

typedef struct {
  LoomQueryRun *run;
  char *text;
} LoomQueryQuestion;

/* Makes a question. Takes a reference to the run and copies the text. */
LoomQueryQuestion *loom_query_question_new (LoomQueryRun *run, const char *text);
void loom_query_question_free (LoomQueryQuestion *question);

/* Runs the query. If comments in its text give default values for parameters, uses these values; a default value is
 * translated if the name of its parameter ends in "_label". Blocks, so call it in a worker. Returns NULL with `error`
 * on failure. */
LoomQueryAnswer *loom_query_question_answer (const LoomQueryQuestion *question, GCancellable *cancellable,
                                             GError **error);
