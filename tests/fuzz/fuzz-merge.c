/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes merging of files with any content: the output is strict JSON in every layout, and a file in the layout
 * "ranks", loaded again, has the same drawn events.
 */
#include "fuzz-trace.h"

#include "dump-run.h"
#include "forget-hints.h"
#include "loom-error.h"
#include "loom-trace-export.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = { "rank0.json", "rank1.json", "ep0-ba1-rank2.json", NULL };

static LoomTimeline *
align (LoomRun *run, LoomAlignMode mode)
{
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, mode, NULL, 0);
  return loom_timeline_new (run, alignment);
}

/* Exports the timeline to `path`. Sets `repaired` (may be NULL) if a text had to be repaired to be strict JSON. */
static gboolean
write_file (LoomTimeline *timeline, LoomExportLayout layout, gboolean compat, const char *path, gboolean *repaired)
{
  LoomExportOptions options = LOOM_EXPORT_OPTIONS_INIT;
  LoomExportResult result = { 0 };
  g_autoptr (GError) error = NULL;
  options.layout = layout;
  options.compat = compat;
  gboolean good = loom_trace_export_write (timeline, &options, path, NULL, &result, &error);
  fuzz_check (good == (error == NULL), "failed without a reason");
  fuzz_check (good || g_error_matches (error, LOOM_ERROR, LOOM_ERROR_EMPTY) ||
                g_error_matches (error, LOOM_ERROR, LOOM_ERROR_RANGE),
              "%s", error->message);
  if (repaired != NULL)
    *repaired = result.n_repaired > 0;
  loom_trace_export_result_clear (&result);
  return good;
}

static void
check_strict (const char *path, LoomExportLayout layout)
{
  g_autofree char *text = NULL;
  gsize length;
  g_autoptr (GError) error = NULL;
  gboolean read = g_file_get_contents (path, &text, &length, &error);
  fuzz_check (read, "%s", error->message);
  fuzz_check (fuzz_is_json (text, length, 600), "layout %d: %.3000s", layout, text);
  g_autoptr (JsonParser) parser = json_parser_new ();
  fuzz_check (json_parser_load_from_data (parser, text, (gssize) length, &error), "%s", error->message);
}

/* Removes all hints, so that the whole text of every event is read, and asserts that the written file is the same. */
static void
check_without_hints (LoomTimeline *timeline, const char *path, const char *other)
{
  g_autofree char *with = NULL, *without = NULL;
  guint n_spans, n_flows;
  forget_hints (loom_timeline_get_run (timeline), &n_spans, &n_flows);
  fuzz_check (write_file (timeline, LOOM_TRACE_EXPORT_RANKS, FALSE, other, NULL), "not written again");
  fuzz_check (g_file_get_contents (path, &with, NULL, NULL) && g_file_get_contents (other, &without, NULL, NULL),
              "not read");
  fuzz_check_lines (with, without, "without hints");
}

static gint
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* Returns the lines sorted. Events with equal times are ordered by track, and the tracks of a merged file may have
 * another order. */
static char *
sort_lines (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  qsort (lines, g_strv_length (lines), sizeof *lines, compare_lines);
  return g_strjoinv ("\n", lines);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzDice dice = fuzz_dice (data, size);
  fuzz_put_parts (data, size, names);
  g_autofree char *path = g_build_filename (fuzz_folder (), "merged.json", NULL),
                  *other = g_build_filename (fuzz_folder (), "other.json", NULL);
  g_autoptr (LoomRun) run = fuzz_load (0);
  g_autoptr (LoomTimeline) timeline = align (run, LOOM_ALIGN_AUTO);
  g_autoptr (LoomTimeline) declared = align (run, LOOM_ALIGN_DECLARED);
  LoomExportLayout layout = fuzz_below (&dice, 2) > 0 ? LOOM_TRACE_EXPORT_SMDEBUG : LOOM_TRACE_EXPORT_COMPOSER;
  if (write_file (declared, layout, fuzz_below (&dice, 2) > 0, other, NULL))
    check_strict (other, layout);
  gboolean repaired;
  if (!write_file (timeline, LOOM_TRACE_EXPORT_RANKS, FALSE, path, &repaired))
    return 0;
  check_strict (path, LOOM_TRACE_EXPORT_RANKS);
  check_without_hints (timeline, path, other);
  if (repaired) /* a repaired value may be drawn differently, so it is not compared */
    return 0;
  g_autofree char *drawn = fuzz_list_drawn (timeline), *merged = NULL;
  gsize length;
  g_file_get_contents (path, &merged, &length, NULL);
  fuzz_clear_folder ();
  g_free (fuzz_put ("merged.json", merged, length));
  g_autoptr (LoomRun) again = fuzz_load (0);
  fuzz_check (loom_run_get_n_traces (again) == 1, "the merged file gives %u traces: %s", loom_run_get_n_traces (again),
              merged);
  g_autoptr (LoomTimeline) same = align (again, LOOM_ALIGN_AUTO);
  g_autofree char *read = fuzz_list_drawn (same);
  g_autofree char *wanted = sort_lines (drawn), *got = sort_lines (read);
  fuzz_check_lines (got, wanted, "read again");
  return 0;
}
