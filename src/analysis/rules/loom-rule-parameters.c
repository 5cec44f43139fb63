/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-rule-parameters.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-metric-literal.h"

#define PERCENTILE(name, initial, label)                 \
  {                                                      \
    name, LOOM_PARAMETER_PERCENTILE, initial, label, "%" \
  }
#define POSITIVE(name, initial, label, unit)            \
  {                                                     \
    name, LOOM_PARAMETER_POSITIVE, initial, label, unit \
  }
#define SCAN POSITIVE ("scan_interval_us", 60000000, NULL, NULL)
#define PATIENCE POSITIVE ("patience", 1000, N_ ("Evaluated with more samples than"), "")

const LoomRuleInfo loom_rule_parameters_rules[LOOM_N_RULES] = {
  [LOOM_RULE_BATCH_SIZE] = { "BatchSize",
                             { PERCENTILE ("cpu_threshold_p95", 70, N_ ("CPU usage (p95) below")),
                               PERCENTILE ("gpu_threshold_p95", 70, N_ ("GPU usage (p95) below")),
                               PERCENTILE ("gpu_memory_threshold_p95", 70, N_ ("GPU memory (p95) below")), PATIENCE,
                               POSITIVE ("window", 500, N_ ("Number of most recent samples to examine"), ""), SCAN } },
  [LOOM_RULE_COPY_BOUND] = { "CopyBound",
                             { PERCENTILE ("threshold", 20,
                                           N_ ("Maximum share of time in which a device only copies memory")),
                               SCAN } },
  [LOOM_RULE_CPU_BOTTLENECK] = { "CPUBottleneck",
                                 { PERCENTILE ("threshold", 50, N_ ("Maximum share of time with a bottleneck")),
                                   PERCENTILE ("gpu_threshold", 10, N_ ("GPU starved at or below")),
                                   PERCENTILE ("cpu_threshold", 90, N_ ("CPU core saturated above")), PATIENCE,
                                   SCAN } },
  [LOOM_RULE_DATALOADER] = { "Dataloader",
                             { POSITIVE ("min_threshold", 70, N_ ("Minimum number of data loader workers"),
                                         N_ ("percent of cores")),
                               POSITIVE ("max_threshold", 200, N_ ("Maximum number of data loader workers"),
                                         N_ ("percent of cores")),
                               SCAN } },
  [LOOM_RULE_EXPERT_IMBALANCE] = { "ExpertImbalance",
                                   { PERCENTILE (
                                       "threshold", 10,
                                       N_ ("Maximum share of time in which a rank waits in all-to-all collectives")),
                                     SCAN } },
  [LOOM_RULE_GPU_MEMORY_INCREASE] = { "GPUMemoryIncrease",
                                      { POSITIVE ("increase", 5, N_ ("GPU memory grows by more than"),
                                                  N_ ("percentage points")),
                                        PATIENCE, POSITIVE ("window", 10, N_ ("Samples per window"), ""), SCAN } },
  [LOOM_RULE_HANG] = { "Hang", { SCAN } },
  [LOOM_RULE_HOST_BOUND] = { "HostBound",
                             { PERCENTILE ("threshold", 20,
                                           N_ ("Maximum share of time in which a device waits for the host")),
                               SCAN } },
  [LOOM_RULE_HOST_STALL] = { "HostStall",
                             { PERCENTILE ("threshold", 20,
                                           N_ ("Maximum wait for the host, as a percentage of a step")),
                               SCAN } },
  [LOOM_RULE_IO_BOTTLENECK] = { "IOBottleneck",
                                { PERCENTILE ("threshold", 50, N_ ("Maximum share of time with a bottleneck")),
                                  PERCENTILE ("gpu_threshold", 10, N_ ("GPU starved at or below")),
                                  PERCENTILE ("io_threshold", 50, N_ ("I/O wait above")), PATIENCE, SCAN } },
  [LOOM_RULE_LAUNCH_GAPS] = { "LaunchGaps",
                              { PERCENTILE (
                                  "threshold", 10,
                                  N_ ("Maximum share of time in which a device pauses before queued kernels")),
                                SCAN } },
  [LOOM_RULE_LOAD_BALANCING] = { "LoadBalancing",
                                 { { "threshold", LOOM_PARAMETER_PERCENTILE, 0.5,
                                     N_ ("Maximum distance between the usage histograms of two GPUs"), "" },
                                   PATIENCE,
                                   SCAN } },
  [LOOM_RULE_LOW_GPU_UTILIZATION] = { "LowGPUUtilization",
                                      { PERCENTILE ("threshold_p95", 70, N_ ("GPU usage (p95) below")),
                                        PERCENTILE ("threshold_p5", 10, N_ ("GPU usage (p5) below")),
                                        POSITIVE ("window", 500, N_ ("Number of most recent samples to examine"), ""),
                                        PATIENCE, SCAN } },
  [LOOM_RULE_MAX_INITIALIZATION_TIME] = { "MaxInitializationTime",
                                          { POSITIVE ("threshold", 20, N_ ("Initialization longer than"),
                                                      /* Translators: a unit */ N_ ("minutes")),
                                            SCAN } },
  [LOOM_RULE_MEMORY_LEAK] = { "MemoryLeak",
                              { PERCENTILE ("threshold", 1,
                                            N_ ("Maximum memory growth per step, as a percentage of the peak")),
                                SCAN } },
  [LOOM_RULE_PIPELINE_BUBBLES] = { "PipelineBubbles",
                                   { PERCENTILE ("threshold", 45,
                                                 N_ ("Maximum share of time in which a rank waits for messages")),
                                     PERCENTILE (
                                       "excess", 10,
                                       N_ ("Maximum share of bubbles beyond what the schedule of the pipeline causes")),
                                     PERCENTILE ("schedule", 40,
                                                 N_ ("Maximum share of bubbles due to the schedule of the pipeline")),
                                     SCAN } },
  [LOOM_RULE_SLOW_LINK] = { "SlowLink",
                            { POSITIVE ("factor", 1.5, N_ ("Maximum ratio of transfer time to the typical time"),
                                        /* Translators: a unit */ N_ ("times")),
                              SCAN } },
  [LOOM_RULE_STEP_OUTLIER] = { "StepOutlier",
                               { POSITIVE ("stddev", 3, N_ ("Maximum deviation of a step from the mean"), "σ"),
                                 { "mode", LOOM_PARAMETER_TEXT, 0, NULL, NULL },
                                 POSITIVE ("n_outliers", 10, N_ ("Maximum number of outlier steps"), ""),
                                 SCAN } },
  [LOOM_RULE_OVERALL_SYSTEM_USAGE] = { "OverallSystemUsage", { SCAN } },
  [LOOM_RULE_OVERALL_FRAMEWORK_METRICS] = { "OverallFrameworkMetrics", { SCAN } },
  [LOOM_RULE_PROFILER_REPORT] = { "ProfilerReport",
                                  { { "opt_out_telemetry", LOOM_PARAMETER_BOOLEAN, 0, NULL, NULL }, SCAN } },
};

struct _LoomRuleParameters {
  double values[LOOM_N_RULES][LOOM_RULE_MAX_PARAMETERS];
  char *texts[LOOM_N_RULES][LOOM_RULE_MAX_PARAMETERS];
  /* name of a custom rule, in lower case → JsonObject with the values of its parameters */
  GHashTable *custom;
};

int
loom_rule_parameters_find (const char *name)
{
  for (int i = 0; i < LOOM_N_RULES; i++)
    if (g_ascii_strcasecmp (loom_rule_parameters_rules[i].name, name) == 0)
      return i;
  return -1;
}

LoomRuleParameters *
loom_rule_parameters_new (void)
{
  LoomRuleParameters *settings = g_new0 (LoomRuleParameters, 1);
  for (guint i = 0; i < LOOM_N_RULES; i++)
    for (guint k = 0; loom_rule_parameters_rules[i].parameters[k].name != NULL; k++)
      settings->values[i][k] = loom_rule_parameters_rules[i].parameters[k].initial;
  settings->custom = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
  return settings;
}

void
loom_rule_parameters_free (LoomRuleParameters *settings)
{
  if (settings == NULL)
    return;
  for (guint i = 0; i < LOOM_N_RULES; i++)
    for (guint k = 0; k < LOOM_RULE_MAX_PARAMETERS; k++)
      g_free (settings->texts[i][k]);
  g_hash_table_unref (settings->custom);
  g_free (settings);
}

double
loom_rule_parameters_get (const LoomRuleParameters *settings, guint rule, guint parameter)
{
  return settings != NULL ? settings->values[rule][parameter]
                          : loom_rule_parameters_rules[rule].parameters[parameter].initial;
}

const char *
loom_rule_parameters_get_text (const LoomRuleParameters *settings, guint rule, guint parameter)
{
  return settings != NULL ? settings->texts[rule][parameter] : NULL;
}

JsonObject *
loom_rule_parameters_get_custom (const LoomRuleParameters *settings, const char *rule)
{
  g_autofree char *key = g_ascii_strdown (rule, -1);
  return settings != NULL ? g_hash_table_lookup (settings->custom, key) : NULL;
}

/* --- checking and setting a parameter ----------------------------------------------------------------------------- */

static gboolean
is_nothing (const char *text)
{
  return *text == '\0' || g_ascii_strcasecmp (text, "None") == 0 || g_ascii_strcasecmp (text, "null") == 0;
}

static gboolean
parse_real (const char *text, double *value)
{
  char *end;
  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

static gboolean
parse_boolean (const char *text, double *value)
{
  *value = g_ascii_strcasecmp (text, "true") == 0;
  return *value > 0 || g_ascii_strcasecmp (text, "false") == 0;
}

static gboolean
parse_value (LoomParameterKind kind, const char *text, double *value)
{
  switch (kind) {
  case LOOM_PARAMETER_PERCENTILE: return parse_real (text, value) && *value >= 0 && *value <= 100;
  case LOOM_PARAMETER_BOOLEAN: return parse_boolean (text, value);
  case LOOM_PARAMETER_TEXT: return TRUE;
  case LOOM_PARAMETER_POSITIVE:
  default: return parse_real (text, value) && *value > 0;
  }
}

static void
set_bad_value (GError **error, guint rule, const LoomRuleParameter *parameter)
{
  static const char *const wanted[] = {
    [LOOM_PARAMETER_PERCENTILE] = "a valid percentile",
    [LOOM_PARAMETER_POSITIVE] = "a positive integer",
    [LOOM_PARAMETER_TEXT] = "a text",
    [LOOM_PARAMETER_BOOLEAN] = "a boolean",
  };
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, "%s %s must be %s!", loom_rule_parameters_rules[rule].name,
               parameter->name, wanted[parameter->kind]);
}

/* Returns the index of the rule's parameter with this name. If the rule has no such parameter, returns the number of
 * its parameters. */
static guint
find_parameter (guint rule, const char *name)
{
  const LoomRuleParameter *parameters = loom_rule_parameters_rules[rule].parameters;
  guint i = 0;
  while (parameters[i].name != NULL && g_ascii_strcasecmp (parameters[i].name, name) != 0)
    i++;
  return i;
}

gboolean
loom_rule_parameters_set (LoomRuleParameters *settings, guint rule, const char *name, const char *text, GError **error)
{
  const LoomRuleParameter *parameters = loom_rule_parameters_rules[rule].parameters;
  g_autofree char *value = g_strstrip (g_strdup (text));
  double number = 0;
  guint i = find_parameter (rule, name);
  if (parameters[i].name == NULL) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_RANGE, "%s has no parameter %s", loom_rule_parameters_rules[rule].name,
                 name);
    return FALSE;
  }
  if (is_nothing (value))
    return TRUE;
  if (!parse_value (parameters[i].kind, value, &number)) {
    set_bad_value (error, rule, &parameters[i]);
    return FALSE;
  }
  settings->values[rule][i] = number;
  if (parameters[i].kind == LOOM_PARAMETER_TEXT) {
    g_free (settings->texts[rule][i]);
    settings->texts[rule][i] = g_steal_pointer (&value);
  }
  return TRUE;
}

/* --- reading parameters from JSON --------------------------------------------------------------------------------- */

typedef struct {
  LoomRuleParameters *settings;
  GPtrArray *warnings, *unknown;
} Reader;

static void G_GNUC_PRINTF (2, 3) warn (Reader *reader, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  if (reader->warnings != NULL)
    g_ptr_array_add (reader->warnings,
                     /* the text may be invalid UTF-8, because json-glib converts one half of a surrogate pair to such a
                      * text */
                     g_utf8_make_valid (text, -1));
  va_end (args);
}

static void
add_unknown (Reader *reader, const char *name)
{
  if (reader->unknown != NULL && !g_ptr_array_find_with_equal_func (reader->unknown, name, g_str_equal, NULL))
    g_ptr_array_add (reader->unknown, g_utf8_make_valid (name, -1));
}

static void
take_custom (Reader *reader, const char *name, JsonObject *values)
{
  add_unknown (reader, name);
  g_hash_table_replace (reader->settings->custom, g_ascii_strdown (name, -1), json_object_ref (values));
}

/* Returns the text of a scalar value; NULL for arrays and objects. Owned by the caller. */
static char *
dup_text (JsonNode *node)
{
  if (JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("");
  if (!JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  return json_node_get_value_type (node) == G_TYPE_STRING ? g_utf8_make_valid (json_node_get_string (node), -1)
                                                          : json_to_string (node, FALSE);
}

static void
set_value (Reader *reader, guint rule, const char *name, JsonNode *node)
{
  g_autofree char *text = dup_text (node);
  g_autoptr (GError) error = NULL;
  if (text == NULL)
    warn (reader, "%s %s is no text and no number; the default is kept", loom_rule_parameters_rules[rule].name, name);
  else if (!loom_rule_parameters_set (reader->settings, rule, name, text, &error))
    warn (reader, "%s The default is kept", error->message);
}

/* Sets a parameter from a key that consists of the names of the rule and the parameter, such as
 * "CPUBottleneck_threshold". */
static void
set_joined (Reader *reader, const char *key, JsonNode *node)
{
  const char *bar = strchr (key, '_');
  if (bar == NULL) {
    warn (reader, "“%s” is neither a rule nor RULE_PARAMETER", key);
    return;
  }
  g_autofree char *name = g_strndup (key, (gsize) (bar - key));
  int rule = loom_rule_parameters_find (name);
  if (rule < 0)
    add_unknown (reader, name);
  else
    set_value (reader, (guint) rule, bar + 1, node);
}

/* Sets parameters from the members of an object. If `rule` is the index of a rule, each member is named like a
 * parameter of this rule. If `rule` is −1, the name of a member consists of the names of a rule and of a parameter,
 * such as "CPUBottleneck_threshold"; or it is the name of a rule, and the value is an object with the parameters of
 * this rule. */
static void
set_members (Reader *reader, int rule, JsonObject *object)
{
  static const char *const others[] = { "rule_to_invoke", "source_s3_uri", "custom_rule_parameters", NULL };
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node)) {
    int named = loom_rule_parameters_find (name);
    if (g_strv_contains (others, name))
      continue;
    if (named >= 0 && JSON_NODE_HOLDS_OBJECT (node))
      set_members (reader, named, json_node_get_object (node));
    else if (rule >= 0 && (rule != LOOM_RULE_PROFILER_REPORT ||
                           loom_rule_parameters_rules[rule].parameters[find_parameter (rule, name)].name != NULL))
      set_value (reader, (guint) rule, name, node);
    else if (JSON_NODE_HOLDS_OBJECT (node))
      take_custom (reader, name, json_node_get_object (node));
    else
      set_joined (reader, name, node);
  }
}

static const char *
text_member (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

/* Reads the custom parameters of ProfilerReport from a text in the form of a printed Python dictionary. */
static void
read_custom (Reader *reader, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) custom = loom_metric_literal_parse (text, &error);
  if (custom != NULL)
    set_members (reader, -1, custom);
  else
    warn (reader, "custom_rule_parameters cannot be read: %s", error->message);
}

static void
read_parameters (Reader *reader, JsonObject *parameters)
{
  const char *custom = text_member (parameters, "custom_rule_parameters");
  const char *invoked = text_member (parameters, "rule_to_invoke");
  int rule = invoked != NULL ? loom_rule_parameters_find (invoked) : -1;
  if (invoked != NULL && rule < 0)
    add_unknown (reader, invoked);
  else
    set_members (reader, rule, parameters);
  if (custom != NULL && *custom != '\0')
    read_custom (reader, custom);
}

static void
read_object (Reader *reader, JsonObject *object)
{
  JsonNode *list = json_object_get_member (object, "ProfilerRuleConfigurations"),
           *parameters = json_object_get_member (object, "RuleParameters");
  if (list != NULL && JSON_NODE_HOLDS_ARRAY (list))
    loom_rule_parameters_read (reader->settings, list, reader->warnings, reader->unknown, NULL);
  else if (parameters != NULL && JSON_NODE_HOLDS_OBJECT (parameters))
    read_parameters (reader, json_node_get_object (parameters));
  else
    read_parameters (reader, object);
}

gboolean
loom_rule_parameters_read (LoomRuleParameters *settings, JsonNode *root, GPtrArray *warnings, GPtrArray *unknown,
                           GError **error)
{
  Reader reader = { settings, warnings, unknown };
  if (JSON_NODE_HOLDS_OBJECT (root)) {
    read_object (&reader, json_node_get_object (root));
  } else if (JSON_NODE_HOLDS_ARRAY (root)) {
    JsonArray *array = json_node_get_array (root);
    for (guint i = 0; i < json_array_get_length (array); i++)
      if (JSON_NODE_HOLDS_OBJECT (json_array_get_element (array, i)))
        read_object (&reader, json_array_get_object_element (array, i));
  } else {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "no object with parameters of rules");
    return FALSE;
  }
  if (loom_rule_parameters_get (settings, LOOM_RULE_LOAD_BALANCING, 0) > sqrt (log (2)))
    warn (&reader, "LoadBalancing cannot fire with a threshold above 0.8326, the largest distance there is");
  return TRUE;
}

gboolean
loom_rule_parameters_read_file (LoomRuleParameters *settings, const char *path, GPtrArray *warnings, GPtrArray *unknown,
                                GError **error)
{
  g_autofree char *text = NULL;
  gsize length;
  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  if (length > LOOM_LIMIT_CONFIG_BYTES || !loom_json_slice_is_strict_document (text, length)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, "%s: %s", path,
                 length > LOOM_LIMIT_CONFIG_BYTES ? "larger than parameters of rules may be" : "not strict JSON");
    return FALSE;
  }
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!json_parser_load_from_data (parser, text, (gssize) length, error))
    return FALSE;
  if (loom_rule_parameters_read (settings, json_parser_get_root (parser), warnings, unknown, error))
    return TRUE;
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}

char *
loom_rule_parameters_print (const LoomRuleParameters *settings, guint rule)
{
  g_autoptr (GString) out = g_string_new (NULL);
  const LoomRuleParameter *parameters = loom_rule_parameters_rules[rule].parameters;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  for (guint i = 0; parameters[i].name != NULL; i++) {
    double value = loom_rule_parameters_get (settings, rule, i);
    const char *text = g_ascii_formatd (number, sizeof number, "%.15g", value);
    if (parameters[i].kind == LOOM_PARAMETER_TEXT)
      text = loom_rule_parameters_get_text (settings, rule, i);
    else if (parameters[i].kind == LOOM_PARAMETER_BOOLEAN)
      text = value > 0 ? "True" : "False";
    g_string_append_printf (out, "%s%s:%s", i > 0 ? "\n" : "", parameters[i].name, text != NULL ? text : "None");
  }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
