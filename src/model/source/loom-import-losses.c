/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-import-losses.h"

#include <glib/gi18n.h>

gboolean
loom_import_losses_is_left_out (const char *code)
{
  static const char *const codes[] = {
    "no-time",        "too-far",          "far-time",       "bad-time",      "unrelated-clock", "negative-duration",
    "no-end",         "no-phase",         "unknown-phase-", "unknown-type",  "lost-state",      "damaged-state",
    "no-state-track", "damaged-row",      "bad-line",       "empty-counter", "counter-value",   "no-value",
    "view",           "non-finite-value", "no-entry",
  };
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    if (g_str_has_prefix (code, codes[i]))
      return TRUE;
  return FALSE;
}

guint64
loom_import_losses_count_left_out (const LoomSource *source)
{
  guint64 n = 0;
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    if (loom_import_losses_is_left_out (problem->code))
      n += problem->count;
  }
  return n;
}

static void
add (GArray *losses, guint number, const char *path, const char *code, const char *message)
{
  LoomMissingInput loss = { number, path, code, message };
  g_array_append_val (losses, loss);
}

static void
add_of_source (GArray *losses, guint number, const LoomSource *source)
{
  guint n_before = losses->len;
  for (guint i = 0; i < loom_import_log_get_n_problems (source->log); i++) {
    const LoomProblem *problem = loom_import_log_get_problem (source->log, i);
    gboolean is_lost =
      source->incomplete && (problem->severity == LOOM_SEVERITY_ERROR || g_str_equal (problem->code, "truncated"));
    if (is_lost || loom_import_losses_is_left_out (problem->code))
      add (losses, number, source->path, problem->code, problem->message);
  }
  if (source->incomplete && losses->len == n_before)
    add (losses, number, source->path, "unterminated", _ ("The file is truncated; its readable part was loaded"));
}

GArray *
loom_import_losses_new (const LoomRun *run)
{
  GArray *losses = g_array_new (FALSE, FALSE, sizeof (LoomMissingInput));
  for (guint i = 0; i < loom_run_get_n_ignored (run); i++) {
    const LoomRunSkippedFile *ignored = loom_run_get_ignored (run, i);
    if (ignored->failed)
      add (losses, G_MAXUINT, ignored->path, LOOM_MISSING_INPUT_UNREADABLE, ignored->reason);
  }
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    add_of_source (losses, i, loom_run_get_source (run, i));
  return losses;
}
