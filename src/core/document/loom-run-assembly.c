/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-run-assembly.h: sorts the traces, and makes the run, its alignment and its timeline.
 */
#include "loom-run-assembly.h"

#include "loom-indexed-trace.h"
#include "loom-row-list.h"
#include "loom-run-facts.h"

static void
copy_ignored (LoomRun *to, const LoomRun *from)
{
  if (from != NULL)
    loom_run_copy_ignored (to, from);
}

static LoomRun *
new_run (const LoomRun *base, LoomTrace *const *traces, guint n_traces)
{
  g_autoptr (LoomRun) dropped = loom_run_new (NULL, 0);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  for (guint i = 0; base != NULL && i < loom_run_get_n_traces (base); i++)
    g_ptr_array_add (all, loom_run_get_trace (base, i));
  for (guint i = 0; i < n_traces; i++)
    g_ptr_array_add (all, traces[i]);
  loom_indexed_trace_drop (all, dropped);
  LoomRun *run = loom_run_new ((LoomTrace *const *) all->pdata, all->len);
  loom_run_copy_ignored (run, dropped);
  return run;
}

/* Returns the timeline of the run, or NULL if there is nothing to show. A run without events but with Python
 * profiles also gets a timeline, because the panel for profiles needs one. */
static LoomTimeline *
new_timeline (LoomRun *run, LoomAlignMode mode)
{
  LoomRange extent;
  if (loom_run_get_n_traces (run) == 0)
    return NULL;
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, mode, NULL, 0);
  g_autoptr (LoomTimeline) timeline = loom_timeline_new (run, alignment);
  return loom_timeline_get_extent (timeline, &extent) || loom_run_facts_has_profiles (run) ? g_steal_pointer (&timeline)
                                                                                           : NULL;
}

LoomLoadedRun *
loom_run_assembly_new (const LoomRun *base, LoomTrace *const *traces, guint n_traces, const LoomRun *notes,
                       LoomAlignMode mode, const LoomSourceOverrides *edits)
{
  LoomLoadedRun *assembly = g_new0 (LoomLoadedRun, 1);
  assembly->run = new_run (base, traces, n_traces);
  copy_ignored (assembly->run, base);
  copy_ignored (assembly->run, notes);
  assembly->timeline = new_timeline (assembly->run, mode);
  if (assembly->timeline != NULL)
    loom_row_list_prepare (assembly->timeline, edits);
  return assembly;
}

void
loom_run_assembly_free (LoomLoadedRun *assembly)
{
  if (assembly == NULL)
    return;
  g_clear_pointer (&assembly->run, loom_run_unref);
  g_clear_pointer (&assembly->timeline, loom_timeline_unref);
  g_free (assembly);
}
