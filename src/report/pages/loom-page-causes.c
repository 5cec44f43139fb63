/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the metrics (groups of spans, loom-cause-comparison.h) that charts show, groups metrics that record the same
 * work, and writes the sentences that name suspects: metrics whose spans take much longer at bottlenecks or in outlier
 * steps.
 */
#include "loom-page-causes.h"

#include "loom-list-separator.h"
#include "loom-time.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>

/* maximum number of metrics (groups of spans) with a slice of their own in the pie; all other metrics share one
 * slice */
#define MAX_SLICES 7
#define MAX_BARS 8
#define MAX_SUSPECTS 3
#define MAX_OTHER_NAMES 4
/* Two metrics (groups of spans) count as the same work, recorded under two names, if both of these conditions are met:
 * the smaller total time is at least this share of the larger one; and the longest spans of the two metrics overlap for
 * at least this share of the time from the first start to the last end of these two spans. */
#define NEARLY_SAME 0.95

typedef struct {
  LoomPageContent *sheet;
  const LoomPageInput *input;
  const LoomCauseComparison *contrast;
  const LoomCauseWords *words;
  guint *shown; /* array indexed by metric: index of the metric that charts show in its place, from dup_shown() */
} Causes;

static const char *
name_of (const Causes *causes, const LoomRootCauseMetric *metric)
{
  return loom_data_frame_get_text (causes->contrast->frame, metric->metric);
}

/* Sets the target of an element to the longest span of the metric (LoomRootCauseMetric.longest); sets no target if
 * `metric` is NULL. */
static void
set_longest (const Causes *causes, guint element, const LoomRootCauseMetric *metric)
{
  if (metric != NULL)
    loom_page_content_set_place (causes->sheet, element, loom_page_row_range (causes->input, metric->longest),
                                 &causes->contrast->frame->rows.span[metric->longest], 1);
}

static LoomWorkKind
work_of (const Causes *causes, const LoomRootCauseMetric *metric)
{
  const LoomDataFrame *frame = causes->contrast->frame;
  LoomSpanId id = frame->rows.span[metric->longest];
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (frame->timeline), id.trace);
  const LoomName *name = loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span]);
  return loom_work_kind_classify (name->text, name->category, FALSE);
}

/* Returns TRUE if the spans of the metric enclose other work, such as a step or the whole recording. The duration of
 * such a span only reflects the durations of the work inside it. */
static gboolean
is_around (const Causes *causes, const LoomRootCauseMetric *metric)
{
  LoomWorkKind work = work_of (causes, metric);
  return metric->is_phase || work == LOOM_WORK_KIND_ANNOTATION || work == LOOM_WORK_KIND_NONE;
}

/* Returns TRUE if the metric is a wait for another rank or for the device. The duration of a wait is an effect of other
 * work, not a cause. */
static gboolean
is_effect (const Causes *causes, const LoomRootCauseMetric *metric)
{
  static const char *const readers[] = { "aten::item", "aten::_local_scalar_dense", "aten::is_nonzero", NULL };
  LoomWorkKind work = work_of (causes, metric);
  return work == LOOM_WORK_KIND_COMMUNICATION || work == LOOM_WORK_KIND_COLLECTIVE || work == LOOM_WORK_KIND_SYNC ||
         g_strv_contains (readers, name_of (causes, metric));
}

/* Returns TRUE if charts omit the metric. They omit metrics of worker processes, and metrics whose spans enclose other
 * work. Returns FALSE for all metrics if the page must show the same numbers as smdebug's reports. */
static gboolean
is_left_out (const Causes *causes, const LoomRootCauseMetric *metric)
{
  return causes->contrast->frame->numbers != LOOM_NUMBER_CONVENTION_SMDEBUG &&
         (metric->is_worker || (!metric->is_phase && is_around (causes, metric)));
}

/* Returns TRUE if two rows (spans) run at the same time: their overlap is at least the share NEARLY_SAME of the time
 * from the first start to the last end. */
static gboolean
is_same_time (const LoomDataFrameRows *rows, guint32 a, guint32 b)
{
  gint64 both = loom_time_sub (MIN (rows->end_ns[a], rows->end_ns[b]), MAX (rows->start_ns[a], rows->start_ns[b])),
         all = loom_time_sub (MAX (rows->end_ns[a], rows->end_ns[b]), MIN (rows->start_ns[a], rows->start_ns[b]));
  return (double) both >= NEARLY_SAME * (double) all;
}

/* Returns TRUE if two metrics record the same work under two names: they have equally many spans and nearly equal total
 * times, and their longest spans run at the same time. For example, the data loader, its iterator and the profiler may
 * all record the same wait for data. */
static gboolean
is_same_work (const Causes *causes, const LoomRootCauseMetric *a, const LoomRootCauseMetric *b)
{
  double less = (double) MIN (a->in_range_ns, b->in_range_ns), more = (double) MAX (a->in_range_ns, b->in_range_ns);
  return a->count == b->count && a->is_phase == b->is_phase && less >= NEARLY_SAME * more &&
         is_same_time (&causes->contrast->frame->rows, a->longest, b->longest);
}

/* Returns TRUE if the longest span of `inner` runs inside the longest span of `outer`, on the same thread. */
static gboolean
encloses (const Causes *causes, const LoomRootCauseMetric *outer, const LoomRootCauseMetric *inner)
{
  const LoomDataFrame *frame = causes->contrast->frame;
  LoomSpanId a = frame->rows.span[outer->longest], b = frame->rows.span[inner->longest];
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (frame->timeline), b.trace);
  guint32 up = a.trace == b.trace ? loom_trace_get_parent (trace, b.span) : G_MAXUINT32;
  while (up != G_MAXUINT32 && up != a.span)
    up = loom_trace_get_parent (trace, up);
  return up != G_MAXUINT32;
}

/* `inner` and `outer` record the same work. Returns TRUE if charts show `inner` in place of `outer`. This is the case
 * if the longest span of `inner` is inside that of `outer`, as for an operator that only calls another operator.
 * Returns FALSE if charts omit `inner`. Also returns FALSE if only `outer` is a wait for data, because its name says
 * for what the process waits. */
static gboolean
is_better (const Causes *causes, const LoomRootCauseMetric *inner, const LoomRootCauseMetric *outer)
{
  return !is_left_out (causes, inner) &&
         (work_of (causes, outer) != LOOM_WORK_KIND_DATA || work_of (causes, inner) == LOOM_WORK_KIND_DATA) &&
         encloses (causes, outer, inner);
}

/* Returns the index of the first metric that records the same work as metric `i`; `i` if no earlier metric does.
 * Compares metric `i` only with metrics of about the same total time, which are its neighbours, because metrics are
 * sorted by total time. */
static guint
find_same (const Causes *causes, guint i)
{
  const LoomRootCauseMetric *all = causes->contrast->during.metrics;
  guint same = i;
  for (guint k = i; k > 0 && (double) all[i].in_range_ns >= NEARLY_SAME * (double) all[k - 1].in_range_ns; k--)
    if (is_same_work (causes, &all[k - 1], &all[i]) && !is_left_out (causes, &all[k - 1]))
      same = k - 1;
  return same;
}

/* Returns an array: for each metric, the index of the metric that charts show in its place. This is another metric that
 * records the same work, or the metric itself. With the number convention of smdebug, it is always the metric itself.
 * Owned by the caller. */
static guint *
dup_shown (const Causes *causes)
{
  const LoomRootCause *during = &causes->contrast->during;
  gboolean all = causes->contrast->frame->numbers == LOOM_NUMBER_CONVENTION_SMDEBUG;
  g_autofree guint *first = g_new (guint, MAX (during->n_metrics, 1)),
                   *best = g_new (guint, MAX (during->n_metrics, 1));
  guint *shown = g_new (guint, MAX (during->n_metrics, 1));
  for (guint i = 0; i < during->n_metrics; i++) {
    guint same = all ? i : find_same (causes, i);
    first[i] = same < i ? first[same] : i;
    best[i] = i;
    if (first[i] != i && is_better (causes, &during->metrics[i], &during->metrics[best[first[i]]]))
      best[first[i]] = i;
  }
  for (guint i = 0; i < during->n_metrics; i++)
    shown[i] = best[first[i]];
  return shown;
}

static const LoomRootCauseMetric *
get_shown (const Causes *causes, const LoomRootCauseMetric *metric)
{
  const LoomRootCauseMetric *all = causes->contrast->during.metrics;
  return &all[causes->shown[metric - all]];
}

/* Returns TRUE if the pies and bars omit the metric, or show another metric in its place. */
static gboolean
is_hidden (const Causes *causes, const LoomRootCauseMetric *metric)
{
  return is_left_out (causes, metric) || get_shown (causes, metric) != metric;
}

/* Returns the names of the metrics in whose place charts show another metric, as pairs "own name = shown name": "a = b,
 * c = d". NULL if there are no such metrics. Owned by the caller. */
static char *
dup_other_names (const Causes *causes)
{
  const LoomRootCause *during = &causes->contrast->during;
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < during->n_metrics && n <= MAX_OTHER_NAMES; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i], *shown = get_shown (causes, metric);
    if (shown == metric || metric->is_phase || is_left_out (causes, metric))
      continue;
    g_string_append (names, n > 0 ? loom_list_separator () : "");
    if (n++ < MAX_OTHER_NAMES)
      g_string_append_printf (names, "%s = %s", name_of (causes, metric), name_of (causes, shown));
    else
      g_string_append (names, "…");
  }
  return names->len > 0 ? g_strdup (names->str) : NULL;
}

/* Returns the names of the metrics of worker processes, which charts omit. Each name is followed by the number and the
 * mean duration of its spans: "DataLoaderWorker (4 × 1.66 min)". NULL if there are no such metrics. Owned by the
 * caller. */
static char *
dup_left_out (const Causes *causes)
{
  const LoomRootCause *during = &causes->contrast->during;
  g_autoptr (GString) names = g_string_new (NULL);
  for (guint i = 0; i < during->n_metrics; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    if (!is_left_out (causes, metric) || !metric->is_worker)
      continue;
    g_autofree char *mean = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric));
    g_string_append_printf (names, "%s%s (%" G_GUINT64_FORMAT " × %s)", names->len > 0 ? loom_list_separator () : "",
                            name_of (causes, metric), metric->count, mean);
  }
  return names->len > 0 ? g_strdup (names->str) : NULL;
}

/* Returns TRUE if the longest span of this metric is inside the longest span of another metric that charts show, on the
 * same node. The time of this metric is then a part of the time of the other metric. With the number convention of
 * smdebug, returns FALSE. */
static gboolean
is_nested (const Causes *causes, const LoomRootCauseMetric *metric)
{
  const LoomDataFrame *frame = causes->contrast->frame;
  const LoomDataFrameRows *rows = &frame->rows;
  const LoomRootCause *during = &causes->contrast->during;
  guint32 own = metric->longest;
  for (guint i = 0; i < during->n_metrics && frame->numbers != LOOM_NUMBER_CONVENTION_SMDEBUG; i++) {
    const LoomRootCauseMetric *other = &during->metrics[i];
    guint32 outer = other->longest;
    if (other == metric || other->is_phase != metric->is_phase || is_hidden (causes, other) ||
        frame->workers[rows->worker[outer]].host_id != frame->workers[rows->worker[own]].host_id)
      continue;
    if (rows->start_ns[outer] <= rows->start_ns[own] && rows->end_ns[outer] >= rows->end_ns[own] &&
        rows->end_ns[outer] - rows->start_ns[outer] > rows->end_ns[own] - rows->start_ns[own])
      return TRUE;
  }
  return FALSE;
}

static void
add_pie (const Causes *causes, const char *title, gboolean phases)
{
  const LoomRootCause *during = &causes->contrast->during;
  /* array indexed by slice: the metric whose longest span is shown when the user activates the slice. For the last
   * slice, "others", it is the first of the metrics that share the slice, which has the longest total time */
  const LoomRootCauseMetric *shown[MAX_SLICES + 1] = { NULL };
  LoomChart *chart = loom_chart_new_pie (title, "ns", NULL);
  double rest = 0;
  guint n = 0;
  for (guint i = 0; i < during->n_metrics; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    if (metric->is_phase != phases || is_hidden (causes, metric) || is_nested (causes, metric))
      continue;
    if (shown[n] == NULL)
      shown[n] = metric;
    if (n == MAX_SLICES) {
      rest += (double) metric->in_range_ns;
      continue;
    }
    loom_chart_add_slice (chart, name_of (causes, metric), (double) metric->in_range_ns, n);
    n++;
  }
  if (rest > 0)
    loom_chart_add_slice (chart, C_ ("chart", "others"), rest, LOOM_CHART_GREY);
  /* a pie with a single phase is not shown, because its only slice would be the whole step, which is also in the table */
  gboolean is_shown = n > (phases ? 1u : 0u);
  if (is_shown)
    loom_page_content_take_chart (causes->sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i <= n && is_shown; i++)
    set_longest (causes, i, shown[i]);
}

/* Adds the pie of functions. Omits functions that run inside others, because their time would count twice. Omits worker
 * processes, because they run all the time, so that the slices of the training processes would be very small; a note
 * names the worker processes. */
static void
add_functions (const Causes *causes)
{
  g_autofree char *left_out = dup_left_out (causes);
  g_autofree char *title = g_strdup_printf (
    /* Translators: Functions at bottlenecks, … */ _ ("%s, not counting data loader workers"),
    causes->words->functions);
  add_pie (causes, left_out != NULL ? title : causes->words->functions, FALSE);
}

static void
add_bars (const Causes *causes)
{
  const LoomRootCause *during = &causes->contrast->during;
  const LoomRootCauseMetric *shown[MAX_BARS];
  LoomChart *chart = loom_chart_new_bars (causes->words->bars, "ns", FALSE);
  guint n = 0;
  loom_chart_add_bar_series (chart, causes->words->here, LOOM_CHART_ALARM);
  loom_chart_add_bar_series (chart, causes->words->there, 0);
  for (guint i = 0; i < during->n_metrics && n < MAX_BARS; i++) {
    const LoomRootCauseMetric *metric = &during->metrics[i];
    const double means[] = { loom_cause_comparison_mean (metric),
                             loom_cause_comparison_mean_otherwise (causes->contrast, metric) };
    if (metric->is_phase || is_hidden (causes, metric))
      continue;
    loom_chart_add_bar_group (chart, name_of (causes, metric), means);
    shown[n++] = metric;
  }
  if (n > 0)
    loom_page_content_take_chart (causes->sheet, chart, FALSE);
  else
    loom_chart_unref (chart);
  for (guint i = 0; i < n; i++) {
    set_longest (causes, 2 * i, shown[i]);
    set_longest (causes, 2 * i + 1, loom_root_cause_find (&causes->contrast->otherwise, shown[i]->metric));
  }
}

static LoomResultTable *
new_table (const LoomCauseWords *words)
{
  LoomResultTable *table = loom_result_table_new (words->table);
  loom_result_table_add_column (table, C_ ("column", "Metric"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Count"), "", NULL);
  loom_result_table_add_column (table, C_ ("column", "Total"), "ns",
                                _ ("Total time of the spans that ran during bottlenecks, or in outlier steps"));
  loom_result_table_add_column (table, C_ ("column", "Mean"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Mean at Other Times"), "ns", NULL);
  loom_result_table_add_column (table, C_ ("column", "Ratio of Means"), "",
                                _ ("Mean ÷ mean at other times; 2 or more is worth a look"));
  loom_result_table_set_order (
    table,
    loom_result_table_add_column (table, C_ ("column", "Difference of Means"), "ns", _ ("Mean − mean at other times")),
    TRUE);
  return table;
}

static void
add_differences (const Causes *causes)
{
  const LoomCauseComparison *contrast = causes->contrast;
  LoomResultTable *table = new_table (causes->words);
  for (guint i = 0; i < contrast->during.n_metrics; i++) {
    const LoomRootCauseMetric *metric = &contrast->during.metrics[i];
    const double figures[] = { (double) metric->count,
                               (double) metric->in_range_ns,
                               loom_cause_comparison_mean (metric),
                               loom_cause_comparison_mean_otherwise (contrast, metric),
                               loom_cause_comparison_ratio (contrast, metric),
                               loom_cause_comparison_difference (contrast, metric) };
    loom_result_table_add_row (table, name_of (causes, metric));
    loom_result_table_set_numbers (table, 1, figures, G_N_ELEMENTS (figures));
  }
  loom_page_content_take_table (causes->sheet, table);
  for (guint i = 0; i < contrast->during.n_metrics; i++)
    set_longest (causes, i, &contrast->during.metrics[i]);
}

/* Adds a note about the metrics that ran only at bottlenecks (or only in outlier steps), each with the number and the
 * mean duration of its spans. These metrics cannot be suspects, because they have no spans at other times to compare
 * with. Returns the number of these metrics. */
static guint
add_only_then (const Causes *causes)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;
  for (guint i = 0; i < causes->contrast->during.n_metrics && n < MAX_SUSPECTS; i++) {
    const LoomRootCauseMetric *metric = &causes->contrast->during.metrics[i];
    if (!loom_cause_comparison_is_named_first (causes->contrast, metric))
      continue;
    g_autofree char *mean = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric));
    g_string_append_printf (names, "%s%s (%" G_GUINT64_FORMAT " × %s)", n > 0 ? loom_list_separator () : "",
                            name_of (causes, metric), metric->count, mean);
    n++;
  }
  g_autofree char *text = n > 0 ? causes->words->dup_only_then (names->str) : NULL;
  if (text != NULL)
    loom_page_content_add_note (causes->sheet, text);
  return n;
}

/* Calls `function` for suspects: if `effects` is TRUE, for those that are waits for other work; if FALSE, for all other
 * suspects. A suspect is a metric whose spans take much longer on average at bottlenecks (or in outlier steps) than at
 * other times. Suspects that load data come first, then all others; both groups are sorted by total time, longest
 * first. Stops after MAX_SUSPECTS suspects, or when `function` returns FALSE. */
static void
walk_suspects (const Causes *causes, gboolean effects,
               gboolean (*function) (const Causes *causes, const LoomRootCauseMetric *metric, gpointer data),
               gpointer data)
{
  const LoomRootCause *during = &causes->contrast->during;
  guint n = 0;
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < during->n_metrics && n < MAX_SUSPECTS; i++) {
      const LoomRootCauseMetric *metric = &during->metrics[i];
      if (!loom_cause_comparison_is_suspect (causes->contrast, metric) || is_around (causes, metric) ||
          is_effect (causes, metric) != effects || (work_of (causes, metric) == LOOM_WORK_KIND_DATA) != (pass == 0) ||
          get_shown (causes, metric) != metric)
        continue;
      n++;
      if (!function (causes, metric, data))
        return;
    }
}

static gboolean
append_suspect (const Causes *causes, const LoomRootCauseMetric *metric, gpointer data)
{
  GString *names = data;
  g_string_append_printf (names, "%s%s (× %.1f)", names->len > 0 ? loom_list_separator () : "",
                          name_of (causes, metric), loom_cause_comparison_ratio (causes->contrast, metric));
  return TRUE;
}

static gboolean
take_first (const Causes *causes, const LoomRootCauseMetric *metric, gpointer data)
{
  (void) causes;
  *(const LoomRootCauseMetric **) data = metric;
  return FALSE;
}

char *
loom_page_causes_dup_main (LoomPageContent *sheet, const LoomPageInput *input, const LoomCauseComparison *contrast,
                           const LoomCauseWords *words)
{
  Causes causes = { sheet, input, contrast, words, NULL };
  const LoomRootCauseMetric *metric = NULL;
  g_autofree guint *shown = causes.shown = dup_shown (&causes);
  walk_suspects (&causes, FALSE, take_first, &metric);
  if (metric == NULL)
    return NULL;
  g_autofree char *mean = loom_time_format_duration ((gint64) loom_cause_comparison_mean (metric)),
                  *usual = loom_time_format_duration ((gint64) loom_cause_comparison_mean_otherwise (contrast, metric));
  return g_strdup_printf (/* Translators: the name of a function, and two durations */
                          _ ("During bottlenecks, %s took %s on average instead of %s."), name_of (&causes, metric),
                          mean, usual);
}

/* Returns the names of suspects: metrics that take much longer at bottlenecks or in outlier steps. If `effects` is
 * TRUE, returns only waits for other work; if it is FALSE, all other suspects. Each name is followed by the ratio of
 * the two mean durations: "a (× 2.5), b (× 2.1)". NULL if there are no such suspects. Owned by the caller. */
static char *
dup_suspects (const Causes *causes, gboolean effects)
{
  g_autoptr (GString) names = g_string_new (NULL);
  walk_suspects (causes, effects, append_suspect, names);
  return names->len > 0 ? g_strdup (names->str) : NULL;
}

static const char *
get_no_suspects_of_steps (gboolean has_effects)
{
  return has_effects ? _ ("Only waits take at least twice as long in outlier steps as in other steps.")
                     : _ ("No function takes at least twice as long in outlier steps as in other steps.");
}

static const char *
get_no_suspects_of_bottlenecks (gboolean has_effects)
{
  return has_effects ? _ ("Only waits take at least twice as long during bottlenecks as at other times.")
                     : _ ("No function takes at least twice as long during bottlenecks as at other times.");
}

/* Adds a note about why no suspects are named. For a run with index files, the note says that functions can be compared
 * only in the trace files. For other runs, it says that no function takes much longer; it is omitted if `n_only_then`,
 * the result of add_only_then(), is not 0. */
static void
add_no_suspects (const Causes *causes, gboolean has_effects, guint n_only_then)
{
  const char *text =
    causes->words->of_steps ? get_no_suspects_of_steps (has_effects) : get_no_suspects_of_bottlenecks (has_effects);
  if (loom_run_has_index (loom_timeline_get_run (causes->input->frame->timeline)))
    text =
      _ ("Index files contain only sums of what the host did: open the trace files themselves to compare functions.");
  else if (n_only_then > 0)
    return;
  loom_page_content_add_note (causes->sheet, text);
}

static void
add_suspects (const Causes *causes)
{
  guint n_only_then = add_only_then (causes);
  g_autofree char *longer = dup_suspects (causes, FALSE), *effects = dup_suspects (causes, TRUE);
  if (longer != NULL) {
    g_autofree char *text =
      g_strdup_printf (causes->words->of_steps
                         ? _ ("Functions that take at least twice as long in outlier steps as in other steps: %s.")
                         : _ ("Functions that take at least twice as long during bottlenecks as at other times: %s."),
                       longer);
    loom_page_content_add_note (causes->sheet, text);
  } else
    add_no_suspects (causes, effects != NULL, n_only_then);
  if (effects == NULL)
    return;
  g_autofree char *text = g_strdup_printf (
    causes->words->of_steps
      ? _ (
          "Waits (for other ranks or for devices) that take at least twice as long in outlier steps as in other steps: %s.")
      : _ (
          "Waits (for other ranks or for devices) that take at least twice as long during bottlenecks as at other times: %s."),
    effects);
  loom_page_content_add_note (causes->sheet, text);
}

/* Adds notes about two kinds of metrics: those that the charts omit, and those that the charts replace by another
 * metric. The notes come after the table, which lists all metrics. */
static void
add_omissions (const Causes *causes)
{
  g_autofree char *left_out = dup_left_out (causes), *others = dup_other_names (causes);
  if (left_out != NULL) {
    g_autofree char *text =
      g_strdup_printf (_ ("Data loader workers run all the time, so they are in the table only: %s."), left_out);
    loom_page_content_add_note (causes->sheet, text);
  }
  if (others != NULL) {
    g_autofree char *text = g_strdup_printf (
      /* Translators: pairs of names: "a = b" */ _ (
        "Work that was recorded under several names appears only once in the charts: %s."),
      others);
    loom_page_content_add_note (causes->sheet, text);
  }
}

void
loom_page_causes_add_suspects (LoomPageContent *sheet, const LoomPageInput *input, const LoomCauseComparison *contrast,
                               const LoomCauseWords *words)
{
  Causes causes = { sheet, input, contrast, words, NULL };
  g_autofree guint *shown = causes.shown = dup_shown (&causes);
  add_suspects (&causes);
}

void
loom_page_causes_add_evidence (LoomPageContent *sheet, const LoomPageInput *input, const LoomCauseComparison *contrast,
                               const LoomCauseWords *words)
{
  Causes causes = { sheet, input, contrast, words, NULL };
  g_autofree guint *shown = causes.shown = dup_shown (&causes);
  add_functions (&causes);
  /* called after the pie of functions was added, because the bars show the functions of the pie */
  add_bars (&causes);
  add_pie (&causes, words->phases, TRUE);
  add_differences (&causes);
  add_omissions (&causes);
}
