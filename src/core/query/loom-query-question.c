/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-question.h"

#include "loom-query-library.h"

LoomQueryQuestion *
loom_query_question_new (LoomQueryRun *run, const char *text)
{
  LoomQueryQuestion *question = g_new0 (LoomQueryQuestion, 1);
  question->run = loom_query_run_ref (run);
  question->text = g_strdup (text);
  return question;
}

void
loom_query_question_free (LoomQueryQuestion *question)
{
  loom_query_run_unref (question->run);
  g_free (question->text);
  g_free (question);
}

LoomQueryAnswer *
loom_query_question_answer (const LoomQueryQuestion *question, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) defaults = loom_query_library_dup_defaults (question->text);
  return loom_query_answer_new (question->run, question->text, (const char *const *) defaults, LOOM_QUERY_ANSWER_MOST,
                                cancellable, error);
}
