/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-builtin-rules.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-device-label.h"
#include "loom-frame-collectives.h"
#include "loom-metric-snapshots.h"
#include "loom-rule-private.h"
#include "loom-statistics.h"

static void (*const evaluators[LOOM_N_RULES]) (const LoomRuleContext *context, LoomRuleResult *result) = {
  [LOOM_RULE_BATCH_SIZE] = loom_rule_batch_size,
  [LOOM_RULE_COPY_BOUND] = loom_rule_copy_bound,
  [LOOM_RULE_CPU_BOTTLENECK] = loom_rule_bottleneck,
  [LOOM_RULE_DATALOADER] = loom_rule_dataloader,
  [LOOM_RULE_EXPERT_IMBALANCE] = loom_rule_waits,
  [LOOM_RULE_GPU_MEMORY_INCREASE] = loom_rule_gpu_memory_increase,
  [LOOM_RULE_HANG] = loom_rule_hang,
  [LOOM_RULE_HOST_BOUND] = loom_rule_idle,
  [LOOM_RULE_HOST_STALL] = loom_rule_host_stall,
  [LOOM_RULE_IO_BOTTLENECK] = loom_rule_bottleneck,
  [LOOM_RULE_LAUNCH_GAPS] = loom_rule_idle,
  [LOOM_RULE_LOAD_BALANCING] = loom_rule_load_balancing,
  [LOOM_RULE_LOW_GPU_UTILIZATION] = loom_rule_low_gpu_utilization,
  [LOOM_RULE_MAX_INITIALIZATION_TIME] = loom_rule_max_initialization_time,
  [LOOM_RULE_MEMORY_LEAK] = loom_rule_memory_leak,
  [LOOM_RULE_PIPELINE_BUBBLES] = loom_rule_bubbles,
  [LOOM_RULE_SLOW_LINK] = loom_rule_slow_link,
  [LOOM_RULE_STEP_OUTLIER] = loom_rule_step_outlier,
  [LOOM_RULE_OVERALL_SYSTEM_USAGE] = loom_rule_overall_system_usage,
  [LOOM_RULE_OVERALL_FRAMEWORK_METRICS] = loom_rule_overall_framework_metrics,
};

static const LoomRuleSeverity severities[LOOM_N_RULES] = {
  [LOOM_RULE_BATCH_SIZE] = LOOM_RULE_INFO,
  [LOOM_RULE_COPY_BOUND] = LOOM_RULE_WARNING,
  [LOOM_RULE_CPU_BOTTLENECK] = LOOM_RULE_WARNING,
  [LOOM_RULE_DATALOADER] = LOOM_RULE_INFO,
  [LOOM_RULE_EXPERT_IMBALANCE] = LOOM_RULE_WARNING,
  [LOOM_RULE_GPU_MEMORY_INCREASE] = LOOM_RULE_WARNING,
  [LOOM_RULE_HANG] = LOOM_RULE_SEVERE,
  [LOOM_RULE_HOST_BOUND] = LOOM_RULE_WARNING,
  [LOOM_RULE_HOST_STALL] = LOOM_RULE_WARNING,
  [LOOM_RULE_IO_BOTTLENECK] = LOOM_RULE_WARNING,
  [LOOM_RULE_LAUNCH_GAPS] = LOOM_RULE_WARNING,
  [LOOM_RULE_LOAD_BALANCING] = LOOM_RULE_WARNING,
  [LOOM_RULE_LOW_GPU_UTILIZATION] = LOOM_RULE_WARNING,
  [LOOM_RULE_MAX_INITIALIZATION_TIME] = LOOM_RULE_WARNING,
  [LOOM_RULE_MEMORY_LEAK] = LOOM_RULE_WARNING,
  [LOOM_RULE_PIPELINE_BUBBLES] = LOOM_RULE_WARNING,
  [LOOM_RULE_SLOW_LINK] = LOOM_RULE_WARNING,
  [LOOM_RULE_STEP_OUTLIER] = LOOM_RULE_WARNING,
};

typedef const char *Advice; /* text that states what to do about a finding; not translated */

static const Advice
  advice
    [LOOM_N_RULES] = {
      [LOOM_RULE_BATCH_SIZE] = N_ (
        "CPU cores, GPUs and GPU memory are all far from their limits. A larger batch would make better use of the GPUs; a smaller instance would do the same work for less money."),
      [LOOM_RULE_COPY_BOUND] = N_ (
        "Devices copy memory and compute nothing meanwhile. Copy asynchronously from pinned memory (pin_memory, non_blocking=True) and fetch the next batch during the current step. Keep on the device what every step needs, such as offloaded parameters, optimizer states and caches."),
      [LOOM_RULE_CPU_BOTTLENECK] = N_ (
        "GPUs wait for the host. Move preprocessing out of the training process, spread it over more data loader workers, or use a machine with more cores per GPU."),
      [LOOM_RULE_DATALOADER] = N_ (
        "Use about one data loader worker per core: fewer workers leave cores idle, and many more slow each other down."),
      [LOOM_RULE_EXPERT_IMBALANCE] = N_ (
        "Experts have unequal loads, so ranks wait for the rank with the busiest expert. Check how the router balances the load: its balance loss, the capacity of experts, and dropped tokens."),
      [LOOM_RULE_GPU_MEMORY_INCREASE] = N_ (
        "Memory use grows from step to step, so the job may run out of memory. Look for tensors that are kept (losses added up with their graphs, or growing caches) and for batches of growing size."),
      [LOOM_RULE_HANG] = N_ (
        "Look first at the ranks that are named here: at their logs, at the call stack of their Python process (py-spy dump), and at errors of their GPU in dmesg (Xid). “Hang” shows in which process group these ranks are behind. If the program calls different collectives, look for code that only some ranks run."),
      [LOOM_RULE_HOST_BOUND] = N_ (
        "The host launches work too late, so GPUs are idle. “Idle Time” shows what the host did in the longest gaps: data loading, synchronizing calls such as .item(), or Python code between operators. Fewer and larger kernels also help: torch.compile, CUDA graphs, or larger batches."),
      [LOOM_RULE_HOST_STALL] = N_ (
        "One step takes longer because a host launched nothing for a while, and all ranks wait for it. Look at what that host did then: Python garbage collection, a checkpoint, logging, or other processes on the machine."),
      [LOOM_RULE_IO_BOTTLENECK] = N_ (
        "GPUs wait for data to be read. Cache or stream the data set, use larger files and faster storage, or prefetch further ahead."),
      [LOOM_RULE_LAUNCH_GAPS] = N_ (
        "A device pauses before each kernel, even if the kernel is already queued. Fewer and longer kernels cause fewer pauses: CUDA graphs, torch.compile, fused operators and optimizers, or larger batches. Pauses much longer than 2 µs have other causes: a profiler that records much, other processes on the same GPU, or synchronization between streams."),
      [LOOM_RULE_LOAD_BALANCING] = N_ (
        "Some GPUs do more work than others, although their work should be equal. Look for uneven batches, work that only one rank does (logging, checkpoints, evaluation), and a model whose parts are divided unevenly."),
      [LOOM_RULE_LOW_GPU_UTILIZATION] = N_ (
        "The GPUs were hardly used, or only at intervals. Look at what the host did meanwhile: data loading, checkpoints, or synchronization. If this does not explain it, use a larger batch, or fewer or smaller GPUs."),
      [LOOM_RULE_MAX_INITIALIZATION_TIME] = N_ (
        "A long time passed before the first step, and this time costs money, too. Look at downloads, package installation, kernel builds and the indexing of the data set."),
      [LOOM_RULE_MEMORY_LEAK] = N_ ("Every step leaves more memory allocated than the step before, so the job may run out of memory. “Memory” lists the functions whose allocations are not freed: losses added up with their graphs, outputs kept for metrics, or growing caches."),
      [LOOM_RULE_PIPELINE_BUBBLES] = N_ (
        "Pipeline stages do not compute while they wait for other stages. More microbatches per step, an interleaved schedule, or stages of equal length make this time (the pipeline bubbles) shorter."),
      [LOOM_RULE_SLOW_LINK] = N_ (
        "The same transfer takes longer between these ranks. Look at the network card, cable or switch between them, at traffic of other jobs, and at how ranks are placed on nodes."),
      [LOOM_RULE_STEP_OUTLIER] = N_ (
        "A few steps take much longer than the others. Go to one of these steps and look for work that other steps do not have: checkpoints, evaluation, data loading, or garbage collection."),
      [LOOM_RULE_OVERALL_SYSTEM_USAGE] = N_ ("An overview of how much of each node was used."),
      [LOOM_RULE_OVERALL_FRAMEWORK_METRICS] = N_ ("An overview of what the framework spent its time on."),
      [LOOM_RULE_PROFILER_REPORT] = N_ ("A summary of all rules."),
    };

/* --- functions that the rules share ------------------------------------------------------------------------------- */

double
loom_rule_value (const LoomRuleContext *context, const LoomRuleResult *result, guint parameter)
{
  return loom_rule_parameters_get (context->settings, result->rule, parameter);
}

LoomCollectives *
loom_rule_get_collectives (const LoomRuleContext *context)
{
  if (*context->collectives == NULL)
    *context->collectives = loom_frame_collectives_get (context->frame, context->frame->range, context->cancellable);
  return *context->collectives;
}

void
loom_rule_mark_row (const LoomRuleContext *context, LoomRuleResult *result, guint32 row)
{
  const LoomDataFrameRows *rows = &context->frame->rows;
  const LoomWorker *worker = &context->frame->workers[rows->worker[row]];
  LoomRuleOccurrence mark = { rows->start_ns[row], rows->end_ns[row], worker->host,
                              worker->display,     rows->span[row],   rows->worker[row] + 1 };
  loom_rule_result_add_mark (result, &mark);
}

GPtrArray *
loom_rule_series_of (const LoomRuleContext *context, const char *dimension)
{
  const LoomSampleSeries *series = context->frame->series;
  GPtrArray *found = g_ptr_array_new ();
  for (guint i = 0; i < context->frame->n_series; i++)
    if (strcmp (series[i].dimension, dimension) == 0)
      g_ptr_array_add (found, (gpointer) &series[i]);
  return found;
}

void
loom_rule_mark_unused (const LoomRuleContext *context, LoomRuleResult *result, const LoomSampleSeries *gpu, gsize n,
                       double used)
{
  gint64 begin_ns = gpu->time_ns[gpu->n - n], end_ns = gpu->time_ns[gpu->n - 1];
  const char *host = loom_data_frame_get_host (context->frame, gpu->host_id);
  loom_rule_result_add_occurrence (result, begin_ns, end_ns, host, gpu->name);
  result->lost_ns += (gint64) ((double) (end_ns - begin_ns) * (1 - CLAMP (used, 0, 100) / 100));
  result->lost_over = LOOM_RULE_OVER_DEVICES;
  result->n_lost_over++;
}

char *
loom_rule_dup_device (const char *device, gint rank, gboolean is_process)
{
  g_autofree char *name = loom_device_label_dup (device);
  if (rank >= 0 && is_process)
    return g_strdup_printf (
      /* Translators: %s is the name of a device: "GPU 0 of process 88359" */
      _ ("%s of process %d"), name, rank);
  return rank >= 0 ? g_strdup_printf (
                       /* Translators: %s is the name of a device: "GPU 0 of rank 3" */
                       _ ("%s of rank %d"), name, rank)
                   : g_steal_pointer (&name);
}

JsonObject *
loom_rule_details_at (JsonObject *details, const char *name, const char *inner)
{
  if (!json_object_has_member (details, name))
    json_object_set_object_member (details, name, json_object_new ());
  JsonObject *found = json_object_get_object_member (details, name);
  return inner != NULL ? loom_rule_details_at (found, inner, NULL) : found;
}

void
loom_rule_details_set (JsonObject *details, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (details, name, value);
  else
    json_object_set_null_member (details, name);
}

void
loom_rule_quantiles (const double *values, gsize n, const double *q, guint n_q, double *out)
{
  g_autofree double *copy = g_memdup2 (values, MAX (n, 1) * sizeof *copy);
  for (guint i = 0; i < n_q; i++)
    out[i] = loom_statistics_quantile (copy, n, q[i]);
}

void
loom_rule_details_set_box (JsonObject *details, const double *values, gsize n)
{
  static const double q[] = { 0, 0.25, 0.5, 0.75, 0.95, 1 };
  double at[G_N_ELEMENTS (q)];
  if (n == 0)
    return;
  loom_rule_quantiles (values, n, q, G_N_ELEMENTS (q), at);
  double whisker = 1.5 * (at[3] - at[1]);
  loom_rule_details_set (details, "p25", at[1]);
  loom_rule_details_set (details, "p50", at[2]);
  loom_rule_details_set (details, "p75", at[3]);
  loom_rule_details_set (details, "p95", at[4]);
  loom_rule_details_set (details, "upper", MIN (at[5], at[3] + whisker));
  loom_rule_details_set (details, "lower", MAX (at[0], at[1] - whisker));
}

typedef struct {
  double sum;
  guint n;
} Cell;

static void
add_series (Cell *cells, const LoomMetricSnapshots *snapshots, const LoomSampleSeries *series, gboolean clamp)
{
  gsize near = 0;
  for (guint32 i = 0; i < series->n; i++) {
    Cell *cell = &cells[loom_metric_snapshots_find (snapshots, series->time_ns[i], &near)];
    cell->sum += clamp ? MAX (series->value[i], 0) : series->value[i];
    cell->n++;
  }
}

static gboolean
is_wanted (const LoomSeriesFilter *filter, const LoomSampleSeries *series)
{
  return (filter->type == NULL || strcmp (series->type, filter->type) == 0) &&
         (filter->name == NULL || strcmp (series->name, filter->name) == 0) &&
         (filter->dimension == NULL || strcmp (series->dimension, filter->dimension) == 0);
}

GArray *
loom_rule_node_values (const LoomDataFrame *frame, guint32 host_id, const LoomSeriesFilter *filter, gboolean sum,
                       gboolean clamp)
{
  const LoomSampleSeries *series = frame->series;
  GArray *values = g_array_new (FALSE, FALSE, sizeof (double));
  LoomMetricSnapshots snapshots;
  loom_metric_snapshots_init (&snapshots, frame, host_id, NULL, NULL);
  g_autofree Cell *cells = g_new0 (Cell, snapshots.n + 1);
  for (guint i = 0; i < frame->n_series; i++)
    if (series[i].host_id == host_id && is_wanted (filter, &series[i]))
      add_series (cells, &snapshots, &series[i], clamp);
  for (gsize i = 0; i < snapshots.n; i++) {
    double value = cells[i].n > 0 && !sum ? cells[i].sum / cells[i].n : cells[i].sum;
    if (cells[i].n > 0)
      g_array_append_val (values, value);
  }
  loom_metric_snapshots_clear (&snapshots);
  return values;
}

const LoomIdleTime *
loom_rule_get_idle (const LoomRuleContext *context)
{
  const LoomCollectives *collectives = loom_rule_get_collectives (context);
  return collectives != NULL ? loom_idle_time_get (collectives, context->cancellable) : NULL;
}

/* --- evaluating the rules ----------------------------------------------------------------------------------------- */

/* Adds the parameters of a rule to its result. One parameter of the rule LoadBalancing has the kind
 * LOOM_PARAMETER_PERCENTILE, but its value is not a percentile: it is a distance between distributions, at most √ln
 * 2. */
static void
list_limits (LoomRuleResult *result, const LoomRuleParameters *settings)
{
  G_STATIC_ASSERT (LOOM_RULE_MAX_LIMITS >= LOOM_RULE_MAX_PARAMETERS);
  const LoomRuleParameter *parameters = loom_rule_parameters_rules[result->rule].parameters;
  for (guint i = 0; parameters[i].name != NULL; i++) {
    gboolean is_distance = result->rule == LOOM_RULE_LOAD_BALANCING && parameters[i].kind == LOOM_PARAMETER_PERCENTILE,
             is_percentile = parameters[i].kind == LOOM_PARAMETER_PERCENTILE,
             is_count = parameters[i].unit != NULL && *parameters[i].unit == '\0' && !is_distance;
    result->limits[result->n_limits++] =
      (LoomRuleLimit) { .parameter = parameters[i].name,
                        .label = parameters[i].label != NULL ? _ (parameters[i].label) : NULL,
                        .unit = parameters[i].unit != NULL && *parameters[i].unit != '\0' ? _ (parameters[i].unit) : "",
                        .value = loom_rule_parameters_get (settings, result->rule, i),
                        .initial = parameters[i].initial,
                        .least = is_percentile ? 0
                                 : is_count    ? 1
                                               : 0.1,
                        .most = is_distance     ? 0.83
                                : is_percentile ? 100
                                                : 1e6,
                        .is_whole = is_count,
                        .judged = NAN };
  }
}

static LoomRuleResult *
evaluate (guint rule, const LoomRuleContext *context, gboolean omits_data)
{
  g_autoptr (LoomRuleResult) result = loom_rule_result_new (loom_rule_parameters_rules[rule].name, rule);
  result->severity = severities[rule];
  result->omits_data = omits_data;
  result->parameters = loom_rule_parameters_print (context->settings, rule);
  list_limits (result, context->settings);
  if (evaluators[rule] != NULL)
    evaluators[rule](context, result);
  loom_rule_result_close (result);
  if (rule == LOOM_RULE_HOST_BOUND && !omits_data)
    result->without_data = evaluate (rule, context, TRUE);
  return g_cancellable_is_cancelled (context->cancellable) ? NULL : g_steal_pointer (&result);
}

/* Fills the result of the rule ProfilerReport, which fires if any other built-in rule fired. */
static void
report (GPtrArray *results)
{
  LoomRuleResult *whole = results->pdata[LOOM_RULE_PROFILER_REPORT];
  guint n_fired = 0, n_judged = 0;
  for (guint i = 0; i < LOOM_N_RULES; i++) {
    const LoomRuleResult *result = results->pdata[i];
    n_fired += i != LOOM_RULE_PROFILER_REPORT && result->status == LOOM_RULE_FIRED;
    n_judged += i != LOOM_RULE_PROFILER_REPORT && result->status <= LOOM_RULE_PASSED;
  }
  whole->n_violations = n_fired;
  whole->n_datapoints = n_judged;
  loom_rule_result_set_message (
    whole, n_fired > 0 ? LOOM_RULE_FIRED : LOOM_RULE_PASSED,
    _ ("built-in rules that fired: %u of the %u that had data; rules from files are not counted"), n_fired, n_judged);
}

GPtrArray *
loom_builtin_rules_evaluate (LoomDataFrame *frame, const LoomRuleParameters *settings, GCancellable *cancellable)
{
  g_autoptr (LoomCollectives) collectives = NULL;
  g_autoptr (GArray) waits = NULL;
  LoomRuleContext context = { frame, loom_job_phases_compute (frame), settings, cancellable, &collectives, &waits };
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_rule_result_free);
  for (guint i = 0; i < LOOM_N_RULES; i++) {
    LoomRuleResult *result = evaluate (i, &context, FALSE);
    if (result == NULL)
      return NULL;
    g_ptr_array_add (results, result);
  }
  loom_rule_bubbles_explain (&context, results->pdata[LOOM_RULE_PIPELINE_BUBBLES],
                             results->pdata[LOOM_RULE_HOST_BOUND]);
  report (results);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&results);
}

void
loom_builtin_rules_leave_data (GPtrArray *results, const LoomRuleResult *fired)
{
  if (fired->status != LOOM_RULE_FIRED || strcmp (fired->name, "DataLoadingStalls") != 0 || results->len < LOOM_N_RULES)
    return;
  LoomRuleResult *host = results->pdata[LOOM_RULE_HOST_BOUND];
  if (host->rule != LOOM_RULE_HOST_BOUND || host->without_data == NULL)
    return;
  results->pdata[LOOM_RULE_HOST_BOUND] = g_steal_pointer (&host->without_data);
  loom_rule_result_free (host);
  report (results);
}

const char *
loom_builtin_rules_get_advice (guint rule)
{
  g_return_val_if_fail (rule < LOOM_N_RULES, NULL);
  return _ (advice[rule]);
}
