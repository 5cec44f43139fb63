/* SPDX-License-Identifier: Apache-2.0
 *
 * Instants of equal name that each source has once: what a person put there to line sources up by. Names that profilers
 * themselves write into every file say nothing.
 */
#include "loom-evidence-groups.h"
#include "loom-evidence.h"

#include <string.h>

#define UNCERTAINTY_NS (100 * LOOM_NS_PER_US)

static gboolean
is_profilers_own (const char *name)
{
  return name[0] == '\0' || g_str_has_prefix (name, "Iteration Start:") || strcmp (name, "Record Window End") == 0;
}

static void
add_track (LoomEvidenceGroups *gathering, const LoomTrace *trace, const LoomTrack *track, guint first_clock)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 r = 0; r < track->n_rows; r++) {
    const LoomRow *row = loom_trace_get_row (trace, track->first_row + r);
    for (guint32 i = row->first; i < row->first + row->n; i++) {
      const char *name = loom_trace_get_name (trace, spans->name_id[i])->text;
      char phase = LOOM_INSTANT_PHASE (spans->dur_ns[i]);
      if ((phase == 'i' || phase == 'I' || phase == 'R') && !is_profilers_own (name))
        loom_evidence_groups_add (gathering, loom_string_pool_hash (name, strlen (name)), first_clock + track->clock,
                                  spans->start_ns[i], LOOM_TIME_NONE, 0);
    }
  }
}

void
loom_evidence_add_markers (LoomEvidence *evidence, const LoomRun *run)
{
  LoomEvidenceGroups gathering;
  loom_evidence_groups_init (&gathering);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    const LoomTrace *trace = loom_run_get_trace (run, t);
    for (guint i = 0; i < loom_trace_get_n_tracks (trace); i++)
      if (loom_trace_get_track (trace, i)->kind == LOOM_TRACK_INSTANTS)
        add_track (&gathering, trace, loom_trace_get_track (trace, i), loom_run_get_first_clock (run, t));
  }
  loom_evidence_groups_close (&gathering);
  loom_evidence_groups_tell (&gathering, evidence, LOOM_EVIDENCE_MARKERS, UNCERTAINTY_NS);
  loom_evidence_groups_clear (&gathering);
}
