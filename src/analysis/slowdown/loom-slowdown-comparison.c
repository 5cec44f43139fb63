/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-comparison.h"

#include "loom-statistics.h"

#include <math.h>
#include <string.h>

/* limits for the kinds of causes, see LoomSlowdownCauseKind and LoomSlowdownCause */
#define DEVICE_TIME 0.9
#define MOST_TIME 0.6
#define DEVICE_NAMES 3
#define DEVICE_FACTOR 1.02
#define KERNELS_TIME 0.5
#define ENOUGH_TIME 0.8 /* no further name is listed if the listed names have this share of the longer time */
#define MOST_KERNELS 3
#define CALLS_TIME 0.2
#define MORE_CALLS 1.005
#define LATE_TIME 0.5 /* see LOOM_SLOWDOWN_CAUSE_CALLS */

/* The kernels of one name on one rank, or all its kernels. */
typedef struct {
  double time_ns;
  guint64 calls;
} Sum;

typedef struct {
  const LoomSlowdownModel *model;
  guint8 *steps; /* array: [step] 1 if the straggler is slow in the step, else 0 */
  /* array: [worker] index of the rank among the compared ranks, of which the straggler is the first;
   * LOOM_SLOWDOWN_NONE: the rank is not compared, because it is in another stage of the pipeline */
  guint32 *places;
  guint32 n; /* number of compared ranks, including the straggler */
  /* array: indices of the kernels of the compared ranks in the slow steps, sorted by their kind. A table of all
   * kinds and ranks would take more memory: 655 MB for 5,000 kinds and 8,192 ranks */
  guint32 *kernels;
  guint32 *ends;   /* array: [kind of operations] index in `kernels` after the last kernel of the kind */
  Sum *sums;       /* array: [place] kernels of one name in the slow steps */
  Sum *totals;     /* array: [place] all kernels in the slow steps */
  double *values;  /* n elements of working memory */
  double usual_ns; /* Σ calls · usual time per call over the comparable names */
  LoomSlowdownCause cause;
} Comparison;

/* --- sums --------------------------------------------------------------------------------------------------------- */

static void
number_ranks (Comparison *self)
{
  const LoomSlowdownWorker *workers = (const LoomSlowdownWorker *) (gconstpointer) self->model->workers->data;
  guint n = self->model->workers->len;
  self->places = g_new (guint32, n + 1);
  self->n = 1;
  for (guint i = 0; i < n; i++)
    self->places[i] = i == self->cause.worker                                 ? 0
                      : workers[i].stage == workers[self->cause.worker].stage ? self->n++
                                                                              : LOOM_SLOWDOWN_NONE;
  self->cause.n_compared = self->n - 1;
}

static const LoomSlowdownOperation *
get_operation (const Comparison *self, guint32 number)
{
  return &g_array_index (self->model->replay.operations, LoomSlowdownOperation, number);
}

/* Returns the kind of an operation if it is a kernel of a compared rank in a slow step; otherwise
 * LOOM_SLOWDOWN_NONE. */
static guint32
get_kind (const Comparison *self, const LoomSlowdownOperation *operation)
{
  const LoomSlowdownLike *like = loom_slowdown_model_get_like (self->model, operation);
  gboolean counts = like != NULL && like->is_kernel && operation->step != LOOM_SLOWDOWN_NONE &&
                    self->steps[operation->step] && self->places[operation->worker] != LOOM_SLOWDOWN_NONE;
  return counts ? like->kind : LOOM_SLOWDOWN_NONE;
}

/* Sets Comparison.kernels and ends, by counting sort. */
static void
sort_kernels (Comparison *self)
{
  guint32 n_operations = self->model->replay.operations->len, n = 0;
  self->ends = g_new0 (guint32, self->model->kinds->len + 1);
  for (guint32 i = 0; i < n_operations; i++) {
    guint32 kind = get_kind (self, get_operation (self, i));
    if (kind != LOOM_SLOWDOWN_NONE)
      self->ends[kind]++;
  }
  for (guint i = 0; i < self->model->kinds->len; i++) {
    guint32 begin = n;
    n += self->ends[i];
    self->ends[i] = begin;
  }
  self->kernels = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n_operations; i++) {
    guint32 kind = get_kind (self, get_operation (self, i));
    if (kind != LOOM_SLOWDOWN_NONE)
      self->kernels[self->ends[kind]++] = i;
  }
}

/* Sets the sums of one name, and adds them to the totals. Returns FALSE if there are no kernels of this name. */
static gboolean
add_up (Comparison *self, guint kind)
{
  guint32 begin = kind > 0 ? self->ends[kind - 1] : 0;
  memset (self->sums, 0, self->n * sizeof *self->sums);
  for (guint32 i = begin; i < self->ends[kind]; i++) {
    const LoomSlowdownOperation *operation = get_operation (self, self->kernels[i]);
    guint32 place = self->places[operation->worker];
    Sum *const sums[] = { &self->sums[place], &self->totals[place] };
    for (guint k = 0; k < G_N_ELEMENTS (sums); k++) {
      sums[k]->time_ns += (double) operation->duration_ns;
      sums[k]->calls++;
    }
  }
  return begin < self->ends[kind];
}

/* --- comparison of one name --------------------------------------------------------------------------------------- */

/* Returns the median over the other ranks of the number of kernels. `sums`: array: [place]. */
static double
get_usual_calls (const Comparison *self, const Sum *sums)
{
  for (guint32 i = 1; i < self->n; i++)
    self->values[i - 1] = (double) sums[i].calls;
  return loom_statistics_median (self->values, self->n - 1);
}

/* Returns the median over the other ranks of the time per call; NAN if less than half of these ranks have enough
 * calls. */
static double
get_usual_time (const Comparison *self, const Sum *sums)
{
  guint32 n = 0;
  for (guint32 i = 1; i < self->n; i++)
    if (sums[i].calls >= LOOM_SLOWDOWN_CAUSE_LEAST_CALLS)
      self->values[n++] = sums[i].time_ns / (double) sums[i].calls;
  return n > 0 && 2 * n >= self->n - 1 ? loom_statistics_median (self->values, n) : NAN;
}

/* Compares the kernels of one name, of which add_up() has set the sums. If the usual time per call is unknown,
 * additional kernels count with the time per call of the straggler. */
static void
compare_name (Comparison *self, guint kind)
{
  const Sum *sums = self->sums, *own = &sums[0];
  double calls = (double) own->calls, usual_calls = get_usual_calls (self, sums), usual = get_usual_time (self, sums),
         own_time = own->calls > 0 ? own->time_ns / calls : 0;
  self->cause.more_ns += (gint64) round ((calls - usual_calls) * (usual > 0 ? usual : own_time));
  if (!(usual > 0) || own->calls < LOOM_SLOWDOWN_CAUSE_LEAST_CALLS)
    return;
  const LoomSlowdownCauseName name = { .name = g_array_index (self->model->kinds, LoomSlowdownPart, kind).name,
                                       .calls = own->calls,
                                       .time_ns = (gint64) round (own->time_ns),
                                       .longer_ns = (gint64) round (own->time_ns - calls * usual),
                                       .factor = own->time_ns / (calls * usual) };
  g_array_append_val (self->cause.names, name);
  self->cause.longer_ns += name.longer_ns;
  self->usual_ns += calls * usual;
}

static int
compare_longer (gconstpointer a, gconstpointer b)
{
  const LoomSlowdownCauseName *x = a, *y = b;
  if (x->longer_ns != y->longer_ns)
    return x->longer_ns > y->longer_ns ? -1 : 1;
  return g_strcmp0 (x->name, y->name);
}

/* --- kind of the cause -------------------------------------------------------------------------------------------- */

/* Sets LoomSlowdownCause.alike and alike_factor, and returns the number of names that are alike. `all_ns`: time of all
 * kernels of the rank. */
static guint
find_alike (LoomSlowdownCause *cause, double all_ns)
{
  double alike_ns = 0, usual_ns = 0, excess = cause->factor - 1;
  guint n = 0;
  for (guint i = 0; i < cause->names->len; i++) {
    const LoomSlowdownCauseName *name = &g_array_index (cause->names, LoomSlowdownCauseName, i);
    if (name->factor - 1 < LOOM_SLOWDOWN_CAUSE_LEAST_ALIKE * excess ||
        name->factor - 1 > LOOM_SLOWDOWN_CAUSE_MOST_ALIKE * excess)
      continue;
    alike_ns += (double) name->time_ns;
    usual_ns += (double) name->time_ns / name->factor;
    n++;
  }
  cause->alike = all_ns > 0 ? alike_ns / all_ns : 0;
  cause->alike_factor = usual_ns > 0 ? alike_ns / usual_ns : NAN;
  return n;
}

/* Sets LoomSlowdownCause.n_main to the number of names that explain the longer time. Returns FALSE if few names do not
 * explain it. */
static gboolean
find_main (LoomSlowdownCause *cause)
{
  gint64 main_ns = 0;
  guint n = 0;
  while (n < MIN (cause->names->len, MOST_KERNELS) && (double) main_ns < ENOUGH_TIME * (double) cause->longer_ns)
    main_ns += g_array_index (cause->names, LoomSlowdownCauseName, n++).longer_ns;
  gboolean is_explained = cause->longer_ns > 0 && (double) main_ns >= KERNELS_TIME * (double) cause->longer_ns;
  cause->n_main = is_explained ? n : 0;
  return is_explained;
}

/* Sets LoomSlowdownCause.calls and has_more. */
static void
judge_calls (Comparison *self)
{
  LoomSlowdownCause *cause = &self->cause;
  double usual_calls = get_usual_calls (self, self->totals),
         all_ns = (double) cause->longer_ns + (double) cause->more_ns,
         calls = usual_calls > 0 ? (double) self->totals[0].calls / usual_calls : 1;
  cause->has_more = cause->more_ns > 0 && (double) cause->more_ns >= CALLS_TIME * all_ns;
  cause->calls = cause->has_more && calls >= MORE_CALLS ? calls : 1;
}

static void
judge (Comparison *self)
{
  LoomSlowdownCause *cause = &self->cause;
  double all_ns = (double) cause->longer_ns + (double) cause->more_ns;
  cause->factor = self->usual_ns > 0 ? 1 + (double) cause->longer_ns / self->usual_ns : NAN;
  judge_calls (self);
  guint n_alike = find_alike (cause, self->totals[0].time_ns);
  if ((double) cause->longer_ns < CALLS_TIME * all_ns || !(cause->factor > 1))
    cause->kind = LOOM_SLOWDOWN_CAUSE_UNKNOWN;
  else if (cause->alike >= MOST_TIME && n_alike >= DEVICE_NAMES && cause->factor >= DEVICE_FACTOR)
    cause->kind = cause->alike >= DEVICE_TIME ? LOOM_SLOWDOWN_CAUSE_DEVICE : LOOM_SLOWDOWN_CAUSE_MOST_KERNELS;
  else
    cause->kind = find_main (cause) ? LOOM_SLOWDOWN_CAUSE_KERNELS : LOOM_SLOWDOWN_CAUSE_UNKNOWN;
}

/* Sets LoomSlowdownCause.idle_ns. */
static void
compare_idle (Comparison *self)
{
  const LoomSlowdownWorker *workers = (const LoomSlowdownWorker *) (gconstpointer) self->model->workers->data;
  for (guint i = 0; i < self->model->workers->len; i++)
    if (self->places[i] != LOOM_SLOWDOWN_NONE && self->places[i] > 0)
      self->values[self->places[i] - 1] = (double) workers[i].idle_ns;
  self->cause.idle_ns =
    workers[self->cause.worker].idle_ns - (gint64) loom_statistics_median (self->values, self->n - 1);
}

/* --- comparison of one rank --------------------------------------------------------------------------------------- */

/* Returns FALSE when cancelled. O(operations + names · ranks). */
static gboolean
compare_names (Comparison *self, GCancellable *cancellable)
{
  guint n = self->n > 1 ? self->model->kinds->len : 0;
  for (guint i = 0; i < n; i++) {
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (add_up (self, i))
      compare_name (self, i);
  }
  return TRUE;
}

static void
clear (Comparison *self)
{
  g_free (self->steps);
  g_free (self->places);
  g_free (self->kernels);
  g_free (self->ends);
  g_free (self->sums);
  g_free (self->totals);
  g_free (self->values);
}

static void
init (Comparison *self, const LoomSlowdownModel *model, guint worker, guint8 *steps)
{
  *self = (Comparison) { .model = model,
                         .steps = steps,
                         .cause = { .worker = worker,
                                    .factor = NAN,
                                    .calls = 1,
                                    .names = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownCauseName)) } };
  for (guint i = 0; i < model->steps->len; i++)
    self->cause.n_steps += self->steps[i];
  self->cause.is_in_all_steps = self->cause.n_steps == model->steps->len;
  number_ranks (self);
  self->values = g_new (double, self->n);
  self->sums = g_new (Sum, self->n);
  self->totals = g_new0 (Sum, self->n);
  sort_kernels (self);
}

/* Appends the cause of a worker. `steps`: array: [step] 1 if the step counts, else 0; the function takes ownership.
 * Returns FALSE, and appends nothing, when cancelled. */
static gboolean
compare (GArray *causes, const LoomSlowdownModel *model, guint worker, guint8 *steps, GCancellable *cancellable)
{
  Comparison self;
  init (&self, model, worker, steps);
  gboolean done = compare_names (&self, cancellable);
  if (done && self.n > 1)
    compare_idle (&self);
  g_array_sort (self.cause.names, compare_longer);
  judge (&self);
  clear (&self);
  if (done)
    g_array_append_val (causes, self.cause);
  else
    g_array_unref (self.cause.names);
  return done;
}

/* --- ranks that are late for other reasons ------------------------------------------------------------------------ */

/* Returns an array: [worker] time per step of its kernels, in ns, each kernel counted by itself, and of its idle time.
 * Owned by the caller. */
static double *
add_up_times (const LoomSlowdownModel *model)
{
  double *times = g_new0 (double, model->workers->len + 1);
  for (guint32 i = 0; i < model->replay.operations->len; i++) {
    const LoomSlowdownOperation *operation = &g_array_index (model->replay.operations, LoomSlowdownOperation, i);
    const LoomSlowdownLike *like = loom_slowdown_model_get_like (model, operation);
    if (like != NULL && like->is_kernel && operation->step != LOOM_SLOWDOWN_NONE)
      times[operation->worker] += (double) operation->duration_ns / model->steps->len;
  }
  for (guint i = 0; i < model->workers->len; i++)
    times[i] += (double) g_array_index (model->workers, LoomSlowdownWorker, i).idle_ns;
  return times;
}

/* Returns by how much the time of a worker exceeds the median over the other workers of its stage; 0: there are no
 * other workers. `times`: result of add_up_times(); `values`: working memory with an element for each worker. */
static double
get_excess (const LoomSlowdownModel *model, guint worker, const double *times, double *values)
{
  const LoomSlowdownWorker *workers = (const LoomSlowdownWorker *) (gconstpointer) model->workers->data;
  guint n = 0;
  for (guint i = 0; i < model->workers->len; i++)
    if (i != worker && workers[i].stage == workers[worker].stage)
      values[n++] = times[i];
  return n > 0 ? times[worker] - loom_statistics_median (values, n) : 0;
}

/* Returns the worker with the greatest excess, and sets `excess_ns` to it; G_MAXUINT: no worker has an excess of
 * LOOM_SLOWDOWN_CAUSE_LEAST_STEP of a step, or the operation was cancelled. O(operations + workers²). */
static guint
find_longest (const LoomSlowdownModel *model, const LoomSlowdown *slowdown, gint64 *excess_ns,
              GCancellable *cancellable)
{
  g_autofree double *times = add_up_times (model), *values = g_new (double, model->workers->len + 1);
  double most = LOOM_SLOWDOWN_CAUSE_LEAST_STEP * (double) loom_slowdown_get_pace (slowdown);
  guint longest = G_MAXUINT;
  for (guint i = 0; i < model->workers->len && !g_cancellable_is_cancelled (cancellable); i++) {
    double excess = get_excess (model, i, times, values);
    if (excess < most)
      continue;
    most = excess;
    longest = i;
  }
  *excess_ns = (gint64) most;
  return longest;
}

/* Returns the kind of the cause of a rank that is not a straggler. */
static LoomSlowdownCauseKind
get_late_kind (const LoomSlowdownCause *cause)
{
  gint64 more_ns = cause->more_ns / MAX (cause->n_steps, 1);
  gboolean is_equal =
    cause->factor <= LOOM_SLOWDOWN_CAUSE_MOST_EQUAL && cause->factor >= 1 / LOOM_SLOWDOWN_CAUSE_MOST_EQUAL;
  if ((double) MAX (more_ns, cause->idle_ns) < LATE_TIME * (double) cause->late_ns)
    return cause->kind;
  if (cause->idle_ns > more_ns)
    return is_equal ? LOOM_SLOWDOWN_CAUSE_IDLE : cause->kind;
  return is_equal && cause->calls > 1 ? LOOM_SLOWDOWN_CAUSE_CALLS : LOOM_SLOWDOWN_CAUSE_OTHER;
}

/* Appends the cause of the rank that takes longest although it is not a straggler, if there is such a rank. Returns
 * FALSE when cancelled. */
static gboolean
add_late (GArray *causes, const LoomSlowdownModel *model, const LoomSlowdown *slowdown, GCancellable *cancellable)
{
  gint64 excess_ns;
  guint worker = find_longest (model, slowdown, &excess_ns, cancellable);
  if (worker == G_MAXUINT)
    return !g_cancellable_is_cancelled (cancellable);
  guint8 *steps = g_new (guint8, model->steps->len + 1);
  memset (steps, 1, model->steps->len);
  if (!compare (causes, model, worker, steps, cancellable))
    return FALSE;
  LoomSlowdownCause *cause = &g_array_index (causes, LoomSlowdownCause, causes->len - 1);
  cause->late_ns = excess_ns;
  cause->kind = get_late_kind (cause);
  return TRUE;
}

/* --- all causes --------------------------------------------------------------------------------------------------- */

static void
clear_cause (gpointer cause)
{
  g_array_unref (((LoomSlowdownCause *) cause)->names);
}

static gboolean
add_causes (GArray *causes, const LoomSlowdownModel *model, const LoomSlowdown *slowdown, GCancellable *cancellable)
{
  for (guint i = 0; i < MIN (slowdown->stragglers->len, LOOM_SLOWDOWN_CAUSE_MOST); i++) {
    guint worker = g_array_index (slowdown->stragglers, guint, i);
    if (!compare (causes, model, worker, loom_slowdown_list_slow_steps (slowdown, worker), cancellable))
      return FALSE;
  }
  return slowdown->stragglers->len > 0 || add_late (causes, model, slowdown, cancellable);
}

GArray *
loom_slowdown_comparison_run (const LoomSlowdownModel *model, const LoomSlowdown *slowdown, GCancellable *cancellable)
{
  GArray *causes = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownCause));
  g_array_set_clear_func (causes, clear_cause);
  if (slowdown->source == LOOM_SLOWDOWN_OF_KERNELS && !add_causes (causes, model, slowdown, cancellable))
    g_clear_pointer (&causes, g_array_unref);
  return causes;
}
