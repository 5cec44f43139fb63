/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. The JSON of a rule file with the line of every member, so that messages can name it. Size, depth and strictness
 * are checked before anybody looks at it. For one thread.
 */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  JsonParser *parser;
  GHashTable *members; /* JsonObject → GHashTable of names → line */
  GHashTable *begins;  /* JsonObject → line */
  GArray *open;        /* guint: lines of objects that have begun */
} LoomCustomRuleJson;

/* FALSE with LOOM_ERROR_FORMAT and the line of it, or LOOM_ERROR_LIMIT (line 0); to be cleared in any case. */
gboolean loom_custom_rule_json_init (LoomCustomRuleJson *text, const char *bytes, gsize length, guint *line,
                                     GError **error);
void loom_custom_rule_json_clear (LoomCustomRuleJson *text);

JsonNode *loom_custom_rule_json_get_root (const LoomCustomRuleJson *text); /* borrowed */

/* From 1 on: of a member; of one that is missing, or NULL, that of the object. */
guint loom_custom_rule_json_get_line (const LoomCustomRuleJson *text, JsonObject *object, const char *member);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LoomCustomRuleJson, loom_custom_rule_json_clear)

G_END_DECLS
