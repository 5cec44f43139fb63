/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-config.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-metric-literal.h"

static const char *const metric_keys[LOOM_N_PROFILER_METRICS] = {
  [LOOM_PROFILER_METRIC_DETAILED] = "DetailedProfilingConfig",
  [LOOM_PROFILER_METRIC_DATALOADER] = "DataloaderProfilingConfig",
  [LOOM_PROFILER_METRIC_PYTHON] = "PythonProfilingConfig",
  [LOOM_PROFILER_METRIC_HOROVOD] = "HorovodProfilingConfig",
  [LOOM_PROFILER_METRIC_SMDATAPARALLEL] = "SMDataParallelProfilingConfig",
};

const char *
loom_profiler_config_metric_to_key (LoomProfilerMetric metric)
{
  return metric_keys[metric];
}

const char *
loom_profiler_config_layer_to_string (LoomProfilerConfigLayer layer)
{
  static const char *const words[] = { "request", "container", "wrapped" };
  return words[layer];
}

const char *
loom_profiler_config_note_severity_to_string (LoomProfilerNoteSeverity severity)
{
  static const char *const words[] = { "hint", "warning", "error" };
  return words[severity];
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static void
free_note (gpointer data)
{
  LoomProfilerConfigNote *note = data;
  g_free (note->where);
  g_free (note->message);
  g_free (note);
}

GPtrArray *
loom_profiler_config_notes_new (void)
{
  return g_ptr_array_new_with_free_func (free_note);
}

void
loom_profiler_config_note (GPtrArray *notes, LoomProfilerNoteSeverity severity, const char *code, const char *where,
                           const char *format, ...)
{
  LoomProfilerConfigNote *note = g_new (LoomProfilerConfigNote, 1);
  va_list args;
  va_start (args, format);
  *note = (LoomProfilerConfigNote) { severity, code, g_strdup (where != NULL ? where : ""),
                                     g_strdup_vprintf (_ (format), args) };
  va_end (args);
  g_ptr_array_add (notes, note);
}

gboolean
loom_profiler_config_notes_have_error (GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++)
    if (((const LoomProfilerConfigNote *) notes->pdata[i])->severity == LOOM_NOTE_ERROR)
      return TRUE;
  return FALSE;
}

/* --- members ------------------------------------------------------------------------------------------------------ */

const char *
loom_profiler_config_spelling (JsonObject *object, const char *key)
{
  JsonObjectIter iter;
  const char *name, *found = key;
  JsonNode *node;
  if (object == NULL)
    return key;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    if (g_ascii_strcasecmp (name, key) == 0)
      found = name;
  return found;
}

JsonNode *
loom_profiler_config_member (JsonObject *object, const char *key)
{
  return object != NULL ? json_object_get_member (object, loom_profiler_config_spelling (object, key)) : NULL;
}

char *
loom_profiler_config_dup_text (JsonObject *object, const char *key)
{
  JsonNode *node = loom_profiler_config_member (object, key);
  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_strdup (json_node_get_string (node));
  return json_to_string (node, FALSE);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static gboolean
has_key_of_config (JsonObject *object)
{
  return loom_profiler_config_member (object, "ProfilingParameters") != NULL ||
         loom_profiler_config_member (object, "DisableProfiler") != NULL ||
         loom_profiler_config_member (object, "ProfilingIntervalInMilliseconds") != NULL;
}

static JsonObject *
object_member (JsonObject *object, const char *key)
{
  JsonNode *node = loom_profiler_config_member (object, key);
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

static LoomProfilerConfigLayer
layer_of (JsonObject *request)
{
  const char *keys[] = { "ProfilingParameters", "DisableProfiler", "ProfilingIntervalInMilliseconds" };
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (json_object_has_member (request, keys[i]))
      return LOOM_PROFILER_CONFIG_REQUEST;
  return LOOM_PROFILER_CONFIG_CONTAINER;
}

/* Finds the object that contains the keys of a configuration, and sets config->request to it. Returns FALSE if there is
 * none. */
static gboolean
find_request (LoomProfilerConfig *config)
{
  if (!JSON_NODE_HOLDS_OBJECT (config->root))
    return FALSE;
  config->request = json_node_get_object (config->root);
  if (has_key_of_config (config->request)) {
    config->layer = layer_of (config->request);
    return TRUE;
  }
  config->layer = LOOM_PROFILER_CONFIG_WRAPPED;
  config->request = object_member (config->request, "ProfilerConfig");
  return config->request != NULL && has_key_of_config (config->request);
}

static void
parse_metric (LoomProfilerConfig *config, LoomProfilerMetric metric)
{
  const char *key = metric_keys[metric];
  JsonNode *node = loom_profiler_config_member (config->parameters, key);
  g_autoptr (GError) error = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING) {
    loom_profiler_config_note (
      config->notes, LOOM_NOTE_ERROR, "not-text", key,
      "This must be a string that contains a JSON object; the profiler in the container fails on anything else");
    if (JSON_NODE_HOLDS_OBJECT (node))
      config->metrics[metric] = json_object_ref (json_node_get_object (node));
    return;
  }
  const char *text = json_node_get_string (node);
  if (*text == '\0')
    return;
  config->metrics[metric] = loom_metric_literal_parse (text, &error);
  if (config->metrics[metric] == NULL)
    loom_profiler_config_note (config->notes, LOOM_NOTE_ERROR, "bad-metric-text", key, "The text cannot be read: %s",
                               error->message);
}

static LoomProfilerConfig *
config_of (JsonNode *root)
{
  LoomProfilerConfig *config = g_new0 (LoomProfilerConfig, 1);
  config->notes = loom_profiler_config_notes_new ();
  config->root = root;
  if (!find_request (config)) {
    loom_profiler_config_free (config);
    return NULL;
  }
  config->parameters = object_member (config->request, "ProfilingParameters");
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    parse_metric (config, (LoomProfilerMetric) i);
  return config;
}

/* Parses strict JSON. Returns NULL if the text is not strict JSON. */
static JsonNode *
parse_strict (const char *text, gsize length)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!loom_json_slice_is_strict (text, length) || !json_parser_load_from_data (parser, text, (gssize) length, NULL))
    return NULL;
  return json_parser_steal_root (parser);
}

#define PARSE_ERROR "Parse error: "

/* Returns TRUE if the text has so few brackets that json-glib can parse it without overflowing the stack: json-glib
 * parses recursively. */
static gboolean
has_few_brackets (const char *text, gsize length)
{
  guint n = 0;
  for (gsize i = 0; i < length; i++)
    n += text[i] == '{' || text[i] == '[';
  return n <= LOOM_LIMIT_DEPTH;
}

/* Sets the error to the reason that json-glib gives, with a byte offset computed by this program. Repairs invalid
 * UTF-8, which the reason may quote. */
static void
set_reason (const GError *reason, gsize offset, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (reason->message, -1);
  const char *words = strstr (valid, PARSE_ERROR);
  words = words != NULL ? words + strlen (PARSE_ERROR) : valid;
  words += g_str_has_prefix (words, "scanner: ") ? strlen ("scanner: ") : 0;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("not JSON (byte %zu): %s"), offset, words);
}

static gboolean
is_utf16 (const char *text, gsize length)
{
  return length >= 4 && (memcmp (text, "\xFF\xFE", 2) == 0 || memcmp (text, "\xFE\xFF", 2) == 0 ||
                         (text[0] == '{' && text[1] == '\0') || (text[0] == '\0' && text[1] == '{'));
}

/* Sets an error that says why a text is not JSON. The message contains the reason that json-glib gives, if there is
 * one. */
static void
set_parse_error (const char *text, gsize length, gsize n_before, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) reason = NULL;
  const char *bad;
  if (is_utf16 (text, length))
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("UTF-16 text: save it as UTF-8"));
  else if (!g_utf8_validate_len (text, length, &bad))
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("not UTF-8 (byte %zu)"), n_before + (gsize) (bad - text));
  else if (has_few_brackets (text, length) && !json_parser_load_from_data (parser, text, (gssize) length, &reason))
    set_reason (reason, n_before + MIN (loom_json_slice_find_fault (text, length), length),
                error); /* the position that json-glib states is ignored, because it is after the error */
  else
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("not strict JSON"));
}

/* Parses a text that follows `n_before` bytes in its file; byte offsets in messages count from the beginning of the
 * file. */
static LoomProfilerConfig *
parse (const char *text, gsize length, gsize n_before, GError **error)
{
  if (length > LOOM_LIMIT_CONFIG_BYTES) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("larger than the limit for configurations (%d bytes)"),
                 LOOM_LIMIT_CONFIG_BYTES);
    return NULL;
  }
  gsize blanks = strspn (text, " \t\r\n"); /* strspn() stops at the zero byte that follows the text */
  n_before += MIN (blanks, length);
  for (text += blanks, length -= MIN (blanks, length); length > 0 && g_ascii_isspace (text[length - 1]);)
    length--;
  JsonNode *root = parse_strict (text, length);
  gboolean lowered = FALSE;
  if (root == NULL && g_utf8_validate_len (text, length, NULL)) {
    g_autofree char *lower = g_utf8_strdown (text, (gssize) length);
    root = parse_strict (lower, strlen (lower));
    lowered = root != NULL;
  }
  if (root == NULL) {
    set_parse_error (text, length, n_before, error);
    return NULL;
  }
  LoomProfilerConfig *config = config_of (root);
  if (config == NULL)
    g_set_error_literal (
      error, LOOM_ERROR, LOOM_ERROR_FORMAT,
      _ (
        "JSON, but not a profiler configuration: it has neither ProfilingParameters nor ProfilingIntervalInMilliseconds nor DisableProfiler"));
  else if (lowered)
    loom_profiler_config_note (
      config->notes, LOOM_NOTE_WARNING, "only-lower-case", NULL,
      "This is JSON only after it is converted to lower case (True, False), as the profiler in the container does");
  return config;
}

LoomProfilerConfig *
loom_profiler_config_parse (const char *text, gsize length, GError **error)
{
  g_return_val_if_fail (text != NULL, NULL);
  return parse (text, length, 0, error);
}

LoomProfilerConfig *
loom_profiler_config_read (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  if (stream == NULL)
    return NULL;
  g_autofree char *text = g_malloc (LOOM_LIMIT_CONFIG_BYTES + 2);
  gsize length;
  if (!g_input_stream_read_all (G_INPUT_STREAM (stream), text, LOOM_LIMIT_CONFIG_BYTES + 1, &length, NULL, error))
    return NULL;
  text[length] = '\0';
  gsize bom = length >= 3 && memcmp (text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  return parse (text + bom, length - bom, bom, error);
}

void
loom_profiler_config_free (LoomProfilerConfig *config)
{
  if (config == NULL)
    return;
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++)
    g_clear_pointer (&config->metrics[i], json_object_unref);
  g_clear_pointer (&config->root, json_node_unref);
  g_clear_pointer (&config->notes, g_ptr_array_unref);
  g_free (config);
}
