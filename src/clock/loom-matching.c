/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-matching.h"

#include <string.h>

#include "loom-gathering.h"
#include "loom-meeting-calls.h"

typedef struct {
  LoomGathering gathering; /* tag: index into `found` */
  GArray *found;           /* LoomMatchMember */
  GHashTable *occurrences; /* LoomOccurrences */
  LoomMeetingCalls *calls; /* of the trace at hand */
} Search;

static guint64
hash_text (const LoomTrace *trace, guint32 text)
{
  const char *letters = loom_trace_get_meeting_text (trace, text);
  return loom_strings_hash (letters, strlen (letters));
}

static gint
rank_of (const LoomTrace *trace, const LoomMeeting *meeting)
{
  gint rank = meeting->track < loom_trace_get_n_tracks (trace) ? loom_trace_get_track (trace, meeting->track)->rank : -1;
  return rank >= 0 ? rank : loom_trace_get_source (trace, loom_ref_source (meeting->ref))->rank;
}

static void
take (Search *self, const LoomTrace *trace, const LoomMeeting *meeting, LoomMatchMember member)
{
  const LoomMeeting *told = loom_meeting_calls_get (self->calls, meeting);
  guint64 key = loom_hash_join (hash_text (trace, told->group), hash_text (trace, told->name));
  key = loom_hash_join (key, (guint64) told->sequence);
  guint64 side = loom_hash_join (loom_hash_join (key, member.clock), (guint64) member.rank);
  key = loom_hash_join (key, loom_occurrences_count (self->occurrences, side));
  loom_gathering_add (&self->gathering, key, member.clock, meeting->end_ns, meeting->start_ns, self->found->len);
  g_array_append_val (self->found, member);
}

static void
search_trace (Search *self, const LoomRun *run, guint number)
{
  guint32 n;
  const LoomTrace *trace = loom_run_get_trace (run, number);
  const LoomMeeting *meetings = loom_trace_get_meetings (trace, &n);
  self->calls = loom_meeting_calls_new (trace);
  for (guint32 i = 0; i < n; i++) {
    guint clock = loom_run_get_first_clock (run, number) + loom_trace_get_source (trace, loom_ref_source (meetings[i].ref))->clock;
    if (meetings[i].kind <= LOOM_MEETING_HOST)
      take (self, trace, &meetings[i], (LoomMatchMember) { number, i, clock, rank_of (trace, &meetings[i]) });
  }
  loom_meeting_calls_free (self->calls);
}

LoomMatching *
loom_matching_new (const LoomRun *run)
{
  LoomMatching *matching = g_new0 (LoomMatching, 1);
  Search self = { .found = g_array_new (FALSE, FALSE, sizeof (LoomMatchMember)), .occurrences = loom_occurrences_new () };
  loom_gathering_init (&self.gathering);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    search_trace (&self, run, i);
  loom_gathering_close (&self.gathering);
  matching->members = g_array_sized_new (FALSE, FALSE, sizeof (LoomMatchMember), self.found->len);
  matching->matches = g_array_new (FALSE, FALSE, sizeof (LoomMatch));
  for (guint i = 0, n; i < self.gathering.all->len; i += n) {
    n = loom_gathering_count_equal (&self.gathering, i);
    LoomMatch match = { i, n };
    g_array_append_val (matching->matches, match);
    for (guint j = i; j < i + n; j++)
      g_array_append_val (matching->members, g_array_index (self.found, LoomMatchMember, g_array_index (self.gathering.all, LoomGathered, j).tag));
  }
  loom_gathering_clear (&self.gathering);
  g_hash_table_unref (self.occurrences);
  g_array_unref (self.found);
  return matching;
}

void
loom_matching_free (LoomMatching *matching)
{
  if (matching == NULL)
    return;
  g_array_unref (matching->members);
  g_array_unref (matching->matches);
  g_free (matching);
}
