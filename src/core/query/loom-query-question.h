/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/core/query: the input of a worker that runs a query. The input consists of the text of the query, and
 * of the run that the query reads. It is made on the main thread, then owned by the worker.
 */
#pragma once

#include "loom-query-answer.h"

typedef struct {
  LoomQueryRun *run;
  char *text;
} LoomQueryQuestion;

/* Makes the input of the worker. Takes a reference to the run and copies the text. */
LoomQueryQuestion *loom_query_question_new (LoomQueryRun *run, const char *text);
void loom_query_question_free (LoomQueryQuestion *question);

/* Runs the query. Each parameter of the query gets its default value, which is stated in a comment in the text of the
 * query. The value is translated if the name of the parameter ends in "_label". Blocks, so call it in a worker. Returns
 * NULL with `error` on failure. */
LoomQueryAnswer *loom_query_question_answer (const LoomQueryQuestion *question, GCancellable *cancellable,
                                             GError **error);
