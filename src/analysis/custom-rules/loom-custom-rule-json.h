/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. Parses the JSON of a rule file. Size, depth and strictness are checked before.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Returns FALSE with LOOM_ERROR_FORMAT and the line of the error in `line`, or with LOOM_ERROR_LIMIT (line 0). */
gboolean loom_custom_rule_json_load (JsonParser *parser, const char *bytes, gsize length, guint *line, GError **error);

/* The number of the line, from 1 on, that begins or continues after the first `n_before` bytes. */
guint loom_custom_rule_json_count_lines (const char *bytes, gsize n_before);
