/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds matched collectives (loom-collective-matching.h) to the evidence about clocks (loom-evidence.h). A collective
 * ends at nearly the same time on all its ranks. Its start on a rank is the time when the rank begins to wait for the
 * other ranks.
 */
#include "loom-collective-matching.h"
#include "loom-evidence.h"

/* Uncertainty of the end of a collective, in ns; the ends on different ranks differ by about this time. WHOLE: all
 * ranks wait for one another, as in an all-reduce. ROOTED: some ranks may end before others begin, as in a
 * broadcast. HOST: the collective runs on CPUs, which detect its end only when they poll. */
#define WHOLE_UNCERTAINTY_NS LOOM_NS_PER_US
#define ROOTED_UNCERTAINTY_NS (20 * LOOM_NS_PER_US)
#define HOST_UNCERTAINTY_NS (100 * LOOM_NS_PER_US)

static gint64
uncertainty_of (guint32 kind)
{
  switch (kind) {
  case LOOM_SYNC_EVENT_HOST: return HOST_UNCERTAINTY_NS;
  case LOOM_SYNC_EVENT_ROOTED: return ROOTED_UNCERTAINTY_NS;
  default: return WHOLE_UNCERTAINTY_NS;
  }
}

static void
add_occasion (LoomEvidence *evidence, const LoomCollectiveMatchMember *members, guint n)
{
  loom_evidence_begin (evidence, LOOM_EVIDENCE_COLLECTIVES, uncertainty_of (members[0].event->kind));
  for (guint i = 0; i < n; i++) {
    const LoomSyncEvent *meeting = members[i].event;
    /* No arrival time is stored for a rooted collective, such as a broadcast, because a rank may leave it before other
     * ranks arrive. */
    loom_evidence_read (evidence, members[i].clock, meeting->end_ns,
                        meeting->kind == LOOM_SYNC_EVENT_ROOTED ? LOOM_TIME_NONE : meeting->start_ns);
  }
  loom_evidence_end (evidence);
}

void
loom_evidence_add_collectives (LoomEvidence *evidence, const LoomRun *run)
{
  g_autoptr (LoomCollectiveMatching) matching = loom_collective_matching_new (run);
  const LoomCollectiveMatchMember *members = (const LoomCollectiveMatchMember *) (gpointer) matching->members->data;
  for (guint i = 0; i < matching->matches->len; i++) {
    const LoomCollectiveMatch *match = &g_array_index (matching->matches, LoomCollectiveMatch, i);
    if (match->n > 1)
      add_occasion (evidence, members + match->first, match->n);
  }
}
