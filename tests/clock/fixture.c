/* SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <string.h>

static void
declare (LoomDeclaredClock *decl, const ClockCase *declared)
{
  decl->state = declared->state;
  decl->basis = g_strdup (declared->state == LOOM_CLOCK_NONE ? "" : "wall clock");
  decl->has_sync = declared->has_sync;
  decl->sync_ns = BASE_NS + declared->sync_ns;
  decl->sync_error_ns = declared->error_ns;
  decl->sync_group = g_strdup (declared->group);
  decl->sync_cycle = g_strdup (declared->cycle);
  decl->domain = g_strdup (declared->domain);
  decl->sync_order = declared->order;
}

static LoomTrace *
new_trace (const ClockCase *declared)
{
  LoomTraceBuilder *builder = loom_trace_builder_new ();
  guint clock = loom_trace_builder_add_clock (builder);
  declare (loom_trace_builder_get_clock (builder, clock), declared);
  LoomSource *source = loom_source_new (declared->path != NULL ? declared->path : "a.json");
  source->rank = declared->rank;
  if (declared->format != NULL)
    source->format = declared->format;
  guint index = loom_trace_builder_add_source (builder, source, clock);
  guint32 thread = loom_trace_builder_thread (builder, loom_trace_builder_process (builder, index, "1", 1), "1", 1);
  gint64 zero_ns = declared->state == LOOM_CLOCK_NONE ? 0 : BASE_NS;
  loom_trace_builder_span (builder, thread, zero_ns + declared->start_ns, declared->dur_ns, 0,
                           loom_source_ref_make (index, 0, 0));
  loom_trace_builder_instant (builder, index, LOOM_ID_NONE, thread, zero_ns + declared->start_ns, 0, 'i', 't',
                              loom_source_ref_make (index, 0, 1));
  return loom_trace_builder_freeze (builder, 1, NULL);
}

LoomRun *
clock_run_new (const ClockCase *cases, guint n)
{
  g_autoptr (GPtrArray) traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (traces, new_trace (&cases[i]));
  return loom_run_new ((LoomTrace *const *) traces->pdata, n);
}

gboolean
clock_has_notice (const LoomAlignment *alignment, const char *part)
{
  const char *const *notices = loom_alignment_get_notices (alignment);
  for (guint i = 0; notices[i] != NULL; i++) {
    if (strstr (notices[i], part) != NULL)
      return TRUE;
  }
  return FALSE;
}
