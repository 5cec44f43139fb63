/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The JSON of a rule file with the line of every member, for messages. Size, depth and strictness are checked
 * before the JSON is parsed. One thread.
 */
#pragma once

#include <json-glib/json-glib.h>

typedef struct {
  JsonParser *parser;
  GHashTable *members; /* JsonObject → GHashTable of member name → line */
  GHashTable *begins;  /* JsonObject → line of its beginning */
  GArray *open;        /* guint: lines of the objects being parsed */
} LoomCustomRuleJson;

/* Returns FALSE with LOOM_ERROR_FORMAT and the line of the error in `line`, or with LOOM_ERROR_LIMIT (line 0). Call
 * clear() in either case. */
gboolean loom_custom_rule_json_init (LoomCustomRuleJson *text, const char *bytes, gsize length, guint *line,
                                     GError **error);
void loom_custom_rule_json_clear (LoomCustomRuleJson *text);

/* Line of a member, from 1 on; if the member is NULL or missing, the line of the object. */
guint loom_custom_rule_json_get_line (const LoomCustomRuleJson *text, JsonObject *object, const char *member);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomCustomRuleJson, loom_custom_rule_json_clear)
