/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of any content merged: what is written is strict JSON in every layout, and the ranks layout read back is what was
 * drawn.
 */
#include "fuzz-trace.h"

#include "dump-run.h"
#include "loom-error.h"
#include "loom-merge.h"

#include <json-glib/json-glib.h>
#include <string.h>

static const char *const names[] = { "rank0.json", "rank1.json", "ep0-ba1-rank2.json", NULL };

static LoomTimeline *
align (LoomRun *run, LoomAlignMode mode)
{
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, mode, NULL, 0);
  return loom_timeline_new (run, alignment);
}

static gboolean
write_file (LoomTimeline *timeline, LoomMergeLayout layout, gboolean compat, const char *path)
{
  LoomMergeOptions options = LOOM_MERGE_OPTIONS_INIT;
  LoomMergeResult result = { 0 };
  g_autoptr (GError) error = NULL;
  options.layout = layout;
  options.compat = compat;
  gboolean good = loom_merge_write (timeline, &options, path, NULL, &result, &error);
  fuzz_check (good == (error == NULL), "failed without a reason");
  fuzz_check (good || g_error_matches (error, LOOM_ERROR, LOOM_ERROR_EMPTY) || g_error_matches (error, LOOM_ERROR, LOOM_ERROR_RANGE), "%s",
              error->message);
  loom_merge_result_clear (&result);
  return good;
}

static void
check_strict (const char *path, LoomMergeLayout layout)
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

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzDice dice = fuzz_dice (data, size);
  fuzz_put_parts (data, size, names);
  g_autofree char *path = g_build_filename (fuzz_folder (), "merged.json", NULL), *other = g_build_filename (fuzz_folder (), "other.json", NULL);
  g_autoptr (LoomRun) run = fuzz_load (0);
  g_autoptr (LoomTimeline) timeline = align (run, LOOM_ALIGN_AUTO);
  g_autoptr (LoomTimeline) declared = align (run, LOOM_ALIGN_DECLARED);
  LoomMergeLayout layout = fuzz_below (&dice, 2) > 0 ? LOOM_MERGE_SMDEBUG : LOOM_MERGE_COMPOSER;
  if (write_file (declared, layout, fuzz_below (&dice, 2) > 0, other))
    check_strict (other, layout);
  if (!write_file (timeline, LOOM_MERGE_RANKS, FALSE, path))
    return 0;
  check_strict (path, LOOM_MERGE_RANKS);
  g_autofree char *drawn = fuzz_list_drawn (timeline), *merged = NULL;
  gsize length;
  g_file_get_contents (path, &merged, &length, NULL);
  fuzz_clear_folder ();
  g_free (fuzz_put ("merged.json", merged, length));
  g_autoptr (LoomRun) again = fuzz_load (0);
  fuzz_check (loom_run_get_n_traces (again) == 1, "the merged file gives %u traces: %s", loom_run_get_n_traces (again), merged);
  g_autoptr (LoomTimeline) same = align (again, LOOM_ALIGN_AUTO);
  g_autofree char *read = fuzz_list_drawn (same);
  fuzz_check_lines (read, drawn, "read again");
  return 0;
}
