/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-freeze-private.h"
#include "loom-merge-sort.h"

#include <string.h>

#define STARTS_BEFORE(a, b) ((a)->start_ns < (b)->start_ns)

LOOM_DEFINE_SORT (sort_meetings, LoomSyncEvent, STARTS_BEFORE)

void
loom_trace_builder_sync_event (LoomTraceBuilder *builder, guint32 thread, const LoomSyncEvent *meeting,
                               const char *group, const char *name)
{
  LoomSyncEvent own = *meeting;
  own.track = thread;
  own.group = loom_string_pool_intern (builder->meeting_texts, group, strlen (group));
  own.name = loom_string_pool_intern (builder->meeting_texts, name, strlen (name));
  g_array_append_val (builder->meetings, own);
}

/* Returns the index of the track of a thread; G_MAXUINT32: the thread has none, because its spans were omitted. */
static guint32
track_of (const LoomFreeze *freeze, guint32 thread)
{
  return thread < freeze->builder->threads->len && freeze->track_of_thread != NULL ? freeze->track_of_thread[thread]
                                                                                   : G_MAXUINT32;
}

void
loom_freeze_take_meetings (LoomFreeze *freeze)
{
  LoomTraceBuilder *builder = freeze->builder;
  LoomTrace *trace = freeze->trace;
  if (builder->meetings->len == 0)
    return;
  trace->meeting_texts = g_steal_pointer (&builder->meeting_texts);
  trace->n_meetings = builder->meetings->len;
  trace->meetings = g_memdup2 (builder->meetings->data, trace->n_meetings * sizeof (LoomSyncEvent));
  for (guint32 i = 0; i < trace->n_meetings; i++)
    trace->meetings[i].track = track_of (freeze, trace->meetings[i].track);
  sort_meetings (trace->meetings, trace->n_meetings);
}

const LoomSyncEvent *
loom_trace_get_meetings (const LoomTrace *trace, guint32 *n)
{
  *n = trace->n_meetings;
  return trace->meetings;
}

const char *
loom_trace_get_sync_event_text (const LoomTrace *trace, guint32 text)
{
  g_return_val_if_fail (trace->meeting_texts != NULL && text < loom_string_pool_get_count (trace->meeting_texts), "");
  return loom_string_pool_get (trace->meeting_texts, text);
}
