/* SPDX-License-Identifier: Apache-2.0
 *
 * Interprets a profiler configuration as the program in the training container does. That program converts the text to
 * lower case before parsing. Therefore all functions here use a lower-case copy of the configuration.
 */
#include "loom-profiler-config-effect.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "loom-near-word.h"

const guint loom_profiler_config_effect_intervals_ms[6] = { 100, 200, 500, 1000, 5000, 60000 };

#define DEFAULT_LOCAL_PATH "/opt/ml/output/profiler"
#define DEFAULT_ROTATE_BYTES 10485760
#define DEFAULT_ROTATE_S 60
#define DEFAULT_FAIL_THRESHOLD 50

/* An unknown key is reported as a misspelled one if a known key differs from it by at most MAX_CHANGES letters. */
#define MAX_CHANGES 3

/* Upper limit on step numbers. The sum of two such numbers fits into a gint64. */
#define MAX_STEP (G_GINT64_CONSTANT (1) << 60)

gboolean
loom_profiler_config_effect_allows_interval (gint64 interval_ms)
{
  for (guint i = 0; i < G_N_ELEMENTS (loom_profiler_config_effect_intervals_ms); i++)
    if (loom_profiler_config_effect_intervals_ms[i] == interval_ms)
      return TRUE;
  return FALSE;
}

/* --- converting values as Python does ----------------------------------------------------------------------------- */

static gboolean
is_text (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

/* Converts a value as Python's bool() does: a missing value, null, 0, "" and empty objects and arrays are false. */
static gboolean
is_true (JsonNode *node)
{
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return FALSE;
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_object_get_size (json_node_get_object (node)) > 0;
  if (JSON_NODE_HOLDS_ARRAY (node))
    return json_array_get_length (json_node_get_array (node)) > 0;
  if (is_text (node))
    return *json_node_get_string (node) != '\0';
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return json_node_get_boolean (node);
  return json_node_get_double (node) < 0 || json_node_get_double (node) > 0;
}

/* Converts a value as Python's float() does: a number, or a text that contains a number, possibly with blanks around
 * it. Returns FALSE for any other value. */
static gboolean
to_real (JsonNode *node, double *real)
{
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (!is_text (node)) {
    *real =
      json_node_get_value_type (node) == G_TYPE_BOOLEAN ? json_node_get_boolean (node) : json_node_get_double (node);
    return isfinite (*real);
  }
  g_autofree char *text = g_strstrip (g_strdup (json_node_get_string (node)));
  char *end;
  *real = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*real) && strpbrk (text, "xXnN") == NULL;
}

/* Converts a value as Python's int() does: drops the fraction of a number, but rejects a text with a fraction. Returns
 * FALSE if the value cannot be converted. */
static gboolean
to_int (JsonNode *node, gint64 *value)
{
  double real;
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return FALSE;
  if (is_text (node)) {
    g_autofree char *text = g_strstrip (g_strdup (json_node_get_string (node)));
    char *end;
    errno = 0;
    *value = g_ascii_strtoll (text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
  }
  if (json_node_get_value_type (node) == G_TYPE_INT64) {
    *value = json_node_get_int (node);
    return TRUE;
  }
  if (!to_real (node, &real) || fabs (real) >= 9e18)
    return FALSE;
  *value = (gint64) real;
  return TRUE;
}

static gboolean
to_int_by_real (JsonNode *node, gint64 *value)
{
  double real;
  if (!to_real (node, &real) || fabs (real) >= 9e18)
    return FALSE;
  *value = (gint64) real;
  return TRUE;
}

static char *
dup_lower (JsonNode *node)
{
  return is_text (node) ? g_utf8_strdown (json_node_get_string (node), -1) : NULL;
}

/* --- effect of a configuration on one metric ---------------------------------------------------------------------- */

static void
set_off (LoomProfilerMetricEffect *metric, LoomProfilerEffectState state, const char *reason)
{
  metric->state = state;
  g_free (metric->reason);
  metric->reason = g_strdup (reason);
}

static void
add_steps (LoomProfilerMetricEffect *metric, JsonNode *start, JsonNode *number)
{
  metric->has_start = is_true (start);
  metric->n_steps = 1;
  if ((is_true (start) && !to_int (start, &metric->start_step)) ||
      (is_true (number) && !to_int (number, &metric->n_steps)))
    set_off (metric, LOOM_EFFECT_OFF, _ ("a step is not a number"));
  else if (metric->n_steps < 1)
    set_off (metric, LOOM_EFFECT_NEVER, _ ("the number of steps is below 1"));
  else
    metric->state = LOOM_EFFECT_STEPS;
  metric->start_step = CLAMP (metric->start_step, -MAX_STEP, MAX_STEP);
  metric->n_steps = MIN (metric->n_steps, MAX_STEP);
}

static void
add_time (LoomProfilerMetricEffect *metric, JsonNode *start, JsonNode *duration)
{
  metric->has_start = is_true (start);
  metric->has_duration = is_true (duration);
  if ((metric->has_start && !to_int (start, &metric->start_s)) ||
      (metric->has_duration && !to_real (duration, &metric->duration_s)))
    set_off (metric, LOOM_EFFECT_OFF, _ ("a time is not a number"));
  else
    metric->state = LOOM_EFFECT_TIME;
}

/* Adds a note if the value of a member is not a number. If the SDK rejects the value, also adds a note with the message
 * of the SDK. */
static void
note_value (JsonObject *object, const char *member, const char *key, GPtrArray *notes)
{
  static const struct {
    const char *member, *words;
    gboolean whole, zero_is_good;
  } rules[] = {
    { "StartStep", "start_step must be integer greater or equal to 0!", TRUE, TRUE },
    { "NumSteps", "num_steps must be integer greater than 0!", TRUE, FALSE },
    { "StartTimeInSecSinceEpoch", "start_unix_time must be valid integer unix time!", TRUE, TRUE },
    { "DurationInSeconds", "duration must be float greater than 0!", FALSE, FALSE },
    { "Duration", "duration must be float greater than 0!", FALSE, FALSE },
  };
  JsonNode *node = loom_profiler_config_member (object, member);
  gboolean is_empty = is_text (node) && *json_node_get_string (node) == '\0';
  guint i = 0;
  while (strcmp (rules[i].member, member) != 0)
    i++;
  gint64 number;
  double real;
  if (node == NULL || is_empty || JSON_NODE_HOLDS_NULL (node) ||
      (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN))
    return;
  if ((rules[i].whole && !to_int (node, &number)) || !to_real (node, &real)) {
    g_autofree char *written = json_to_string (node, FALSE);
    loom_profiler_config_note (
      notes, LOOM_NOTE_ERROR, "no-number", key,
      "The profiler cannot read the value of “%s” as a number (%s), so this metric is turned off", member, written);
  } else if (real < 0 || (!rules[i].zero_is_good && !(real > 0))) {
    const char *words = rules[i].words;
    if (is_true (node))
      loom_profiler_config_note (notes, LOOM_NOTE_ERROR, "sdk", key, "%s: the SDK rejects this value: %s", member,
                                 words);
    else
      loom_profiler_config_note (notes, LOOM_NOTE_ERROR, "sdk", key,
                                 "%s: the profiler in the container ignores this value, and the SDK rejects it: %s",
                                 member, words);
  }
}

static void
note_values (JsonObject *object, const char *key, GPtrArray *notes)
{
  static const char *const members[] = { "StartStep", "NumSteps", "StartTimeInSecSinceEpoch", "DurationInSeconds",
                                         "Duration" };
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    note_value (object, members[i], key, notes);
}

static void
add_range (LoomProfilerMetricEffect *metric, JsonObject *object, const char *key, GPtrArray *notes)
{
  JsonNode *start = loom_profiler_config_member (object, "StartStep"),
           *number = loom_profiler_config_member (object, "NumSteps"),
           *time = loom_profiler_config_member (object, "StartTimeInSecSinceEpoch"),
           *duration = loom_profiler_config_member (object, "DurationInSeconds");
  gboolean has_steps = is_true (start) || is_true (number), has_time = is_true (time) || is_true (duration);
  if (has_steps && has_time) {
    set_off (metric, LOOM_EFFECT_OFF, _ ("both steps and times are given"));
    g_autofree char *words = g_strdup_printf ("Found step and time fields in %s config! Disabling it", key);
    loom_profiler_config_note (notes, LOOM_NOTE_ERROR, "steps-and-time", key, "The profiler in the container says: %s",
                               words);
  } else if (has_steps) {
    add_steps (metric, start, number);
  } else if (has_time) {
    add_time (metric, time, duration);
  } else {
    set_off (metric, LOOM_EFFECT_NEVER, _ ("neither steps nor times are given"));
  }
  if (start != NULL && !is_true (start) && !has_steps)
    loom_profiler_config_note (
      notes, LOOM_NOTE_WARNING, "zero-step", key,
      "The profiler does not accept “StartStep” 0 alone as a range, so this metric never starts; add “NumSteps”");
}

/* Adds a note if the object has only the key Duration. The SDK writes this key, but the program that reads the
 * configuration in the container knows only DurationInSeconds. */
static void
note_duration (const LoomProfilerMetricEffect *metric, JsonObject *object, const char *key, GPtrArray *notes)
{
  if (loom_profiler_config_member (object, "Duration") == NULL ||
      loom_profiler_config_member (object, "DurationInSeconds") != NULL)
    return;
  if (metric->state == LOOM_EFFECT_TIME)
    loom_profiler_config_note (
      notes, LOOM_NOTE_WARNING, "duration-key", key,
      "The profiler ignores the key “Duration”, so this metric stops at the next step; add “DurationInSeconds”");
  else
    loom_profiler_config_note (
      notes, LOOM_NOTE_WARNING, "duration-key", key,
      "The profiler ignores the key “Duration”, so this metric never starts; add “DurationInSeconds”");
}

static void
note_regex (const char *written, const char *key, GPtrArray *notes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) regex = g_regex_new (written, 0, 0, &error);
  if (regex == NULL)
    loom_profiler_config_note (notes, LOOM_NOTE_ERROR, "bad-regex", key, "The SDK rejects this value: %s (%s)",
                               "metrics_regex is invalid!", error->message);
  for (const char *p = written; *p != '\0' && p[1] != '\0'; p += *p == '\\' ? 2 : 1)
    if (*p == '\\' && strchr ("DSWB", p[1]) != NULL) {
      loom_profiler_config_note (
        notes, LOOM_NOTE_WARNING, "lower-case-class", key,
        "The profiler in the container converts all letters to lower case: \\%c turns into \\%c, which means the opposite",
        p[1], g_ascii_tolower (p[1]));
      return;
    }
}

static void
note_words (JsonObject *object, const char *key, GPtrArray *notes)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (JSON_NODE_HOLDS_NULL (node) ||
        (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN)) {
      loom_profiler_config_note (
        notes, LOOM_NOTE_ERROR, "word-in-metric", key,
        "“%s” has the value true, false or none, which in lower case is not a Python keyword, so the profiler in the container fails",
        name);
      return;
    }
}

static void
add_metric (const LoomProfilerConfig *config, LoomProfilerMetric kind, LoomProfilerConfigEffect *effect)
{
  LoomProfilerMetricEffect *metric = &effect->metrics[kind];
  JsonObject *object = config->metrics[kind];
  const char *key = loom_profiler_config_metric_to_key (kind);
  if (object == NULL || json_object_get_size (object) == 0) {
    JsonNode *node = loom_profiler_config_member (config->parameters, key);
    set_off (metric, LOOM_EFFECT_OFF,
             object == NULL && is_true (node) ? _ ("the setting of this metric cannot be parsed")
                                              : _ ("not configured"));
    return;
  }
  add_range (metric, object, key, effect->notes);
  note_values (object, key, effect->notes);
  note_duration (metric, object, key, effect->notes);
  note_words (object, key, effect->notes);
  JsonNode *regex = loom_profiler_config_member (object, "MetricsRegex");
  if (is_text (regex))
    note_regex (json_node_get_string (regex), key, effect->notes);
  metric->regex = dup_lower (regex);
  metric->profiler = dup_lower (loom_profiler_config_member (object, "ProfilerName"));
  metric->timer = dup_lower (loom_profiler_config_member (object, "cProfileTimer"));
  if (kind == LOOM_PROFILER_METRIC_HOROVOD) {
    set_off (metric, LOOM_EFFECT_OFF, _ ("the profiler in the container ignores this metric"));
    loom_profiler_config_note (effect->notes, LOOM_NOTE_HINT, "ignored-metric", key,
                               "The profiler in the container ignores this metric");
  } else if (!effect->framework && metric->state != LOOM_EFFECT_OFF) {
    set_off (metric, LOOM_EFFECT_OFF, effect->reason);
  }
}

/* --- effect of a whole configuration ------------------------------------------------------------------------------ */

/* Reads the four parameters of the recorded files: path, maximum size, interval of rotation, and maximum number of
 * failures to open a file. If one of the numbers cannot be converted, the defaults of all four are used, as in the
 * program that reads the configuration in the container. */
static void
add_parameters (const LoomProfilerConfig *config, LoomProfilerConfigEffect *effect)
{
  static const char *const keys[] = { "LocalPath", "RotateMaxFileSizeInBytes", "RotateFileCloseIntervalInSeconds",
                                      "FileOpenFailThreshold" };
  JsonNode *nodes[G_N_ELEMENTS (keys)];
  const char *bad = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    nodes[i] = loom_profiler_config_member (config->parameters, keys[i]);
  if (nodes[1] != NULL && !to_int_by_real (nodes[1], &effect->rotate_bytes))
    bad = keys[1];
  if (nodes[2] != NULL && !to_real (nodes[2], &effect->rotate_s))
    bad = keys[2];
  if (nodes[3] != NULL && !to_int (nodes[3], &effect->fail_threshold))
    bad = keys[3];
  effect->local_path = dup_lower (nodes[0]);
  if (bad != NULL || effect->local_path == NULL) {
    g_free (effect->local_path);
    effect->local_path = g_strdup (DEFAULT_LOCAL_PATH);
  }
  if (bad == NULL)
    return;
  effect->rotate_bytes = DEFAULT_ROTATE_BYTES;
  effect->rotate_s = DEFAULT_ROTATE_S;
  effect->fail_threshold = DEFAULT_FAIL_THRESHOLD;
  loom_profiler_config_note (
    effect->notes, LOOM_NOTE_WARNING, "bad-number", bad,
    "The profiler does not accept this as a number, so it uses the defaults for LocalPath, RotateMaxFileSizeInBytes, RotateFileCloseIntervalInSeconds and FileOpenFailThreshold");
}

static void
note_local_path (const LoomProfilerConfig *config, LoomProfilerConfigEffect *effect)
{
  JsonNode *node = loom_profiler_config_member (config->parameters, "LocalPath");
  if (!is_text (node) || !effect->framework)
    return;
  const char *path = json_node_get_string (node);
  g_autofree char *lower = g_utf8_strdown (path, -1);
  if (strcmp (lower, path) != 0)
    loom_profiler_config_note (
      effect->notes, LOOM_NOTE_WARNING, "lower-case-path", "LocalPath",
      "The profiler in the container converts all letters to lower case: the files are written to “%s”", lower);
  if (config->metrics[LOOM_PROFILER_METRIC_DATALOADER] != NULL && !g_str_has_suffix (path, "/"))
    loom_profiler_config_note (effect->notes, LOOM_NOTE_WARNING, "no-slash", "LocalPath",
                               "For data loader metrics, AWS TensorFlow needs a value that ends in “/”");
}

/* Adds a note if the key is unknown and looks like a misspelled known key. */
static void
note_parameter (const char *name, GPtrArray *notes)
{
  static const char *const others[] = { "LocalPath",
                                        "RotateMaxFileSizeInBytes",
                                        "RotateFileCloseIntervalInSeconds",
                                        "FileOpenFailThreshold",
                                        "CPUProfilingDuration",
                                        "SMPFileRotationSecs" };
  const char *nearest = NULL;
  guint least = G_MAXUINT;
  gsize length = strlen (name);
  for (guint i = 0; length <= LOOM_NEAR_WORD_MAX_BYTES && i < LOOM_N_PROFILER_METRICS + G_N_ELEMENTS (others); i++) {
    const char *known = i < LOOM_N_PROFILER_METRICS ? loom_profiler_config_metric_to_key ((LoomProfilerMetric) i)
                                                    : others[i - LOOM_N_PROFILER_METRICS];
    guint n = loom_near_word_count_changes (name, known);
    if (n < least)
      nearest = known;
    least = MIN (n, least);
  }
  gboolean alike = nearest != NULL && least <= MAX_CHANGES;
  gboolean like_config =
    length >= strlen ("Config") && g_ascii_strcasecmp (name + length - strlen ("Config"), "Config") == 0;
  if (least > 0 && alike)
    loom_profiler_config_note (notes, LOOM_NOTE_HINT, "unknown-parameter", name,
                               "The profiler does not know this key; perhaps “%s” is meant", nearest);
  else if (least > 0 && like_config)
    loom_profiler_config_note (notes, LOOM_NOTE_HINT, "unknown-parameter", name, "The profiler does not know this key");
}

static void
note_parameters (const LoomProfilerConfig *config, LoomProfilerConfigEffect *effect)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;
  if (config->parameters == NULL)
    return;
  json_object_iter_init_ordered (&iter, config->parameters);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    note_parameter (name, effect->notes);
}

static void
note_smprofiler (const LoomProfilerConfig *config, LoomProfilerConfigEffect *effect)
{
  gboolean newer = loom_profiler_config_member (config->parameters, "CPUProfilingDuration") != NULL ||
                   loom_profiler_config_member (config->parameters, "SMPFileRotationSecs") != NULL;
  for (guint i = 0; newer && i < LOOM_N_PROFILER_METRICS; i++)
    if (config->metrics[i] != NULL) {
      loom_profiler_config_note (effect->notes, LOOM_NOTE_ERROR, "two-profilers", "CPUProfilingDuration",
                                 "The SDK rejects this value: %s",
                                 "Profiler will not work when Framework Profiler is ON");
      return;
    }
}

static void
add_interval (const LoomProfilerConfig *config, LoomProfilerConfigEffect *effect)
{
  JsonNode *node = loom_profiler_config_member (config->request, "ProfilingIntervalInMilliseconds");
  effect->interval_ms = LOOM_CONFIG_INTERVAL_DEFAULT_MS;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return;
  if (to_int (node, &effect->interval_ms) && loom_profiler_config_effect_allows_interval (effect->interval_ms))
    return;
  loom_profiler_config_note (effect->notes, LOOM_NOTE_WARNING, "interval", "ProfilingIntervalInMilliseconds",
                             "The service accepts only 100, 200, 500, 1000, 5000 and 60000 milliseconds");
}

static void
add_switches (const LoomProfilerConfig *config, LoomProfilerConfigEffect *effect)
{
  JsonNode *disable = loom_profiler_config_member (config->request, "DisableProfiler");
  gboolean disabled = is_true (disable),
           empty = config->parameters == NULL || json_object_get_size (config->parameters) == 0;
  effect->system = !disabled;
  effect->framework = !disabled && !empty;
  if (disabled)
    effect->reason = g_strdup (_ ("DisableProfiler is set"));
  else if (empty)
    effect->reason = g_strdup (_ ("there are no ProfilingParameters"));
  if (is_text (disable) && disabled)
    loom_profiler_config_note (effect->notes, LOOM_NOTE_WARNING, "disable-text", "DisableProfiler",
                               "Any text that is not empty disables the profiler, even “%s”",
                               json_node_get_string (disable));
  if (loom_profiler_config_member (config->request, "ProfilerEnabled") != NULL)
    loom_profiler_config_note (effect->notes, LOOM_NOTE_WARNING, "unknown-switch", "ProfilerEnabled",
                               "The profiler does not know this key");
  if (disabled && loom_profiler_config_member (config->request, "S3OutputPath") != NULL)
    loom_profiler_config_note (effect->notes, LOOM_NOTE_HINT, "path-without-use", "S3OutputPath",
                               "The profiler is disabled, so nothing is written to this location");
}

static void
note_python (LoomProfilerConfigEffect *effect)
{
  if (effect->metrics[LOOM_PROFILER_METRIC_PYTHON].state == LOOM_EFFECT_STEPS)
    loom_profiler_config_note (
      effect->notes, LOOM_NOTE_HINT, "python-always", loom_profiler_config_metric_to_key (LOOM_PROFILER_METRIC_PYTHON),
      "With a range of steps, Python is also profiled before step 0 and after the training ends");
}

LoomProfilerConfigEffect *
loom_profiler_config_effect_new (const LoomProfilerConfig *config)
{
  LoomProfilerConfigEffect *effect = g_new0 (LoomProfilerConfigEffect, 1);
  effect->notes = loom_profiler_config_notes_new ();
  effect->rotate_bytes = DEFAULT_ROTATE_BYTES;
  effect->rotate_s = DEFAULT_ROTATE_S;
  effect->fail_threshold = DEFAULT_FAIL_THRESHOLD;
  add_switches (config, effect);
  add_interval (config, effect);
  add_parameters (config, effect);
  note_local_path (config, effect);
  note_parameters (config, effect);
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    add_metric (config, (LoomProfilerMetric) i, effect);
  note_python (effect);
  note_smprofiler (config, effect);
  return effect;
}

void
loom_profiler_config_effect_free (LoomProfilerConfigEffect *effect)
{
  if (effect == NULL)
    return;
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++) {
    g_free (effect->metrics[i].regex);
    g_free (effect->metrics[i].profiler);
    g_free (effect->metrics[i].timer);
    g_free (effect->metrics[i].reason);
  }
  g_ptr_array_unref (effect->notes);
  g_free (effect->reason);
  g_free (effect->local_path);
  g_free (effect);
}

/* --- words -------------------------------------------------------------------------------------------------------- */

const char *
loom_profiler_config_effect_state_to_string (LoomProfilerEffectState state)
{
  static const char *const words[] = { "off", "steps", "time", "never" };
  return words[state];
}

static char *
describe_steps (const LoomProfilerMetricEffect *metric)
{
  g_autofree char *n = g_strdup_printf ("%" PRId64, metric->n_steps),
                  *first = g_strdup_printf ("%" PRId64, metric->start_step);
  g_autofree char *last = g_strdup_printf ("%" PRId64, metric->start_step + metric->n_steps - 1);
  if (!metric->has_start)
    return g_strdup_printf (ngettext ("the first %s step", "the first %s steps", (gulong) metric->n_steps), n);
  return metric->n_steps == 1 ? g_strdup_printf (
                                  /* Translators: the number of a step: "from step 5 until the next step" */
                                  _ ("step %s"), first)
                              : g_strdup_printf (_ ("steps %s to %s"), first, last);
}

/* Describes the range of time in which a metric is profiled; the times are seconds since 1970, as in the configuration.
 * Owned by the caller. */
static char *
describe_time (const LoomProfilerMetricEffect *metric)
{
  g_autofree char *start = g_strdup_printf ("%" PRId64, metric->start_s);
  char seconds[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (seconds, sizeof seconds, "%.15g", metric->duration_s);
  if (!metric->has_duration)
    return metric->has_start ? g_strdup_printf (
                                 /* Translators: %s is "step 5" */
                                 _ ("from %s until the next step"), start)
                             : g_strdup (_ ("from the first step until the next one"));
  return metric->has_start ? g_strdup_printf (_ ("from %s for %s s"), start, seconds)
                           : g_strdup_printf (_ ("from the first step for %s s"), seconds);
}

char *
loom_profiler_config_effect_describe_metric (const LoomProfilerMetricEffect *metric)
{
  switch (metric->state) {
  case LOOM_EFFECT_STEPS: return describe_steps (metric);
  case LOOM_EFFECT_TIME: return describe_time (metric);
  case LOOM_EFFECT_NEVER:
    return g_strdup_printf (
      /* Translators: %s is the reason */
      _ ("on, but never starts: %s"), metric->reason);
  case LOOM_EFFECT_OFF:
  default:
    return g_strdup_printf (
      /* Translators: the reason why a metric is off: "DisableProfiler is set" */
      _ ("off: %s"), metric->reason);
  }
}
