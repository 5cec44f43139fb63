/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-chrome-stacks.h"

static gboolean
take_frame (LoomChromeImporter *chrome, const char *scope, LoomJsonSlice key, LoomJsonSlice value)
{
  g_autofree char *id = loom_json_slice_dup_plain (key),
                  *name = loom_json_slice_dup_plain (loom_json_slice_member (value, "name"));
  g_autofree char *category = loom_json_slice_dup_plain (loom_json_slice_member (value, "category"));
  g_autofree char *parent = loom_json_slice_dup_plain (loom_json_slice_member (value, "parent"));
  const LoomStackFrame frame = { scope, id, name, category, parent };
  return loom_source_add_frame (chrome->info, &frame);
}

void
loom_chrome_stacks_parse_frames (LoomChromeImporter *chrome, LoomJsonSlice pid, LoomJsonSlice table)
{
  g_autofree char *scope = loom_json_slice_dup_plain (pid);
  LoomJsonIter iter;
  LoomJsonSlice key, value;
  if (!loom_json_slice_is_object (table) || !loom_json_slice_iter_init (&iter, table))
    return;
  for (guint64 n = 1; loom_json_slice_iter_next (&iter, &key, &value); n++) {
    if (loom_json_slice_is_object (value) && !take_frame (chrome, scope, key, value))
      return;
    if (n % LOOM_IMPORTER_LOOK_EVENTS == 0 && loom_memory_budget_check (chrome->import->budget)) {
      loom_import_log_add (chrome->info->log, LOOM_SEVERITY_WARNING, "stack-frames", LOOM_OFFSET_NONE,
                           "There is no memory for all stack frames; stacks end where one is missing");
      return;
    }
  }
}
