/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates the errors of the lines of a component's clocks relative to the reference clock. A clock that recorded
 * most of its events together with the reference is compared with the reference directly, so that errors which all
 * readings of an event have in common cancel. Any other clock is compared at those of its events that a clock placed
 * earlier recorded, too; then the error of the earlier clock with which it has the most common events is added. Events
 * in common only with clocks that were placed later do not count, because those clocks were placed by means of this
 * clock: the collectives within a stage of a pipeline do not show how exactly messages connect the stage with the
 * previous stage.
 *
 * Messages limit an offset from both sides. The middle between the limits may be wrong by up to half of their
 * distance, with the same sign in every pair and in every stage, because messages in one direction are always the
 * slower ones. So a clock that messages connect has a bound: the error that its narrowest limits allow. More pairs do
 * not reduce this bound. It is added in full to the error of offset and drift, and along a chain of clocks bounds add
 * up.
 */
#include "loom-fit-private.h"

#include "loom-parallel.h"

#include <math.h>

/* Maximum number of common events of a clock that are examined to find the clock with which it has the most common
 * events. */
#define MOST_LOOKED_AT 32

typedef struct {
  LoomFitting *self;
  /* [common event] time at which the reference recorded the event, mapped by the reference's line; LOOM_TIME_NONE: the
   * reference did not record it */
  gint64 *reference_ns;
  /* [common event] index in LoomFitting.members of the first placed clock that recorded the event; G_MAXUINT: no placed
   * clock recorded it */
  guint *first_member;
  guint8 *is_direct; /* [index in LoomFitting.members] TRUE if the clock is compared with the reference itself */
} ErrorWork;

static gint64 *
read_reference (const LoomFitting *self)
{
  const LoomGraph *graph = self->graph;
  guint reference = loom_fit_get_reference (self);
  gint64 *read_ns = g_new (gint64, MAX (graph->n_occasions, 1));
  for (guint i = 0; i < graph->n_occasions; i++)
    read_ns[i] = LOOM_TIME_NONE;
  for (guint32 i = graph->first_edge[reference]; i < graph->first_edge[reference + 1]; i++)
    read_ns[graph->readings[graph->edges[i].reading].occasion] =
      loom_robust_line_map (&graph->lines[reference], graph->edges[i].local_ns);
  return read_ns;
}

/* Returns the array ErrorWork.first_member: [common event] index in LoomFitting.members of the first placed clock that
 * recorded the event; G_MAXUINT: no placed clock recorded it. Owned by the caller. */
static guint *
find_first_members (const LoomFitting *self)
{
  const LoomGraph *graph = self->graph;
  guint *first = g_new (guint, MAX (graph->n_occasions, 1));
  for (guint i = 0; i < graph->n_occasions; i++)
    first[i] = G_MAXUINT;
  for (guint i = self->members->len; i-- > 0;) {
    guint clock = g_array_index (self->members, guint, i);
    for (guint32 edge = graph->first_edge[clock]; edge < graph->first_edge[clock + 1]; edge++)
      first[graph->readings[graph->edges[edge].reading].occasion] = i;
  }
  return first;
}

static inline guint32
occasion_of (const LoomClockPairs *own, const ErrorWork *work, guint pair)
{
  return work->self->graph->readings[own->reading[pair]].occasion;
}

static void
keep_pair (LoomClockPairs *own, guint to, guint from, gint64 target_ns)
{
  own->local_ns[to] = own->local_ns[from];
  own->uncertainty_ns[to] = own->uncertainty_ns[from];
  own->reading[to] = own->reading[from];
  own->target_ns[to] = target_ns;
}

/* Keeps only the pairs whose events the reference recorded, too, and makes the reference's readings their target times.
 * If these pairs are too few, or fewer than half of all pairs, changes nothing and returns FALSE. */
static gboolean
compare_with_reference (LoomClockPairs *own, const ErrorWork *work)
{
  guint n_shared = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    n_shared += work->reference_ns[occasion_of (own, work, i)] != LOOM_TIME_NONE;
  if (n_shared < LOOM_CLOCK_FITS_OFFSET_PAIRS || n_shared * 2 < own->pairs.n)
    return FALSE;
  guint n_kept = 0;
  for (guint i = 0; i < own->pairs.n; i++) {
    gint64 target_ns = work->reference_ns[occasion_of (own, work, i)];
    if (target_ns != LOOM_TIME_NONE)
      keep_pair (own, n_kept++, i, target_ns);
  }
  own->pairs.n = n_kept;
  return TRUE;
}

/* Keeps only the pairs whose events were also recorded by a clock that was placed before the examined clock. If these
 * pairs are too few, for example because the earlier clock was removed, keeps all pairs. `member`: index of the
 * examined clock in LoomFitting.members. */
static void
compare_with_earlier (LoomClockPairs *own, const ErrorWork *work, guint member)
{
  guint n_shared = 0, n_kept = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    n_shared += work->first_member[occasion_of (own, work, i)] < member;
  if (n_shared < LOOM_CLOCK_FITS_OFFSET_PAIRS)
    return;
  for (guint i = 0; i < own->pairs.n; i++)
    if (work->first_member[occasion_of (own, work, i)] < member)
      keep_pair (own, n_kept++, i, own->target_ns[i]);
  own->pairs.n = n_kept;
}

static gboolean
is_message (const LoomClockPairs *own, const ErrorWork *work, guint pair)
{
  return work->self->graph->occasions[occasion_of (own, work, pair)].kind == LOOM_EVIDENCE_MESSAGES;
}

/* Returns the index of the pair with the least uncertainty; of equal ones, the first. */
static guint
find_surest (const LoomClockPairs *own)
{
  guint best = 0;
  for (guint i = 1; i < own->pairs.n; i++)
    if (own->uncertainty_ns[i] < own->uncertainty_ns[best])
      best = i;
  return best;
}

/* Returns the largest error of the line that the messages of the clock allow, at the time at which the error of the
 * line is smallest (error.center_ns). Messages in both directions limit the offset to a range, the window. The error
 * that a window allows is the sum of half of its length, the distance of the line from its middle, and the error of the
 * drift between the window and that time. Several windows allow different errors; the smallest one is returned. */
static double
find_bound (const LoomClockPairs *own, const ErrorWork *work, const LoomClockLine *line,
            const LoomRobustLineError *error)
{
  double bound_ns = INFINITY;
  for (guint i = 0; i < own->pairs.n; i++) {
    if (!is_message (own, work, i))
      continue;
    double off_ns = fabs (loom_robust_line_residual (line, own->local_ns[i], own->target_ns[i])),
           since_ns = fabs ((double) loom_time_sub (own->local_ns[i], error->center_ns));
    bound_ns = MIN (bound_ns, (double) own->uncertainty_ns[i] + off_ns + MAX (error->drift, 0) * since_ns);
  }
  return bound_ns;
}

/* Returns the error of a line. All pairs may be wrong by the same amount, so the error includes half of the smallest
 * uncertainty of a pair. If the pair with this uncertainty comes from messages, find_bound() gives the common error
 * instead. */
static LoomRobustLineError
find_error (const LoomClockPairs *own, const ErrorWork *work, const LoomClockLine *line, gboolean with_drift)
{
  if (own->pairs.n == 0)
    return LOOM_ROBUST_LINE_ERROR_UNKNOWN;
  guint surest = find_surest (own);
  gboolean is_bound = is_message (own, work, surest);
  double alike_ns = is_bound ? 0 : (double) own->uncertainty_ns[surest] / 2;
  LoomRobustLineError error = loom_robust_line_error_new (line, &own->pairs, with_drift, alike_ns);
  error.bound_ns = is_bound ? find_bound (own, work, line, &error) : 0;
  return error;
}

static void
measure_member (guint item, guint worker, gpointer user_data)
{
  ErrorWork *work = user_data;
  LoomFitting *self = work->self;
  guint clock = g_array_index (self->members, guint, item);
  LoomClockPairs own;
  if (self->is_fixed[clock] || item == 0)
    return;
  loom_fit_graph_pairs_init (&own, self->graph, clock, TRUE);
  gboolean may_drift = loom_fit_graph_pairs_may_drift (&own);
  work->is_direct[item] = compare_with_reference (&own, work);
  if (!work->is_direct[item])
    compare_with_earlier (&own, work, item);
  self->fit->clocks[clock].error =
    find_error (&own, work, &self->graph->lines[clock], may_drift && own.pairs.n > LOOM_CLOCK_FITS_OFFSET_PAIRS);
  loom_fit_graph_pairs_clear (&own);
}

/* Returns TRUE if a clock that was placed earlier (a clock before index `member` in LoomFitting.members) also recorded
 * the event to which this edge leads. */
static inline gboolean
is_with_earlier (const ErrorWork *work, guint32 edge, guint member)
{
  const LoomGraph *graph = work->self->graph;
  return work->first_member[graph->readings[graph->edges[edge].reading].occasion] < member;
}

/* Adds 1 to shared[clock] for each clock that recorded the event to which an edge leads, if the clock's error is known.
 * Returns the clock with the largest count so far; `best`: the result of the previous call. */
static guint
count_readers (const LoomGraph *graph, guint32 edge, const guint8 *is_known, guint *shared, guint best)
{
  const LoomSimultaneity *occasion = &graph->occasions[graph->readings[graph->edges[edge].reading].occasion];
  for (guint i = occasion->first; i < occasion->first + occasion->n; i++) {
    guint other = graph->readings[i].clock;
    if (is_known[other] && ++shared[other] > shared[best])
      best = other;
  }
  return best;
}

/* Returns the clock, among those with a known error, that has the most common events with the clock at index `member`
 * of LoomFitting.members; if none of them has a common event with that clock, returns that clock itself. Counts only
 * events that clocks placed earlier recorded, too. Otherwise thousands of collectives within a stage of a pipeline
 * would hide the few messages to the previous stage. */
static guint
find_nearest (const ErrorWork *work, guint member, const guint8 *is_known)
{
  const LoomGraph *graph = work->self->graph;
  guint clock = g_array_index (work->self->members, guint, member), n_shared = 0, n_seen = 0, best = clock;
  guint32 first = graph->first_edge[clock], end = graph->first_edge[clock + 1];
  g_autofree guint *shared = g_new0 (guint, graph->n_clocks);
  for (guint32 edge = first; edge < end; edge++)
    n_shared += is_with_earlier (work, edge, member);
  guint step = n_shared / MOST_LOOKED_AT + 1;
  for (guint32 edge = first; edge < end; edge++)
    if (is_with_earlier (work, edge, member) && n_seen++ % step == 0)
      best = count_readers (graph, edge, is_known, shared, best);
  return best;
}

/* Sets the root of a clock, and its error relative to the root. `nearest`: the clock with which this clock was
 * compared. If `nearest` is not the reference, adds the error of `nearest` to the error of the clock. An error with a
 * bound means that messages placed the clock: then the clock is its own root. Other clocks get the root of `nearest`.
 */
static void
add_nearest (LoomFitting *self, guint clock, guint nearest)
{
  LoomFittedClock *fitted = &self->fit->clocks[clock];
  const LoomFittedClock *to = &self->fit->clocks[nearest];
  const LoomClockLine *lines = self->graph->lines;
  gint64 center_ns =
    loom_robust_line_unmap (&lines[nearest], loom_robust_line_map (&lines[clock], fitted->error.center_ns));
  if (fitted->error.bound_ns > 0) {
    fitted->root = clock;
    fitted->root_error = LOOM_ROBUST_LINE_ERROR_UNKNOWN;
  } else {
    gboolean is_root = to->root_error.offset_ns < 0;
    fitted->root = to->root;
    fitted->root_error =
      is_root ? fitted->error : loom_robust_line_error_add (&fitted->error, &to->root_error, center_ns);
  }
  if (nearest != loom_fit_get_reference (self))
    fitted->error = loom_robust_line_error_add (&fitted->error, &to->error, center_ns);
}

/* Adds to the error of each clock in LoomFitting.members the error of the clock with which it was compared. The error
 * of that clock is already complete, because it was placed earlier and so comes earlier in the array. */
static void
add_up (LoomFitting *self, const ErrorWork *work)
{
  g_autofree guint8 *is_known = g_new0 (guint8, self->graph->n_clocks);
  guint reference = loom_fit_get_reference (self);
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    if (i > 0 && !self->is_fixed[clock]) {
      guint nearest = work->is_direct[i] ? reference : find_nearest (work, i, is_known);
      add_nearest (self, clock, nearest != clock ? nearest : reference);
    }
    is_known[clock] = TRUE;
  }
}

void
loom_fit_measure_errors (LoomFitting *self)
{
  g_autofree gint64 *reference_ns = read_reference (self);
  g_autofree guint *first_member = find_first_members (self);
  g_autofree guint8 *is_direct = g_new0 (guint8, self->members->len);
  ErrorWork work = { self, reference_ns, first_member, is_direct };
  loom_parallel_for (self->members->len, self->n_threads, measure_member, &work, NULL);
  add_up (self, &work);
}
