/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/cli: shortens the arrays in a JSON value, and lists how many of their elements are left.
 */
#pragma once

#include <json-glib/json-glib.h>

/* Maximum number of arrays that a list of shortened arrays names. */
#define LOOM_MCP_CUT_NAMED 100

/* Returns a copy of the node in which each array has at most `most` elements. `offset` is the index of the first copied
 * element. It applies to the node itself, if the node is an array, or else to the arrays that are direct members of the
 * node. All other arrays are copied from their first element on. If elements remain after the last copied element of an
 * array, adds a member to `left`: its name is the path of the array, which begins with `path`, and its value is the
 * number of the remaining elements. If there are more than LOOM_MCP_CUT_NAMED such arrays, the remaining elements of
 * the others are added up under the name "others". The copy is owned by the caller. O(size of the node). */
JsonNode *loom_mcp_cut_node (JsonNode *node, const char *path, guint offset, guint most, JsonObject *left);
