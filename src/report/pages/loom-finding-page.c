/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the page of a finding (the result of a rule): advice, numbers, a chart of the data that the rule examined, and
 * a list of all times at which the rule found something.
 */
#include "loom-findings.h"

#include "loom-int64-hash.h"
#include "loom-page-private.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define N_POINTS 120 /* number of points in each line of a chart */
/* maximum number of devices that get a line each; with more devices, a chart shows only their mean */
#define MAX_LINES 6

/* --- numbers ------------------------------------------------------------------------------------------------------ */

static void
add_lost (LoomPageContent *sheet, const LoomRuleResult *result, gint64 explained_ns)
{
  g_autofree char *lost = loom_time_format_duration (loom_rule_weights_get_own_ns (result, explained_ns, FALSE)),
                  *over = loom_rule_result_dup_over (result), *explained = loom_time_format_duration (explained_ns);
  g_autofree char *text = over != NULL ? g_strdup_printf ("%s (%s)", lost, over) : g_strdup (lost);
  loom_page_content_add_fact (sheet, _ ("Estimated time lost"), text);
  if (explained_ns > 0)
    loom_page_content_add_fact (sheet, _ ("Explained by other findings"), explained);
  if (result->saved_ns > 0) {
    g_autofree char *saved = loom_time_format_duration (result->saved_ns);
    loom_page_content_add_fact (sheet, _ ("Saved if the late ranks were on time"), saved);
  }
}

/* Adds a row with a limit of the rule, as text, and the value that the rule compared with this limit. */
static void
add_limit (LoomPageContent *sheet, const LoomRuleLimit *limit)
{
  if (limit->label == NULL)
    return;
  g_autofree char *value = loom_rule_result_dup_value (limit, limit->value);
  g_autofree char *judged = isfinite (limit->judged) ? loom_rule_result_dup_value (limit, limit->judged) : NULL;
  g_autofree char *text = judged != NULL
                            ? g_strdup_printf (
                                /* Translators: a limit and the value in the run: "10 %; in this run: 12 %" */
                                C_ ("limit, value in the run", "%s; in this run: %s"), value, judged)
                            : g_strdup (value);
  loom_page_content_add_fact (sheet, limit->label, text);
}

static void
add_facts (LoomPageContent *sheet, const LoomRuleResult *result, gint64 explained_ns)
{
  loom_page_content_add_facts (sheet, _ ("Numbers"));
  if (result->n_datapoints > 0) {
    g_autofree char *counted =
      g_strdup_printf (_ ("%u of %u"), (guint) result->n_violations, (guint) result->n_datapoints);
    loom_page_content_add_fact (sheet, _ ("Values beyond the limit"), counted);
  }
  if (result->lost_ns > 0)
    add_lost (sheet, result, explained_ns);
  for (guint i = 0; i < result->n_limits; i++)
    add_limit (sheet, &result->limits[i]);
  loom_page_content_add_fact (sheet, C_ ("column", "Rule"), result->name);
}

/* Adds the result that SageMaker reported for the rule while the job ran, and a sentence about the difference from the
 * result that Traceloom computed. */
static void
add_report (LoomPageContent *sheet, const LoomRuleResult *result, const LoomSagemakerRuleReport *report)
{
  if (report == NULL)
    return;
  g_autofree char *said = loom_sagemaker_rule_report_describe (report), *path = g_filename_display_name (report->path);
  g_auto (GStrv) differences = loom_sagemaker_rule_report_compare (report, result);
  loom_page_content_add_facts (sheet, _ ("The job’s own report"));
  loom_page_content_add_fact (sheet, _ ("File"), path);
  loom_page_content_add_fact (sheet, _ ("Result"), said);
  for (guint i = 0; differences[i] != NULL; i++)
    loom_page_content_add_fact (sheet, i == 0 ? _ ("Differences") : "", differences[i]);
  if (differences[0] == NULL && report->problem == NULL)
    loom_page_content_add_fact (sheet, _ ("Differences"), C_ ("differences", "none"));
}

/* Returns a translated name for a number in the result of a custom rule. For numbers of SageMaker's rules, returns
 * SageMaker's name. */
static const char *
word_of_figure (const char *name)
{
  static const struct {
    const char *name, *words;
  } figures[] = { { "windows", NC_ ("number behind a finding", "windows") },
                  { "beyond", NC_ ("number behind a finding", "windows beyond the limit") },
                  { "worst", NC_ ("number behind a finding", "worst value") } };
  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (strcmp (name, figures[i].name) == 0)
      return g_dpgettext2 (NULL, "number behind a finding", figures[i].words);
  return name;
}

static void
add_figures (LoomResultTable *table, const char *path, JsonObject *details)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  json_object_iter_init_ordered (&iter, details);
  while (json_object_iter_next_ordered (&iter, &name, &node)) {
    g_autofree char *inner = path[0] != '\0' ? g_strdup_printf ("%s · %s", path, name) : g_strdup (name);
    if (JSON_NODE_HOLDS_OBJECT (node))
      add_figures (table, inner, json_node_get_object (node));
    if (!JSON_NODE_HOLDS_VALUE (node))
      continue;
    GType type = json_node_get_value_type (node);
    loom_result_table_add_row (table, path);
    loom_result_table_set_text (table, 1, word_of_figure (name));
    if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
      loom_result_table_set_number (table, 2, json_node_get_double (node));
    else if (type == G_TYPE_BOOLEAN)
      loom_result_table_set_number (table, 2, json_node_get_boolean (node));
  }
}

static void
add_details (LoomPageContent *sheet, const LoomRuleResult *result)
{
  LoomResultTable *table = loom_result_table_new (_ ("Numbers behind the finding"));
  loom_result_table_add_column (table, C_ ("column", "Item"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Quantity"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Value"), "", NULL);
  add_figures (table, "", result->details);
  loom_page_content_take_table_if_any (sheet, table);
}

static LoomResultTable *
new_places_table (const LoomPageInput *input, const LoomRuleResult *result)
{
  LoomResultTable *table = loom_result_table_new (_ ("Occurrences"));
  guint begin =
    loom_result_table_add_column (table, C_ ("column", "Start"), "time", _ ("Time since the start of the run"));
  guint length = loom_result_table_add_column (table, C_ ("column", "Duration"), "ns", NULL);
  guint node = loom_result_table_add_column (table, C_ ("column", "Node"), NULL, NULL),
        row = loom_result_table_add_column (table, C_ ("column", "Timeline Row"), NULL, NULL);
  for (guint i = 0; i < result->marks->len; i++) {
    const LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, i);
    g_autofree char *name =
      mark->device[0] != '\0' ? loom_page_place_name (input, mark->host, mark->device) : g_strdup ("");
    loom_result_table_add_row (table, NULL);
    loom_result_table_set_number (table, begin, (double) (mark->begin_ns - loom_page_get_zero (input)));
    loom_result_table_set_number (table, length, (double) loom_time_sub (mark->end_ns, mark->begin_ns));
    loom_result_table_set_text (table, node, mark->host);
    loom_result_table_set_text (table, row, name);
  }
  return table;
}

static void
add_places (LoomPageContent *sheet, const LoomPageInput *input, const LoomRuleResult *result)
{
  guint n = result->marks->len;
  loom_page_content_take_table_if_any (sheet, new_places_table (input, result));
  for (guint i = 0; i < n; i++) {
    const LoomRuleOccurrence *mark = &g_array_index (result->marks, LoomRuleOccurrence, i);
    LoomRange range = { mark->begin_ns, MAX (mark->end_ns, mark->begin_ns + 1) };
    loom_page_content_set_place (sheet, i, range, &mark->span, loom_timeline_span_id_is_none (mark->span) ? 0 : 1);
  }
  if (n == 0 || result->n_left_out == 0)
    return;
  guint n_more = (guint) MIN (result->n_left_out, G_MAXUINT);
  g_autofree char *text =
    g_strdup_printf (ngettext ("%u more occurrence is neither listed nor marked on the timeline.",
                               "%u more occurrences are neither listed nor marked on the timeline.", n_more),
                     n_more);
  loom_page_content_add_note (sheet, text);
}

/* --- charts of the samples that a rule examined ------------------------------------------------------------------- */

/* The rules that examine samples. Each element has the metric of the samples (LoomSampleSeries.dimension), and the name
 * of the parameter that sets the limit for these samples; NULL if the rule has no such parameter. */
static const struct {
  guint rule;
  const char *dimension;
  const char *limit;
} looked_at[] = {
  { LOOM_RULE_BATCH_SIZE, "GPUUtilization", "gpu_threshold_p95" },
  { LOOM_RULE_CPU_BOTTLENECK, "GPUUtilization", "gpu_threshold" },
  { LOOM_RULE_CPU_BOTTLENECK, "CPUUtilization", "cpu_threshold" },
  { LOOM_RULE_GPU_MEMORY_INCREASE, "GPUMemoryUtilization", NULL },
  { LOOM_RULE_IO_BOTTLENECK, "GPUUtilization", "gpu_threshold" },
  { LOOM_RULE_IO_BOTTLENECK, "I/OWaitPercentage", "io_threshold" },
  { LOOM_RULE_LOAD_BALANCING, "GPUUtilization", NULL },
  { LOOM_RULE_LOW_GPU_UTILIZATION, "GPUUtilization", "threshold_p95" },
  { LOOM_RULE_MAX_INITIALIZATION_TIME, "GPUUtilization", NULL },
  { LOOM_RULE_MAX_INITIALIZATION_TIME, "CPUUtilization", NULL },
};

typedef struct {
  double sum[N_POINTS];
  guint n[N_POINTS];
} Line;

static void
add_samples (Line *line, const LoomSampleSeries *series, LoomRange range)
{
  double width = (double) loom_time_sub (range.end_ns, range.begin_ns) / N_POINTS;
  for (guint32 i = 0; i < series->n; i++) {
    double at = (double) (series->time_ns[i] - range.begin_ns) / width;
    guint point = (guint) CLAMP (at, 0, N_POINTS - 1);
    line->sum[point] += series->value[i];
    line->n[point]++;
  }
}

static void
draw (LoomChart *chart, const LoomPageInput *input, const Line *line, const char *label, guint color)
{
  gint64 origin = loom_page_get_zero (input);
  double width = (double) loom_time_sub (input->range.end_ns, input->range.begin_ns) / N_POINTS;
  loom_chart_add_line (chart, label, color);
  for (guint i = 0; i < N_POINTS; i++)
    if (line->n[i] > 0)
      loom_chart_add_point (chart, (double) (input->range.begin_ns - origin) + width * (i + 0.5),
                            line->sum[i] / line->n[i], FALSE);
}

/* Returns the series of samples with this dimension (const LoomSampleSeries *). A mark (LoomRuleOccurrence) is a place
 * on the timeline where the rule found something. If the first mark of the result has a node, returns only the series
 * of this node; otherwise, returns those of all nodes. The caller owns the array, but not the series. */
static GPtrArray *
series_of (const LoomPageInput *input, const LoomRuleResult *result, const char *dimension)
{
  const LoomSampleSeries *series = input->frame->series;
  const char *host = result->marks->len > 0 ? g_array_index (result->marks, LoomRuleOccurrence, 0).host : "";
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; i < input->frame->n_series; i++)
    if (strcmp (series[i].dimension, dimension) == 0 && series[i].n > 0 &&
        (host[0] == '\0' || strcmp (loom_data_frame_get_host (input->frame, series[i].host_id), host) == 0))
      g_ptr_array_add (found, (gpointer) &series[i]);
  return found;
}

static double
parameter_of (const LoomRuleResult *result, const char *name)
{
  g_auto (GStrv) lines = g_strsplit (name != NULL && result->parameters != NULL ? result->parameters : "", "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], name) && lines[i][strlen (name)] == ':')
      return g_ascii_strtod (lines[i] + strlen (name) + 1, NULL);
  return NAN;
}

/* Adds a line for each device. If there are more than MAX_LINES devices, adds one line with their mean instead. */
static void
add_device_lines (LoomChart *chart, const LoomPageInput *input, const GPtrArray *found)
{
  g_autofree Line *line = g_new0 (Line, 1);
  for (guint i = 0; i < found->len; i++) {
    const LoomSampleSeries *series = found->pdata[i];
    add_samples (line, series, input->range);
    if (found->len > MAX_LINES)
      continue;
    draw (chart, input, line, series->name, i);
    memset (line, 0, sizeof *line);
  }
  g_autofree char *label =
    g_strdup_printf (ngettext ("mean of %u device", "mean of %u devices", found->len), found->len);
  if (found->len > MAX_LINES)
    draw (chart, input, line, label, 0);
}

static void
add_sample_charts (LoomPageContent *sheet, const LoomPageInput *input, const LoomRuleResult *result)
{
  for (guint i = 0; i < G_N_ELEMENTS (looked_at); i++) {
    if (looked_at[i].rule != result->rule || input->range.end_ns <= input->range.begin_ns)
      continue;
    g_autoptr (GPtrArray) found = series_of (input, result, looked_at[i].dimension);
    if (found->len == 0)
      continue;
    const LoomSampleSeries *first = found->pdata[0];
    const char *host = loom_data_frame_get_host (input->frame, first->host_id);
    g_autofree char *title = host[0] != '\0'
                               ? g_strdup_printf (C_ ("dimension of host", "%s of %s"), looked_at[i].dimension, host)
                               : g_strdup (looked_at[i].dimension);
    LoomChart *chart = loom_chart_new_lines (title, _ ("time since start"), "ns", "%", FALSE);
    add_device_lines (chart, input, found);
    loom_chart_set_limit (chart, parameter_of (result, looked_at[i].limit), C_ ("chart", "limit"));
    loom_page_content_take_chart (sheet, chart, FALSE);
  }
}

/* --- charts of steps and of the phases of the job ----------------------------------------------------------------- */

/* Adds a chart with the durations of the steps of one process: the process to which the result's first mark belongs. */
static void
add_steps (LoomPageContent *sheet, const LoomPageInput *input, const LoomRuleResult *result)
{
  const LoomDataFrameRows *rows = &input->frame->rows;
  guint n = 0;
  g_autoptr (GHashTable) marked = g_hash_table_new (loom_int64_hash, g_int64_equal);
  if (result->rule != LOOM_RULE_STEP_OUTLIER || result->marks->len == 0)
    return;
  const LoomRuleOccurrence *first = &g_array_index (result->marks, LoomRuleOccurrence, 0);
  g_autofree char *name = loom_page_place_name (input, first->host, first->device);
  for (guint i = 0; i < result->marks->len; i++)
    g_hash_table_add (marked, &g_array_index (result->marks, LoomRuleOccurrence, i).begin_ns);
  g_autofree char *title = g_strdup_printf (_ ("Duration of the steps of %s"), name);
  LoomChart *chart = loom_chart_new_lines (title, C_ ("chart", "step"), "", "ns", FALSE);
  loom_chart_add_line (chart, name, 0);
  for (guint32 i = 0; i < rows->n; i++)
    if ((rows->flags[i] & LOOM_ROW_STEP) != 0 &&
        g_strcmp0 (input->frame->workers[rows->worker[i]].display, first->device) == 0)
      loom_chart_add_point (chart, n++, (double) (rows->end_ns[i] - rows->start_ns[i]),
                            g_hash_table_contains (marked, &rows->start_ns[i]));
  loom_page_content_take_chart (sheet, chart, FALSE);
}

/* Adds a chart with the durations of the three phases of the job: before, in and after the training loop. */
static void
add_phases (LoomPageContent *sheet, const LoomPageInput *input, const LoomRuleResult *result)
{
  const LoomJobPhases *phases = &input->phases;
  if (result->rule != LOOM_RULE_MAX_INITIALIZATION_TIME || !phases->has_samples)
    return;
  gint64 begin_ns = phases->loop_begin_ns, end_ns = phases->loop_end_ns;
  /* In a job without a training loop, the first phase ends where the first mark of the result ends: at the first step
   * of another mode, or at the end of the job. */
  if (!phases->has_loop && result->marks->len > 0)
    begin_ns = end_ns = g_array_index (result->marks, LoomRuleOccurrence, 0).end_ns;
  const struct {
    const char *label;
    gint64 begin_ns, end_ns;
  } parts[] = {
    { C_ ("part of the job", "until the first step"), phases->job_begin_ns, begin_ns },
    { C_ ("part of the job", "training loop"), begin_ns, end_ns },
    { C_ ("part of the job", "after the training loop"), end_ns, phases->job_end_ns },
  };
  LoomChart *chart = loom_chart_new_bars (_ ("Where the time of the job went"), "ns", FALSE);
  loom_chart_add_bar_series (chart, C_ ("series", "time"), 0);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    double length = (double) MAX (parts[i].end_ns - parts[i].begin_ns, 0);
    loom_chart_add_bar_group (chart, parts[i].label, &length);
  }
  loom_page_content_take_chart (sheet, chart, FALSE);
}

/* --- charts for findings of custom rules, and about data loaders -------------------------------------------------- */

static void
add_own (LoomPageContent *sheet, const LoomPageInput *input, const LoomRuleResult *result)
{
  gint64 origin = loom_page_get_zero (input);
  guint group = G_MAXUINT;
  if (result->evidence->len == 0)
    return;
  const char *title = result->rule == LOOM_RULE_DATALOADER ? _ ("Number of processes that load data in each second")
                                                           : _ ("What the rule examined");
  LoomChart *chart = loom_chart_new_lines (title, _ ("time since start"), "ns", result->unit, FALSE);
  for (guint i = 0; i < result->evidence->len; i++) {
    const LoomRulePoint *point = &g_array_index (result->evidence, LoomRulePoint, i);
    if (point->group != group)
      loom_chart_add_line (chart, result->groups->pdata[point->group], point->group);
    group = point->group;
    loom_chart_add_point (chart, (double) (point->time_ns - origin), point->value, FALSE);
  }
  loom_chart_set_limit (chart, result->limit, C_ ("chart", "limit"));
  loom_page_content_take_chart (sheet, chart, FALSE);
}

LoomPageContent *
loom_findings_new_page (const LoomPageInput *input, const LoomRuleResult *result, gint64 explained_ns,
                        const LoomSagemakerRuleReport *report, GCancellable *cancellable)
{
  LoomPageContent *sheet = loom_page_content_new (input->range);
  const char *advice = result->advice != NULL        ? result->advice
                       : result->rule < LOOM_N_RULES ? loom_builtin_rules_get_advice (result->rule)
                                                     : "";
  if (advice[0] != '\0')
    loom_page_content_add_note (sheet, advice);
  add_facts (sheet, result, explained_ns);
  add_report (sheet, result, report);
  if (result->status == LOOM_RULE_FIRED) {
    add_sample_charts (sheet, input, result);
    add_steps (sheet, input, result);
    add_phases (sheet, input, result);
  }
  add_own (sheet, input, result);
  add_places (sheet, input, result);
  add_details (sheet, result);
  if (!g_cancellable_is_cancelled (cancellable))
    return sheet;
  loom_page_content_unref (sheet);
  return NULL;
}
