/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the args of an event: any bytes must become a tree of texts, as the details of a span show it, and JSON for
 * the clipboard. For strict JSON, the tree must have as many members as the document of json-glib.
 */
#include "fuzz.h"

#include "loom-event-args.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define MOST_DEPTH 300

static guint
check_members (GListModel *members)
{
  guint n = g_list_model_get_n_items (members), total = n;
  for (guint i = 0; i < n; i++) {
    g_autoptr (LoomArg) arg = g_list_model_get_item (members, i);
    const char *name = loom_event_arg_get_name (arg), *value = loom_event_arg_get_value (arg);
    fuzz_check (name != NULL && g_utf8_validate (name, -1, NULL), "a name is no text");
    fuzz_check (value != NULL && g_utf8_validate (value, -1, NULL), "the value of “%s” is no text", name);
    if (loom_event_args_get_children (arg) != NULL)
      total += check_members (loom_event_args_get_children (arg));
  }
  return total;
}

static guint count_members (JsonNode *node);

static void
count_member (JsonObject *object, const char *name, JsonNode *node, gpointer n)
{
  *(guint *) n += 1 + count_members (node);
}

static void
count_element (JsonArray *array, guint index, JsonNode *node, gpointer n)
{
  *(guint *) n += 1 + count_members (node);
}

static guint
count_members (JsonNode *node)
{
  guint n = 0;
  if (JSON_NODE_HOLDS_OBJECT (node))
    json_object_foreach_member (json_node_get_object (node), count_member, &n);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    json_array_foreach_element (json_node_get_array (node), count_element, &n);
  return n;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = fuzz_exact (data, size);
  gboolean strict = fuzz_is_json (text, size, MOST_DEPTH) && memchr (text, '\\', size) == NULL;
  g_autoptr (JsonParser) parser = json_parser_new ();
  fuzz_leaks_are_known (TRUE); /* json-glib leaks the node of a string with half a surrogate pair, so leaks are ignored
                                * here */
  LoomEventArgs *args = loom_event_args_parse (text, (gssize) size);
  gboolean read =
    strict && json_parser_load_from_data (parser, text, (gssize) size, NULL) && json_parser_get_root (parser) != NULL;
  fuzz_leaks_are_known (FALSE);
  guint n = check_members (args->members);
  fuzz_check (g_utf8_validate (args->json, -1, NULL), "the JSON is no UTF-8");
  if (read) {
    JsonNode *root = json_parser_get_root (parser);
    guint wanted = JSON_NODE_HOLDS_OBJECT (root) || JSON_NODE_HOLDS_ARRAY (root) ? count_members (root) : 1;
    fuzz_check (n == wanted, "%u members, json-glib has %u", n, wanted);
    fuzz_check (fuzz_is_json (args->json, strlen (args->json), MOST_DEPTH), "%s", args->json);
  }
  loom_event_args_free (args);
  return 0;
}
