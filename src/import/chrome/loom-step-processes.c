/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-step-processes.h"

#include <string.h>

enum { KIND_STEP = 1 };

/* Sets kinds[name id] to KIND_STEP for each name of a step of a process, else to 0. An annotation on a device can have
 * the text of a step; its name gets 0, because only steps of processes are searched for. Returns FALSE if no name is
 * the name of such a step. */
static gboolean
find_names (LoomTraceBuilder *builder, guint8 *kinds)
{
  gboolean found = FALSE;
  for (guint32 i = 0; i < loom_trace_builder_get_n_names (builder); i++) {
    gboolean is_step = g_str_has_prefix (loom_trace_builder_name_get_text (builder, i), "ProfilerStep#") &&
                       strcmp (loom_trace_builder_name_get_category (builder, i), "gpu_user_annotation") != 0;
    kinds[i] = is_step ? KIND_STEP : 0;
    found |= is_step;
  }
  return found;
}

gboolean *
loom_step_processes_find (LoomTraceBuilder *builder, guint32 first_process)
{
  guint32 n = loom_trace_builder_get_n_processes (builder);
  g_autofree guint8 *kinds = g_new (guint8, loom_trace_builder_get_n_names (builder) + 1);
  if (n < first_process + 2 || !find_names (builder, kinds))
    return NULL;
  g_autofree gboolean *has_steps = g_new0 (gboolean, n);
  guint n_found = 0;
  for (guint32 i = 0; i < loom_trace_builder_get_n_threads (builder); i++) {
    guint32 process = loom_trace_builder_thread_get_process (builder, i);
    if (process < first_process || has_steps[process] || loom_trace_builder_thread_get_kinds (builder, i, kinds) == 0)
      continue;
    has_steps[process] = TRUE;
    n_found++;
  }
  return n_found > 1 ? g_steal_pointer (&has_steps) : NULL;
}

/* Returns the pid of a process; −1 if its key is not a pid. */
static gint
get_pid (LoomTraceBuilder *builder, guint32 process)
{
  const char *key = loom_trace_builder_process_get_key (builder, process);
  gint64 pid;
  gboolean is_number = loom_parse_time_parse_int (key, strcspn (key, " "), &pid);
  return is_number && pid >= 0 && pid < G_MAXINT ? (gint) pid : -1;
}

static void
set_rank (LoomChromeImporter *chrome, guint32 process, guint32 owner)
{
  gint pid = get_pid (chrome->builder, owner);
  if (pid < 0)
    return;
  loom_trace_builder_process_set_place (chrome->builder, process, chrome->info->node, pid);
  loom_trace_builder_process_add_flags (chrome->builder, process, LOOM_TRACK_PROCESS_ID);
}

void
loom_step_processes_set_ranks (LoomChromeImporter *chrome, guint32 first_process)
{
  LoomTraceBuilder *builder = chrome->builder;
  guint32 n = loom_trace_builder_get_n_processes (builder);
  g_autofree gboolean *has_steps = chrome->info->rank < 0 ? loom_step_processes_find (builder, first_process) : NULL;
  if (has_steps == NULL)
    return;
  g_autofree guint32 *origins = g_new (guint32, n);
  loom_trace_builder_find_flow_origins (builder, origins, n);
  for (guint32 i = first_process; i < n; i++) {
    if (has_steps[i])
      set_rank (chrome, i, i);
    else if (origins[i] != LOOM_ID_NONE && has_steps[origins[i]])
      set_rank (chrome, i, origins[i]);
  }
}
