/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that build JSON documents and print them. Numbers are not printed by json-glib's generator, because it
 * writes doubles with 17 digits, which show rounding errors, such as 0.10000000000000001 for 0.1.
 */
#include "loom-json-util.h"

#include "loom-archive-path.h"
#include "loom-json-number.h"

#include <math.h>
#include <string.h>

void
loom_json_util_add_text (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
loom_json_util_add_path (JsonBuilder *builder, const char *name, const char *path)
{
  g_autofree char *shown =
    g_utf8_validate (path, -1, NULL) ? loom_archive_path_dup_plain (path) : g_filename_display_name (path);
  loom_json_util_add_text (builder, name, shown);
}

void
loom_json_util_add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

void
loom_json_util_add_int_if (JsonBuilder *builder, const char *name, gboolean known, gint64 value)
{
  if (known)
    loom_json_util_add_int (builder, name, value);
  else
    loom_json_util_add_text (builder, name, NULL);
}

void
loom_json_util_put_double (JsonBuilder *builder, double value)
{
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
loom_json_util_add_double (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  loom_json_util_put_double (builder, value);
}

void
loom_json_util_add_double_if (JsonBuilder *builder, const char *name, gboolean known, double value)
{
  if (known)
    loom_json_util_add_double (builder, name, value);
  else
    loom_json_util_add_text (builder, name, NULL);
}

void
loom_json_util_add_bool (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

void
loom_json_util_begin_object (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
}

void
loom_json_util_begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}

LoomJsonScope
loom_json_util_open_object (JsonBuilder *builder, const char *name)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
  return (LoomJsonScope) { builder, FALSE };
}

LoomJsonScope
loom_json_util_open_array (JsonBuilder *builder, const char *name)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  return (LoomJsonScope) { builder, TRUE };
}

void
loom_json_util_close (LoomJsonScope *scope)
{
  if (scope->is_array)
    json_builder_end_array (scope->builder);
  else
    json_builder_end_object (scope->builder);
}

void
loom_json_util_add_counts (JsonBuilder *builder, const char *name, const guint64 *counts, guint n)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, (gint64) counts[i]);
}

void
loom_json_util_add_texts (JsonBuilder *builder, const char *name, const char *const *texts)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; texts[i] != NULL; i++)
    json_builder_add_string_value (builder, texts[i]);
}

void
loom_json_util_add_numbers (JsonBuilder *builder, const char *name, const guint *numbers, guint n)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < n; i++)
    json_builder_add_int_value (builder, numbers[i]);
}

void
loom_json_util_add_doubles (JsonBuilder *builder, const char *name, const double *values, guint n)
{
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < n; i++)
    loom_json_util_put_double (builder, values[i]);
}

/* --- lists that are made while they are printed ------------------------------------------------------------------- */

typedef struct {
  guint n;
  LoomJsonElementFunc func;
  gpointer user_data;
  GDestroyNotify free_func;
} List;

/* key of g_object_set_data() for the JsonBuilder: GHashTable that maps an empty JsonArray * to the List * with its
 * elements */
#define LISTS_KEY "loom-json-util-lists"

static void
free_list (gpointer data)
{
  List *list = data;
  if (list->free_func != NULL)
    list->free_func (list->user_data);
  g_free (list);
}

JsonBuilder *
loom_json_util_new_printed (void)
{
  JsonBuilder *builder = json_builder_new ();
  GHashTable *lists = g_hash_table_new_full (NULL, NULL, NULL, free_list);
  g_object_set_data_full (G_OBJECT (builder), LISTS_KEY, lists, (GDestroyNotify) g_hash_table_unref);
  return builder;
}

void
loom_json_util_add_list (JsonBuilder *builder, const char *name, guint n, LoomJsonElementFunc func, gpointer user_data,
                         GDestroyNotify free_func)
{
  GHashTable *lists = g_object_get_data (G_OBJECT (builder), LISTS_KEY);
  List *list = g_new (List, 1);
  *list = (List) { n, func, user_data, free_func };
  if (lists != NULL) {
    JsonArray *array = json_array_new ();
    json_builder_set_member_name (builder, name);
    json_builder_add_value (builder, json_node_init_array (json_node_alloc (), array));
    json_array_unref (array);
    g_hash_table_insert (lists, array, list);
    return;
  }
  g_auto (LoomJsonScope) array = loom_json_util_open_array (builder, name);
  for (guint i = 0; i < n; i++)
    func (builder, i, user_data);
  free_list (list);
}

/* --- printing ----------------------------------------------------------------------------------------------------- */

/* Prints a text as a JSON string. json-glib is used only for texts with characters to escape, because each use of it
 * creates a generator object, which takes longer than all other steps. */
static void
print_text (const char *text, GString *out)
{
  const char *end = text;
  while (*end != '\0' && *end != '"' && *end != '\\' && !g_ascii_iscntrl (*end))
    end++;
  if (*end != '\0') {
    g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);
    g_autofree char *escaped = json_to_string (node, FALSE);
    g_string_append (out, escaped);
    return;
  }
  g_string_append_c (out, '"');
  g_string_append_len (out, text, end - text);
  g_string_append_c (out, '"');
}

static void
print_plain (JsonNode *node, GString *out)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;
  if (type == G_TYPE_DOUBLE)
    loom_json_number_append_double (out, json_node_get_double (node));
  else if (type == G_TYPE_INT64)
    loom_json_number_append_int (out, json_node_get_int (node));
  else if (type == G_TYPE_STRING)
    print_text (json_node_get_string (node), out);
  else if (type == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "true" : "false");
  else
    g_string_append (out, "null");
}

static void
begin_line (GString *out, guint depth)
{
  g_string_append_c (out, '\n');
  for (guint i = 0; i < depth; i++)
    g_string_append_c (out, ' ');
}

static void
follow (gboolean follows, guint depth, GString *out)
{
  if (follows)
    g_string_append_c (out, ',');
  begin_line (out, depth + 1);
}

typedef struct {
  GString *out;
  GHashTable *lists; /* the table that LISTS_KEY of the builder refers to; NULL: the builder has none */
} Printer;

static void print_node (const Printer *printer, JsonNode *node, guint depth);

static gboolean
is_plain_array (JsonArray *array)
{
  for (guint i = 0; i < json_array_get_length (array); i++) {
    JsonNode *element = json_array_get_element (array, i);
    if (!JSON_NODE_HOLDS_VALUE (element) && !JSON_NODE_HOLDS_NULL (element))
      return FALSE;
  }
  return TRUE;
}

static void
print_list (const Printer *printer, const List *list, guint depth)
{
  g_autoptr (JsonBuilder) builder = loom_json_util_new_printed ();
  const Printer own = { printer->out, g_object_get_data (G_OBJECT (builder), LISTS_KEY) };
  g_string_append_c (printer->out, '[');
  for (guint i = 0; i < list->n; i++) {
    list->func (builder, i, list->user_data);
    g_autoptr (JsonNode) element = json_builder_get_root (builder);
    follow (i > 0, depth, printer->out);
    print_node (&own, element, depth + 1);
    g_hash_table_remove_all (own.lists);
    json_builder_reset (builder);
  }
  loom_json_util_print_end (']', depth, printer->out);
}

static void
print_array (const Printer *printer, JsonArray *array, guint depth)
{
  const List *list = printer->lists != NULL ? g_hash_table_lookup (printer->lists, array) : NULL;
  if (list != NULL && list->n > 0) {
    print_list (printer, list, depth);
    return;
  }
  gboolean plain = is_plain_array (array);
  g_string_append_c (printer->out, '[');
  for (guint i = 0; i < json_array_get_length (array); i++) {
    if (!plain)
      follow (i > 0, depth, printer->out);
    else if (i > 0)
      g_string_append (printer->out, ", ");
    print_node (printer, json_array_get_element (array, i), depth + 1);
  }
  if (!plain)
    begin_line (printer->out, depth);
  g_string_append_c (printer->out, ']');
}

/* Prints the members of an object of the given depth. `follows`: TRUE if a member of the same object was printed
 * before. Returns TRUE if any member of the object was printed, now or before. */
static gboolean
print_members (const Printer *printer, JsonObject *object, guint depth, gboolean follows)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value)) {
    loom_json_util_print_name (name, depth, follows, printer->out);
    print_node (printer, value, depth + 1);
    follows = TRUE;
  }
  return follows;
}

static void
print_object (const Printer *printer, JsonObject *object, guint depth)
{
  g_string_append_c (printer->out, '{');
  if (print_members (printer, object, depth, FALSE))
    begin_line (printer->out, depth);
  g_string_append_c (printer->out, '}');
}

/* Prints a node recursively. The recursion is not deep, because documents are made by this program and have only a few
 * levels. */
static void
print_node (const Printer *printer, JsonNode *node, guint depth)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    print_object (printer, json_node_get_object (node), depth);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    print_array (printer, json_node_get_array (node), depth);
  else
    print_plain (node, printer->out);
}

gboolean
loom_json_util_print_members (JsonBuilder *builder, guint depth, gboolean follows, GString *out)
{
  const Printer printer = { out, g_object_get_data (G_OBJECT (builder), LISTS_KEY) };
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return print_members (&printer, json_node_get_object (root), depth, follows);
}

void
loom_json_util_print_name (const char *name, guint depth, gboolean follows, GString *out)
{
  follow (follows, depth, out);
  print_text (name, out);
  g_string_append (out, ": ");
}

void
loom_json_util_print_end (char sign, guint depth, GString *out)
{
  begin_line (out, depth);
  g_string_append_c (out, sign);
}

char *
loom_json_util_print (JsonNode *root)
{
  const Printer printer = { g_string_new (NULL), NULL };
  print_node (&printer, root, 0);
  g_string_append_c (printer.out, '\n');
  return g_string_free (printer.out, FALSE);
}
