/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-fit-graph.h"

#include "loom-parallel.h"

#include <math.h>
#include <string.h>

/* Lines and moments in turn; each round halves what two clocks of a lone pair still owe each other. */
#define N_ROUNDS 4
#define SETTLED_NS 2.0
/* How often a component is looked through for clocks that do not belong. */
#define N_PURGES 3
/* A clock that was refused is tried again when it has so many times the pairs. */
#define TRY_AGAIN 2

/* Nobody leaves before the last has come, beyond this: ns and times the evidence's own uncertainty. */
#define EARLY_NS (20 * LOOM_NS_PER_US)
#define EARLY_UNITS 3

/* Counted so many off at most; looked for where pairs scatter by so many times their uncertainty, and believed when that
 * makes the scatter so much smaller. */
#define MOST_SLIP 3
#define SLIP_UNITS 10
#define SLIP_BETTER 3

typedef struct {
  LoomFit *fit;
  LoomGraph *graph;
  const LoomFitClock *known;
  guint n_threads;
  LoomProgress *progress;
  guint *order;         /* clocks, the best reference first */
  guint32 *n_tried;     /* by clock: pairs it was refused with, in this component */
  GArray *members;      /* guint: clocks of the component at hand, the reference first */
  guint8 *is_fixed;     /* by clock: its line is not to be touched */
  gboolean is_extending;
} Fitting;

/* --- pairs of one clock ------------------------------------------------------------------------------------------- */

typedef struct {
  LoomPairs pairs;
  gint64 *local_ns, *target_ns, *uncertainty_ns;
  guint32 *reading;
} Own;

static void
own_init (Own *own, const Fitting *self, guint clock, gboolean of_others)
{
  const LoomGraph *graph = self->graph;
  guint first = graph->first_edge[clock], n = graph->first_edge[clock + 1] - first, n_kept = 0;
  own->local_ns = g_new (gint64, (gsize) n * 3 + 1);
  own->target_ns = own->local_ns + n;
  own->uncertainty_ns = own->target_ns + n;
  own->reading = g_new (guint32, (gsize) n + 1);
  for (guint i = first; i < first + n; i++) {
    guint32 reading = graph->edges[i].reading, occasion = graph->readings[reading].occasion;
    gint64 target_ns = of_others ? loom_graph_moment_of_others (graph, reading) : graph->moment_ns[occasion];
    if (target_ns == LOOM_TIME_NONE)
      continue;
    own->local_ns[n_kept] = graph->edges[i].local_ns;
    own->target_ns[n_kept] = target_ns;
    own->uncertainty_ns[n_kept] = graph->occasions[occasion].uncertainty_ns;
    own->reading[n_kept++] = reading;
  }
  own->pairs = (LoomPairs) { own->local_ns, own->target_ns, own->uncertainty_ns, n_kept };
}

static void
own_clear (Own *own)
{
  g_free (own->local_ns);
  g_free (own->reading);
}

static gboolean
may_drift (const Own *own)
{
  guint n = own->pairs.n;
  return n >= LOOM_FIT_DRIFT_PAIRS && loom_time_sub (own->local_ns[n - 1], own->local_ns[0]) >= LOOM_FIT_DRIFT_NS;
}

static guint
reference_of (const Fitting *self)
{
  return g_array_index (self->members, guint, 0);
}

/* --- judging ------------------------------------------------------------------------------------------------------ */

/* Whether this pair turns round what must come in order; 0 unknown, 1 no, 2 yes. */
static guint
check_order (const Fitting *self, guint32 reading, const LoomLine *line, gint64 moment_ns)
{
  const LoomClockReading *own = &self->graph->readings[reading];
  gint64 arrival_ns = loom_graph_arrival_of_others (self->graph, reading);
  gint64 slack_ns = MAX (EARLY_NS, EARLY_UNITS * MIN (self->graph->occasions[own->occasion].uncertainty_ns, LOOM_NS_PER_S));
  if (own->arrival_ns == LOOM_TIME_NONE || arrival_ns == LOOM_TIME_NONE)
    return 0;
  gboolean leaves_early = loom_time_add (loom_line_map (line, own->local_ns), slack_ns) < MIN (arrival_ns, moment_ns);
  gboolean comes_late = loom_line_map (line, own->arrival_ns) > loom_time_add (moment_ns, slack_ns);
  return leaves_early || comes_late ? 2 : 1;
}

/* Messages that this clock sends or receives under the lines in force. */
static void
count_messages (const Fitting *self, guint clock, LoomJudgeCase *judged)
{
  const LoomGraph *graph = self->graph;
  const LoomOrder *orders = (const LoomOrder *) (gpointer) graph->evidence->orders->data;
  for (guint i = 0; i < graph->evidence->orders->len; i++) {
    if ((orders[i].before != clock && orders[i].after != clock) || !graph->placed[orders[i].before] || !graph->placed[orders[i].after])
      continue;
    gint64 sent_ns = loom_line_map (&graph->lines[orders[i].before], orders[i].before_ns);
    gint64 received_ns = loom_line_map (&graph->lines[orders[i].after], orders[i].after_ns);
    judged->n_ordered++;
    judged->n_early += sent_ns > loom_time_add (received_ns, EARLY_NS);
  }
}

/* Not the name of the coarsest, but of what most pairs are. */
static LoomEvidenceKind
main_kind (const Fitting *self, const Own *own)
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
measure (LoomFitted *fitted, const Own *own, const LoomLine *line, gint64 declared_ns, const gboolean *rejected)
{
  g_autofree double *absolute = g_new (double, own->pairs.n + 1);
  guint n = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    if (!rejected[i])
      absolute[n++] = fabs (loom_line_residual (line, own->local_ns[i], own->target_ns[i]));
  loom_residuals_init (&fitted->after, absolute, n);
  n = 0;
  for (guint i = 0; i < own->pairs.n; i++)
    if (!rejected[i])
      absolute[n++] = fabs ((double) loom_time_sub (loom_time_sub (own->target_ns[i], own->local_ns[i]), declared_ns));
  loom_residuals_init (&fitted->before, absolute, n);
}

/* Whether the pairs agree far better when each is compared with a neighbour's moment: they were counted wrongly. */
static gboolean
is_one_off (const Own *own, double scale_ns, double unit_ns)
{
  if (scale_ns < SLIP_UNITS * unit_ns)
    return FALSE;
  for (guint slip = 1; slip <= MOST_SLIP && slip + LOOM_FIT_OFFSET_PAIRS <= own->pairs.n; slip++) {
    for (guint way = 0; way < 2; way++) {
      LoomPairs slipped = { own->local_ns + (way == 0 ? 0 : slip), own->target_ns + (way == 0 ? slip : 0), own->uncertainty_ns, own->pairs.n - slip };
      LoomLine line;
      double slipped_ns;
      loom_line_fit (&line, &slipped, may_drift (own), FALSE, &slipped_ns);
      if (slipped_ns * SLIP_BETTER < scale_ns)
        return TRUE;
    }
  }
  return FALSE;
}

/* Fills all of *fitted but component, reference and epoch. */
static void
judge (const Fitting *self, guint clock, const Own *own, const LoomLine *line, double scale_ns, gint64 declared_ns, LoomFitted *fitted,
       gboolean *was_refused)
{
  guint n = own->pairs.n;
  g_autofree double *numbers = g_new (double, (gsize) n * 2 + 1);
  g_autofree gboolean *rejected = g_new (gboolean, (gsize) n + 1);
  LoomJudgeCase judged = { .kind = main_kind (self, own), .n = n, .time_ns = numbers, .residual_ns = numbers + n, .rejected = rejected,
                           .scale_ns = scale_ns, .unit_ns = G_MAXDOUBLE, .drift = line->drift };
  for (guint i = 0; i < n; i++) {
    double uncertainty_ns = (double) own->uncertainty_ns[i];
    numbers[i] = (double) loom_time_sub (own->local_ns[i], own->local_ns[0]);
    numbers[n + i] = loom_line_residual (line, own->local_ns[i], own->target_ns[i]);
    rejected[i] = !(fabs (numbers[n + i]) < LOOM_LINE_TUNING * MAX (scale_ns, uncertainty_ns));
    judged.n_rejected += rejected[i];
    judged.unit_ns = MIN (judged.unit_ns, uncertainty_ns);
    guint order = rejected[i] ? 0 : check_order (self, own->reading[i], line, own->target_ns[i]);
    judged.n_ordered += order > 0;
    judged.n_early += order == 2;
  }
  if (self->graph->placed[clock])
    count_messages (self, clock, &judged);
  g_autofree char *why = NULL;
  judged.is_one_off = is_one_off (own, scale_ns, judged.unit_ns);
  LoomVerdict verdict = loom_judge (&judged, &why);
  *was_refused = verdict == LOOM_VERDICT_REFUSED;
  if (*was_refused && fitted->verdict == LOOM_VERDICT_REFUSED && fitted->pairs >= n)
    return; /* what it was refused for first stands */
  g_free (fitted->why);
  fitted->why = g_steal_pointer (&why);
  fitted->verdict = verdict;
  fitted->kind = judged.kind;
  fitted->reference = reference_of (self);
  fitted->line = *line;
  fitted->pairs = n;
  fitted->rejected = judged.n_rejected;
  fitted->first_ns = n > 0 ? own->local_ns[0] : LOOM_TIME_NONE;
  fitted->last_ns = n > 0 ? own->local_ns[n - 1] : LOOM_TIME_NONE;
  measure (fitted, own, line, declared_ns, rejected);
}

/* --- growing ------------------------------------------------------------------------------------------------------ */

static gint64
declared_to_reference (const Fitting *self, guint clock)
{
  return loom_time_sub (self->known[clock].declared_ns, self->known[reference_of (self)].declared_ns);
}

static void
place (Fitting *self, guint clock, LoomLine line)
{
  self->graph->lines[clock] = line;
  self->graph->placed[clock] = TRUE;
  g_array_append_val (self->members, clock);
}

/* Occasions with a moment that each clock reads. */
static guint *
count_known (const Fitting *self)
{
  const LoomGraph *graph = self->graph;
  guint *counts = g_new0 (guint, MAX (graph->n_clocks, 1));
  for (guint i = 0; i < graph->n_occasions; i++)
    for (guint j = 0; graph->moment_ns[i] != LOOM_TIME_NONE && j < graph->occasions[i].n; j++)
      counts[graph->readings[graph->occasions[i].first + j].clock]++;
  return counts;
}

static gboolean
may_be_placed (const Fitting *self, guint clock, guint n_pairs)
{
  if (self->graph->placed[clock] || self->fit->clocks[clock].component != LOOM_COMPONENT_NONE)
    return FALSE;
  if (self->is_extending && self->known[clock].anchored)
    return FALSE;
  guint least = self->is_extending ? LOOM_FIT_OFFSET_PAIRS : 1; /* who is left out of the coarse need not hear of it */
  return n_pairs >= least && n_pairs >= self->n_tried[clock] * TRY_AGAIN;
}

/* Those with at least half the pairs of the best; 1 or 2 pairs are tried too, so that the verdict can say so. */
static GArray *
choose_candidates (Fitting *self)
{
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *counts = count_known (self);
  guint most = 0;
  for (guint i = 0; i < self->graph->n_clocks; i++)
    if (may_be_placed (self, i, counts[i]))
      most = MAX (most, counts[i]);
  for (guint i = 0; most > 0 && i < self->graph->n_clocks; i++) {
    if (!may_be_placed (self, i, counts[i]) || counts[i] * 2 < most)
      continue;
    self->n_tried[i] = counts[i];
    g_array_append_val (chosen, i);
  }
  return chosen;
}

typedef struct {
  Fitting *self;
  const GArray *clocks; /* guint */
  LoomLine *lines;      /* of them */
  gboolean *refused;    /* of them */
} LineWork;

static void
try_clock (guint item, guint worker, gpointer user_data)
{
  LineWork *work = user_data;
  Fitting *self = work->self;
  guint clock = g_array_index (work->clocks, guint, item);
  double scale_ns;
  Own own;
  own_init (&own, self, clock, FALSE);
  loom_line_fit (&work->lines[item], &own.pairs, may_drift (&own), FALSE, &scale_ns);
  judge (self, clock, &own, &work->lines[item], scale_ns, declared_to_reference (self, clock), &self->fit->clocks[clock],
         &work->refused[item]);
  own_clear (&own);
}

static gboolean
meet_somewhere (const LoomGraph *graph, guint clock, guint other)
{
  for (guint edge = graph->first_edge[clock]; edge < graph->first_edge[clock + 1]; edge++) {
    const LoomOccasion *all = &graph->occasions[graph->readings[graph->edges[edge].reading].occasion];
    for (guint i = all->first; i < all->first + all->n; i++)
      if (graph->readings[i].clock == other)
        return TRUE;
  }
  return FALSE;
}

/* A rank takes part in a thing once: whoever claims the same rank belongs to another run. */
static gboolean
is_twin (const Fitting *self, guint clock)
{
  gint rank = self->known[clock].rank;
  for (guint i = 0; rank >= 0 && i < self->members->len; i++) {
    guint other = g_array_index (self->members, guint, i);
    if (self->known[other].rank == rank && meet_somewhere (self->graph, clock, other))
      return TRUE;
  }
  return FALSE;
}

static void
place_tried (Fitting *self, const LineWork *work)
{
  for (guint i = 0; i < work->clocks->len; i++) {
    guint clock = g_array_index (work->clocks, guint, i);
    LoomFitted *fitted = &self->fit->clocks[clock];
    if (work->refused[i])
      continue;
    if (is_twin (self, clock)) {
      g_free (fitted->why);
      fitted->verdict = LOOM_VERDICT_REFUSED;
      fitted->why = g_strdup_printf ("another source of the same %s is rank %d too: these are of different runs",
                                     loom_evidence_kind_to_string (fitted->kind), self->known[clock].rank);
    } else {
      place (self, clock, work->lines[i]);
    }
  }
}

static void
grow (Fitting *self)
{
  guint n_before;
  do {
    g_autoptr (GArray) chosen = choose_candidates (self);
    g_autofree LoomLine *lines = g_new0 (LoomLine, chosen->len + 1);
    g_autofree gboolean *refused = g_new0 (gboolean, chosen->len + 1);
    LineWork work = { self, chosen, lines, refused };
    n_before = self->members->len;
    if (chosen->len == 0)
      return;
    loom_graph_update_arrivals (self->graph, self->n_threads);
    loom_parallel_for (chosen->len, self->n_threads, try_clock, &work, NULL);
    place_tried (self, &work);
    loom_graph_update_of (self->graph, (const guint *) (gpointer) self->members->data + n_before, self->members->len - n_before,
                          self->n_threads);
  } while (!loom_progress_is_cancelled (self->progress));
}

/* --- refining ----------------------------------------------------------------------------------------------------- */

static void
refit_member (guint item, guint worker, gpointer user_data)
{
  LineWork *work = user_data;
  guint clock = g_array_index (work->clocks, guint, item);
  double scale_ns;
  Own own;
  work->lines[item] = work->self->graph->lines[clock];
  if (work->self->is_fixed[clock])
    return;
  own_init (&own, work->self, clock, FALSE);
  if (own.pairs.n > 0)
    loom_line_fit (&work->lines[item], &own.pairs, may_drift (&own), TRUE, &scale_ns);
  own_clear (&own);
}

/* How far two lines of a clock are apart over its evidence. */
static double
change_of (const LoomGraph *graph, guint clock, const LoomLine *a, const LoomLine *b)
{
  double most_ns = 0;
  const LoomGraphEdge *ends[] = { &graph->edges[graph->first_edge[clock]], &graph->edges[graph->first_edge[clock + 1] - 1] };
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    most_ns = MAX (most_ns, fabs ((double) loom_time_sub (loom_line_map (a, ends[i]->local_ns), loom_line_map (b, ends[i]->local_ns))));
  return most_ns;
}

/* Takes the lines over, as seen from the reference. TRUE when one of them changed. */
static gboolean
take_lines (Fitting *self, LoomLine *lines)
{
  gboolean changed = FALSE;
  LoomLine reference = lines[0];
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    LoomLine line = self->is_extending ? lines[i] : loom_line_relative_to (&lines[i], &reference);
    if (i == 0 && !self->is_extending)
      line = (LoomLine) { .base_ns = line.base_ns };
    changed |= change_of (self->graph, clock, &self->graph->lines[clock], &line) > SETTLED_NS;
    self->graph->lines[clock] = line;
  }
  return changed;
}

/* All lines against the moments, the reference's too: what that one is off by is taken from all. */
static void
refine (Fitting *self)
{
  g_autofree LoomLine *lines = g_new0 (LoomLine, self->members->len);
  LineWork work = { self, self->members, lines, NULL };
  gboolean changed = TRUE;
  for (guint round = 0; round < N_ROUNDS && changed && !loom_progress_is_cancelled (self->progress); round++) {
    loom_parallel_for (self->members->len, self->n_threads, refit_member, &work, NULL);
    changed = take_lines (self, lines);
    loom_graph_update_of (self->graph, (const guint *) (gpointer) self->members->data, self->members->len, self->n_threads);
  }
}

static double
scale_of_residuals (const Own *own, const LoomLine *line)
{
  g_autofree double *absolute = g_new (double, own->pairs.n + 1);
  double least_ns = G_MAXDOUBLE;
  for (guint i = 0; i < own->pairs.n; i++) {
    absolute[i] = fabs (loom_line_residual (line, own->local_ns[i], own->target_ns[i]));
    least_ns = MIN (least_ns, (double) own->uncertainty_ns[i]);
  }
  return own->pairs.n > 0 ? MAX (1.4826 * loom_median (absolute, own->pairs.n), least_ns) : 0;
}

static void
judge_member (guint item, guint worker, gpointer user_data)
{
  LineWork *work = user_data;
  Fitting *self = work->self;
  guint clock = g_array_index (work->clocks, guint, item);
  const LoomLine *line = &self->graph->lines[clock];
  Own own;
  if (self->is_fixed[clock])
    return;
  own_init (&own, self, clock, TRUE);
  judge (self, clock, &own, line, scale_of_residuals (&own, line), declared_to_reference (self, clock), &self->fit->clocks[clock],
         &work->refused[item]);
  own_clear (&own);
}

/* Who is refused now that all are known leaves. TRUE when somebody did. The reference stays: others rest on it. */
static gboolean
purge (Fitting *self)
{
  g_autofree gboolean *refused = g_new0 (gboolean, self->members->len);
  LineWork work = { self, self->members, NULL, refused };
  guint n_kept = 1;
  loom_graph_update_arrivals (self->graph, self->n_threads);
  loom_parallel_for (self->members->len, self->n_threads, judge_member, &work, NULL);
  guint *members = (guint *) (gpointer) self->members->data;
  for (guint i = 1; i < self->members->len; i++) {
    if (!refused[i])
      members[n_kept++] = members[i];
    else
      self->graph->placed[members[i]] = FALSE;
  }
  gboolean purged = n_kept < self->members->len;
  g_array_set_size (self->members, n_kept);
  if (purged)
    loom_graph_update (self->graph, self->n_threads);
  return purged;
}

/* --- components --------------------------------------------------------------------------------------------------- */

/* The component's first moment, as each of its clocks read it or would have: there the offsets are told. */
static void
set_epochs (Fitting *self)
{
  gint64 first_ns = G_MAXINT64;
  for (guint i = 0; i < self->graph->n_occasions; i++)
    if (self->graph->n_members[i] > 1)
      first_ns = MIN (first_ns, self->graph->moment_ns[i]);
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    if (!self->is_fixed[clock])
      self->fit->clocks[clock].epoch_ns = loom_line_unmap (&self->graph->lines[clock], first_ns);
  }
}

static void
name_component (Fitting *self, guint component)
{
  for (guint i = 0; i < self->members->len; i++) {
    guint clock = g_array_index (self->members, guint, i);
    LoomFitted *fitted = &self->fit->clocks[clock];
    fitted->component = component;
    fitted->reference = reference_of (self);
    fitted->line = self->graph->lines[clock];
  }
  set_epochs (self);
}

/* The reference rests on nothing: it is what the others are compared with. */
static void
tell_of_reference (Fitting *self)
{
  LoomFitted *fitted = &self->fit->clocks[reference_of (self)];
  g_autofree char *old = g_steal_pointer (&fitted->why);
  if (fitted->verdict == LOOM_VERDICT_REFUSED)
    fitted->verdict = LOOM_VERDICT_DOUBTFUL;
  fitted->why = g_strdup_printf ("the reference of its component; %s", old);
}

static void
begin_component (Fitting *self)
{
  loom_graph_reset (self->graph);
  g_array_set_size (self->members, 0);
  memset (self->n_tried, 0, self->graph->n_clocks * sizeof *self->n_tried);
}

static void
settle_component (Fitting *self)
{
  refine (self);
  for (guint i = 0; i < N_PURGES && purge (self) && self->members->len > 1; i++)
    refine (self);
}

static void
fit_from (Fitting *self, guint seed)
{
  gint64 base_ns = self->graph->edges[self->graph->first_edge[seed]].local_ns;
  begin_component (self);
  place (self, seed, (LoomLine) { .base_ns = base_ns });
  loom_graph_update_of (self->graph, &seed, 1, self->n_threads);
  grow (self);
  if (self->members->len > 1)
    settle_component (self);
  if (self->members->len < 2)
    return;
  name_component (self, self->fit->n_components++);
  tell_of_reference (self);
}

/* Lowest rank first, those without one last; anchored ones before all others. */
static int
compare_references (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const LoomFitClock *known = user_data;
  guint x = *(const guint *) a, y = *(const guint *) b;
  if (known[x].anchored != known[y].anchored)
    return known[x].anchored ? -1 : 1;
  guint x_rank = (guint) known[x].rank, y_rank = (guint) known[y].rank; /* −1 becomes the highest */
  return x_rank != y_rank ? (x_rank < y_rank ? -1 : 1) : (x < y ? -1 : x > y);
}

static void
fitting_init (Fitting *self, LoomFit *fit, const LoomEvidence *evidence, const LoomFitClock *clocks, guint n_threads, LoomProgress *progress)
{
  guint n = evidence->n_clocks;
  *self = (Fitting) { .fit = fit, .known = clocks, .n_threads = n_threads, .progress = progress };
  self->graph = loom_graph_new (evidence, n_threads);
  self->order = g_new (guint, n + 1);
  self->n_tried = g_new0 (guint32, n + 1);
  self->is_fixed = g_new0 (guint8, n + 1);
  self->members = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    self->order[i] = i;
  g_qsort_with_data (self->order, (gint) n, sizeof (guint), compare_references, (gpointer) clocks);
}

static void
fitting_clear (Fitting *self)
{
  loom_graph_free (self->graph);
  g_free (self->order);
  g_free (self->n_tried);
  g_free (self->is_fixed);
  g_array_unref (self->members);
}

LoomFit *
loom_fit_new (const LoomEvidence *evidence, const LoomFitClock *clocks, guint n_threads, LoomProgress *progress)
{
  LoomFit *fit = g_new0 (LoomFit, 1);
  Fitting self;
  fit->n_clocks = evidence->n_clocks;
  fit->clocks = g_new0 (LoomFitted, MAX (fit->n_clocks, 1));
  for (guint i = 0; i < fit->n_clocks; i++) {
    fit->clocks[i].component = LOOM_COMPONENT_NONE;
    fit->clocks[i].reference = i;
    fit->clocks[i].why = g_strdup ("nothing that other sources have too");
  }
  fitting_init (&self, fit, evidence, clocks, n_threads, progress);
  for (guint i = 0; i < fit->n_clocks && !loom_progress_is_cancelled (progress); i++) {
    guint seed = self.order[i];
    if (fit->clocks[seed].component == LOOM_COMPONENT_NONE && self.graph->first_edge[seed + 1] > self.graph->first_edge[seed])
      fit_from (&self, seed);
  }
  fitting_clear (&self);
  if (loom_progress_is_cancelled (progress))
    g_clear_pointer (&fit, loom_fit_free);
  return fit;
}

/* --- coarse evidence ---------------------------------------------------------------------------------------------- */

/* A component as it stands, or a lone clock, and what coarse evidence puts beside it. */
static void
extend_from (Fitting *self, guint seed)
{
  LoomFit *fit = self->fit;
  guint component = fit->clocks[seed].component;
  begin_component (self);
  memset (self->is_fixed, 0, fit->n_clocks);
  place (self, seed, component == LOOM_COMPONENT_NONE ? (LoomLine) { .base_ns = 0 } : fit->clocks[seed].line);
  self->is_fixed[seed] = TRUE;
  for (guint i = 0; component != LOOM_COMPONENT_NONE && i < fit->n_clocks; i++) {
    if (i == seed || fit->clocks[i].component != component)
      continue;
    place (self, i, fit->clocks[i].line);
    self->is_fixed[i] = TRUE;
  }
  guint n_before = self->members->len;
  loom_graph_update (self->graph, self->n_threads);
  grow (self);
  if (self->members->len > n_before)
    settle_component (self);
  self->is_fixed[seed] = component != LOOM_COMPONENT_NONE; /* a lone clock gets its epoch now */
  if (self->members->len > n_before)
    name_component (self, component != LOOM_COMPONENT_NONE ? component : fit->n_components++);
  if (self->members->len > n_before && component == LOOM_COMPONENT_NONE) {
    g_free (fit->clocks[seed].why);
    fit->clocks[seed].verdict = LOOM_VERDICT_DOUBTFUL;
    fit->clocks[seed].why = g_strdup ("the reference of its component");
  }
}

gboolean
loom_fit_extend (LoomFit *fit, const LoomEvidence *coarse, const LoomFitClock *clocks, guint n_threads, LoomProgress *progress)
{
  Fitting self;
  fitting_init (&self, fit, coarse, clocks, n_threads, progress);
  self.is_extending = TRUE;
  for (guint i = 0; i < fit->n_clocks && !loom_progress_is_cancelled (progress); i++) {
    guint seed = self.order[i];
    guint component = fit->clocks[seed].component;
    if (component == LOOM_COMPONENT_NONE || fit->clocks[seed].reference == seed)
      extend_from (&self, seed);
  }
  fitting_clear (&self);
  return !loom_progress_is_cancelled (progress);
}

void
loom_fit_free (LoomFit *fit)
{
  if (fit == NULL)
    return;
  for (guint i = 0; i < fit->n_clocks; i++)
    g_free (fit->clocks[i].why);
  g_free (fit->clocks);
  g_free (fit);
}
