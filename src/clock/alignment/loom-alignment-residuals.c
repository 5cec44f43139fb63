/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures how much each clock differs from the other clocks at their common events, with the maps in use. The fit
 * measures a clock against the fitted lines of the others, but these lines may be unused.
 */
#include "loom-alignment-private.h"
#include "loom-parallel.h"
#include "loom-robust-line.h"

#include <math.h>

#define SHARE 256 /* number of common events that a worker thread examines per call */

typedef struct {
  const LoomEvidence *evidence;
  const LoomClockFit *fits; /* gives the component of each clock */
  const LoomClockFit *maps; /* the maps (LoomClockFit.map) that convert the readings; NULL to use the fitted lines */
  double *difference_ns;    /* result: for each reading, its absolute difference; NAN if no other clock is comparable */
} Work;

static gint64
moment_of (const Work *work, const LoomClockObservation *reading)
{
  const LoomClockMap *map = work->maps != NULL ? &work->maps[reading->clock].map : &work->fits[reading->clock].line;
  return loom_clock_map_to_timeline (map, reading->local_ns);
}

/* Returns the median moment of the readings whose clocks are in `component`, except that of the clock `except`. Sets
 * `n` to the number of these readings. */
static gint64
median_of (const Work *work, const LoomSimultaneity *occasion, guint component, guint except, gint64 *room, guint *n)
{
  *n = 0;
  for (guint i = occasion->first; i < occasion->first + occasion->n; i++) {
    const LoomClockObservation *reading = &g_array_index (work->evidence->readings, LoomClockObservation, i);
    if (reading->clock != except && work->fits[reading->clock].component == component)
      room[(*n)++] = moment_of (work, reading);
  }
  return *n > 0 ? loom_robust_line_median_time (room, *n) : 0;
}

static void
measure_occasion (const Work *work, const LoomSimultaneity *occasion)
{
  g_autofree gint64 *room = g_new (gint64, occasion->n);
  guint component = LOOM_COMPONENT_NONE, n = 0; /* `n`, `all_ns`: number and median of the clocks of `component` */
  gint64 all_ns = 0;
  for (guint i = occasion->first; i < occasion->first + occasion->n; i++) {
    const LoomClockObservation *reading = &g_array_index (work->evidence->readings, LoomClockObservation, i);
    guint own = work->fits[reading->clock].component, n_others = 0;
    work->difference_ns[i] = NAN;
    if (own == LOOM_COMPONENT_NONE)
      continue;
    if (own != component)
      all_ns = median_of (work, occasion, component = own, G_MAXUINT, room, &n);
    gint64 median_ns =
      n > LOOM_EVIDENCE_FEW_MEMBERS ? all_ns : median_of (work, occasion, own, reading->clock, room, &n_others);
    if (n > 1)
      work->difference_ns[i] = fabs ((double) loom_time_sub (moment_of (work, reading), median_ns));
  }
}

static void
measure_share (guint item, guint worker, gpointer user_data)
{
  const Work *work = user_data;
  for (guint i = item * SHARE; i < MIN ((item + 1) * SHARE, work->evidence->occasions->len); i++)
    measure_occasion (work, &g_array_index (work->evidence->occasions, LoomSimultaneity, i));
}

/* Returns, for each reading, its absolute difference in ns. Owned by the caller. */
static double *
new_differences (const LoomEvidence *evidence, const LoomClockFit *fits, const LoomClockFit *maps, guint n_threads)
{
  Work work = { evidence, fits, maps, g_new (double, MAX (evidence->readings->len, 1)) };
  loom_parallel_for ((evidence->occasions->len + SHARE - 1) / SHARE, n_threads, measure_share, &work, NULL);
  return work.difference_ns;
}

/* --- differences of each clock ------------------------------------------------------------------------------------ */

/* The readings of all clocks, grouped by clock: those of the clock c are readings[first[c]] to readings[first[c + 1]],
 * exclusive. */
typedef struct {
  guint *first, *readings;
} ByClock;

static ByClock
group_by_clock (const LoomEvidence *evidence, guint n_clocks, const double *difference_ns)
{
  guint n = evidence->readings->len;
  ByClock by_clock = { g_new0 (guint, n_clocks + 2), g_new (guint, MAX (n, 1)) };
  const LoomClockObservation *readings = (const LoomClockObservation *) (gpointer) evidence->readings->data;
  for (guint i = 0; i < n; i++)
    by_clock.first[readings[i].clock + 2] += !isnan (difference_ns[i]);
  for (guint i = 2; i < n_clocks + 2; i++)
    by_clock.first[i] += by_clock.first[i - 1];
  for (guint i = 0; i < n; i++)
    if (!isnan (difference_ns[i]))
      by_clock.readings[by_clock.first[readings[i].clock + 1]++] = i;
  return by_clock;
}

static double
get_uncertainty (const LoomEvidence *evidence, guint reading)
{
  guint32 occasion = g_array_index (evidence->readings, LoomClockObservation, reading).occasion;
  return (double) g_array_index (evidence->occasions, LoomSimultaneity, occasion).uncertainty_ns;
}

/* Returns the robust standard deviation, in ns, of a clock's differences from the lines (`line_ns`). `room`: memory for
 * `n` numbers. */
static double
find_scale (const LoomEvidence *evidence, const guint *readings, guint n, const double *line_ns, double *room)
{
  double least_ns = G_MAXDOUBLE;
  for (guint i = 0; i < n; i++) {
    least_ns = MIN (least_ns, get_uncertainty (evidence, readings[i]));
    room[i] = line_ns[readings[i]];
  }
  return loom_robust_line_scale (room, n, least_ns);
}

/* Sets the statistics of one clock. Omits the readings that the fit rejects; `line_ns` is NULL if it rejects none. */
static void
set_residuals (LoomFitResiduals *residuals, const LoomEvidence *evidence, const guint *readings, guint n,
               const double *difference_ns, const double *line_ns)
{
  g_autofree double *absolute = g_new (double, n + 1);
  double scale_ns = line_ns != NULL ? find_scale (evidence, readings, n, line_ns, absolute) : 0;
  guint n_kept = 0;
  for (guint i = 0; i < n; i++) {
    double most_ns = LOOM_CLOCK_LINE_TUNING * MAX (scale_ns, get_uncertainty (evidence, readings[i]));
    if (line_ns == NULL || line_ns[readings[i]] < most_ns)
      absolute[n_kept++] = difference_ns[readings[i]];
  }
  if (n_kept > 0)
    loom_fit_quality_residuals_init (residuals, absolute, n_kept);
}

/* Returns TRUE if the statistics of the clock are those of the map in use, not of a refused line. */
static gboolean
is_measured (const LoomClockFit *fit)
{
  return fit->pairs > 0 && fit->component != LOOM_COMPONENT_NONE && fit->verdict != LOOM_FIT_QUALITY_REFUSED;
}

/* Measures all clocks with the maps in `maps`. Stores the results in the member of LoomClockFit at `member` bytes. */
static void
measure_all (LoomAlignment *alignment, const LoomEvidence *evidence, const LoomClockFit *maps, const double *line_ns,
             gsize member, const gboolean *is_coarse, guint n_threads)
{
  g_autofree double *difference_ns = new_differences (evidence, alignment->fits, maps, n_threads);
  const ByClock by_clock = group_by_clock (evidence, alignment->n_clocks, difference_ns);
  for (guint i = 0; i < alignment->n_clocks; i++) {
    LoomClockFit *fit = &alignment->fits[i];
    guint first = by_clock.first[i], n = by_clock.first[i + 1] - first;
    if (is_measured (fit) && !is_coarse[i])
      set_residuals ((LoomFitResiduals *) (gpointer) ((char *) fit + member), evidence, by_clock.readings + first, n,
                     difference_ns, fit->rejected > 0 ? line_ns : NULL);
  }
  g_free (by_clock.first);
  g_free (by_clock.readings);
}

void
loom_alignment_measure (LoomAlignment *alignment, const LoomEvidence *evidence, const gboolean *is_coarse,
                        guint n_threads)
{
  gboolean is_rejected = FALSE, is_fitted = FALSE;
  for (guint i = 0; i < alignment->n_clocks; i++) {
    is_rejected |= alignment->fits[i].rejected > 0;
    is_fitted |= alignment->fits[i].fitted;
  }
  g_autofree double *line_ns = is_rejected ? new_differences (evidence, alignment->fits, NULL, n_threads) : NULL;
  measure_all (alignment, evidence, alignment->declared, line_ns, G_STRUCT_OFFSET (LoomClockFit, declared_residuals),
               is_coarse, n_threads);
  if (is_fitted)
    measure_all (alignment, evidence, alignment->fits, line_ns, G_STRUCT_OFFSET (LoomClockFit, residuals), is_coarse,
                 n_threads);
  for (guint i = 0; i < alignment->n_clocks && !is_fitted; i++)
    if (is_measured (&alignment->fits[i]))
      alignment->fits[i].residuals = alignment->fits[i].declared_residuals;
}
