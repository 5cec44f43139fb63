/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-plan-write.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-glib-workaround.h"
#include "loom-metric-literal.h"

gboolean
loom_profiler_plan_write_kind_from_string (const char *word, LoomProfilerPlanKind *kind)
{
  static const char *const words[] = { "request", "container", "python", "pytorch", "composer" };
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i]) == 0) {
      *kind = (LoomProfilerPlanKind) i;
      return TRUE;
    }
  return FALSE;
}

static const char *
print_real (double value, char *buffer)
{
  return g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, "%.15g", value);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

/* Sets a member of the object. If the object has the key with another spelling (upper or lower case), this spelling is
 * used. */
static void
set_node (JsonObject *object, const char *key, JsonNode *value)
{
  json_object_set_member (object, loom_profiler_config_spelling (object, key), value);
}

static void
set_text (JsonObject *object, const char *key, const char *text)
{
  set_node (object, key, json_node_init_string (json_node_alloc (), text));
}

static void
set_int (JsonObject *object, const char *key, gint64 value)
{
  set_node (object, key, json_node_init_int (json_node_alloc (), value));
}

static void
set_int_text (JsonObject *object, const char *key, gint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);
  set_text (object, key, text);
}

static void
drop (JsonObject *object, const char *key)
{
  g_autofree char *spelling = g_strdup (loom_profiler_config_spelling (object, key));
  if (json_object_has_member (object, spelling))
    json_object_remove_member (object, spelling);
}

static void
set_range (JsonObject *metric, const LoomProfilerPlanRange *range, gboolean one_duration_key)
{
  static const char *const keys[] = { "StartStep", "NumSteps", "StartTimeInSecSinceEpoch", "DurationInSeconds",
                                      "Duration" };
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    drop (metric, keys[i]);
  if (range->has_start_step)
    set_int (metric, keys[0], range->start_step);
  if (range->has_n_steps)
    set_int (metric, keys[1], range->n_steps);
  if (range->has_start_s)
    set_int (metric, keys[2], range->start_s);
  for (guint i = 3; range->has_duration && i < (one_duration_key ? 4 : 5); i++)
    set_node (metric, keys[i], json_node_init_double (json_node_alloc (), range->duration_s));
}

/* Sets the members for Python profiling in a metric. A member for which the plan has no value keeps its value or, if it
 * has none, is set to the default. */
static void
set_python (JsonObject *metric, const LoomProfilerPlan *plan)
{
  g_autofree char *was = loom_profiler_config_dup_text (metric, "ProfilerName"),
                  *was_timer = loom_profiler_config_dup_text (metric, "cProfileTimer");
  const char *profiler = plan->python_profiler != NULL ? plan->python_profiler : was != NULL ? was : "cprofile";
  set_text (metric, "ProfilerName", profiler);
  if (g_ascii_strcasecmp (profiler, "pyinstrument") == 0)
    drop (metric, "cProfileTimer");
  else
    set_text (metric, "cProfileTimer",
              plan->timer == NULL && was_timer != NULL ? was_timer : loom_profiler_plan_timer (plan));
}

static JsonObject *
copy_object (JsonObject *object)
{
  JsonObject *copy = json_object_new ();
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  if (object == NULL)
    return copy;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    json_object_set_member (copy, name, json_node_copy (node));
  return copy;
}

static void
set_metric (JsonObject *parameters, const LoomProfilerPlan *plan, LoomProfilerMetric kind,
            const LoomProfilerConfig *base)
{
  LoomProfilerPlanRange range;
  if (!loom_profiler_plan_range (plan, kind, &range)) {
    drop (parameters, loom_profiler_config_metric_to_key (kind));
    return;
  }
  g_autoptr (JsonObject) metric = copy_object (base != NULL ? base->metrics[kind] : NULL);
  set_range (metric, &range, plan->one_duration_key);
  if (kind == LOOM_PROFILER_METRIC_DATALOADER &&
      (plan->regex != NULL || loom_profiler_config_member (metric, "MetricsRegex") == NULL))
    set_text (metric, "MetricsRegex", plan->regex != NULL ? plan->regex : ".*");
  if (kind == LOOM_PROFILER_METRIC_PYTHON)
    set_python (metric, plan);
  g_autofree char *text = loom_metric_literal_print (metric);
  set_text (parameters, loom_profiler_config_metric_to_key (kind), text);
}

static void
set_smprofiler (JsonObject *parameters, const LoomProfilerPlan *plan)
{
  if (!plan->smprofiler) {
    drop (parameters, "CPUProfilingDuration");
    drop (parameters, "SMPFileRotationSecs");
    return;
  }
  set_int_text (parameters, "CPUProfilingDuration", plan->cpu_duration_s != 0 ? plan->cpu_duration_s : 3600);
  set_int_text (parameters, "SMPFileRotationSecs", plan->rotation_s != 0 ? plan->rotation_s : 600);
}

/* Returns the default path of the recorded files. Usually this is the default path of the SDK, which has no slash at
 * its end. If the data loader metrics are configured, it is a path with a slash at its end, which AWS TensorFlow needs
 * for these metrics. */
static const char *
default_path (JsonObject *parameters)
{
  gboolean has_loader = loom_profiler_config_member (
                          parameters, loom_profiler_config_metric_to_key (LOOM_PROFILER_METRIC_DATALOADER)) != NULL;
  return has_loader ? "/opt/ml/output/profiler/" : "/opt/ml/output/profiler";
}

/* Sets the parameters for the recorded files (path and rotation). A parameter for which the plan has no value keeps the
 * value of the base configuration or, if there is none, is set to the default. */
static void
set_files (JsonObject *parameters, const LoomProfilerPlan *plan)
{
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  if (plan->local_path != NULL || loom_profiler_config_member (parameters, "LocalPath") == NULL)
    set_text (parameters, "LocalPath", plan->local_path != NULL ? plan->local_path : default_path (parameters));
  if (plan->rotate_bytes != 0 || loom_profiler_config_member (parameters, "RotateMaxFileSizeInBytes") == NULL)
    set_int_text (parameters, "RotateMaxFileSizeInBytes", plan->rotate_bytes != 0 ? plan->rotate_bytes : 10485760);
  if (plan->rotate_s > 0 || loom_profiler_config_member (parameters, "RotateFileCloseIntervalInSeconds") == NULL)
    set_text (parameters, "RotateFileCloseIntervalInSeconds",
              print_real (plan->rotate_s > 0 ? plan->rotate_s : 60, seconds));
  if (plan->fail_threshold != 0 || loom_profiler_config_member (parameters, "FileOpenFailThreshold") == NULL)
    set_int_text (parameters, "FileOpenFailThreshold", plan->fail_threshold != 0 ? plan->fail_threshold : 50);
}

static void
set_parameters (JsonObject *request, const LoomProfilerPlan *plan, const LoomProfilerConfig *base)
{
  g_autoptr (JsonObject) parameters = copy_object (base != NULL ? base->parameters : NULL);
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    set_metric (parameters, plan, (LoomProfilerMetric) i, base);
  set_smprofiler (parameters, plan);
  if (!plan->smprofiler && !plan->no_framework)
    set_files (parameters, plan);
  if (json_object_get_size (parameters) > 0)
    set_node (request, "ProfilingParameters", json_node_init_object (json_node_alloc (), parameters));
  else
    drop (request, "ProfilingParameters");
}

/* Makes the ProfilerConfig of a request. If profiling is disabled, the result contains only DisableProfiler, and those
 * members of the base configuration that a plan cannot express. */
static JsonObject *
build_request (const LoomProfilerPlan *plan, const LoomProfilerConfig *base)
{
  JsonObject *request = copy_object (base != NULL ? base->request : NULL);
  set_node (request, "DisableProfiler", json_node_init_boolean (json_node_alloc (), plan->disable));
  if (plan->disable) {
    drop (request, "S3OutputPath");
    drop (request, "ProfilingIntervalInMilliseconds");
    drop (request, "ProfilingParameters");
    return request;
  }
  if (plan->s3_output_path != NULL)
    set_text (request, "S3OutputPath", plan->s3_output_path);
  if (plan->interval_ms != 0)
    set_int (request, "ProfilingIntervalInMilliseconds", plan->interval_ms);
  set_parameters (request, plan, base);
  return request;
}

static char *
print_json (const LoomProfilerPlan *plan, const LoomProfilerConfig *base)
{
  g_autoptr (JsonObject) request = build_request (plan, base);
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), request);
  if (base != NULL && base->layer == LOOM_PROFILER_CONFIG_WRAPPED) {
    g_autoptr (JsonObject) outer = copy_object (json_node_get_object (base->root));
    set_node (outer, "ProfilerConfig", json_node_copy (root));
    json_node_set_object (root, outer);
  }
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  return g_strconcat (loom_json_glib_workaround_reals (text), "\n", NULL);
}

/* --- printing Python code for the SDK ----------------------------------------------------------------------------- */

static void
append_text (GString *out, const char *name, const char *text)
{
  g_string_append_printf (out, ", %s=\"", name);
  for (const char *p = text; *p != '\0'; p++)
    if (*p == '\n')
      g_string_append (out, "\\n");
    else
      g_string_append_printf (out, strchr ("\"\\", *p) != NULL ? "\\%c" : "%c", *p);
  g_string_append_c (out, '"');
}

static void
append_int (GString *out, const char *name, gint64 value)
{
  g_string_append_printf (out, ", %s=%" G_GINT64_FORMAT, name, value);
}

static void
append_real (GString *out, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_printf (out, ", %s=%s", name, print_real (value, text));
}

static void
append_range (GString *out, const LoomProfilerPlanRange *range)
{
  if (range->has_start_step)
    append_int (out, "start_step", range->start_step);
  if (range->has_n_steps)
    append_int (out, "num_steps", range->n_steps);
  if (range->has_start_s)
    append_int (out, "start_unix_time", range->start_s);
  if (range->has_duration)
    append_real (out, "duration", range->duration_s);
}

/* Skips the separator (a comma and blanks) with which `arguments` begins, for example in ", a, b" or ",\n a", and
 * returns the rest. */
static const char *
first_to_last (const GString *arguments)
{
  return arguments->len < 2 ? "" : arguments->str + (arguments->str[1] == '\n' ? 1 : 2);
}

static void
append_call (GString *out, const char *indent, const char *name, const char *call, const GString *arguments)
{
  g_string_append_printf (out, ",\n%s%s=%s(%s)", indent, name, call, first_to_last (arguments));
}

static void
append_metric (GString *out, GString *imports, const LoomProfilerPlan *plan, LoomProfilerMetric metric)
{
  static const struct {
    const char *name, *call;
  } words[LOOM_N_PROFILER_METRICS] = {
    [LOOM_PROFILER_METRIC_DETAILED] = { "detailed_profiling_config", "DetailedProfilingConfig" },
    [LOOM_PROFILER_METRIC_DATALOADER] = { "dataloader_profiling_config", "DataloaderProfilingConfig" },
    [LOOM_PROFILER_METRIC_PYTHON] = { "python_profiling_config", "PythonProfilingConfig" },
    [LOOM_PROFILER_METRIC_HOROVOD] = { "horovod_profiling_config", "HorovodProfilingConfig" },
    [LOOM_PROFILER_METRIC_SMDATAPARALLEL] = { "smdataparallel_profiling_config", "SMDataParallelProfilingConfig" },
  };
  g_autoptr (GString) arguments = g_string_new (NULL);
  LoomProfilerPlanRange range;
  if (!loom_profiler_plan_range (plan, metric, &range))
    return;
  if (plan->default_steps)
    g_string_append (arguments, ", profile_default_steps=True");
  else
    append_range (arguments, &range);
  if (metric == LOOM_PROFILER_METRIC_DATALOADER && plan->regex != NULL)
    append_text (arguments, "metrics_regex", plan->regex);
  if (metric == LOOM_PROFILER_METRIC_PYTHON && g_strcmp0 (plan->python_profiler, "pyinstrument") == 0) {
    g_string_append (arguments, ", python_profiler=PythonProfiler.PYINSTRUMENT");
    g_string_append (imports, ", PythonProfiler");
  } else if (metric == LOOM_PROFILER_METRIC_PYTHON && plan->timer != NULL) {
    g_autofree char *upper = g_ascii_strup (plan->timer, -1);
    g_string_append_printf (arguments, ", cprofile_timer=cProfileTimer.%s", upper);
    g_string_append (imports, ", cProfileTimer");
  }
  g_string_append_printf (imports, ", %s", words[metric].call);
  append_call (out, "        ", words[metric].name, words[metric].call, arguments);
}

static void
append_framework (GString *out, GString *imports, const LoomProfilerPlan *plan)
{
  g_autoptr (GString) inner = g_string_new (NULL);
  if (plan->local_path != NULL)
    append_text (inner, "local_path", plan->local_path);
  if (plan->rotate_bytes != 0)
    append_int (inner, "file_max_size", plan->rotate_bytes);
  if (plan->rotate_s > 0)
    append_real (inner, "file_close_interval", plan->rotate_s);
  if (plan->fail_threshold != 0)
    append_int (inner, "file_open_fail_threshold", plan->fail_threshold);
  if (plan->chosen == 0)
    append_range (inner, &plan->range);
  for (guint i = 0; plan->chosen != 0 && i < LOOM_N_PROFILER_METRICS; i++)
    append_metric (inner, imports, plan, (LoomProfilerMetric) i);
  g_string_append (imports, ", FrameworkProfile");
  append_call (out, "    ", "framework_profile_params", "FrameworkProfile", inner);
}

static void
append_smprofiler (GString *out, GString *imports, const LoomProfilerPlan *plan)
{
  g_autoptr (GString) arguments = g_string_new (NULL);
  append_int (arguments, "cpu_profiling_duration", plan->cpu_duration_s != 0 ? plan->cpu_duration_s : 3600);
  if (plan->rotation_s != 0)
    append_int (arguments, "file_rotation_interval", plan->rotation_s);
  g_string_append (imports, ", Profiler");
  append_call (out, "    ", "profile_params", "Profiler", arguments);
}

static const char duration_warning[] =
  "# The SDK writes the length of a time range under the key Duration, which the reader in the container does not know:\n"
  "# it profiles until the next step. A profilerconfig.json or request with DurationInSeconds profiles all of it.\n";

static gboolean
has_duration (const LoomProfilerPlan *plan)
{
  LoomProfilerPlanRange range;
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    if (loom_profiler_plan_range (plan, (LoomProfilerMetric) i, &range) && range.has_duration)
      return TRUE;
  return FALSE;
}

static char *
print_python (const LoomProfilerPlan *plan)
{
  g_autoptr (GString) imports = g_string_new ("ProfilerConfig"), out = g_string_new (NULL);
  if (plan->disable) {
    g_string_append (out, ", disable_profiler=True");
  } else {
    if (plan->s3_output_path != NULL)
      append_text (out, "s3_output_path", plan->s3_output_path);
    if (plan->interval_ms != 0)
      append_int (out, "system_monitor_interval_millis", plan->interval_ms);
    if (plan->smprofiler)
      append_smprofiler (out, imports, plan);
    else if (!plan->no_framework)
      append_framework (out, imports, plan);
  }
  return g_strdup_printf ("from sagemaker.debugger import %s\n\n%sprofiler_config = ProfilerConfig(%s)\n", imports->str,
                          has_duration (plan) ? duration_warning : "", first_to_last (out));
}

/* --- schedules ---------------------------------------------------------------------------------------------------- */

/* Finds the steps for a schedule of PyTorch's profiler: the steps of the first profiled metric that has a start step.
 * Returns FALSE with `error` if no metric has a start step. */
static gboolean
find_steps (const LoomProfilerPlan *plan, gint64 *start_step, gint64 *n_steps, GError **error)
{
  LoomProfilerPlanRange range;
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    if (loom_profiler_plan_range (plan, (LoomProfilerMetric) i, &range) && range.has_start_step) {
      *start_step = range.start_step;
      *n_steps = range.n_steps;
      return TRUE;
    }
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_RANGE,
                       _ ("A schedule is based on steps: give the first step and the number of steps"));
  return FALSE;
}

/* Returns the text of a schedule of PyTorch's profiler. The step before the first profiled step is the warm-up; if the
 * first profiled step is step 0, there is no warm-up. Returns NULL with `error` on failure. */
static char *
print_schedule (const LoomProfilerPlan *plan, LoomProfilerPlanKind kind, GError **error)
{
  gint64 start, n;
  if (!find_steps (plan, &start, &n, error))
    return NULL;
  gint64 warmup = start > 0 ? 1 : 0;
  gboolean pytorch = kind == LOOM_PROFILER_PLAN_KIND_PYTORCH;
  return g_strdup_printf ("from %s import %s\n\nprofile_schedule = %s(skip_first=%" G_GINT64_FORMAT
                          ", wait=0, warmup=%" G_GINT64_FORMAT ", active=%" G_GINT64_FORMAT ", repeat=1)\n",
                          pytorch ? "torch.profiler" : "composer.profiler", pytorch ? "schedule" : "cyclic_schedule",
                          pytorch ? "schedule" : "cyclic_schedule", start - warmup, warmup, n);
}

char *
loom_profiler_plan_write_print (const LoomProfilerPlan *plan, LoomProfilerPlanKind kind, const LoomProfilerConfig *base,
                                GError **error)
{
  switch (kind) {
  case LOOM_PROFILER_PLAN_KIND_PYTHON: return print_python (plan);
  case LOOM_PROFILER_PLAN_KIND_PYTORCH:
  case LOOM_PROFILER_PLAN_KIND_COMPOSER: return print_schedule (plan, kind, error);
  case LOOM_PROFILER_PLAN_KIND_REQUEST:
  case LOOM_PROFILER_PLAN_KIND_CONTAINER:
  default: return print_json (plan, base);
  }
}
