/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-robust-line-error.h"

#include <math.h>

/* Minimum number of blocks. A block is the sum of the scores (weighted residuals) of some neighbouring pairs of times.
 * With fewer blocks, the standard error would be too uncertain to be compared with the standard errors that shorter
 * blocks give. */
#define LEAST_BLOCKS 16

/* Minimum slope of the score function, as a share of the sum of the weights. Without this limit, pairs of times far
 * from the line could make the slope small or negative. */
#define LEAST_SLOPE 0.25

/* The pairs of times (LoomClockSamples) whose weights are greater than 0, in order of time. */
typedef struct {
  guint n;
  double *time;     /* for each pair, the time in ns since the first pair of the fit (which may have weight 0) */
  double *residual; /* for each pair, its residual in ns, minus `mean` */
  double *weight;
  /* `slope`: sum of the slopes of the score function at all pairs of times. `slope_time`: like `slope`, but each slope
   * is multiplied by the squared distance between the local time of its pair and `mean_time`. */
  double slope, slope_time;
  double mean_time;
  double mean; /* robust mean of the residuals in ns, which is the remaining error of the line's offset */
} Scores;

/* Returns the 0.975 quantile of Student's t distribution. From 3 degrees of freedom on, uses a series expansion of the
 * quantile of the normal distribution; the result is exact to 1 %. */
static double
student (guint degrees)
{
  static const double exact[] = { INFINITY, 12.706, 4.303 };
  static const double z = 1.959964;
  if (degrees < G_N_ELEMENTS (exact))
    return exact[degrees];
  double v = degrees, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

static double
scale_of (const double *residual, guint n, double middle, double floor_ns)
{
  g_autofree double *absolute = g_new (double, n);
  for (guint i = 0; i < n; i++)
    absolute[i] = fabs (residual[i] - middle);
  return loom_robust_line_scale (absolute, n, floor_ns);
}

static double
least_uncertainty (const LoomClockSamples *pairs)
{
  double least_ns = G_MAXDOUBLE;
  for (guint i = 0; i < pairs->n; i++)
    least_ns = MIN (least_ns, (double) pairs->uncertainty_ns[i]);
  return least_ns;
}

/* Fills all members of `self`. The weights are those of loom_robust_line_fit(). `mean` is computed with the weights,
 * `mean_time` with the slopes of the score function. */
static void
weigh (Scores *self, const LoomClockSamples *pairs, const double *residual, double middle, double scale,
       double floor_ns)
{
  double sum = 0, sum_residual = 0, sum_slope_time = 0;
  for (guint i = 0; i < pairs->n; i++) {
    double least_ns = (double) pairs->uncertainty_ns[i], relative = floor_ns / least_ns;
    double u = (residual[i] - middle) / (LOOM_CLOCK_LINE_TUNING * MAX (scale, least_ns)), rest = 1 - u * u;
    if (!(rest > 0))
      continue;
    double time = (double) loom_time_sub (pairs->local_ns[i], pairs->local_ns[0]),
           slope = rest * (1 - 5 * u * u) * relative * relative;
    self->time[self->n] = time;
    self->residual[self->n] = residual[i];
    self->weight[self->n++] = rest * rest * relative * relative;
    sum += rest * rest * relative * relative;
    sum_residual += rest * rest * relative * relative * residual[i];
    self->slope += slope;
    sum_slope_time += slope * time;
    self->slope_time += slope * time * time;
  }
  gboolean is_steep = self->slope > LEAST_SLOPE * sum;
  self->mean = sum > 0 ? sum_residual / sum : 0;
  self->mean_time = is_steep ? sum_slope_time / self->slope : 0;
  self->slope_time = is_steep ? self->slope_time - self->slope * self->mean_time * self->mean_time : 0;
  self->slope = MAX (self->slope, LEAST_SLOPE * sum);
  for (guint i = 0; i < self->n; i++)
    self->residual[i] -= self->mean;
}

static void
scores_init (Scores *self, const LoomClockLine *line, const LoomClockSamples *pairs)
{
  g_autofree double *residual = g_new (double, (gsize) pairs->n * 2);
  double floor_ns = least_uncertainty (pairs);
  *self = (Scores) { .time = g_new (double, (gsize) pairs->n * 3) };
  self->residual = self->time + pairs->n;
  self->weight = self->residual + pairs->n;
  for (guint i = 0; i < pairs->n; i++)
    residual[i] = residual[pairs->n + i] = loom_robust_line_residual (line, pairs->local_ns[i], pairs->target_ns[i]);
  double middle = loom_robust_line_median (residual + pairs->n, pairs->n);
  weigh (self, pairs, residual, middle, scale_of (residual, pairs->n, middle, floor_ns), floor_ns);
}

/* Returns half of the 95 % confidence interval of the sum of the scores, divided by `slope`. Neighbouring scores may
 * be correlated, so the scores are first added in blocks of neighbours. Several block lengths are tried, and the
 * largest result is returned. Overwrites `scores`. */
static double
blocked_error (double *scores, guint n, double slope, guint n_fitted)
{
  double most = -1;
  for (guint n_blocks = n; n_blocks > n_fitted && slope > 0 && (n_blocks == n || n_blocks >= LEAST_BLOCKS);
       n_blocks /= 2) {
    double squares = 0;
    for (guint i = 0; i < n_blocks; i++)
      squares += scores[i] * scores[i];
    double variance = squares * n_blocks / (n_blocks - n_fitted);
    most = MAX (most, student (n_blocks - n_fitted) * sqrt (variance) / slope);
    for (guint i = 0; i < n_blocks / 2; i++)
      scores[i] = scores[2 * i] + scores[2 * i + 1];
    /* if the last block has no partner, add it to the block before it */
    if (n_blocks % 2 == 1 && n_blocks > 1)
      scores[n_blocks / 2 - 1] += scores[n_blocks - 1];
  }
  return most;
}

/* Returns the error of the drift (ns per ns), which includes the remaining slope of the residuals; −1 if all pairs of
 * times have the same local time. */
static double
drift_error (const Scores *self, double *scores)
{
  double sum = 0;
  for (guint i = 0; i < self->n; i++)
    sum += scores[i] = self->weight[i] * self->residual[i] * (self->time[i] - self->mean_time);
  double scatter = blocked_error (scores, self->n, self->slope_time, 2);
  return scatter >= 0 ? hypot (scatter, sum / self->slope_time) : -1;
}

LoomRobustLineError
loom_robust_line_error_new (const LoomClockLine *line, const LoomClockSamples *pairs, gboolean with_drift,
                            double alike_ns)
{
  LoomRobustLineError error = LOOM_ROBUST_LINE_ERROR_UNKNOWN;
  guint n_fitted = with_drift ? 2 : 1;
  Scores self;
  if (pairs->n < n_fitted + 2)
    return error;
  scores_init (&self, line, pairs);
  if (self.n >= n_fitted + 2) {
    g_autofree double *scores = g_new (double, self.n);
    for (guint i = 0; i < self.n; i++)
      scores[i] = self.weight[i] * self.residual[i];
    error.center_ns = loom_time_add (pairs->local_ns[0], fabs (self.mean_time) < 9e18 ? llround (self.mean_time) : 0);
    double scatter_ns = blocked_error (scores, self.n, self.slope, n_fitted);
    error.offset_ns = hypot (hypot (scatter_ns, alike_ns), self.mean);
    if (with_drift)
      error.drift = drift_error (&self, scores);
  }
  g_free (self.time);
  return error;
}

static double
scatter_at (const LoomRobustLineError *error, gint64 local_ns)
{
  return hypot (error->offset_ns, MAX (error->drift, 0) * (double) loom_time_sub (local_ns, error->center_ns));
}

LoomRobustLineError
loom_robust_line_error_add (const LoomRobustLineError *error, const LoomRobustLineError *target, gint64 target_ns)
{
  if (error->offset_ns < 0 || target->offset_ns < 0)
    return LOOM_ROBUST_LINE_ERROR_UNKNOWN;
  return (LoomRobustLineError) { error->center_ns, hypot (error->offset_ns, scatter_at (target, target_ns)),
                                 error->drift >= 0 ? hypot (error->drift, MAX (target->drift, 0)) : -1,
                                 error->bound_ns + target->bound_ns };
}

double
loom_robust_line_error_at (const LoomRobustLineError *error, gint64 local_ns)
{
  return error->offset_ns >= 0 ? error->bound_ns + scatter_at (error, local_ns) : -1;
}
