/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-robust-line.h"

#include <math.h>

/* The standard deviation of normally distributed errors, divided by the median of their absolute values. */
#define MAD_TO_SIGMA 1.4826

/* The fit starts with the best of N_GUESSES lines, each of which goes through two pairs of times. To find the best
 * line, each of these lines is compared with about MOST_LOOKED_AT pairs, which are taken evenly from all pairs. */
#define MOST_LOOKED_AT 160
#define N_GUESSES 96
/* Maximum number of pairs of times from which the scale of the residuals is computed. */
#define MOST_MEASURED 2048

#define MOST_ROUNDS 20
#define SETTLED_NS 0.2

/* Maximum absolute drift of a line that is tried as a first guess. There must be a limit, because a line through two
 * wrong pairs can have any drift. */
#define MOST_DRIFT 0.5

gint64
loom_robust_line_map (const LoomClockLine *line, gint64 local_ns)
{
  double rest = line->fraction_ns + line->drift * (double) loom_time_sub (local_ns, line->base_ns);
  if (!(fabs (rest) < 9e18))
    return rest > 0 ? G_MAXINT64 : G_MININT64;
  return loom_time_add (loom_time_add (local_ns, line->offset_ns), (gint64) llround (rest));
}

gint64
loom_robust_line_unmap (const LoomClockLine *line, gint64 target_ns)
{
  gint64 elapsed_ns = loom_time_sub (loom_time_sub (target_ns, line->offset_ns), line->base_ns);
  double rest = (line->fraction_ns + line->drift * (double) elapsed_ns) / (1 + line->drift);
  if (!(fabs (rest) < 9e18))
    return rest > 0 ? G_MININT64 : G_MAXINT64;
  return loom_time_sub (loom_time_sub (target_ns, line->offset_ns), (gint64) llround (rest));
}

LoomClockLine
loom_robust_line_relative_to (const LoomClockLine *line, const LoomClockLine *reference)
{
  double back = reference->drift / (1 + reference->drift);
  /* `line->base_ns`, converted by `line` to the time of the target clock */
  gint64 image_ns = loom_time_add (line->base_ns, line->offset_ns);
  gint64 elapsed_ns = loom_time_sub (loom_time_sub (image_ns, reference->offset_ns), reference->base_ns);
  double rest = line->fraction_ns - reference->fraction_ns -
                back * ((double) elapsed_ns + line->fraction_ns - reference->fraction_ns);
  double whole = fabs (rest) < 9e18 ? nearbyint (rest) : 0;
  return (LoomClockLine) { line->base_ns,
                           loom_time_add (loom_time_sub (line->offset_ns, reference->offset_ns), (gint64) whole),
                           rest - whole, line->drift - back - line->drift * back };
}

double
loom_robust_line_residual (const LoomClockLine *line, gint64 local_ns, gint64 target_ns)
{
  gint64 difference_ns = loom_time_sub (loom_time_sub (target_ns, local_ns), line->offset_ns);
  return (double) difference_ns - line->fraction_ns - line->drift * (double) loom_time_sub (local_ns, line->base_ns);
}

/* --- medians and scales ------------------------------------------------------------------------------------------- */

/* Quickselect (Hoare): moves the k-th smallest value to index k. The pivot is the middle element, so that sorted
 * input takes linear time. */
#define DEFINE_SELECT(name, Type)                   \
  static Type name (Type *values, guint n, guint k) \
  {                                                 \
    gint64 low = 0, high = (gint64) n - 1;          \
    while (low < high) {                            \
      Type pivot = values[(low + high) / 2];        \
      gint64 i = low, j = high;                     \
      while (i <= j) {                              \
        while (values[i] < pivot)                   \
          i++;                                      \
        while (pivot < values[j])                   \
          j--;                                      \
        if (i <= j) {                               \
          Type other = values[i];                   \
          values[i++] = values[j];                  \
          values[j--] = other;                      \
        }                                           \
      }                                             \
      if ((gint64) k <= j)                          \
        high = j;                                   \
      else if ((gint64) k >= i)                     \
        low = i;                                    \
      else                                          \
        break;                                      \
    }                                               \
    return values[k];                               \
  }

DEFINE_SELECT (select_number, double)
DEFINE_SELECT (select_time, gint64)

double
loom_robust_line_select (double *values, guint n, guint k)
{
  return select_number (values, n, k);
}

double
loom_robust_line_median (double *values, guint n)
{
  double high = select_number (values, n, n / 2);
  if (n % 2 == 1)
    return high;
  /* the quickselect has moved the smaller values before index n / 2; find the largest of them */
  double low = values[0];
  for (guint i = 1; i < n / 2; i++)
    low = MAX (low, values[i]);
  return (low + high) / 2;
}

double
loom_robust_line_scale (double *absolute, guint n, double least)
{
  return n > 0 ? MAX (MAD_TO_SIGMA * loom_robust_line_median (absolute, n), least) : 0;
}

gint64
loom_robust_line_median_time (gint64 *values, guint n)
{
  gint64 high = select_time (values, n, n / 2);
  if (n % 2 == 1)
    return high;
  gint64 low = values[0];
  for (guint i = 1; i < n / 2; i++)
    low = MAX (low, values[i]);
  return low + (gint64) (((guint64) high - (guint64) low) / 2);
}

/* --- fitting a line ----------------------------------------------------------------------------------------------- */

/* The pairs of times as small numbers, which doubles represent exactly enough. x: local time since the base; y:
 * difference of target and local time, minus the median of these differences. */
typedef struct {
  guint n;
  double *x, *y;
  double *least; /* for each pair of times, its uncertainty in ns */
  double *scratch;
  double floor; /* smallest value in `least` */
} Points;

typedef struct {
  double a, b; /* the line y = a + b·x */
} Guess;

static gint64
median_difference (const LoomClockSamples *pairs, gint64 *scratch)
{
  for (guint i = 0; i < pairs->n; i++)
    scratch[i] = loom_time_sub (pairs->target_ns[i], pairs->local_ns[i]);
  return loom_robust_line_median_time (scratch, pairs->n);
}

static void
points_init (Points *points, const LoomClockSamples *pairs, gint64 base_ns, gint64 offset_ns)
{
  points->n = pairs->n;
  points->x = g_new (double, (gsize) pairs->n * 4);
  points->y = points->x + pairs->n;
  points->least = points->y + pairs->n;
  points->scratch = points->least + pairs->n;
  points->floor = G_MAXDOUBLE;
  for (guint i = 0; i < pairs->n; i++) {
    points->x[i] = (double) loom_time_sub (pairs->local_ns[i], base_ns);
    points->y[i] = (double) loom_time_sub (loom_time_sub (pairs->target_ns[i], pairs->local_ns[i]), offset_ns);
    points->least[i] = (double) pairs->uncertainty_ns[i];
    points->floor = MIN (points->floor, points->least[i]);
  }
}

/* Returns the median of |y − a − b·x| over every `step`-th point, where a and b are those of `guess`. */
static double
spread_of (const Points *points, Guess guess, guint step)
{
  guint n = 0;
  for (guint i = 0; i < points->n; i += step)
    points->scratch[n++] = fabs (points->y[i] - guess.a - guess.b * points->x[i]);
  return loom_robust_line_median (points->scratch, n);
}

static double
intercept_of (const Points *points, double b, guint step)
{
  guint n = 0;
  for (guint i = 0; i < points->n; i += step)
    points->scratch[n++] = points->y[i] - b * points->x[i];
  return loom_robust_line_median (points->scratch, n);
}

/* Tries several lines and returns the line with the smallest median residual. It tries the line without drift, and
 * lines through two points, which a pseudo-random generator with a fixed seed picks. It skips two points that are
 * close together in time. The points need not be sorted. */
static Guess
guess_line (const Points *points)
{
  guint step = (points->n + MOST_LOOKED_AT - 1) / MOST_LOOKED_AT, n = (points->n + step - 1) / step;
  double far = 0, best_spread;
  Guess best = { intercept_of (points, 0, step), 0 };
  best_spread = spread_of (points, best, step);
  for (guint i = 0; i < points->n; i += step)
    far = MAX (far, fabs (points->x[i] - points->x[0]));
  guint32 state = 12345;
  for (guint tries = 0, made = 0; tries < N_GUESSES * 8 && made < N_GUESSES; tries++) {
    state = state * 1664525u + 1013904223u;
    guint i = (state >> 8) % n * step;
    state = state * 1664525u + 1013904223u;
    guint j = (state >> 8) % n * step;
    double distance = points->x[j] - points->x[i];
    if (!(fabs (distance) > far / 4))
      continue;
    Guess guess = { 0, (points->y[j] - points->y[i]) / distance };
    made++;
    if (fabs (guess.b) > MOST_DRIFT)
      continue;
    guess.a = intercept_of (points, guess.b, step);
    double spread = spread_of (points, guess, step);
    if (spread < best_spread) {
      best_spread = spread;
      best = guess;
    }
  }
  return best;
}

static double
scale_of (const Points *points, Guess guess)
{
  guint step = (points->n + MOST_MEASURED - 1) / MOST_MEASURED;
  return MAX (MAD_TO_SIGMA * spread_of (points, guess, step), points->floor);
}

/* Improves a guess by one step of reweighted least squares, and returns the result. Writes the weights to
 * points->scratch. */
static Guess
improve (const Points *points, Guess guess, double scale, gboolean with_drift)
{
  double sum = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (guint i = 0; i < points->n; i++) {
    double residual = points->y[i] - guess.a - guess.b * points->x[i];
    double limit = LOOM_CLOCK_LINE_TUNING * MAX (scale, points->least[i]), u = residual / limit;
    double relative = points->floor / points->least[i];
    double weight = fabs (u) < 1 ? (1 - u * u) * (1 - u * u) * relative * relative : 0;
    points->scratch[i] = weight;
    sum += weight;
    sum_x += weight * points->x[i];
    sum_y += weight * residual;
  }
  if (!(sum > 0))
    return guess;
  double mean_x = sum_x / sum, mean_y = sum_y / sum;
  for (guint i = 0; with_drift && i < points->n; i++) {
    double residual = points->y[i] - guess.a - guess.b * points->x[i], weight = points->scratch[i];
    sum_xx += weight * (points->x[i] - mean_x) * (points->x[i] - mean_x);
    sum_xy += weight * (points->x[i] - mean_x) * (residual - mean_y);
  }
  double turn = sum_xx > 0 ? sum_xy / sum_xx : 0;
  return (Guess) { guess.a + mean_y - turn * mean_x, guess.b + turn };
}

static Guess
settle (const Points *points, Guess guess, gboolean with_drift, double *scale)
{
  double far = 0;
  for (guint i = 0; i < points->n; i++)
    far = MAX (far, fabs (points->x[i]));
  for (guint round = 0; round < MOST_ROUNDS; round++) {
    *scale = scale_of (points, guess);
    Guess better = improve (points, guess, *scale, with_drift);
    gboolean settled = fabs (better.a - guess.a) < SETTLED_NS && fabs (better.b - guess.b) * far < SETTLED_NS;
    guess = better;
    if (settled)
      break;
  }
  *scale = scale_of (points, guess);
  return guess;
}

void
loom_robust_line_fit (LoomClockLine *line, const LoomClockSamples *pairs, gboolean with_drift, gboolean warm,
                      double *scale_ns)
{
  g_return_if_fail (pairs->n > 0);
  g_autofree gint64 *scratch = g_new (gint64, pairs->n);
  Points points;
  Guess guess = { 0, 0 };
  if (!warm)
    *line = (LoomClockLine) { .base_ns = pairs->local_ns[0], .offset_ns = median_difference (pairs, scratch) };
  points_init (&points, pairs, line->base_ns, line->offset_ns);
  if (warm)
    guess = (Guess) { line->fraction_ns, with_drift ? line->drift : 0 };
  else if (with_drift)
    guess = guess_line (&points);
  guess = settle (&points, guess, with_drift, scale_ns);
  g_free (points.x);
  double whole = fabs (guess.a) < 9e18 ? nearbyint (guess.a) : 0;
  line->offset_ns = loom_time_add (line->offset_ns, (gint64) whole);
  line->fraction_ns = guess.a - whole;
  line->drift = guess.b;
}
