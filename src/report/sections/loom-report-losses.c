/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the warnings of the report about its input: parts of files that could not be read, so that the results do not
 * include them; and files that belong to different runs, so that sums and means over all files have little meaning.
 */
#include "loom-archive-path.h"
#include "loom-import-losses.h"
#include "loom-locale.h"
#include "loom-missing-ranks.h"
#include "loom-report-private.h"
#include "loom-run-warnings.h"

#include <glib/gi18n.h>

void
loom_report_add_losses (const LoomReport *report, JsonBuilder *builder)
{
  g_autoptr (GArray) losses = loom_import_losses_new (loom_timeline_get_run (report->timeline));
  if (losses->len == 0)
    return;
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "incomplete");
  for (guint i = 0; i < losses->len; i++) {
    const LoomMissingInput *loss = &g_array_index (losses, LoomMissingInput, i);
    g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
    loom_json_util_add_path (builder, "file", loss->path);
    loom_json_util_add_text (builder, "code", loss->code);
    loom_json_util_add_text (builder, "message", loss->message);
  }
}

void
loom_report_write_losses (const LoomReport *report, GString *out)
{
  g_autoptr (GArray) losses = loom_import_losses_new (loom_timeline_get_run (report->timeline));
  if (losses->len == 0)
    return;
  g_string_append (out, "Incomplete: some of the input could not be read and is not in these figures\n");
  for (guint i = 0; i < losses->len; i++) {
    const LoomMissingInput *loss = &g_array_index (losses, LoomMissingInput, i);
    g_autofree char *path = loom_archive_path_dup_shown (loss->path),
                    *message = loom_archive_path_dup_printable (loss->message);
    g_string_append_printf (out, "  %s: %s\n", path, message);
  }
  g_string_append_c (out, '\n');
}

/* --- warnings about runs that do not belong together -------------------------------------------------------------- */

/* Returns a sentence which says that the files of some ranks of the job are not open; NULL if the files of all ranks
 * are open. Owned by the caller. */
static char *
dup_missing (const LoomTimeline *timeline)
{
  g_autoptr (LoomMissingRanks) missing = loom_missing_ranks_new (loom_timeline_get_run (timeline));
  guint n = loom_missing_ranks_count (missing);
  if (n == 0)
    return NULL;
  return g_strdup_printf (
    ngettext (
      "%u rank of the job is not open. How long the others wait for it is unknown and counts as transfer time, so more ranks may be slow, and groups may be larger, than shown.",
      "%u ranks of the job are not open. How long the others wait for them is unknown and counts as transfer time, so more ranks may be slow, and groups may be larger, than shown.",
      n),
    n);
}

char *
loom_report_dup_warning (const LoomTimeline *timeline)
{
  g_autofree char *words = loom_run_warnings_dup_words (
                    timeline,
                    _ ("Numbers computed over all runs together mean little. Make a separate report of each run.")),
                  *missing = dup_missing (timeline);
  if (missing == NULL || words == NULL)
    return missing != NULL ? g_steal_pointer (&missing) : g_steal_pointer (&words);
  return g_strconcat (words, " ", missing, NULL);
}

/* Returns the warning of loom_report_dup_warning() in English, because reports as JSON or text are completely in
 * English. NULL if there is no warning. Owned by the caller. */
static char *
dup_plain_warning (const LoomReport *report)
{
  locale_t own = loom_locale_begin_english ();
  char *warning = loom_report_dup_warning (report->timeline);
  loom_locale_end_english (own);
  return warning;
}

void
loom_report_add_warnings (const LoomReport *report, JsonBuilder *builder)
{
  g_autofree char *warning = dup_plain_warning (report);
  if (warning == NULL)
    return;
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, "warnings");
  json_builder_add_string_value (builder, warning);
}

void
loom_report_write_warnings (const LoomReport *report, GString *out)
{
  g_autofree char *warning = dup_plain_warning (report);
  if (warning != NULL)
    g_string_append_printf (out, "Warning: %s\n\n", warning);
}
