/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-custom-rule-json.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-limits.h"

#define MAX_BRACKETS 4096

/* --- lines ----------------------------------------------------------------------------------------------------------- */

static void
note_begin (JsonParser *parser, LoomCustomRuleJson *text)
{
  guint line = json_parser_get_current_line (parser);
  g_array_append_val (text->open, line);
}

static void
note_end (JsonParser *parser, JsonObject *object, LoomCustomRuleJson *text)
{
  if (text->open->len == 0)
    return;
  g_hash_table_replace (text->begins, object,
                        GUINT_TO_POINTER (g_array_index (text->open, guint, text->open->len - 1)));
  g_array_set_size (text->open, text->open->len - 1);
}

static void
note_member (JsonParser *parser, JsonObject *object, const char *name, LoomCustomRuleJson *text)
{
  GHashTable *members = g_hash_table_lookup (text->members, object);
  if (members == NULL) {
    members = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_insert (text->members, object, members);
  }
  g_hash_table_replace (members, g_strdup (name), GUINT_TO_POINTER (json_parser_get_current_line (parser)));
}

guint
loom_custom_rule_json_get_line (const LoomCustomRuleJson *text, JsonObject *object, const char *member)
{
  GHashTable *members = g_hash_table_lookup (text->members, object);
  gpointer line = NULL;
  if (members != NULL && member != NULL && g_hash_table_lookup_extended (members, member, NULL, &line))
    return GPOINTER_TO_UINT (line);
  return MAX (GPOINTER_TO_UINT (g_hash_table_lookup (text->begins, object)), 1);
}

/* --- the text -------------------------------------------------------------------------------------------------------- */

/* Number of opening brackets, an upper bound for the recursion depth of json-glib. */
static guint
count_brackets (const char *text, gsize length)
{
  guint n = 0;
  for (gsize i = 0; i < length; i++)
    n += text[i] == '{' || text[i] == '[';
  return n;
}

/* json-glib's messages begin with "<data>:LINE:COLUMN: ", a place behind the error and often in a later line, so the
 * line is determined here. */
static gboolean
fail_to_parse (const char *bytes, gsize length, const char *message, guint *line, GError **error)
{
  gsize n_before = MIN (loom_json_slice_find_fault (bytes, length), length);
  const char *why = strstr (message, ": ");
  g_autofree char *valid = g_utf8_make_valid (why != NULL ? why + 2 : _ ("this is not strict JSON"), -1);
  *line = 1;
  for (gsize i = 0; i < n_before; i++)
    *line += bytes[i] == '\n';
  g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_FORMAT, valid);
  return FALSE;
}

static void
init_empty (LoomCustomRuleJson *text)
{
  text->parser = json_parser_new ();
  text->members = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_hash_table_unref);
  text->begins = g_hash_table_new (NULL, NULL);
  text->open = g_array_new (FALSE, FALSE, sizeof (guint));
  g_signal_connect (text->parser, "object-start", G_CALLBACK (note_begin), text);
  g_signal_connect (text->parser, "object-member", G_CALLBACK (note_member), text);
  g_signal_connect (text->parser, "object-end", G_CALLBACK (note_end), text);
}

gboolean
loom_custom_rule_json_init (LoomCustomRuleJson *text, const char *bytes, gsize length, guint *line, GError **error)
{
  g_autoptr (GError) problem = NULL;
  init_empty (text);
  *line = 0;
  if (length > LOOM_LIMIT_CONFIG_BYTES || count_brackets (bytes, length) > MAX_BRACKETS) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("larger than rules may be"));
    return FALSE;
  }
  gboolean parsed = g_utf8_validate_len (bytes, length, NULL) &&
                    json_parser_load_from_data (text->parser, bytes, (gssize) length, &problem);
  if (parsed && json_parser_get_root (text->parser) != NULL && loom_json_slice_is_strict_document (bytes, length))
    return TRUE;
  return fail_to_parse (bytes, length, problem != NULL ? problem->message : "", line, error);
}

void
loom_custom_rule_json_clear (LoomCustomRuleJson *text)
{
  g_clear_object (&text->parser);
  g_clear_pointer (&text->members, g_hash_table_unref);
  g_clear_pointer (&text->begins, g_hash_table_unref);
  g_clear_pointer (&text->open, g_array_unref);
}
