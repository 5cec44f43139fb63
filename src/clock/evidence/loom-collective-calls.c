/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-collective-calls.h"

struct _LoomCollectiveCalls {
  GHashTable *by_call; /* LoomSyncEvent → itself, by source and call */
};

static guint
hash_call (gconstpointer key)
{
  const LoomSyncEvent *meeting = key;
  return g_int64_hash (&meeting->call) * 31 + loom_source_ref_source (meeting->ref);
}

static gboolean
equal_calls (gconstpointer x, gconstpointer y)
{
  const LoomSyncEvent *a = x, *b = y;
  return a->call == b->call && loom_source_ref_source (a->ref) == loom_source_ref_source (b->ref);
}

LoomCollectiveCalls *
loom_collective_calls_new (const LoomTrace *trace)
{
  LoomCollectiveCalls *calls = g_new (LoomCollectiveCalls, 1);
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  calls->by_call = g_hash_table_new (hash_call, equal_calls);
  for (guint32 i = 0; i < n; i++)
    if (meetings[i].kind == LOOM_SYNC_EVENT_CALL && meetings[i].call != 0)
      g_hash_table_add (calls->by_call, (gpointer) &meetings[i]);
  return calls;
}

void
loom_collective_calls_free (LoomCollectiveCalls *calls)
{
  g_hash_table_unref (calls->by_call);
  g_free (calls);
}

const LoomSyncEvent *
loom_collective_calls_get (const LoomCollectiveCalls *calls, const LoomSyncEvent *meeting)
{
  if (meeting->sequence != LOOM_SEQUENCE_NONE || meeting->call == 0)
    return meeting;
  const LoomSyncEvent *call = g_hash_table_lookup (calls->by_call, meeting);
  return call != NULL ? call : meeting;
}
