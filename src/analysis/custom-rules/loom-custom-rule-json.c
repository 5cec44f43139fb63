/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-json.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-limits.h"

#define MAX_BRACKETS 4096

/* Number of opening brackets, an upper bound for the recursion depth of json-glib. */
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

/* json-glib's messages begin with "<data>:LINE:COLUMN: ", a place behind the error and often in a later line, so the
 * line is determined here. */
static gboolean
fail_to_parse (const char *bytes, gsize length, const char *message, guint *line, GError **error)
{
  gsize n_before = MIN (loom_json_slice_find_fault (bytes, length), length);
  const char *why = strstr (message, ": ");
  g_autofree char *valid = g_utf8_make_valid (why != NULL ? why + 2 : _ ("this is not strict JSON"), -1);
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
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("larger than rules may be"));
    return FALSE;
  }
  gboolean parsed =
    g_utf8_validate_len (bytes, length, NULL) && json_parser_load_from_data (parser, bytes, (gssize) length, &problem);
  if (parsed && json_parser_get_root (parser) != NULL && loom_json_slice_is_strict_document (bytes, length))
    return TRUE;
  return fail_to_parse (bytes, length, problem != NULL ? problem->message : "", line, error);
}
