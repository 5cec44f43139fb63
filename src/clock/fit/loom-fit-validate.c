/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-private.h"

#include <math.h>

/* Tolerance for the readings of a collective. Because of errors, a rank may seem to leave a collective before the last
 * rank arrives, or to arrive after the end of the collective. Such a difference is tolerated up to EARLY_NS or
 * EARLY_UNITS times the uncertainty of the event, whichever is larger. */
#define EARLY_NS (20 * LOOM_NS_PER_US)
#define EARLY_UNITS 3

/* Two clocks may begin to count the same events at different events; an event then has different numbers on the two
 * clocks. To detect this, the pairs of times are shifted by 1 to MOST_SLIP events, if the scale of the residuals is at
 * least SLIP_UNITS times the smallest uncertainty of a pair. The clocks are considered to count differently if a shift
 * makes the scale more than SLIP_BETTER times smaller. */
#define MOST_SLIP 3
#define SLIP_UNITS 10
#define SLIP_BETTER 3

/* Checks a clock's reading of a collective. Returns 2 if the reading is impossible: the rank leaves before the last of
 * the other ranks arrives, or arrives after the end of the collective. Returns 1 if the reading is possible; 0 if the
 * reading cannot be checked. */
static guint
check_order (const LoomFitting *self, guint32 reading, const LoomClockLine *line, gint64 moment_ns)
{
  const LoomClockObservation *own = &self->graph->readings[reading];
  gint64 arrival_ns = loom_fit_graph_arrival_of_others (self->graph, reading);
  gint64 slack_ns =
    MAX (EARLY_NS, EARLY_UNITS * MIN (self->graph->occasions[own->occasion].uncertainty_ns, LOOM_NS_PER_S));
  if (own->arrival_ns == LOOM_TIME_NONE || arrival_ns == LOOM_TIME_NONE)
    return 0;
  gboolean leaves_early =
    loom_time_add (loom_robust_line_map (line, own->local_ns), slack_ns) < MIN (arrival_ns, moment_ns);
  gboolean comes_late = loom_robust_line_map (line, own->arrival_ns) > loom_time_add (moment_ns, slack_ns);
  return leaves_early || comes_late ? 2 : 1;
}

/* Counts the messages and the launches of a clock, and how many of them are reversed. A message is reversed if it is
 * received before it is sent; a launch is reversed if the kernel starts before its launch. The times are mapped by the
 * current lines, and differences within a tolerance do not count. Launches are counted separately, because they are so
 * many that correct launches would hide reversed messages. */
static void
count_orders (const LoomFitting *self, guint clock, LoomFitCandidate *judged)
{
  const LoomGraph *graph = self->graph;
  const LoomCausalOrder *orders = (const LoomCausalOrder *) (gpointer) graph->evidence->orders->data;
  gint64 slack_ns = MAX (EARLY_NS, (gint64) MIN (EARLY_UNITS * judged->unit_ns, (double) LOOM_NS_PER_S));
  for (guint i = 0; i < graph->evidence->orders->len; i++) {
    if ((orders[i].before != clock && orders[i].after != clock) || !graph->placed[orders[i].before] ||
        !graph->placed[orders[i].after])
      continue;
    gint64 sent_ns = loom_robust_line_map (&graph->lines[orders[i].before], orders[i].before_ns);
    gint64 received_ns = loom_robust_line_map (&graph->lines[orders[i].after], orders[i].after_ns);
    gboolean is_early = sent_ns > loom_time_add (received_ns, slack_ns);
    *(orders[i].is_launch ? &judged->n_launches : &judged->n_ordered) += 1;
    *(orders[i].is_launch ? &judged->n_early_launches : &judged->n_early) += is_early;
  }
}

/* Returns the kind of evidence (LoomEvidenceKind) to which most of the pairs belong. */
static LoomEvidenceKind
main_kind (const LoomFitting *self, const LoomClockPairs *own)
{
  guint counts[LOOM_N_EVIDENCE_KINDS] = { 0 }, best = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    counts[self->graph->occasions[self->graph->readings[own->reading[i]].occasion].kind]++;
  for (guint i = 1; i < LOOM_N_EVIDENCE_KINDS; i++)
    if (counts[i] > counts[best])
      best = i;
  return (LoomEvidenceKind) best;
}

static void
measure (LoomFittedClock *fitted, const LoomClockPairs *own, const LoomClockLine *line, gint64 declared_ns,
         const gboolean *rejected)
{
  g_autofree double *absolute = g_new (double, own->pairs.n + 1);
  guint n = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    if (!rejected[i])
      absolute[n++] = fabs (loom_robust_line_residual (line, own->local_ns[i], own->target_ns[i]));
  loom_fit_quality_residuals_init (&fitted->after, absolute, n);
  n = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    if (!rejected[i])
      absolute[n++] = fabs ((double) loom_time_sub (loom_time_sub (own->target_ns[i], own->local_ns[i]), declared_ns));
  loom_fit_quality_residuals_init (&fitted->before, absolute, n);
}

/* Returns TRUE if the pairs of times agree far better when the readings of the clock, or those of the reference, are
 * shifted by 1 to MOST_SLIP events. Then the two clocks count the events differently, so that each event was paired
 * with a neighbour of the right event. */
static gboolean
is_one_off (const LoomClockPairs *own, double scale_ns, double unit_ns)
{
  if (scale_ns < SLIP_UNITS * unit_ns)
    return FALSE;
  for (guint slip = 1; slip <= MOST_SLIP && slip + LOOM_CLOCK_FITS_OFFSET_PAIRS <= own->pairs.n; slip++) {
    for (guint way = 0; way < 2; way++) {
      LoomClockSamples slipped = { own->local_ns + (way == 0 ? 0 : slip), own->target_ns + (way == 0 ? slip : 0),
                                   own->uncertainty_ns, own->pairs.n - slip };
      LoomClockLine line;
      double slipped_ns;
      loom_robust_line_fit (&line, &slipped, loom_fit_graph_pairs_may_drift (own), FALSE, &slipped_ns);
      if (slipped_ns * SLIP_BETTER < scale_ns)
        return TRUE;
    }
  }
  return FALSE;
}

/* Sets the results that follow from the clock's pairs of times (`own`). Does not set `component`, `epoch_ns`, `root`,
 * `same_as`, `error` and `root_error`. */
void
loom_fit_validate (const LoomFitting *self, guint clock, const LoomClockPairs *own, const LoomClockLine *line,
                   double scale_ns, gint64 declared_ns, LoomFittedClock *fitted, gboolean *was_refused)
{
  guint n = own->pairs.n;
  g_autofree double *numbers = g_new (double, (gsize) n * 2 + 1);
  g_autofree gboolean *rejected = g_new (gboolean, (gsize) n + 1);
  LoomFitCandidate judged = { .kind = main_kind (self, own),
                              .n = n,
                              .time_ns = numbers,
                              .residual_ns = numbers + n,
                              .rejected = rejected,
                              .scale_ns = scale_ns,
                              .unit_ns = G_MAXDOUBLE,
                              .drift = line->drift };
  for (guint i = 0; i < n; i++) {
    double uncertainty_ns = (double) own->uncertainty_ns[i];
    numbers[i] = (double) loom_time_sub (own->local_ns[i], own->local_ns[0]);
    numbers[n + i] = loom_robust_line_residual (line, own->local_ns[i], own->target_ns[i]);
    rejected[i] = !(fabs (numbers[n + i]) < LOOM_CLOCK_LINE_TUNING * MAX (scale_ns, uncertainty_ns));
    judged.n_rejected += rejected[i];
    judged.unit_ns = MIN (judged.unit_ns, uncertainty_ns);
    guint order = rejected[i] ? 0 : check_order (self, own->reading[i], line, own->target_ns[i]);
    judged.n_ordered += order > 0;
    judged.n_early += order == 2;
  }
  if (self->graph->placed[clock])
    count_orders (self, clock, &judged);
  g_autofree char *why = NULL;
  judged.is_one_off = is_one_off (own, scale_ns, judged.unit_ns);
  LoomFitQuality verdict = loom_fit_refusal_check (&judged, &why);
  *was_refused = verdict == LOOM_FIT_QUALITY_REFUSED;
  if (*was_refused && fitted->verdict == LOOM_FIT_QUALITY_REFUSED && fitted->pairs >= n)
    return; /* the clock was already refused with at least as many pairs, so keep that result and its reason */
  g_free (fitted->why);
  fitted->why = g_steal_pointer (&why);
  fitted->verdict = verdict;
  fitted->kind = judged.kind;
  fitted->unit_ns = n > 0 ? judged.unit_ns : 0;
  fitted->reference = loom_fit_get_reference (self);
  fitted->line = *line;
  fitted->pairs = n;
  fitted->rejected = judged.n_rejected;
  fitted->first_ns = n > 0 ? own->local_ns[0] : LOOM_TIME_NONE;
  fitted->last_ns = n > 0 ? own->local_ns[n - 1] : LOOM_TIME_NONE;
  measure (fitted, own, line, declared_ns, rejected);
}
