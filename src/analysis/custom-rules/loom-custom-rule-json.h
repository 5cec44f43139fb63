/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/custom-rules. Parses the JSON of a rule file. Limits its size and depth, and accepts only
 * strict JSON; json-glib alone would accept more.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Parses the text of a rule file. On a syntax error, sets LOOM_ERROR_FORMAT, and sets `line` to the line of the error.
 * If the text exceeds a limit, sets LOOM_ERROR_LIMIT, and sets `line` to 0. Returns FALSE in both cases. */
gboolean loom_custom_rule_json_load (JsonParser *parser, const char *bytes, gsize length, guint *line, GError **error);

/* Returns the number of the line, from 1, that contains the byte with the index `n_before`. */
guint loom_custom_rule_json_count_lines (const char *bytes, gsize n_before);

/* Parses a quantity such as 12, "12 %", "8 us" or "1.5 ms". A value with a unit of time is converted to ns. Returns
 * FALSE if the text is not a quantity. */
gboolean loom_custom_rule_json_parse_quantity (const char *text, double *value, gboolean *is_time);
/* Reads a quantity from a JSON value. If `wants_time` is TRUE, the value must be a text with a unit of time, and the
 * result is in ns. Otherwise the value must be a number, or a text with a number or a percentage. Returns FALSE for any
 * other value. */
gboolean loom_custom_rule_json_get_quantity (JsonNode *node, gboolean wants_time, double *value);

#define LOOM_CUSTOM_RULE_JSON_MOST 1000000000

/* If the JSON value is an integer from 1 to LOOM_CUSTOM_RULE_JSON_MOST, sets `value` and returns TRUE. */
gboolean loom_custom_rule_json_get_whole (JsonNode *node, guint *value);
