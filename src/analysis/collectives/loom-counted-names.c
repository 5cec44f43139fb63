/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-counted-names.h"

#include "loom-main-thread.h"
#include "loom-work-kind.h"

const char **
loom_counted_names_list (GHashTable *texts, const LoomTrace *trace, gboolean device)
{
  const guint8 *works = loom_work_kind_of_names (trace, device);
  const char **names = g_new0 (const char *, (gsize) loom_trace_get_n_names (trace) + 1);
  for (guint i = 0; i < loom_trace_get_n_names (trace); i++) {
    char *text = (char *) loom_trace_get_name (trace, i)->text;
    if (loom_work_kind_is_wait (works[i]) || loom_main_thread_is_step (text))
      continue;
    names[i] = g_hash_table_lookup (texts, text);
    if (names[i] == NULL)
      g_hash_table_add (texts, (char *) (names[i] = text));
  }
  return names;
}
