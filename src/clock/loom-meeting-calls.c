/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-meeting-calls.h"

struct _LoomMeetingCalls {
  GHashTable *by_call; /* LoomMeeting → itself, by source and call */
};

static guint
hash_call (gconstpointer key)
{
  const LoomMeeting *meeting = key;
  return g_int64_hash (&meeting->call) * 31 + loom_ref_source (meeting->ref);
}

static gboolean
equal_calls (gconstpointer x, gconstpointer y)
{
  const LoomMeeting *a = x, *b = y;
  return a->call == b->call && loom_ref_source (a->ref) == loom_ref_source (b->ref);
}

LoomMeetingCalls *
loom_meeting_calls_new (const LoomTrace *trace)
{
  LoomMeetingCalls *calls = g_new (LoomMeetingCalls, 1);
  guint32 n;
  const LoomMeeting *meetings = loom_trace_get_meetings (trace, &n);
  calls->by_call = g_hash_table_new (hash_call, equal_calls);
  for (guint32 i = 0; i < n; i++)
    if (meetings[i].kind == LOOM_MEETING_CALL && meetings[i].call != 0)
      g_hash_table_add (calls->by_call, (gpointer) &meetings[i]);
  return calls;
}

void
loom_meeting_calls_free (LoomMeetingCalls *calls)
{
  g_hash_table_unref (calls->by_call);
  g_free (calls);
}

const LoomMeeting *
loom_meeting_calls_get (const LoomMeetingCalls *calls, const LoomMeeting *meeting)
{
  if (meeting->sequence != LOOM_SEQUENCE_NONE || meeting->call == 0)
    return meeting;
  const LoomMeeting *call = g_hash_table_lookup (calls->by_call, meeting);
  return call != NULL ? call : meeting;
}
