/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: shortens the arrays in a JSON value, and lists how many of their elements are left.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Maximum number of arrays that a list of shortened arrays names. */
#define LOOM_MCP_CUT_NAMED 100

/* Returns a copy of the node in which arrays have at most `most` elements: the node itself, if it is an array, or each
 * array that is a member of the node, the elements from `offset` on; arrays inside of these, the first elements. For each
 * array that goes on after the last copied element, adds a member to `left`: its path, beginning with `path`, and the
 * number of elements that are left. If there are more than LOOM_MCP_CUT_NAMED such arrays, the elements of the others are
 * added up under "others". Owned by the caller. O(size of the node). */
JsonNode *loom_mcp_cut_node (JsonNode *node, const char *path, guint offset, guint most, JsonObject *left);
