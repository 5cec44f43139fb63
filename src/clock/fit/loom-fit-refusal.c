/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-refusal.h"

#include "loom-robust-line.h"

#include <glib/gi18n.h>
#include <math.h>

/* Maximum drift of a clock. Programs that make a clock follow UTC change its speed by at most 0.1 %. */
#define MOST_DRIFT 1e-3

#define FEW_PAIRS 5
#define LEAST_PAIRS 3

/* Limits of two shares. REJECTED: share of the pairs of times that were rejected. EARLY: share of the collectives and
 * messages, or of the launches, in which an event precedes its cause. If a share is above MOST_…, the line is refused;
 * if it is above MANY_…, the line is doubtful. */
#define MOST_REJECTED 0.5
#define MANY_REJECTED 0.35
#define MOST_EARLY 0.1
#define MANY_EARLY 0.02

/* To find a jump of the clock, the pairs of times are divided into LEAST_STRETCHES to MOST_STRETCHES stretches. A
 * stretch is a group of pairs that are neighbours in time. It has at least STRETCH_PAIRS pairs, which are enough for a
 * reliable median. */
#define MOST_STRETCHES 16
#define LEAST_STRETCHES 5
#define STRETCH_PAIRS 5
/* A jump of the clock between two neighbouring stretches (groups of pairs of times) is assumed only if two conditions
 * are met. First, the medians of the residuals of the two stretches differ by at least JUMP_SHARE × the size of the
 * jump. This size is the difference between the median of all residuals before the jump and the median of all residuals
 * after it. Second, on each side of the jump, more than JUMP_SHARE of the residuals are near the median of this side.
 * "Near" means within JUMP_NOISE × the noise, or within STEADY_UNITS × the smallest uncertainty of a pair, whichever is
 * larger. */
#define JUMP_SHARE 0.6
#define JUMP_NOISE 6.0

/* Limits as multiples of the smallest uncertainty of a pair of times. STEADY_UNITS: if the scale of the residuals is
 * larger, and neighbouring residuals depend on each other, the line is refused. GOOD_UNITS: if the 95th percentile of
 * the residuals is larger, the line is doubtful. MOST_UNITS: if the scale of the residuals is larger, the line is
 * refused. */
#define STEADY_UNITS 20.0
#define GOOD_UNITS 50.0
#define MOST_UNITS 200.0
/* Maximum scale of the residuals, as a share of the median time between common events. The resulting maximum is limited
 * to at least LEAST_UNITS and at most MOST_UNITS times the smallest uncertainty of a pair of times. */
#define MOST_OF_SPACING 0.1
#define LEAST_UNITS 10.0

#define LEAST_WANDERING 8
#define LEAST_RATIO 0.5

const char *
loom_fit_quality_to_string (LoomFitQuality verdict)
{
  static const char *const words[] = { "declared", "good", "doubtful", "refused" };
  return words[verdict <= LOOM_FIT_QUALITY_REFUSED ? verdict : LOOM_FIT_QUALITY_REFUSED];
}

void
loom_fit_quality_residuals_init (LoomFitResiduals *residuals, double *absolute, guint n)
{
  *residuals = (LoomFitResiduals) { 0, 0, 0 };
  for (guint i = 0; i < n; i++)
    residuals->max_ns = MAX (residuals->max_ns, absolute[i]);
  if (n == 0)
    return;
  residuals->median_ns = loom_robust_line_median (absolute, n);
  residuals->p95_ns = loom_robust_line_select (absolute, n, (n * 95 + 99) / 100 - 1);
}

static char *
format_ns (double ns)
{
  return loom_time_format_duration (fabs (ns) < 9e18 ? llround (fabs (ns)) : G_MAXINT64);
}

/* --- steps: sudden changes of the residuals ----------------------------------------------------------------------- */

typedef struct {
  guint n;
  double time[MOST_STRETCHES], middle[MOST_STRETCHES];
  /* for each stretch (group of neighbouring pairs), the index of the first pair after it */
  guint end[MOST_STRETCHES];
  /* a residual is near the median of the residuals on its side of the jump if it differs from the median by at most
   * this number of ns */
  double near;
  /* slope of the residuals, in ns per ns, on both sides of a jump of the clock; the residuals have this slope because
   * one line was fitted across the jump */
  double slope;
} Stretches;

static double
residual_median (const LoomFitCandidate *judged, guint first, guint end, double center, gboolean absolute,
                 double *scratch)
{
  for (guint i = first; i < end; i++) {
    double value = judged->residual_ns[i] - center;
    scratch[i - first] = absolute ? fabs (value) : value;
  }
  return loom_robust_line_median (scratch, end - first);
}

static gboolean
stretches_init (Stretches *self, const LoomFitCandidate *judged)
{
  g_autofree double *scratch = g_new (double, judged->n);
  double spreads[MOST_STRETCHES];
  self->n = MIN (MOST_STRETCHES, judged->n / STRETCH_PAIRS);
  if (self->n < LEAST_STRETCHES)
    return FALSE;
  for (guint i = 0; i < self->n; i++) {
    guint first = (guint) ((guint64) judged->n * i / self->n), end = (guint) ((guint64) judged->n * (i + 1) / self->n);
    self->middle[i] = residual_median (judged, first, end, 0, FALSE, scratch);
    spreads[i] = residual_median (judged, first, end, self->middle[i], TRUE, scratch);
    self->end[i] = end;
    self->time[i] = (judged->time_ns[first] + judged->time_ns[end - 1]) / 2;
  }
  double spread = 1.4826 * loom_robust_line_median (spreads, self->n);
  self->near = MAX (JUMP_NOISE * spread, STEADY_UNITS * judged->unit_ns);
  return TRUE;
}

/* Computes the slope of the residuals on both sides of a jump of the clock, and subtracts it from the residuals. The
 * residuals have this slope because one line was fitted across the jump. The slope is the median of the slopes between
 * neighbouring stretches; only one of them, the slope across the jump, differs from it. */
static void
remove_slope (Stretches *self)
{
  double slopes[MOST_STRETCHES];
  guint n = 0;
  for (guint i = 0; i + 1 < self->n; i++)
    if (self->time[i + 1] > self->time[i])
      slopes[n++] = (self->middle[i + 1] - self->middle[i]) / (self->time[i + 1] - self->time[i]);
  self->slope = n > 0 ? loom_robust_line_median (slopes, n) : 0;
  for (guint i = 0; i < self->n; i++)
    self->middle[i] -= self->slope * self->time[i];
}

static double
median_of (const double *values, guint n)
{
  double copy[MOST_STRETCHES];
  for (guint i = 0; i < n; i++)
    copy[i] = values[i];
  return loom_robust_line_median (copy, n);
}

/* Sets `middle_ns` to the median of the residuals on one side of a jump. Returns TRUE if most residuals of this side
 * are near the median, which is the case if the clock has really jumped. Returns FALSE if the residuals are scattered,
 * which is the case if pairs of times were matched wrongly. */
static gboolean
lies_together (const LoomFitCandidate *judged, const Stretches *self, guint first_stretch, guint end_stretch,
               double *middle_ns)
{
  guint first = first_stretch > 0 ? self->end[first_stretch - 1] : 0, n = self->end[end_stretch - 1] - first,
        n_near = 0;
  g_autofree double *values = g_new (double, (gsize) n * 2);
  for (guint i = 0; i < n; i++)
    values[i] = values[n + i] = judged->residual_ns[first + i] - self->slope * judged->time_ns[first + i];
  *middle_ns = loom_robust_line_median (values + n, n);
  for (guint i = 0; i < n; i++)
    n_near += fabs (values[i] - *middle_ns) <= self->near;
  return n_near > JUMP_SHARE * n;
}

/* Returns the size of the clock's jump in ns, and sets `at_ns` to the time of the jump. Returns 0 if the clock has
 * not jumped. */
static double
find_step (const LoomFitCandidate *judged, double *at_ns)
{
  Stretches self;
  double found = 0;
  if (!stretches_init (&self, judged))
    return 0;
  remove_slope (&self);
  double least = 2 * self.near;
  for (guint i = 1; i < self.n; i++) {
    double sides = median_of (self.middle + i, self.n - i) - median_of (self.middle, i);
    double jump = self.middle[i] - self.middle[i - 1];
    if (i + 1 < self.n &&
        /* the jump may be within stretch i, so compare the stretches before and after it */
        fabs (self.middle[i + 1] - self.middle[i - 1]) > fabs (jump))
      jump = self.middle[i + 1] - self.middle[i - 1];
    if (fabs (sides) < least || jump * sides < 0 || fabs (jump) < JUMP_SHARE * fabs (sides) ||
        fabs (sides) <= fabs (found))
      continue;
    double before, after;
    if (!lies_together (judged, &self, 0, i, &before) ||
        !lies_together (judged, &self, i + 1 < self.n ? i + 1 : i, self.n, &after) || fabs (after - before) < least)
      continue;
    found = after - before;
    *at_ns = (self.time[i] + self.time[i - 1]) / 2;
  }
  return found;
}

/* --- decision whether a fit is refused ---------------------------------------------------------------------------- */

/* Computes the mean and the slope of the residuals by the method of least squares. The residuals have a slope if the
 * clock drifts but only an offset was fitted. */
static void
find_trend (const LoomFitCandidate *judged, double *mean, double *mean_time, double *slope)
{
  double n = 0, sum = 0, sum_time = 0, across = 0, spread = 0;
  for (guint i = 0; i < judged->n; i++) {
    if (judged->rejected[i])
      continue;
    n++;
    sum += judged->residual_ns[i];
    sum_time += judged->time_ns[i];
  }
  *mean = n > 0 ? sum / n : 0;
  *mean_time = n > 0 ? sum_time / n : 0;
  for (guint i = 0; i < judged->n; i++) {
    if (judged->rejected[i])
      continue;
    across += (judged->time_ns[i] - *mean_time) * (judged->residual_ns[i] - *mean);
    spread += (judged->time_ns[i] - *mean_time) * (judged->time_ns[i] - *mean_time);
  }
  *slope = spread > 0 ? across / spread : 0;
}

/* Returns von Neumann's ratio of the residuals that were not rejected: about 1 if the residuals are independent of
 * each other, near 0 if neighbouring residuals are similar. Returns 1 if there are too few residuals. */
static double
succession_ratio (const LoomFitCandidate *judged)
{
  double last = 0, squares = 0, differences = 0, mean, mean_time, slope;
  guint n = 0;
  find_trend (judged, &mean, &mean_time, &slope);
  for (guint i = 0; i < judged->n; i++) {
    if (judged->rejected[i])
      continue;
    double value = judged->residual_ns[i] - mean - slope * (judged->time_ns[i] - mean_time);
    squares += value * value;
    differences += n > 0 ? (value - last) * (value - last) : 0;
    last = value;
    n++;
  }
  return n >= LEAST_WANDERING && squares > 0 ? differences / (n - 1) / (2 * squares / n) : 1;
}

static double
median_spacing (const LoomFitCandidate *judged)
{
  g_autofree double *gaps = g_new (double, judged->n);
  for (guint i = 1; i < judged->n; i++)
    gaps[i - 1] = judged->time_ns[i] - judged->time_ns[i - 1];
  return judged->n > 1 ? loom_robust_line_median (gaps, judged->n - 1) : 0;
}

static double
p95_of (const LoomFitCandidate *judged)
{
  LoomFitResiduals residuals;
  g_autofree double *absolute = g_new (double, judged->n);
  guint n = 0;
  for (guint i = 0; i < judged->n; i++)
    if (!judged->rejected[i])
      absolute[n++] = fabs (judged->residual_ns[i]);
  loom_fit_quality_residuals_init (&residuals, absolute, n);
  return residuals.p95_ns;
}

/* Returns a sentence with the reason why the line is refused; NULL if it is not refused. Owned by the caller. */
static char *
refuse (const LoomFitCandidate *judged)
{
  double at_ns = 0, step_ns;
  if (judged->n < LEAST_PAIRS)
    return g_strdup_printf (ngettext ("only %u pair of events can be compared; at least %u are needed",
                                      "only %u pairs of events can be compared; at least %u are needed", judged->n),
                            judged->n, LEAST_PAIRS);
  if (fabs (judged->drift) > MOST_DRIFT)
    return g_strdup_printf (
      _ ("the clock would drift by %.0f ppm, more than any real clock: the events were matched wrongly"),
      fabs (judged->drift) * 1e6);
  step_ns = find_step (judged, &at_ns);
  if (step_ns != 0) {
    g_autofree char *step = format_ns (step_ns), *at = format_ns (at_ns);
    return g_strdup_printf (_ ("the clock jumps by %s about %s after its first pair of events: no single offset fits"),
                            step, at);
  }
  if (judged->n_rejected > MOST_REJECTED * judged->n)
    return g_strdup_printf (
      ngettext ("%u of %u pairs does not fit any single offset and drift: the events were matched wrongly",
                "%u of %u pairs do not fit any single offset and drift: the events were matched wrongly",
                judged->n_rejected),
      judged->n_rejected, judged->n);
  return NULL;
}

/* Returns TRUE if, according to the line, an event precedes its cause in more than `share` of the collectives and
 * messages, or in more than `share` of the launches. Sets `n_early` to the number of cases in which an event precedes
 * its cause, and `n_ordered` to the number of all examined cases. If the collectives and messages exceed `share`, both
 * numbers count collectives and messages; otherwise, both count launches. */
static gboolean
is_early (const LoomFitCandidate *judged, double share, guint *n_early, guint *n_ordered)
{
  gboolean of_launches = !(judged->n_early > share * judged->n_ordered);
  *n_early = of_launches ? judged->n_early_launches : judged->n_early;
  *n_ordered = of_launches ? judged->n_launches : judged->n_ordered;
  return *n_early > share * *n_ordered;
}

static char *
refuse_spread (const LoomFitCandidate *judged)
{
  double unit_ns = judged->unit_ns;
  double most_ns = CLAMP (median_spacing (judged) * MOST_OF_SPACING, LEAST_UNITS * unit_ns, MOST_UNITS * unit_ns);
  g_autofree char *scale = format_ns (judged->scale_ns);
  if (judged->scale_ns > most_ns)
    return g_strdup_printf (
      _ (
        "the time differences of the paired events scatter by %s, more than is possible within one run: the events are from different runs, or were matched wrongly"),
      scale);
  if (judged->is_one_off)
    return g_strdup (_ (
      "the pairs of events agree far better when one side is shifted by a few events: the events were matched wrongly"));
  if (judged->scale_ns > STEADY_UNITS * unit_ns && succession_ratio (judged) < LEAST_RATIO)
    return g_strdup_printf (
      _ (
        "the time differences of the paired events vary irregularly by %s: the events are from different runs, or the clock does not run evenly"),
      scale);
  guint n_early, n_ordered;
  if (is_early (judged, MOST_EARLY, &n_early, &n_ordered))
    return g_strdup_printf (
      _ ("in %u of %u cases an event would have ended before its counterparts began: the events were matched wrongly"),
      n_early, n_ordered);
  return NULL;
}

/* Returns a sentence with the reason why the line is doubtful; NULL if it is not doubtful. Owned by the caller. */
static char *
doubt (const LoomFitCandidate *judged, double p95_ns)
{
  g_autofree char *p95 = format_ns (p95_ns);
  if (judged->n < FEW_PAIRS)
    return g_strdup_printf (ngettext ("only %u pair of events agrees", "only %u pairs of events agree", judged->n),
                            judged->n);
  if (judged->n_rejected > MANY_REJECTED * judged->n)
    return g_strdup_printf (ngettext ("%u of %u pairs of events contradicts the fit",
                                      "%u of %u pairs of events contradict the fit", judged->n_rejected),
                            judged->n_rejected, judged->n);
  if (loom_evidence_kind_is_coarse (judged->kind))
    return g_strdup_printf (_ ("the paired events are simultaneous only to within %s"), p95);
  if (p95_ns > GOOD_UNITS * judged->unit_ns)
    return g_strdup_printf (_ ("the pairs of events agree only to within %s"), p95);
  guint n_early, n_ordered;
  if (is_early (judged, MANY_EARLY, &n_early, &n_ordered))
    return g_strdup_printf (_ ("in %u of %u cases the order of events would be impossible"), n_early, n_ordered);
  return NULL;
}

/* Returns a clause about the pairs that the line fits, for a good line. Owned by the caller. */
static char *
dup_agreement (const LoomFitCandidate *judged)
{
  if (judged->n_rejected == 0)
    return g_strdup_printf (/* Translators: all pairs of events fit the measured offset and drift of the clock */
                            _ ("all %u pairs fit"), judged->n);
  return g_strdup_printf (/* Translators: two numbers: "36 of 40 pairs fit" */
                          _ ("%u of %u pairs fit"), judged->n - judged->n_rejected, judged->n);
}

static LoomFitQuality
judge (const LoomFitCandidate *judged, char **why)
{
  *why = refuse (judged);
  if (*why == NULL)
    *why = refuse_spread (judged);
  if (*why != NULL)
    return LOOM_FIT_QUALITY_REFUSED;
  *why = doubt (judged, p95_of (judged));
  if (*why != NULL)
    return LOOM_FIT_QUALITY_DOUBTFUL;
  *why = dup_agreement (judged);
  return LOOM_FIT_QUALITY_GOOD;
}

LoomFitQuality
loom_fit_refusal_check (const LoomFitCandidate *judged, char **why)
{
  g_autofree char *sentence = NULL;
  LoomFitQuality verdict = judge (judged, &sentence);
  *why = loom_evidence_kind_say (judged->kind, sentence);
  return verdict;
}
