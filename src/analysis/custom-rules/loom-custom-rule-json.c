/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-json.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-limits.h"

#define MAX_BRACKETS 4096

/* Returns the number of opening brackets. The recursion depth of json-glib cannot be greater. */
static guint
count_brackets (const char *text, gsize length)
{
  guint n = 0;
  for (gsize i = 0; i < length; i++)
    n += text[i] == '{' || text[i] == '[';
  return n;
}

guint
loom_custom_rule_json_count_lines (const char *bytes, gsize n_before)
{
  guint line = 1;
  for (gsize i = 0; i < n_before; i++)
    line += bytes[i] == '\n';
  return line;
}

static gboolean
is_blank (const char *text, gsize length)
{
  gsize n = 0;
  while (n < length && g_ascii_isspace (text[n]))
    n++;
  return n == length;
}

/* Reports a syntax error with its line. json-glib's messages begin with "<data>:LINE:COLUMN: ", but this position is
 * after the error and often in a later line. Therefore the line of the error is determined here. */
static gboolean
fail_to_parse (const char *bytes, gsize length, const char *message, guint *line, GError **error)
{
  gsize fault = loom_json_slice_find_fault (bytes, length), n_before = MIN (fault, length);
  const char *colon = strstr (message, ": ");
  gboolean is_cut = fault != G_MAXSIZE && is_blank (bytes + n_before, length - n_before);
  const char *why = is_cut          ? _ ("the file ends before its JSON is complete")
                    : colon != NULL ? colon + 2
                                    : _ ("this is not strict JSON");
  g_autofree char *valid = g_utf8_make_valid (why, -1);
  *line = loom_custom_rule_json_count_lines (bytes, n_before);
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, valid);
  return FALSE;
}

gboolean
loom_custom_rule_json_load (JsonParser *parser, const char *bytes, gsize length, guint *line, GError **error)
{
  g_autoptr (GError) problem = NULL;
  *line = 0;
  if (length > LOOM_LIMIT_CONFIG_BYTES || count_brackets (bytes, length) > MAX_BRACKETS) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("the file is too large for a rule file"));
    return FALSE;
  }
  gboolean parsed =
    g_utf8_validate_len (bytes, length, NULL) && json_parser_load_from_data (parser, bytes, (gssize) length, &problem);
  if (parsed && json_parser_get_root (parser) != NULL && loom_json_slice_is_strict_document (bytes, length))
    return TRUE;
  return fail_to_parse (bytes, length, problem != NULL ? problem->message : "", line, error);
}

gboolean
loom_custom_rule_json_parse_quantity (const char *text, double *value, gboolean *is_time)
{
  static const struct {
    const char *unit;
    double ns;
  } units[] = {
    { "ns", 1 }, { "us", 1e3 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 }, { "min", 60e9 },
  };
  char *end;
  *value = g_ascii_strtod (text, &end);
  *is_time = FALSE;
  if (end == text || !isfinite (*value) || fabs (*value) > 1e15)
    return FALSE;
  end += strspn (end, " ");
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (end, units[i].unit) == 0) {
      *value *= units[i].ns;
      *is_time = TRUE;
      return *value <= 9e18;
    }
  return *end == '\0' || strcmp (end, "%") == 0;
}

gboolean
loom_custom_rule_json_get_quantity (JsonNode *node, gboolean wants_time, double *value)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  gboolean is_time = FALSE;
  double number = NAN;
  if (type == G_TYPE_INT64 || type == G_TYPE_DOUBLE)
    number = json_node_get_double (node);
  else if (type != G_TYPE_STRING ||
           !loom_custom_rule_json_parse_quantity (json_node_get_string (node), &number, &is_time))
    return FALSE;
  if (!isfinite (number) || is_time != wants_time)
    return FALSE;
  *value = number;
  return TRUE;
}

gboolean
loom_custom_rule_json_get_whole (JsonNode *node, guint *value)
{
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64 ||
      json_node_get_int (node) < 1 || json_node_get_int (node) > LOOM_CUSTOM_RULE_JSON_MOST)
    return FALSE;
  *value = (guint) json_node_get_int (node);
  return TRUE;
}
