/* SPDX-License-Identifier: Apache-2.0
 *
 * Events of phase c with equal sync_id (formats/chrome-trace-events.md §13). The side that issued one saw the other's moment
 * between issue_ts and ts: it is taken for the middle, half the distance is the uncertainty.
 */
#include "loom-evidence-groups.h"
#include "loom-evidence.h"

#include <string.h>

/* Where nobody says better. */
#define LEAST_UNCERTAINTY_NS LOOM_NS_PER_US

static void
add (const LoomTrace *trace, const LoomSyncEvent *meeting, guint clock, gpointer user_data)
{
  const char *id = loom_trace_get_sync_event_text (trace, meeting->name);
  gint64 half_ns = loom_time_sub (meeting->end_ns, meeting->start_ns) / 2;
  if (meeting->kind == LOOM_SYNC_EVENT_CLOCK_SYNC)
    loom_evidence_groups_add (user_data, loom_string_pool_hash (id, strlen (id)), clock,
                              loom_time_sub (meeting->end_ns, half_ns), half_ns, 0);
}

void
loom_evidence_add_clock_sync (LoomEvidence *evidence, const LoomRun *run)
{
  LoomEvidenceGroups gathering;
  loom_evidence_groups_init (&gathering);
  loom_evidence_groups_for_each_sync_event (run, add, &gathering);
  loom_evidence_groups_close (&gathering);
  const LoomObservation *all = (const LoomObservation *) (gpointer) gathering.all->data;
  for (guint i = 0, n; i < gathering.all->len; i += n) {
    gint64 uncertainty_ns = LEAST_UNCERTAINTY_NS;
    n = loom_evidence_groups_count_equal (&gathering, i);
    for (guint j = i; j < i + n; j++)
      uncertainty_ns = MAX (uncertainty_ns, all[j].arrival_ns);
    loom_evidence_begin (evidence, LOOM_EVIDENCE_CLOCK_SYNC, uncertainty_ns);
    for (guint j = i; j < i + n; j++)
      loom_evidence_read (evidence, all[j].clock, all[j].local_ns, LOOM_TIME_NONE);
    loom_evidence_end (evidence);
  }
  loom_evidence_groups_clear (&gathering);
}
