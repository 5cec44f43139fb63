/* SPDX-License-Identifier: Apache-2.0
 *
 * The times of each trace are added up by a LoomOperatorPass; several traces are processed in parallel. Then the sums
 * of all traces are joined, in the order of the traces: those with equal names (or equal names and shapes) become one
 * row.
 */
#include "loom-operators.h"

#include <glib/gi18n.h>

#include "loom-int64-hash.h"
#include "loom-operator-pass.h"
#include "loom-operator-shapes.h"
#include "loom-parallel.h"
#include "loom-work-kind.h"

#define MODULE_PREFIX "nn.Module: "

/* The results of one trace. */
typedef struct {
  LoomKernelLaunches launches;
  LoomOperatorPass names, shapes, modules;
  /* [name id] LoomSpanRole. operator_roles: used when the times of operators are added up; module_roles: used when the
   * times of modules are added up */
  guint8 *operator_roles, *module_roles;
  GArray *known_shapes; /* LoomSpanShape: the spans whose shapes are known */
  gboolean has_modules;
} TraceResult;

typedef struct {
  LoomTimeline *timeline;
  LoomRange range;
  GCancellable *cancellable;
  LoomOperators *operators;
  TraceResult *traces;
  guint n_traces;
} Computation;

static gboolean
is_operator_category (const char *category)
{
  return g_ascii_strcasecmp (category, "cpu_op") == 0 || g_ascii_strcasecmp (category, "operator") == 0;
}

gboolean
loom_operators_is_module (const char *text)
{
  return g_str_has_prefix (text, MODULE_PREFIX);
}

char *
loom_operators_dup_class (const char *text)
{
  const char *begin = loom_operators_is_module (text) ? text + strlen (MODULE_PREFIX) : text;
  const char *end = begin + strlen (begin), *digits = end;
  while (digits > begin && g_ascii_isdigit (digits[-1]))
    digits--;
  gboolean numbered = digits < end && digits - begin > 1 && digits[-1] == '_';
  return g_strndup (begin, (gsize) ((numbered ? digits - 1 : end) - begin));
}

gboolean
loom_operators_are_recorded (LoomRun *run)
{
  for (guint i = 0; i < loom_run_get_n_traces (run); i++) {
    const LoomTrace *trace = loom_run_get_trace (run, i);
    for (guint k = 0; !loom_trace_is_index (trace) && k < loom_trace_get_n_names (trace); k++)
      if (is_operator_category (loom_trace_get_name (trace, k)->category))
        return TRUE;
  }
  return FALSE;
}

/* --- operators of one trace --------------------------------------------------------------------------------------- */

gboolean
loom_operators_is_operator (const LoomName *name)
{
  LoomWorkKind work = loom_work_kind_classify (name->text, name->category, FALSE);
  return work == LOOM_WORK_KIND_OPERATOR ||
         (work == LOOM_WORK_KIND_COLLECTIVE && is_operator_category (name->category));
}

static guint8
get_role (const LoomName *name)
{
  if (loom_operators_is_operator (name))
    return LOOM_SPAN_ROLE_COUNTED;
  LoomWorkKind work = loom_work_kind_classify (name->text, name->category, FALSE);
  return work == LOOM_WORK_KIND_RUNTIME || work == LOOM_WORK_KIND_SYNC ? LOOM_SPAN_ROLE_CALL : LOOM_SPAN_ROLE_NONE;
}

static void
set_roles (TraceResult *result, const LoomTrace *trace)
{
  guint n = loom_trace_get_n_names (trace);
  result->operator_roles = g_new0 (guint8, MAX (n, 1));
  result->module_roles = g_new0 (guint8, MAX (n, 1));
  for (guint i = 0; !loom_trace_is_index (trace) && i < n; i++) {
    const LoomName *name = loom_trace_get_name (trace, i);
    result->operator_roles[i] = get_role (name);
    if (loom_operators_is_module (name->text)) {
      result->module_roles[i] = LOOM_SPAN_ROLE_COUNTED;
      result->has_modules = TRUE;
    }
  }
}

static void
run_pass (Computation *all, guint trace, LoomOperatorPass *pass, const guint8 *roles, const GArray *shapes)
{
  *pass = (LoomOperatorPass) { .timeline = all->timeline,
                               .trace = trace,
                               .range = all->range,
                               .roles = roles,
                               .launches = &all->traces[trace].launches,
                               .shapes = shapes,
                               .most_spans = shapes != NULL ? LOOM_OPERATORS_MOST_SPANS : 0 };
  loom_operator_pass_run (pass, all->cancellable);
}

static void
run_trace (guint item, guint worker, gpointer data)
{
  Computation *all = data;
  TraceResult *result = &all->traces[item];
  if (g_cancellable_is_cancelled (all->cancellable))
    return;
  set_roles (result, loom_run_get_trace (loom_timeline_get_run (all->timeline), item));
  loom_kernel_launches_init (&result->launches, all->timeline, item, all->range);
  run_pass (all, item, &result->names, result->operator_roles, NULL);
  if (result->has_modules)
    run_pass (all, item, &result->modules, result->module_roles, NULL);
}

static void
run_shapes_of_trace (guint item, guint worker, gpointer data)
{
  Computation *all = data;
  TraceResult *result = &all->traces[item];
  if (result->known_shapes != NULL)
    run_pass (all, item, &result->shapes, result->operator_roles, result->known_shapes);
}

static void
clear_trace (TraceResult *result)
{
  if (result->launches.launches != NULL)
    loom_kernel_launches_clear (&result->launches);
  loom_operator_pass_clear (&result->names);
  loom_operator_pass_clear (&result->shapes);
  loom_operator_pass_clear (&result->modules);
  g_clear_pointer (&result->known_shapes, g_array_unref);
  g_free (result->operator_roles);
  g_free (result->module_roles);
}

/* --- joining the operators of all traces -------------------------------------------------------------------------- */

static LoomOperator *
find_row (LoomOperators *operators, GArray *rows, GHashTable *known, guint32 joined, guint32 shape)
{
  guint64 key = (guint64) joined << 32 | shape;
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (known, &key));
  if (row == 0) {
    const LoomName *name = &operators->joined->names[joined];
    LoomOperator empty = { .name = name->text,
                           .category = name->category,
                           .shape = loom_string_pool_get (operators->texts, shape),
                           .longest = LOOM_SPAN_ID_NONE };
    g_array_append_val (rows, empty);
    row = rows->len;
    g_hash_table_insert (known, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (row));
  }
  return &g_array_index (rows, LoomOperator, row - 1);
}

static void
add_spans (LoomOperator *row, const GArray *spans, guint trace)
{
  if (row->spans == NULL)
    row->spans = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  for (guint i = 0; i < spans->len && row->spans->len < LOOM_OPERATORS_MOST_SPANS; i++) {
    LoomSpanId id = { trace, g_array_index (spans, guint32, i) };
    g_array_append_val (row->spans, id);
  }
}

/* Adds the sums of an operator to a row. Until finish_rows() is called, `mean_ns` of the row contains the total
 * duration of the row's calls. `dur_ns`: durations of the spans of the trace. `longest_ns`: duration of row->longest;
 * is updated. */
static void
add_sums (LoomOperator *row, const LoomOperatorSums *sums, guint trace, const gint64 *dur_ns, gint64 *longest_ns)
{
  row->calls += sums->calls;
  row->n_kernels += sums->n_kernels;
  row->host_ns = loom_time_add (row->host_ns, sums->host_ns);
  row->host_self_ns = loom_time_add (row->host_self_ns, sums->host_self_ns);
  row->device_ns = loom_time_add (row->device_ns, sums->device_ns);
  row->device_self_ns = loom_time_add (row->device_self_ns, sums->device_self_ns);
  row->mean_ns = loom_time_add (row->mean_ns, sums->whole_ns);
  if (sums->longest != G_MAXUINT32 && (row->longest.trace == G_MAXUINT32 || dur_ns[sums->longest] > *longest_ns)) {
    row->longest = (LoomSpanId) { trace, sums->longest };
    *longest_ns = dur_ns[sums->longest];
  }
  if (sums->spans != NULL)
    add_spans (row, sums->spans, trace);
}

static gint64
get_longest_ns (const Computation *all, const LoomOperator *row)
{
  if (row->longest.trace == G_MAXUINT32)
    return -1;
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (all->timeline), row->longest.trace);
  return loom_trace_get_spans (trace)->dur_ns[row->longest.span];
}

static int
compare_rows (gconstpointer a, gconstpointer b)
{
  const LoomOperator *x = a, *y = b;
  if (x->device_ns != y->device_ns)
    return x->device_ns > y->device_ns ? -1 : 1;
  if (x->host_ns != y->host_ns)
    return x->host_ns > y->host_ns ? -1 : 1;
  int order = g_strcmp0 (x->name, y->name);
  order = order != 0 ? order : g_strcmp0 (x->category, y->category);
  return order != 0 ? order : g_strcmp0 (x->shape, y->shape);
}

static void
finish_rows (GArray *rows)
{
  for (guint i = 0; i < rows->len; i++) {
    LoomOperator *row = &g_array_index (rows, LoomOperator, i);
    gint64 n = (gint64) row->calls;
    row->mean_ns = n > 0 ? (gint64) (((__int128) row->mean_ns + n / 2) / n) : 0;
  }
  g_array_sort (rows, compare_rows);
}

/* Makes rows from the sums that a LoomOperatorPass has computed. `offset`: offset of this LoomOperatorPass in
 * TraceResult. Sums of different traces with the same name and shape become one row. */
static void
join (Computation *all, GArray *rows, gsize offset)
{
  LoomOperators *operators = all->operators;
  g_autoptr (GHashTable) known = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  for (guint t = 0; t < all->n_traces; t++) {
    const LoomOperatorPass *pass = G_STRUCT_MEMBER_P (&all->traces[t], offset);
    LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (all->timeline), t);
    for (guint i = 0; pass->sums != NULL && i < pass->sums->len; i++) {
      const LoomOperatorSums *sums = &g_array_index (pass->sums, LoomOperatorSums, i);
      if (sums->calls == 0 && sums->device_ns == 0 && sums->n_kernels == 0)
        continue;
      LoomOperator *row = find_row (operators, rows, known, operators->joined->maps[t][sums->name_id], sums->shape);
      gint64 longest_ns = get_longest_ns (all, row);
      add_sums (row, sums, t, loom_trace_get_spans (trace)->dur_ns, &longest_ns);
    }
  }
  finish_rows (rows);
}

static void
count_kernels (LoomOperators *operators, const LoomKernelLaunches *launches)
{
  operators->n_unlinked += launches->n_unlinked;
  operators->unlinked_ns = loom_time_add (operators->unlinked_ns, launches->unlinked_ns);
  operators->n_kernels += launches->n_unlinked;
  operators->kernels_ns = loom_time_add (operators->kernels_ns, launches->unlinked_ns);
  for (guint i = 0; i < launches->launches->len; i++) {
    const LoomKernelLaunch *launch = &g_array_index (launches->launches, LoomKernelLaunch, i);
    operators->n_kernels += launch->n;
    operators->kernels_ns = loom_time_add (operators->kernels_ns, launch->device_ns);
  }
}

static void
add_up (LoomOperators *operators)
{
  operators->outside_ns = operators->kernels_ns - operators->unlinked_ns;
  for (guint i = 0; i < operators->names->len; i++) {
    const LoomOperator *row = &g_array_index (operators->names, LoomOperator, i);
    operators->n_calls += row->calls;
    operators->outside_ns -= row->device_self_ns;
  }
}

/* --- reading the shapes of inputs --------------------------------------------------------------------------------- */

/* Returns an array: [id in LoomRunNames] 1 if the shapes of the calls with this name are to be read. Names are chosen
 * in descending order of their time. All chosen names together have at most LOOM_OPERATORS_MOST_SHAPES calls: a name
 * that would exceed this sum is skipped. */
static guint8 *
choose_names (const LoomOperators *operators)
{
  guint8 *chosen = g_new0 (guint8, (gsize) operators->joined->n + 1);
  g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
  guint64 left = LOOM_OPERATORS_MOST_SHAPES;
  for (guint i = 0; i < operators->names->len; i++) {
    const LoomOperator *row = &g_array_index (operators->names, LoomOperator, i);
    if (row->calls > left)
      continue;
    left -= row->calls;
    g_hash_table_add (known, (gpointer) row->name);
  }
  for (guint32 i = 0; i < operators->joined->n; i++)
    chosen[i] = g_hash_table_contains (known, operators->joined->names[i].text);
  return chosen;
}

static gboolean
read_shapes (Computation *all)
{
  LoomOperators *operators = all->operators;
  g_autofree guint8 *chosen = choose_names (operators);
  for (guint t = 0; t < all->n_traces; t++) {
    TraceResult *result = &all->traces[t];
    guint n = loom_trace_get_n_names (loom_run_get_trace (loom_timeline_get_run (all->timeline), t));
    g_autofree guint8 *wanted = g_new0 (guint8, MAX (n, 1));
    for (guint i = 0; i < n; i++)
      wanted[i] = result->operator_roles[i] == LOOM_SPAN_ROLE_COUNTED && chosen[operators->joined->maps[t][i]];
    LoomRange wide = loom_kernel_launches_extend (&result->launches, all->range);
    result->known_shapes = loom_operator_shapes_read (all->timeline, t, wide, wanted, operators->texts,
                                                      &operators->n_shapes_read, all->cancellable);
    if (result->known_shapes == NULL)
      return FALSE;
    operators->has_shapes |= result->known_shapes->len > 0;
  }
  if (operators->has_shapes)
    loom_parallel_for (all->n_traces, 0, run_shapes_of_trace, all, NULL);
  return !g_cancellable_is_cancelled (all->cancellable);
}

/* --- public functions and their helpers --------------------------------------------------------------------------- */

static gboolean
compute (Computation *all)
{
  LoomOperators *operators = all->operators;
  loom_parallel_for (all->n_traces, 0, run_trace, all, NULL);
  if (g_cancellable_is_cancelled (all->cancellable))
    return FALSE;
  for (guint t = 0; t < all->n_traces; t++) {
    count_kernels (operators, &all->traces[t].launches);
    operators->has_modules |= all->traces[t].has_modules;
  }
  join (all, operators->names, G_STRUCT_OFFSET (TraceResult, names));
  join (all, operators->modules, G_STRUCT_OFFSET (TraceResult, modules));
  add_up (operators);
  if (!read_shapes (all))
    return FALSE;
  if (operators->has_shapes)
    join (all, operators->shapes, G_STRUCT_OFFSET (TraceResult, shapes));
  return TRUE;
}

static void
clear_row (gpointer row)
{
  g_clear_pointer (&((LoomOperator *) row)->spans, g_array_unref);
}

static GArray *
new_rows (void)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (LoomOperator));
  g_array_set_clear_func (rows, clear_row);
  return rows;
}

LoomOperators *
loom_operators_new (LoomTimeline *timeline, LoomRunNames *names, LoomRange range, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL, NULL);
  LoomRun *run = loom_timeline_get_run (timeline);
  g_autoptr (LoomOperators) operators = g_new0 (LoomOperators, 1);
  operators->names = new_rows ();
  operators->shapes = new_rows ();
  operators->modules = new_rows ();
  operators->texts = loom_string_pool_new ();
  operators->has_index = loom_run_has_index (run);
  operators->recorder = loom_recording_advice_find_recorder (run);
  operators->joined = names != NULL ? loom_run_names_ref (names) : loom_run_names_new (run);
  Computation all = { timeline, range, cancellable, operators, NULL, loom_run_get_n_traces (run) };
  all.traces = g_new0 (TraceResult, MAX (all.n_traces, 1));
  gboolean done = compute (&all);
  for (guint t = 0; t < all.n_traces; t++)
    clear_trace (&all.traces[t]);
  g_free (all.traces);
  return done ? g_steal_pointer (&operators) : NULL;
}

void
loom_operators_free (LoomOperators *operators)
{
  if (operators == NULL)
    return;
  g_array_unref (operators->names);
  g_array_unref (operators->shapes);
  g_array_unref (operators->modules);
  loom_string_pool_free (operators->texts);
  loom_run_names_unref (operators->joined);
  g_free (operators);
}

const char *
loom_operators_get_missing (const LoomOperators *operators)
{
  if (operators->names->len > 0)
    return NULL;
  if (operators->has_index)
    return _ ("Index files contain only sums of what the host did: open the trace files themselves to see operators.");
  return _ ("No operators were found.");
}

const char *
loom_operators_get_missing_shapes (const LoomOperators *operators)
{
  if (operators->has_shapes || operators->names->len == 0)
    return NULL;
  return _ ("The shapes of the inputs are not recorded.");
}

const char *
loom_operators_get_missing_modules (const LoomOperators *operators)
{
  if (operators->names->len == 0 || operators->modules->len > 0)
    return NULL;
  return operators->has_modules ? _ ("There are no modules in this range.") : _ ("Modules are not recorded.");
}

const char *
loom_operators_get_advice (const LoomOperators *operators)
{
  gboolean lacks = operators->names->len == 0 && !operators->has_index;
  return loom_recording_advice_get (operators->recorder, lacks ? LOOM_LACKS_OPERATORS : LOOM_LACKS_NOTHING);
}

const char *
loom_operators_get_advice_shapes (const LoomOperators *operators)
{
  gboolean lacks = operators->names->len > 0 && !operators->has_shapes;
  return loom_recording_advice_get (operators->recorder, lacks ? LOOM_LACKS_SHAPES : LOOM_LACKS_NOTHING);
}

const char *
loom_operators_get_advice_modules (const LoomOperators *operators)
{
  gboolean lacks = operators->names->len > 0 && !operators->has_modules;
  return loom_recording_advice_get (operators->recorder, lacks ? LOOM_LACKS_MODULES : LOOM_LACKS_NOTHING);
}
