/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses a rule file. Checks the values of the members of each rule, and whether the members can be used together.
 * Reports the first error with its line. Regular expressions have separate limits, see loom-custom-rule-regex.h.
 */
#include "loom-custom-rule.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-custom-rule-json.h"
#include "loom-custom-rule-regex.h"
#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-limits.h"
#include "loom-rule-parameters.h"

#define MAX_NAME 128
#define MAX_TEXT 4096

static void
free_rule (gpointer data)
{
  LoomCustomRule *rule = data;
  g_free (rule->name);
  g_free (rule->about);
  g_free (rule->sentence);
  g_free (rule->headline);
  g_free (rule->measures);
  for (guint i = 0; i < LOOM_N_CUSTOM_RULE_FIELDS; i++)
    g_clear_pointer (&rule->where[i], g_regex_unref);
  g_free (rule);
}

const char *
loom_custom_rule_get_unit (const LoomCustomRule *rule)
{
  if (rule->relative)
    return "%";
  switch (rule->statistic) {
  case LOOM_CUSTOM_RULE_COUNT: return "";
  case LOOM_CUSTOM_RULE_DURATION: return "ns";
  case LOOM_CUSTOM_RULE_SHARE:
  case LOOM_CUSTOM_RULE_SHARE_ABOVE:
  case LOOM_CUSTOM_RULE_SHARE_BELOW:
  case LOOM_CUSTOM_RULE_GROWTH: return "%";
  default: return rule->source == LOOM_CUSTOM_RULE_SPANS ? "ns" : "";
  }
}

/* --- errors in a rule file ---------------------------------------------------------------------------------------- */

typedef struct {
  const char *bytes;      /* the text of the file */
  LoomJsonSlice document; /* the part of the file from the first character of the JSON document on */
  JsonObject *object;     /* the object that is being read: the document, a rule, or a rule's “where” */
  gint rule;              /* index of the rule that contains the object; −1: the object is the document */
  gboolean in_where;
  guint *line; /* fail() stores the line of the error here */
  GError **error;
  gboolean failed;
} Reader;

/* Returns the line in which the value of a member of the current object ends. If `name` is NULL or the member is
 * missing, returns the line in which the current object begins. */
static guint
line_of (const Reader *reader, const char *name)
{
  LoomJsonSlice object = reader->document, key, element;
  LoomJsonIter iter;
  if (reader->rule >= 0 && loom_json_slice_iter_init (&iter, loom_json_slice_member (object, "rules")))
    for (gint i = 0; i <= reader->rule && loom_json_slice_iter_next (&iter, &key, &element); i++)
      object = element;
  if (reader->in_where)
    object = loom_json_slice_member (object, "where");
  LoomJsonSlice member = name != NULL ? loom_json_slice_member (object, name) : (LoomJsonSlice) { NULL, 0 };
  /* the member "where" was not found, because its name is written with JSON escapes; use the start of the document */
  if (object.text == NULL)
    object = reader->document;
  const char *at = member.text != NULL ? member.text + member.length : object.text;
  return loom_custom_rule_json_count_lines (reader->bytes, (gsize) (at - reader->bytes));
}

/* Sets the error and its line. Does nothing after the first call, so that the first error is reported. */
static void G_GNUC_PRINTF (3, 4) fail (Reader *reader, const char *name, const char *format, ...)
{
  va_list args;
  if (reader->failed)
    return;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  reader->failed = TRUE;
  *reader->line = line_of (reader, name);
  g_set_error_literal (reader->error, LOOM_ERROR, LOOM_ERROR_FORMAT, valid);
}

/* --- reading a member of an object -------------------------------------------------------------------------------- */

/* Returns the value of a member, which must be a text of at most `max` bytes; if it is not, calls fail(). NULL: the
 * member is absent or wrong. Owned by the caller. */
static char *
text_of (Reader *reader, const char *name, gsize max)
{
  JsonNode *node = json_object_get_member (reader->object, name);
  if (node == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING) {
    fail (reader, name, _ ("“%s” must be a string"), name);
    return NULL;
  }
  if (strlen (json_node_get_string (node)) > max)
    fail (reader, name, _ ("“%s” is longer than %u bytes"), name, (guint) max);
  return g_utf8_make_valid (json_node_get_string (node), -1);
}

static guint
whole_of (Reader *reader, const char *name, guint fallback)
{
  JsonNode *node = json_object_get_member (reader->object, name);
  guint value = fallback;
  if (node == NULL || loom_custom_rule_json_get_whole (node, &value))
    return value;
  fail (reader, name, _ ("“%s” must be a whole number of at least 1"), name);
  return fallback;
}

static guint
word_of (Reader *reader, const char *name, const char *const *words, guint fallback)
{
  g_autofree char *text = text_of (reader, name, MAX_NAME);
  if (text == NULL)
    return fallback;
  for (guint i = 0; words[i] != NULL; i++)
    if (strcmp (words[i], text) == 0)
      return i;
  g_autofree char *list = g_strjoinv ("\", \"", (char **) words);
  fail (reader,
        name, /* Translators: the name of a member, and its possible values with quotes between them: yes", "no */
        _ ("“%s” must be one of \"%s\""), name, list);
  return fallback;
}

/* Returns the value of a member, converted to ns if `wants_time` is TRUE. NAN: the member is absent, or it is wrong and
 * fail() was called. */
static double
quantity_of (Reader *reader, const char *name, gboolean wants_time)
{
  JsonNode *node = json_object_get_member (reader->object, name);
  double value = NAN;
  if (node == NULL || loom_custom_rule_json_get_quantity (node, wants_time, &value))
    return value;
  if (wants_time)
    fail (reader, name, _ ("“%s” must be a time with its unit: \"8 us\", \"1.5 ms\", \"2 s\""), name);
  else
    fail (reader, name, _ ("“%s” must be a number"), name);
  return NAN;
}

/* --- members of a rule -------------------------------------------------------------------------------------------- */

static const char *const fields[] = { "node", "type", "name", "dimension", "phase", NULL };

static void
check_members (Reader *reader, const char *const *known)
{
  g_autoptr (GList) names = json_object_get_members (reader->object);
  for (GList *name = names; name != NULL; name = name->next)
    if (!g_strv_contains (known, name->data)) {
      g_autofree char *list = g_strjoinv (", ", (char **) known);
      fail (reader, name->data, _ ("“%s” is not a known member; known members are: %s"), (const char *) name->data,
            list);
    }
}

static void
read_where (Reader *reader, LoomCustomRule *rule)
{
  JsonObject *outer = reader->object;
  JsonNode *node = json_object_get_member (outer, "where");
  if (node == NULL)
    return;
  if (!JSON_NODE_HOLDS_OBJECT (node)) {
    fail (reader, "where", _ ("“where” must be an object of regular expressions"));
    return;
  }
  reader->object = json_node_get_object (node);
  reader->in_where = TRUE;
  check_members (reader, fields);
  for (guint i = 0; i < LOOM_N_CUSTOM_RULE_FIELDS; i++) {
    g_autoptr (GError) problem = NULL;
    g_autofree char *pattern = text_of (reader, fields[i], LOOM_CUSTOM_RULE_REGEX_MAX_PATTERN);
    if (pattern == NULL || reader->failed)
      continue;
    if (i == (rule->source == LOOM_CUSTOM_RULE_SPANS ? LOOM_CUSTOM_RULE_DIMENSION : LOOM_CUSTOM_RULE_PHASE))
      fail (reader, fields[i],
            rule->source == LOOM_CUSTOM_RULE_SPANS ? _ ("only rules for samples can use a “dimension”")
                                                   : _ ("only rules for spans can use a “phase”"));
    rule->where[i] = loom_custom_rule_regex_compile (pattern, &problem);
    if (rule->where[i] == NULL)
      fail (reader, fields[i], _ ("“%s” is not a valid regular expression: %s"), fields[i], problem->message);
  }
  reader->object = outer;
  reader->in_where = FALSE;
}

/* Parses a quantile such as "p95". Returns FALSE if the text is not a quantile. */
static gboolean
parse_quantile (const char *text, double *quantile)
{
  char *end;
  if (*text != 'p')
    return FALSE;
  *quantile = g_ascii_strtod (text + 1, &end) / 100;
  return end != text + 1 && *end == '\0' && *quantile >= 0 && *quantile <= 1;
}

static void
read_statistic (Reader *reader, LoomCustomRule *rule)
{
  static const char *const words[] = { "mean",        "min",   "max",      "pNN",   "share above",
                                       "share below", "count", "duration", "share", "growth" };
  g_autofree char *text = text_of (reader, "statistic", MAX_NAME);
  guint i = 0;
  if (text == NULL || strcmp (text, words[LOOM_CUSTOM_RULE_QUANTILE]) == 0) {
    fail (
      reader, "statistic",
      _ (
        "“statistic” is missing; use one of: mean, min, max, p95, share above, share below, count, duration, share, growth"));
    return;
  }
  while (i < G_N_ELEMENTS (words) && strcmp (words[i], text) != 0)
    i++;
  if (i == G_N_ELEMENTS (words) && parse_quantile (text, &rule->quantile))
    i = LOOM_CUSTOM_RULE_QUANTILE;
  if (i == G_N_ELEMENTS (words))
    fail (
      reader, "statistic",
      _ (
        "“%s” is not a statistic; use one of: mean, min, max, p95, share above, share below, count, duration, share, growth"),
      text);
  rule->statistic = (LoomCustomRuleStatistic) MIN (i, LOOM_CUSTOM_RULE_GROWTH);
  gboolean of_time = rule->statistic == LOOM_CUSTOM_RULE_DURATION || rule->statistic == LOOM_CUSTOM_RULE_SHARE;
  if (of_time && rule->source == LOOM_CUSTOM_RULE_SAMPLES)
    fail (reader, "statistic", _ ("“%s” can only be computed from spans, because samples have no duration"), text);
  gboolean needs = rule->statistic == LOOM_CUSTOM_RULE_SHARE_ABOVE || rule->statistic == LOOM_CUSTOM_RULE_SHARE_BELOW;
  rule->limits.threshold = quantity_of (reader, "threshold", rule->source == LOOM_CUSTOM_RULE_SPANS);
  if (needs != (json_object_has_member (reader->object, "threshold") != FALSE))
    fail (reader, needs ? "statistic" : "threshold",
          needs ? _ ("“%s” needs a “threshold”") : _ ("“%s” cannot be used with a “threshold”"), text);
}

static void
read_window (Reader *reader, LoomCustomRule *rule)
{
  g_autofree char *text = text_of (reader, "window", MAX_NAME);
  gboolean is_time;
  double value = 0;
  char *end = NULL;
  rule->window = LOOM_CUSTOM_RULE_WINDOW_ALL;
  if (text == NULL || strcmp (text, "all") == 0)
    return;
  guint64 n = g_ascii_strtoull (text, &end, 10);
  if (strcmp (text, "step") == 0)
    rule->window = LOOM_CUSTOM_RULE_WINDOW_STEP;
  else if (n > 0 && n <= 1000000 && strcmp (end, " samples") == 0)
    rule->window = LOOM_CUSTOM_RULE_WINDOW_SAMPLES;
  else if (loom_custom_rule_json_parse_quantity (text, &value, &is_time) && is_time && value >= 1000)
    rule->window = LOOM_CUSTOM_RULE_WINDOW_TIME;
  else
    fail (reader, "window", _ ("“window” must be \"all\", \"step\", a time such as \"500 ms\", or \"100 samples\""));
  rule->window_ns = rule->window == LOOM_CUSTOM_RULE_WINDOW_TIME ? (gint64) value : 0;
  rule->window_samples = rule->window == LOOM_CUSTOM_RULE_WINDOW_SAMPLES ? (guint) n : 0;
  if (rule->window ==
      (rule->source == LOOM_CUSTOM_RULE_SPANS ? LOOM_CUSTOM_RULE_WINDOW_SAMPLES : LOOM_CUSTOM_RULE_WINDOW_STEP))
    fail (reader, "window",
          rule->source == LOOM_CUSTOM_RULE_SPANS ? _ ("windows of samples can only be used in rules for samples")
                                                 : _ ("windows of steps can only be used in rules for spans"));
}

static void
read_limit (Reader *reader, LoomCustomRule *rule)
{
  gboolean above = json_object_has_member (reader->object, "above"),
           below = json_object_has_member (reader->object, "below");
  rule->relative = word_of (reader, "of median", (const char *const[]) { "no", "yes", NULL }, 0);
  rule->above = above;
  if (rule->relative && rule->window != LOOM_CUSTOM_RULE_WINDOW_ALL)
    fail (
      reader, "of median",
      _ ("“of median” can only be used with \"window\": \"all\", because groups are compared over the whole range"));
  rule->limits.limit =
    quantity_of (reader, above ? "above" : "below", strcmp (loom_custom_rule_get_unit (rule), "ns") == 0);
  if (above == below)
    fail (reader, above ? "below" : NULL, _ ("a rule needs either “above” or “below”"));
}

/* Calls fail() if a text of the rule contains a {word} that is not a known placeholder. */
static void
check_placeholders (Reader *reader, const char *member, const char *text)
{
  static const char *const words[] = { "name",  "value",   "limit",  "who",   "node", "rank", "device",
                                       "count", "windows", "groups", "extra", "mean", NULL };
  for (const char *at = strchr (text, '{'); at != NULL; at = strchr (at + 1, '{')) {
    gsize n = strcspn (at + 1, "}{");
    g_autofree char *word = g_strndup (at + 1, n);
    gboolean closed = at[1 + n] == '}';
    if (closed && g_strv_contains (words, word))
      continue;
    g_autofree char *shown = g_strndup (at, n + 1 + closed);
    g_autofree char *list = g_strjoinv ("}, {", (char **) words);
    fail (reader, member, _ ("“%s” is not a placeholder; use one of {%s}"), shown, list);
  }
}

/* Returns a text of the rule, translated if the rule is one of those delivered with the program (po/rules.c). Owned by
 * the caller. */
static char *
words_of (Reader *reader, const char *name)
{
  g_autofree char *text = text_of (reader, name, MAX_TEXT);
  return text != NULL && *text != '\0' ? g_strdup (gettext (text)) : g_steal_pointer (&text);
}

static void
read_texts (Reader *reader, LoomCustomRule *rule)
{
  rule->name = text_of (reader, "name", MAX_NAME);
  rule->about = words_of (reader, "about");
  rule->sentence = words_of (reader, "sentence");
  rule->headline = words_of (reader, "headline");
  rule->measures = words_of (reader, "measures");
  if (rule->name == NULL || rule->name[0] == '\0')
    fail (reader, "name", _ ("a rule needs a “name”"));
  else if (loom_rule_parameters_find (rule->name) >= 0)
    fail (reader, "name", _ ("a rule named “%s” exists already"), rule->name);
  else if (rule->sentence == NULL || rule->sentence[0] == '\0')
    fail (reader, "sentence", _ ("“%s” needs a “sentence”"), rule->name);
  else
    check_placeholders (reader, "sentence", rule->sentence);
  if (rule->headline != NULL)
    check_placeholders (reader, "headline", rule->headline);
  g_autofree char *explains = text_of (reader, "explains", MAX_NAME);
  rule->explains = explains != NULL && explains[0] != '\0' ? g_intern_string (explains) : NULL;
}

static LoomCustomRule *
read_rule (Reader *reader)
{
  static const char *const known[] = { "name",      "about",     "of",        "where",   "per",      "window",
                                       "statistic", "threshold", "of median", "above",   "below",    "patience",
                                       "least",     "severity",  "sentence",  "mark",    "messages", "threads",
                                       "explains",  "headline",  "devices",   "exposed", "measures", NULL };
  LoomCustomRule *rule = g_new0 (LoomCustomRule, 1);
  check_members (reader, known);
  rule->source = word_of (reader, "of", (const char *const[]) { "spans", "samples", NULL }, LOOM_CUSTOM_RULE_SPANS);
  rule->per =
    word_of (reader, "per", (const char *const[]) { "run", "node", "rank", "device", NULL }, LOOM_CUSTOM_RULE_PER_RUN);
  if (rule->source == LOOM_CUSTOM_RULE_SAMPLES && rule->per == LOOM_CUSTOM_RULE_PER_RANK)
    fail (reader, "per", _ ("a rule for samples cannot be “per” rank; use \"run\", \"node\" or \"device\""));
  rule->no_messages = word_of (reader, "messages", (const char *const[]) { "yes", "no", NULL }, 0);
  if (rule->no_messages && rule->source == LOOM_CUSTOM_RULE_SAMPLES)
    fail (reader, "messages", _ ("a rule for samples does not accept “messages”"));
  rule->loop_threads_only = word_of (reader, "threads", (const char *const[]) { "all", "loop", NULL }, 0);
  if (rule->loop_threads_only && rule->source == LOOM_CUSTOM_RULE_SAMPLES)
    fail (reader, "threads", _ ("a rule for samples does not accept “threads”"));
  rule->felt_by_devices_only = word_of (reader, "devices", (const char *const[]) { "any", "idle", NULL }, 0);
  if (rule->felt_by_devices_only && rule->source == LOOM_CUSTOM_RULE_SAMPLES)
    fail (reader, "devices", _ ("a rule for samples does not accept “devices”"));
  rule->exposed_only = word_of (reader, "exposed", (const char *const[]) { "no", "yes", NULL }, 0);
  if (rule->exposed_only && rule->source == LOOM_CUSTOM_RULE_SAMPLES)
    fail (reader, "exposed", _ ("a rule for samples does not accept “exposed”"));
  read_texts (reader, rule);
  read_where (reader, rule);
  read_window (reader, rule);
  read_statistic (reader, rule);
  read_limit (reader, rule);
  rule->limits.patience = whole_of (reader, "patience", 1);
  rule->limits.least = whole_of (reader, "least", 1);
  rule->severity =
    word_of (reader, "severity", (const char *const[]) { "info", "warning", "severe", NULL }, LOOM_RULE_WARNING);
  rule->mark = word_of (reader, "mark", (const char *const[]) { "windows", "spans", "run", NULL },
                        LOOM_CUSTOM_RULE_OCCURRENCE_WINDOWS);
  if (rule->mark == LOOM_CUSTOM_RULE_OCCURRENCE_SPANS && rule->source == LOOM_CUSTOM_RULE_SAMPLES)
    fail (reader, "mark", _ ("in a rule for samples, “mark” cannot be \"spans\"; use \"windows\" or \"run\""));
  rule->initial = rule->limits;
  return rule;
}

/* --- list of rules ------------------------------------------------------------------------------------------------ */

static gboolean
has_name (const GPtrArray *rules, const char *name)
{
  for (guint i = 0; i < rules->len; i++)
    if (g_ascii_strcasecmp (((const LoomCustomRule *) rules->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
read_rules (Reader *reader, GPtrArray *rules)
{
  JsonObject *root = reader->object;
  JsonNode *list = json_object_get_member (root, "rules"),
           *version = json_object_get_member (root, LOOM_CUSTOM_RULES_MEMBER);
  check_members (reader, (const char *const[]) { LOOM_CUSTOM_RULES_MEMBER, "rules", NULL });
  if (version == NULL || !JSON_NODE_HOLDS_VALUE (version) || json_node_get_value_type (version) != G_TYPE_INT64)
    fail (reader, LOOM_CUSTOM_RULES_MEMBER,
          _ ("the file needs the member “%s” with the value 1, the version of the rule format"),
          LOOM_CUSTOM_RULES_MEMBER);
  else if (json_node_get_int (version) != LOOM_CUSTOM_RULES_VERSION)
    fail (reader, LOOM_CUSTOM_RULES_MEMBER, _ ("only rules of version %u can be read"), LOOM_CUSTOM_RULES_VERSION);
  if (list == NULL || !JSON_NODE_HOLDS_ARRAY (list)) {
    fail (reader, "rules", _ ("“rules” must be an array"));
    return;
  }
  JsonArray *array = json_node_get_array (list);
  if (json_array_get_length (array) > LOOM_CUSTOM_RULES_MAX)
    fail (reader, "rules", _ ("the file contains more than %u rules"), LOOM_CUSTOM_RULES_MAX);
  for (guint i = 0; !reader->failed && i < json_array_get_length (array); i++) {
    JsonNode *node = json_array_get_element (array, i);
    reader->object = root;
    reader->rule = -1;
    if (!JSON_NODE_HOLDS_OBJECT (node)) {
      fail (reader, "rules", _ ("rule %u is not an object"), i + 1);
      return;
    }
    reader->object = json_node_get_object (node);
    reader->rule = (gint) i;
    LoomCustomRule *rule = read_rule (reader);
    if (!reader->failed && has_name (rules, rule->name))
      fail (reader, "name", _ ("there are two rules named “%s”"), rule->name);
    g_ptr_array_add (rules, rule);
  }
}

GPtrArray *
loom_custom_rules_check (const char *bytes, gsize length, guint *line, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  if (!loom_custom_rule_json_load (parser, bytes, length, line, error))
    return NULL;
  JsonNode *root = json_parser_get_root (parser);
  if (!JSON_NODE_HOLDS_OBJECT (root)) {
    *line = 1;
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("the file does not contain an object with the member “%s”"),
                 LOOM_CUSTOM_RULES_MEMBER);
    return NULL;
  }
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func (free_rule);
  gsize n_blanks = 0;
  while (loom_json_slice_is_blank (bytes[n_blanks]))
    n_blanks++;
  Reader reader = { .bytes = bytes,
                    .document = { bytes + n_blanks, length - n_blanks },
                    .object = json_node_get_object (root),
                    .rule = -1,
                    .line = line,
                    .error = error };
  read_rules (&reader, rules);
  return reader.failed ? NULL : g_steal_pointer (&rules);
}

GPtrArray *
loom_custom_rules_parse (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (GError) problem = NULL;
  guint line = 0;
  GPtrArray *rules = loom_custom_rules_check (text, length, &line, &problem);
  if (rules == NULL && line > 0)
    g_set_error (error, LOOM_ERROR, problem->code,
                 /* Translators: the name of a rule file, the number of a line, and what is wrong there */
                 _ ("%s: line %u: %s"), name, line, problem->message);
  else if (rules == NULL)
    g_set_error (error, LOOM_ERROR, problem->code, "%s: %s", name, problem->message);
  return rules;
}

GPtrArray *
loom_custom_rules_read (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) stream = NULL;
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = g_malloc (LOOM_LIMIT_CONFIG_BYTES + 2), *shown = g_filename_display_basename (path);
  gsize length = 0;
  stream = g_file_read (file, NULL, &problem);
  if (stream == NULL ||
      !g_input_stream_read_all (G_INPUT_STREAM (stream), text, LOOM_LIMIT_CONFIG_BYTES + 1, &length, NULL, &problem)) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "%s: %s", shown, problem->message);
    return NULL;
  }
  text[length] = '\0';
  return loom_custom_rules_parse (text, length, shown, error);
}
