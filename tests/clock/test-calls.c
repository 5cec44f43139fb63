/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests matching of kernels that do not state to which collective they belong. The collective is found through the call
 * on the host that launched the kernel.
 */
#include "job-run.h"
#include "loom-collective-matching.h"

#include <string.h>

#define US LOOM_NS_PER_US

/* Adds an event of a collective: either a kernel that only knows the number of the call that launched it, or the call
 * itself. */
static void
add_meeting (JobRank *rank, LoomSyncEventKind kind, gint64 call, const char *name, gint64 sequence, gint64 start_ns)
{
  LoomSyncEvent meeting = { .start_ns = JOB_BASE_NS + start_ns,
                            .end_ns = JOB_BASE_NS + start_ns + 10 * US,
                            .ref = loom_source_ref_make (0, 0, rank->offset++),
                            .sequence = sequence,
                            .call = call,
                            .kind = kind };
  loom_trace_builder_sync_event (rank->builder, kind == LOOM_SYNC_EVENT_CALL ? rank->host : rank->device, &meeting,
                                 kind == LOOM_SYNC_EVENT_CALL ? "dp" : "", name);
}

/* Builds a rank. The kernel of the first collective is missing on rank 1, so that matching kernels by order would be
 * off by one. The ranks number their calls differently, so the numbers identify a call only within a rank. */
static LoomTrace *
new_rank (gint number, gboolean calls)
{
  JobRank rank = job_rank_begin (number, LOOM_CLOCK_EXACT);
  for (gint64 i = 0; i < 4; i++) {
    if (calls)
      add_meeting (&rank, LOOM_SYNC_EVENT_CALL, 100 * (number + 1) + i, "allreduce", 7 + i, i * 1000 * US - 50 * US);
    if (number == 0 || i > 0)
      add_meeting (&rank, LOOM_SYNC_EVENT_COLLECTIVE, 100 * (number + 1) + i, "ncclKernel", LOOM_SEQUENCE_NONE,
                   i * 1000 * US);
  }
  return job_rank_end (&rank);
}

static guint
count_together (LoomTrace **traces, gboolean *right)
{
  g_autoptr (LoomRun) run = job_run_new (traces, 2);
  g_autoptr (LoomCollectiveMatching) matching = loom_collective_matching_new (run);
  const LoomCollectiveMatchMember *members = (const LoomCollectiveMatchMember *) (gpointer) matching->members->data;
  guint n_together = 0;
  *right = TRUE;
  for (guint i = 0; i < matching->matches->len; i++) {
    const LoomCollectiveMatch *match = &g_array_index (matching->matches, LoomCollectiveMatch, i);
    gint64 start_ns[2] = { 0, 0 };
    for (guint k = 0; k < match->n; k++) {
      guint32 n;
      const LoomSyncEvent *meeting = &loom_trace_get_meetings (
        loom_run_get_trace (run, members[match->first + k].trace), &n)[members[match->first + k].meeting];
      g_assert_cmpuint (meeting->kind, ==, LOOM_SYNC_EVENT_COLLECTIVE); /* only the kernels are members of the
                                                                         * collectives, not their calls */
      start_ns[k] = meeting->start_ns;
    }
    if (match->n == 2) {
      n_together++;
      *right &= start_ns[0] == start_ns[1];
    }
  }
  return n_together;
}

static void
test_matched (void)
{
  LoomTrace *told[] = { new_rank (0, TRUE), new_rank (1, TRUE) },
            *untold[] = { new_rank (0, FALSE), new_rank (1, FALSE) };
  gboolean right;
  g_assert_cmpuint (count_together (told, &right), ==, 3);
  g_assert_true (right);
  g_assert_cmpuint (count_together (untold, &right), ==, 3);
  g_assert_false (right); /* without the calls, kernels are matched wrongly */
}

/* If a kernel has a sequence number, this number is used and not its call. If the call of a kernel is unknown, the
 * kernel is matched by its own name and order. */
static void
test_asked (void)
{
  JobRank rank = job_rank_begin (0, LOOM_CLOCK_EXACT);
  add_meeting (&rank, LOOM_SYNC_EVENT_CALL, 5, "allreduce", 7, 0);
  add_meeting (&rank, LOOM_SYNC_EVENT_COLLECTIVE, 5, "a", LOOM_SEQUENCE_NONE, 10 * US);
  add_meeting (&rank, LOOM_SYNC_EVENT_COLLECTIVE, 5, "b", 9, 20 * US);
  add_meeting (&rank, LOOM_SYNC_EVENT_COLLECTIVE, 6, "c", LOOM_SEQUENCE_NONE, 30 * US);
  add_meeting (&rank, LOOM_SYNC_EVENT_COLLECTIVE, 0, "d", LOOM_SEQUENCE_NONE, 40 * US);
  g_autoptr (LoomTrace) trace = job_rank_end (&rank);
  g_autoptr (GHashTable) calls = loom_collective_matching_new_calls (trace);
  guint32 n;
  const LoomSyncEvent *meetings = loom_trace_get_meetings (trace, &n);
  g_assert_cmpuint (n, ==, 5);
  g_assert_true (loom_collective_matching_find_call (calls, &meetings[1]) == &meetings[0]);
  for (guint i = 2; i < 5; i++)
    g_assert_true (loom_collective_matching_find_call (calls, &meetings[i]) == &meetings[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clock/calls/matched", test_matched);
  g_test_add_func ("/clock/calls/asked", test_asked);
  return g_test_run ();
}
