/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-clock-residuals.h"

#include "loom-evidence.h"
#include "loom-robust-line.h"

#include <math.h>

typedef struct {
  const LoomTimeline *timeline;
  const LoomAlignment *alignment;
  const LoomEvidence *evidence;
  guint clock, component;
  /* TRUE if the clock belongs to the component; FALSE if the component refused the clock. A refused clock is compared
   * with the component anyway. */
  gboolean is_member;
  GArray *points;         /* LoomProofPoint: the result */
  GArray *uncertainty_ns; /* gint64: for each point, its uncertainty in ns */
  GArray *readings;       /* const LoomClockObservation *: readings of the current event */
} Proof;

typedef enum { MAP_IN_FORCE, MAP_DECLARED, MAP_LINE } Map;

static gint64
moment_of (const Proof *self, const LoomClockObservation *reading, Map which)
{
  const LoomClockFit *fit = loom_alignment_get (self->alignment, reading->clock),
                     *declared = loom_alignment_get_declared (self->alignment, reading->clock);
  return loom_clock_map_to_timeline (which == MAP_IN_FORCE   ? &fit->map
                                     : which == MAP_DECLARED ? &declared->map
                                                             : &fit->line,
                                     reading->local_ns);
}

/* Returns the moment of the event whose readings are in `readings`: the median of the readings, each converted to
 * timeline time with the map `which`. Includes the reading of the examined clock only if this clock belongs to the
 * component, and there are more than LOOM_EVIDENCE_FEW_MEMBERS readings. */
static gint64
median_moment (const Proof *self, Map which)
{
  g_autofree gint64 *moments_ns = g_new (gint64, self->readings->len);
  gboolean counts = self->is_member && self->readings->len > LOOM_EVIDENCE_FEW_MEMBERS;
  guint n = 0;
  for (guint i = 0; i < self->readings->len; i++) {
    const LoomClockObservation *reading = g_array_index (self->readings, const LoomClockObservation *, i);
    if (counts || reading->clock != self->clock)
      moments_ns[n++] = moment_of (self, reading, which);
  }
  return loom_robust_line_median_time (moments_ns, n);
}

static gboolean
all_declare (const Proof *self)
{
  for (guint i = 0; i < self->readings->len; i++)
    if (!loom_alignment_get_declared (self->alignment,
                                      g_array_index (self->readings, const LoomClockObservation *, i)->clock)
           ->anchored)
      return FALSE;
  return TRUE;
}

/* Fills `readings` with the readings of a common event by the examined clock and by the clocks of its component.
 * Returns the reading by the examined clock. Returns NULL if the examined clock did not record the event, or if no
 * other clock of the component recorded it. */
static const LoomClockObservation *
take_readings (Proof *self, const LoomSimultaneity *occasion)
{
  const LoomClockObservation *all = &g_array_index (self->evidence->readings, LoomClockObservation, occasion->first),
                             *own = NULL;
  g_array_set_size (self->readings, 0);
  for (guint i = 0; i < occasion->n; i++) {
    const LoomClockObservation *reading = &all[i];
    if (reading->clock == self->clock)
      own = reading;
    else if (loom_alignment_get (self->alignment, reading->clock)->component != self->component)
      continue;
    g_array_append_val (self->readings, reading);
  }
  return self->readings->len > 1 ? own : NULL;
}

static void
add_point (Proof *self, const LoomSimultaneity *occasion)
{
  const LoomClockObservation *own = take_readings (self, occasion);
  if (own == NULL)
    return;
  LoomProofPoint point = { .at_ns = moment_of (self, own, MAP_IN_FORCE), .declared_ns = LOOM_TIME_NONE };
  point.in_force_ns = loom_time_sub (point.at_ns, median_moment (self, MAP_IN_FORCE));
  point.line_ns = loom_time_sub (moment_of (self, own, MAP_LINE), median_moment (self, MAP_LINE));
  if (all_declare (self))
    point.declared_ns = loom_time_sub (moment_of (self, own, MAP_DECLARED), median_moment (self, MAP_DECLARED));
  g_array_append_val (self->points, point);
  g_array_append_val (self->uncertainty_ns, occasion->uncertainty_ns);
}

/* Marks the points that the fit rejects. A point is rejected if its distance from the line is at least
 * LOOM_CLOCK_LINE_TUNING times the scale of the residuals, and at least LOOM_CLOCK_LINE_TUNING times the uncertainty
 * of the point. */
static void
mark_rejected (Proof *self)
{
  LoomProofPoint *points = (LoomProofPoint *) (gpointer) self->points->data;
  guint n = self->points->len;
  g_autofree double *absolute = g_new (double, n + 1);
  double least_ns = G_MAXDOUBLE;
  for (guint i = 0; i < n; i++) {
    absolute[i] = fabs ((double) points[i].line_ns);
    least_ns = MIN (least_ns, (double) g_array_index (self->uncertainty_ns, gint64, i));
  }
  double scale_ns = loom_robust_line_scale (absolute, n, least_ns);
  for (guint i = 0; i < n; i++) {
    double most_ns = LOOM_CLOCK_LINE_TUNING * MAX (scale_ns, (double) g_array_index (self->uncertainty_ns, gint64, i));
    points[i].rejected = !(fabs ((double) points[i].line_ns) < most_ns);
  }
}

static void
read_evidence (Proof *self, LoomEvidence *evidence, LoomProgress *progress)
{
  self->evidence = evidence;
  for (guint i = 0; i < evidence->occasions->len && !loom_progress_is_cancelled (progress); i++)
    add_point (self, &g_array_index (evidence->occasions, LoomSimultaneity, i));
  loom_evidence_free (evidence);
}

static int
compare_points (gconstpointer a, gconstpointer b)
{
  const LoomProofPoint *x = a, *y = b;
  return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

GArray *
loom_clock_residuals_new (const LoomTimeline *timeline, guint clock, LoomProgress *progress)
{
  LoomAlignment *alignment = loom_timeline_get_alignment (timeline);
  LoomRun *run = loom_timeline_get_run (timeline);
  const LoomClockFit *fit = loom_alignment_get (alignment, clock);
  Proof self = {
    .timeline = timeline, .alignment = alignment, .clock = clock, .is_member = fit->component != LOOM_COMPONENT_NONE
  };
  self.component = self.is_member ? fit->component : loom_alignment_get (alignment, fit->reference)->component;
  self.points = g_array_new (FALSE, FALSE, sizeof (LoomProofPoint));
  self.uncertainty_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  self.readings = g_array_new (FALSE, FALSE, sizeof (const LoomClockObservation *));
  if (fit->pairs > 0) {
    read_evidence (&self, loom_evidence_new_of_run (run), progress);
    if (self.points->len == 0)
      read_evidence (&self, loom_evidence_new_coarse (run), progress);
    mark_rejected (&self);
    g_array_sort (self.points, compare_points);
  }
  g_array_unref (self.uncertainty_ns);
  g_array_unref (self.readings);
  if (loom_progress_is_cancelled (progress))
    g_clear_pointer (&self.points, g_array_unref);
  return self.points;
}
