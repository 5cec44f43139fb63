/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: shortens the arrays in a JSON value, and lists how many elements were omitted.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Maximum number of shortened arrays that are listed by name. */
#define LOOM_MCP_CUT_NAMED 100

/* Returns a copy of the node in which each array has at most `most` elements. `offset`: index of the first copied
 * element. If the node is an array, `offset` applies to this array; if not, `offset` applies to the arrays that are
 * direct members of the node. All other arrays are copied from their first element on.
 *
 * If elements after the last copied one are omitted, adds a member to `left`: its name is the path of the array,
 * which begins with `path`, and its value is the number of these elements. If there are more than LOOM_MCP_CUT_NAMED
 * such arrays, the numbers of the others are summed in a member "others". The copy is owned by the caller. O(size of
 * the node). */
JsonNode *loom_mcp_cut_node (JsonNode *node, const char *path, guint offset, guint most, JsonObject *left);
