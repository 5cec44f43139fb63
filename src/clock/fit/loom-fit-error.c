/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates the errors of the lines of a component's clocks, relative to the reference clock.
 *
 * If a clock recorded most of its events together with the reference, it is compared with the reference directly. An
 * error that all readings of an event have in common then cancels.
 *
 * Every other clock is compared with the clocks that were placed before it, at the events that it has in common with
 * them. Of these earlier clocks, the one with the most common events is chosen, and its error is added to the error of
 * the clock. Events in common only with clocks that were placed later do not count, because the clock itself was used
 * to place them: the collectives within a stage of a pipeline do not show how exactly messages connect this stage with
 * the previous stage.
 *
 * Messages limit an offset from both sides. The middle between the limits may be wrong by up to half of their distance.
 * This error has the same sign in every pair and in every stage, because messages in one direction are always slower.
 * So if messages connect a clock, its error has a bound, which is the error that its narrowest limits allow. More pairs
 * do not reduce this bound, so it is added in full to the errors of offset and drift. In a chain of clocks, the bounds
 * of all clocks are added up.
 */
#include "loom-fit-private.h"

#include "loom-parallel.h"

#include <math.h>

/* Maximum number of events that are examined to find the clock that has the most events in common with a clock. */
#define MOST_LOOKED_AT 32

typedef struct {
  LoomFitting *self;
  /* for each common event, the reading of the reference, mapped by the reference's line; LOOM_TIME_NONE if the
   * reference did not record the event */
  gint64 *reference_ns;
  /* for each common event, the first placed clock that recorded it, as an index in LoomFitting.members; G_MAXUINT if
   * no placed clock recorded it */
  guint *first_member;
  guint8 *is_direct; /* for each clock in LoomFitting.members, TRUE if it is compared with the reference itself */
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

/* Returns the array ErrorWork.first_member: for each common event, the first placed clock that recorded it, as an
 * index in LoomFitting.members; G_MAXUINT if no placed clock recorded it. Owned by the caller. */
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

/* Keeps only those pairs of times (LoomClockPairs) whose events the reference recorded, too, and sets their target
 * times to the readings of the reference. If these pairs are fewer than LOOM_CLOCK_FITS_OFFSET_PAIRS, or less than half
 * of all pairs, changes nothing and returns FALSE; otherwise returns TRUE. */
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

/* Keeps only those pairs of times (LoomClockPairs) whose events were also recorded by a clock that was placed before
 * the examined clock. If these pairs are too few, for example because earlier clocks were removed from the component,
 * keeps all pairs. `member`: index of the examined clock in LoomFitting.members. */
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

/* Returns the index of the pair with the smallest uncertainty; of several such pairs, the first. */
static guint
find_surest (const LoomClockPairs *own)
{
  guint best = 0;
  for (guint i = 1; i < own->pairs.n; i++)
    if (own->uncertainty_ns[i] < own->uncertainty_ns[best])
      best = i;
  return best;
}

/* Returns the largest error of the line that the messages of the clock allow, at the time where the error of the
 * line is smallest (error.center_ns).
 *
 * Messages in both directions limit the offset to a range, called window. A window allows an error that is the sum
 * of three terms: half of the window's length; the distance between the line and the middle of the window; and the
 * error of the drift between the window and error.center_ns. Different windows allow different errors; the smallest
 * one is returned. */
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

/* Returns the error of a line. Adds an error that all pairs of times may have in common: half of the smallest
 * uncertainty of a pair. If the pair with the smallest uncertainty is from messages, adds the result of find_bound()
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

/* `edge`: an edge of the graph, from a clock to a common event. Returns TRUE if a clock that was placed earlier also
 * recorded this event. `member`: the clocks before this index in LoomFitting.members were placed earlier. */
static inline gboolean
is_with_earlier (const ErrorWork *work, guint32 edge, guint member)
{
  const LoomGraph *graph = work->self->graph;
  return work->first_member[graph->readings[graph->edges[edge].reading].occasion] < member;
}

/* `edge`: an edge of the graph, from a clock to a common event. For each clock that recorded this event, and whose
 * error is known, adds 1 to shared[clock]. Returns the clock with the largest count so far. `best`: the result of the
 * previous call. */
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

/* Returns the clock whose error is known and that has the most events in common with the examined clock; the examined
 * clock itself if there is no such clock. `member`: index of the examined clock in LoomFitting.members. Counts only
 * events that were also recorded by a clock that was placed before the examined clock. Without this condition,
 * thousands of collectives within a stage of a pipeline would outnumber the few messages to the previous stage. */
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

/* Sets the root of a clock, its error relative to the root, and its error relative to the reference. `nearest`: the
 * clock with which `clock` was compared. If messages placed the clock (its error has a bound), it is its own root;
 * otherwise, its root is the root of `nearest`. If `nearest` is not the reference, the error of `nearest` is added to
 * the error of the clock. */
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

/* Adds to the error of each clock in LoomFitting.members the error of its nearest clock, which is the clock with which
 * it was compared. The nearest clock was placed earlier, so it precedes the clock in the array, and its error is
 * already complete. */
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
