/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-inputs.h"

#include "loom-int64-hash.h"
#include "loom-operator-shapes.h"
#include "loom-slowdown-numbers.h"
#include "loom-statistics.h"
#include "loom-work-kind.h"

#include <string.h>

#define MOST_STEPS 3
#define MOST_OTHERS 8
#define MOST_RANKS (1 + MOST_OTHERS) /* the slow rank is the first */
#define LEAST_SHAPED 0.8
/* The inputs count as the same if calls with other shapes take at most this part of the time. */
#define MOST_OTHER_TIME 0.05
/* The inputs count as larger if their growth is at least this part of factor − 1. A product of matrices takes 40 % longer
 * if one of its inputs has 40 % more elements, but all inputs together, with the weights, then have only about 15 % more. */
#define LEAST_GROWTH 0.25

/* The calls of one operator with equal shapes. */
typedef struct {
  guint32 name; /* id of the operator's name in Inputs.texts */
  double elements;
  double calls[MOST_RANKS];
  double time_ns; /* of the slow rank */
} Group;

/* All calls of one operator. */
typedef struct {
  const char *text; /* borrowed from the run */
  double elements[MOST_RANKS], calls[MOST_RANKS];
  double time_ns;
} Operator;

typedef struct {
  LoomTimeline *timeline;
  const LoomSlowdown *slowdown;
  GCancellable *cancellable;
  guint ranks[MOST_RANKS]; /* indices in LoomSlowdown.workers */
  guint steps[MOST_STEPS]; /* indices in LoomSlowdown.steps */
  guint n_ranks, n_steps;
  LoomStringPool *texts; /* names of operators, and texts of shapes */
  GArray *groups;        /* Group */
  GHashTable *known;     /* name << 32 | shape → index in `groups` (loom-slowdown-numbers.h) */
  GPtrArray *names;      /* [id in `texts`] Operator; NULL: the text is not the name of an operator */
  double shaped_ns[MOST_RANKS], all_ns[MOST_RANKS];
} Inputs;

/* A step of a trace. Ranks of a merged file share it. */
typedef struct {
  guint32 trace;
  guint8 *roles;  /* see LoomOperatorPass.roles */
  GArray *shapes; /* LoomSpanShape; NULL: nothing is read yet */
  LoomKernelLaunches launches;
} Part;

/* --- choice of ranks and steps ------------------------------------------------------------------------------------ */

/* Keeps at most `most` of the `n` numbers, evenly chosen, and copies them to `chosen`. Returns how many. */
static guint
choose (const GArray *numbers, guint most, guint *chosen)
{
  guint n = MIN (numbers->len, most);
  for (guint i = 0; i < n; i++)
    chosen[i] = g_array_index (numbers, guint, (guint64) i * numbers->len / n);
  return n;
}

static void
choose_steps (Inputs *self, guint worker)
{
  g_autoptr (GArray) slow = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint8 *is_slow = loom_slowdown_list_slow_steps (self->slowdown, worker);
  for (guint i = 0; i < self->slowdown->steps->len; i++)
    if (is_slow[i])
      g_array_append_val (slow, i);
  self->n_steps = choose (slow, MOST_STEPS, self->steps);
}

static void
choose_ranks (Inputs *self, guint worker)
{
  const LoomSlowdownWorker *workers = (const LoomSlowdownWorker *) (gconstpointer) self->slowdown->workers->data;
  g_autoptr (GArray) others = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->slowdown->workers->len; i++)
    if (i != worker && workers[i].stage == workers[worker].stage)
      g_array_append_val (others, i);
  self->ranks[0] = worker;
  self->n_ranks = 1 + choose (others, MOST_OTHERS, self->ranks + 1);
}

static LoomSpanId
get_span (const Inputs *self, guint rank, guint step)
{
  return self->slowdown->spans[(gsize) self->ranks[rank] * self->slowdown->steps->len + self->steps[step]];
}

/* Returns TRUE if a trace has steps of several ranks, as a merged file. */
static gboolean
is_shared (const Inputs *self, guint32 trace, guint step)
{
  guint n = 0;
  for (guint i = 0; i < self->slowdown->workers->len; i++)
    n += self->slowdown->spans[(gsize) i * self->slowdown->steps->len + self->steps[step]].trace == trace;
  return n > 1;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Returns the number of elements of all inputs. `shape`: for example "[2048, 2048], [2048, 6144]". */
static double
count_elements (const char *shape)
{
  double all = 0, elements = 1;
  gboolean has_size = FALSE;
  for (const char *at = shape; *at != '\0'; at++) {
    if (g_ascii_isdigit (*at)) {
      elements *= (double) g_ascii_strtoull (at, (char **) &at, 10);
      has_size = TRUE;
      at--;
    } else if (*at == ']') {
      all += has_size ? elements : 0;
      elements = 1;
      has_size = FALSE;
    }
  }
  return all;
}

static Group *
find_group (Inputs *self, const char *text, guint32 shape)
{
  guint32 name = loom_string_pool_intern (self->texts, text, strlen (text));
  guint64 key = (guint64) name << 32 | shape;
  guint32 found = loom_slowdown_numbers_find (self->known, key);
  if (found == LOOM_SLOWDOWN_NONE) {
    const Group group = { .name = name, .elements = count_elements (loom_string_pool_get (self->texts, shape)) };
    found = self->groups->len;
    loom_slowdown_numbers_set (self->known, key, found);
    g_array_append_val (self->groups, group);
  }
  return &g_array_index (self->groups, Group, found);
}

static Operator *
find_operator (Inputs *self, guint32 name, const char *text)
{
  if (self->names->len <= name)
    g_ptr_array_set_size (self->names, (gint) name + 1);
  if (self->names->pdata[name] == NULL) {
    self->names->pdata[name] = g_new0 (Operator, 1);
    ((Operator *) self->names->pdata[name])->text = text;
  }
  return self->names->pdata[name];
}

static void
add_sums (Inputs *self, guint rank, const char *text, const LoomOperatorSums *sums)
{
  double time_ns = (double) sums->device_self_ns, calls = (double) sums->calls;
  self->all_ns[rank] += time_ns;
  if (sums->shape == 0)
    return;
  Group *group = find_group (self, text, sums->shape);
  Operator *named = find_operator (self, group->name, text);
  self->shaped_ns[rank] += time_ns;
  group->calls[rank] += calls;
  named->calls[rank] += calls;
  named->elements[rank] += calls * group->elements;
  group->time_ns += rank == 0 ? time_ns : 0;
  named->time_ns += rank == 0 ? time_ns : 0;
}

/* Adds the operators of a step that launch kernels. `pass`: all members but `sums` are set. */
static gboolean
read_operators (Inputs *self, guint rank, LoomOperatorPass *pass)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (self->timeline), pass->trace);
  gboolean done = loom_operator_pass_run (pass, self->cancellable);
  for (guint i = 0; done && i < pass->sums->len; i++) {
    const LoomOperatorSums *sums = &g_array_index (pass->sums, LoomOperatorSums, i);
    /* a call outside of the step counts only with the kernels that it launched */
    if (sums->device_self_ns > 0 && sums->calls > 0)
      add_sums (self, rank, loom_trace_get_name (trace, sums->name_id)->text, sums);
  }
  loom_operator_pass_clear (pass);
  return done;
}

static guint8 *
list_roles (const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  const guint8 *works = loom_work_kind_of_names (trace, FALSE);
  guint8 *roles = g_new0 (guint8, (gsize) n + 1);
  for (guint i = 0; i < n; i++)
    roles[i] = works[i] == LOOM_WORK_KIND_OPERATOR ? LOOM_SPAN_ROLE_COUNTED : LOOM_SPAN_ROLE_NONE;
  return roles;
}

/* Removes the time of copies and of communication, which has no shapes and waits for other ranks. */
static void
keep_computation (LoomKernelLaunches *launches)
{
  for (guint i = 0; i < launches->launches->len; i++) {
    LoomKernelLaunch *launch = &g_array_index (launches->launches, LoomKernelLaunch, i);
    launch->device_ns = launch->compute_ns;
  }
}

static void
clear_part (Part *part)
{
  g_clear_pointer (&part->roles, g_free);
  g_clear_pointer (&part->shapes, g_array_unref);
  loom_kernel_launches_clear (&part->launches);
}

/* Reads a step of a trace. Returns FALSE when cancelled. */
static gboolean
read_part (Inputs *self, Part *part, guint32 trace, LoomRange range)
{
  guint64 n_read = 0;
  clear_part (part);
  part->trace = trace;
  part->roles = list_roles (loom_run_get_trace (loom_timeline_get_run (self->timeline), trace));
  loom_kernel_launches_init (&part->launches, self->timeline, trace, range);
  keep_computation (&part->launches);
  part->shapes =
    loom_operator_shapes_read (self->timeline, trace, range, part->roles, self->texts, &n_read, self->cancellable);
  return part->shapes != NULL;
}

/* Reads a step of a rank. `part`: the part that was read last; is replaced if the rank is in another trace. */
static gboolean
read_rank (Inputs *self, guint rank, guint step, Part *part)
{
  LoomSpanId span = get_span (self, rank, step);
  const LoomSlowdownWorker *worker = &g_array_index (self->slowdown->workers, LoomSlowdownWorker, self->ranks[rank]);
  const LoomRankKey key = loom_rank_key (worker->node, worker->rank, span.trace);
  LoomRange range = g_array_index (self->slowdown->steps, LoomSlowdownStep, self->steps[step]).range;
  if (loom_timeline_span_id_is_none (span))
    return TRUE;
  if ((part->shapes == NULL || part->trace != span.trace) && !read_part (self, part, span.trace, range))
    return FALSE;
  loom_timeline_get_span (self->timeline, span, &range.begin_ns, &range.end_ns);
  LoomOperatorPass pass = { .timeline = self->timeline,
                            .trace = span.trace,
                            .range = range,
                            .roles = part->roles,
                            .launches = &part->launches,
                            .shapes = part->shapes,
                            .rank = is_shared (self, span.trace, step) ? &key : NULL };
  return read_operators (self, rank, &pass);
}

static gboolean
read_step (Inputs *self, guint step)
{
  Part part = { 0 };
  gboolean done = TRUE;
  for (guint i = 0; done && i < self->n_ranks; i++)
    done = read_rank (self, i, step, &part);
  clear_part (&part);
  return done;
}

static gboolean
read_all (Inputs *self)
{
  gboolean done = TRUE;
  for (guint i = 0; done && i < self->n_steps; i++)
    done = read_step (self, i);
  return done;
}

/* --- judgement ---------------------------------------------------------------------------------------------------- */

static gboolean
are_shapes_recorded (const Inputs *self)
{
  for (guint i = 0; i < self->n_ranks; i++)
    if (!(self->all_ns[i] > 0) || self->shaped_ns[i] < LEAST_SHAPED * self->all_ns[i])
      return FALSE;
  return self->n_ranks > 1;
}

/* Returns the share of a group in the calls of its operator on a rank, from 0 to 1. */
static double
get_share (const Inputs *self, const Group *group, guint rank)
{
  double calls = ((const Operator *) self->names->pdata[group->name])->calls[rank];
  return calls > 0 ? group->calls[rank] / calls : 0;
}

/* Returns the part of the time of the slow rank in calls with other shapes, from 0 to 1. */
static double
get_other_time (const Inputs *self)
{
  double other_ns = 0, shares[MOST_OTHERS];
  for (guint i = 0; i < self->groups->len; i++) {
    const Group *group = &g_array_index (self->groups, Group, i);
    for (guint k = 1; k < self->n_ranks; k++)
      shares[k - 1] = get_share (self, group, k);
    double own = get_share (self, group, 0), usual = loom_statistics_median (shares, self->n_ranks - 1);
    if (own > usual)
      other_ns += group->time_ns * (1 - usual / own);
  }
  return other_ns / self->shaped_ns[0];
}

/* Returns the growth of the inputs of an operator; 0: it is unknown. */
static double
get_growth (const Inputs *self, const Operator *named)
{
  double usual[MOST_OTHERS];
  guint n = 0;
  for (guint i = 1; i < self->n_ranks; i++)
    if (named->calls[i] > 0)
      usual[n++] = named->elements[i] / named->calls[i];
  double median = n > 0 ? loom_statistics_median (usual, n) : 0;
  return median > 0 && named->calls[0] > 0 ? named->elements[0] / named->calls[0] / median - 1 : 0;
}

static void
judge (const Inputs *self, LoomSlowdownCause *cause)
{
  double growth_ns = 0, most_ns = 0;
  for (guint i = 0; i < self->names->len; i++) {
    const Operator *named = self->names->pdata[i];
    double growth = named != NULL ? get_growth (self, named) : 0;
    growth_ns += named != NULL ? growth * named->time_ns : 0;
    if (named == NULL || growth * named->time_ns <= most_ns)
      continue;
    most_ns = growth * named->time_ns;
    cause->larger_name = named->text;
    cause->larger = 1 + growth;
  }
  if (get_other_time (self) <= MOST_OTHER_TIME)
    cause->inputs = LOOM_SLOWDOWN_INPUTS_SAME;
  else if (most_ns > 0 && growth_ns >= LEAST_GROWTH * (cause->factor - 1) * self->shaped_ns[0])
    cause->inputs = LOOM_SLOWDOWN_INPUTS_LARGER;
}

static void
clear (Inputs *self)
{
  g_array_unref (self->groups);
  g_hash_table_unref (self->known);
  g_ptr_array_unref (self->names);
  loom_string_pool_free (self->texts);
}

gboolean
loom_slowdown_inputs_compare (LoomSlowdownCause *cause, const LoomSlowdown *slowdown, LoomTimeline *timeline,
                              GCancellable *cancellable)
{
  if (cause->kind != LOOM_SLOWDOWN_CAUSE_DEVICE && cause->kind != LOOM_SLOWDOWN_CAUSE_MOST_KERNELS)
    return TRUE;
  Inputs self = { .timeline = timeline,
                  .slowdown = slowdown,
                  .cancellable = cancellable,
                  .texts = loom_string_pool_new (),
                  .groups = g_array_new (FALSE, FALSE, sizeof (Group)),
                  .known = g_hash_table_new (loom_int64_hash_packed, NULL),
                  .names = g_ptr_array_new_with_free_func (g_free) };
  choose_steps (&self, cause->worker);
  choose_ranks (&self, cause->worker);
  gboolean done = read_all (&self);
  if (done && are_shapes_recorded (&self))
    judge (&self, cause);
  clear (&self);
  return done;
}
