/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-question.h: runs a query with the default values of its parameters.
 */
#include "loom-query-question.h"

#include "loom-query-library.h"

#include <glib/gi18n.h>

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

/* Translates the default of each parameter whose name ends in "_label": such a default is a text that the rows show.
 * `defaults`: the name of a parameter, then its default, and so on; NULL-terminated. */
static void
translate (char **defaults)
{
  for (guint i = 0; defaults[i] != NULL && defaults[i + 1] != NULL; i += 2)
    if (g_str_has_suffix (defaults[i], "_label") && *defaults[i + 1] != '\0') {
      g_autofree char *text = defaults[i + 1];
      defaults[i + 1] = g_strdup (gettext (text));
    }
}

LoomQueryAnswer *
loom_query_question_answer (const LoomQueryQuestion *question, GCancellable *cancellable, GError **error)
{
  g_auto (GStrv) defaults = loom_query_library_dup_defaults (question->text);
  translate (defaults);
  return loom_query_answer_new (question->run, question->text, (const char *const *) defaults, LOOM_QUERY_ANSWER_MOST,
                                cancellable, error);
}
