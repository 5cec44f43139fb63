/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-evidence.h"

#include <glib/gi18n.h>

const char *
loom_evidence_kind_to_string (LoomEvidenceKind kind)
{
  static const char *const words[] = { /* Translators: the kinds of events with which two clocks are compared */ N_ (
                                         "collectives"),
                                       N_ ("clock sync events"),
                                       N_ ("sync points declared in the files"),
                                       N_ ("messages in both directions"),
                                       N_ ("step boundaries"),
                                       N_ ("matching markers"),
                                       N_ ("GPU utilization and kernels") };
  return kind < G_N_ELEMENTS (words) ? _ (words[kind]) : "";
}

char *
loom_evidence_kind_say (LoomEvidenceKind kind, const char *sentence)
{
  /* Translators: the first %s is a statement about two clocks, such as "all 40 pairs fit"; the second is the kind
   * of events with which they were compared, such as "collectives" */
  return g_strdup_printf (C_ ("verdict on a clock", "%s (%s)"), sentence, loom_evidence_kind_to_string (kind));
}

LoomEvidence *
loom_evidence_new (guint n_clocks)
{
  LoomEvidence *evidence = g_new0 (LoomEvidence, 1);
  evidence->n_clocks = n_clocks;
  evidence->readings = g_array_new (FALSE, FALSE, sizeof (LoomClockObservation));
  evidence->occasions = g_array_new (FALSE, FALSE, sizeof (LoomSimultaneity));
  evidence->orders = g_array_new (FALSE, FALSE, sizeof (LoomCausalOrder));
  return evidence;
}

void
loom_evidence_free (LoomEvidence *evidence)
{
  if (evidence == NULL)
    return;
  g_array_unref (evidence->readings);
  g_array_unref (evidence->occasions);
  g_array_unref (evidence->orders);
  g_free (evidence);
}

void
loom_evidence_begin (LoomEvidence *evidence, LoomEvidenceKind kind, gint64 uncertainty_ns)
{
  LoomSimultaneity occasion = { evidence->readings->len, 0, MAX (uncertainty_ns, 1), kind };
  g_array_append_val (evidence->occasions, occasion);
}

void
loom_evidence_read (LoomEvidence *evidence, guint clock, gint64 local_ns, gint64 arrival_ns)
{
  g_return_if_fail (clock < evidence->n_clocks && evidence->occasions->len > 0);
  LoomClockObservation reading = { local_ns, arrival_ns, clock, evidence->occasions->len - 1 };
  g_array_append_val (evidence->readings, reading);
}

static int
compare_clocks (gconstpointer a, gconstpointer b)
{
  guint32 x = ((const LoomClockObservation *) a)->clock, y = ((const LoomClockObservation *) b)->clock;
  return x < y ? -1 : x > y;
}

/* Removes ambiguous readings: if a clock has more than one reading of the event, all its readings are removed.
 * `readings`: readings of one event, sorted by clock. Returns the number of remaining readings. */
static guint
keep_single (LoomClockObservation *readings, guint n)
{
  guint n_kept = 0;
  for (guint i = 0, next; i < n; i = next) {
    for (next = i + 1; next < n && readings[next].clock == readings[i].clock;)
      next++;
    if (next == i + 1)
      readings[n_kept++] = readings[i];
  }
  return n_kept;
}

void
loom_evidence_end (LoomEvidence *evidence)
{
  g_return_if_fail (evidence->occasions->len > 0);
  LoomSimultaneity *occasion = &g_array_index (evidence->occasions, LoomSimultaneity, evidence->occasions->len - 1);
  LoomClockObservation *readings = (LoomClockObservation *) (gpointer) evidence->readings->data + occasion->first;
  guint n = evidence->readings->len - occasion->first;
  gboolean sorted = TRUE;
  for (guint i = 1; i < n && sorted; i++)
    sorted = readings[i - 1].clock < readings[i].clock;
  if (!sorted)
    qsort (readings, n, sizeof *readings, compare_clocks);
  n = keep_single (readings, n);
  occasion->n = n < 2 ? 0 : n;
  g_array_set_size (evidence->readings, occasion->first + occasion->n);
  if (occasion->n == 0)
    g_array_set_size (evidence->occasions, evidence->occasions->len - 1);
}

void
loom_evidence_order (LoomEvidence *evidence, guint before, gint64 before_ns, guint after, gint64 after_ns,
                     gboolean is_launch)
{
  g_return_if_fail (before < evidence->n_clocks && after < evidence->n_clocks);
  LoomCausalOrder order = { before, after, before_ns, after_ns, is_launch };
  g_array_append_val (evidence->orders, order);
}

static void
add_trace_launches (LoomEvidence *evidence, const LoomTrace *trace, guint first_clock)
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

/* For each kernel whose launch is known, adds a causal order (LoomCausalOrder): the launch was before the start of the
 * kernel. The time between the launch and the start is unknown. */
void
loom_evidence_add_launches (LoomEvidence *evidence, const LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (loom_trace_get_n_clocks (loom_run_get_trace (run, i)) > 1)
      add_trace_launches (evidence, loom_run_get_trace (run, i), loom_run_get_first_clock (run, i));
}

LoomEvidence *
loom_evidence_new_of_run (const LoomRun *run)
{
  LoomEvidence *evidence = loom_evidence_new (loom_run_get_n_clocks (run));
  loom_evidence_add_collectives (evidence, run);
  loom_evidence_add_clock_sync (evidence, run);
  loom_evidence_add_sync_points (evidence, run);
  loom_evidence_add_messages (evidence, run);
  loom_evidence_add_launches (evidence, run);
  return evidence;
}

LoomEvidence *
loom_evidence_new_coarse (const LoomRun *run)
{
  LoomEvidence *evidence = loom_evidence_new (loom_run_get_n_clocks (run));
  loom_evidence_add_steps (evidence, run);
  loom_evidence_add_markers (evidence, run);
  loom_evidence_add_activity (evidence, run);
  return evidence;
}
