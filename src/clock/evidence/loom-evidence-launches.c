/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrows from one clock to another: what a processor launches begins on the device after it was launched. Only the order is
 * known, not by how much.
 */
#include "loom-evidence.h"

static void
add_trace (LoomEvidence *evidence, const LoomTrace *trace, guint first_clock)
{
  guint32 n;
  const LoomArrow *arrows = loom_trace_get_arrows (trace, &n);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < n; i++) {
    guint32 tracks[2], row;
    loom_trace_locate_span (trace, arrows[i].from, &tracks[0], &row);
    loom_trace_locate_span (trace, arrows[i].to, &tracks[1], &row);
    guint from = loom_trace_get_track (trace, tracks[0])->clock, to = loom_trace_get_track (trace, tracks[1])->clock;
    if (from != to)
      loom_evidence_order (evidence, first_clock + from, spans->start_ns[arrows[i].from], first_clock + to,
                           spans->start_ns[arrows[i].to], TRUE);
  }
}

void
loom_evidence_add_launches (LoomEvidence *evidence, const LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (loom_trace_get_n_clocks (loom_run_get_trace (run, i)) > 1)
      add_trace (evidence, loom_run_get_trace (run, i), loom_run_get_first_clock (run, i));
}
