/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-mcp-cut.h"

typedef struct {
  guint most;
  JsonObject *left;
} Cut;

static JsonNode *copy (const Cut *cut, JsonNode *node, const char *path, guint offset, guint depth);

static void
add_left (JsonObject *left, const char *path, guint n)
{
  gboolean is_named = json_object_get_size (left) < LOOM_MCP_CUT_NAMED;
  const char *name = is_named ? path : "others";
  gint64 before = json_object_has_member (left, name) ? json_object_get_int_member (left, name) : 0;
  json_object_set_int_member (left, name, before + n);
}

static JsonNode *
copy_array (const Cut *cut, JsonArray *array, const char *path, guint offset, guint depth)
{
  guint n = json_array_get_length (array), first = MIN (offset, n), end = first + MIN (cut->most, n - first);
  JsonArray *part = json_array_new ();
  for (guint i = first; i < end; i++) {
    g_autofree char *inside = g_strdup_printf ("%s.%u", path, i);
    json_array_add_element (part, copy (cut, json_array_get_element (array, i), inside, 0, depth + 1));
  }
  if (end < n)
    add_left (cut->left, path, n - end);
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  json_node_take_array (node, part);
  return node;
}

/* Returns a copy of an object with shortened arrays. Arrays that are direct members of the outermost object (`depth`
 * 0) are copied from element `offset` on, all other arrays from their first element on. */
static JsonNode *
copy_object (const Cut *cut, JsonObject *object, const char *path, guint offset, guint depth)
{
  JsonObject *part = json_object_new ();
  g_autoptr (GList) names = json_object_get_members (object);
  for (const GList *item = names; item != NULL; item = item->next) {
    const char *name = item->data;
    g_autofree char *inside = g_strdup_printf ("%s%s%s", path, path[0] != '\0' ? "." : "", name);
    JsonNode *member = json_object_get_member (object, name);
    guint skipped = depth == 0 && JSON_NODE_HOLDS_ARRAY (member) ? offset : 0;
    json_object_set_member (part, name, copy (cut, member, inside, skipped, depth + 1));
  }
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, part);
  return node;
}

static JsonNode *
copy (const Cut *cut, JsonNode *node, const char *path, guint offset, guint depth)
{
  if (JSON_NODE_HOLDS_ARRAY (node))
    return copy_array (cut, json_node_get_array (node), path, offset, depth);
  if (JSON_NODE_HOLDS_OBJECT (node))
    return copy_object (cut, json_node_get_object (node), path, offset, depth);
  return json_node_copy (node);
}

JsonNode *
loom_mcp_cut_node (JsonNode *node, const char *path, guint offset, guint most, JsonObject *left)
{
  const Cut cut = { most, left };
  return copy (&cut, node, path, offset, 0);
}
