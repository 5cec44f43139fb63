/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that build JSON documents and print them. Numbers are not printed by json-glib's generator, because it
 * writes doubles with 17 digits: these show rounding errors, such as 0.10000000000000001 for 0.1.
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

static void print_node (JsonNode *node, guint depth, GString *out);

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
print_array (JsonArray *array, guint depth, GString *out)
{
  gboolean plain = is_plain_array (array);
  g_string_append_c (out, '[');
  for (guint i = 0; i < json_array_get_length (array); i++) {
    if (i > 0)
      g_string_append (out, plain ? ", " : ",");
    if (!plain)
      begin_line (out, depth + 1);
    print_node (json_array_get_element (array, i), depth + 1, out);
  }
  if (!plain)
    begin_line (out, depth);
  g_string_append_c (out, ']');
}

/* Prints the members of an object of the given depth. `follows`: TRUE if a member of the same object was printed before.
 * Returns TRUE if any member of the object was printed, now or before. */
static gboolean
print_members (JsonObject *object, guint depth, gboolean follows, GString *out)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &value)) {
    loom_json_util_print_name (name, depth, follows, out);
    print_node (value, depth + 1, out);
    follows = TRUE;
  }
  return follows;
}

static void
print_object (JsonObject *object, guint depth, GString *out)
{
  g_string_append_c (out, '{');
  if (print_members (object, depth, FALSE, out))
    begin_line (out, depth);
  g_string_append_c (out, '}');
}

/* Prints a node recursively. The recursion is not deep, because documents are made by this program and have only a few
 * levels. */
static void
print_node (JsonNode *node, guint depth, GString *out)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    print_object (json_node_get_object (node), depth, out);
  else if (JSON_NODE_HOLDS_ARRAY (node))
    print_array (json_node_get_array (node), depth, out);
  else
    print_plain (node, out);
}

gboolean
loom_json_util_print_members (JsonNode *object, guint depth, gboolean follows, GString *out)
{
  return print_members (json_node_get_object (object), depth, follows, out);
}

void
loom_json_util_print_element (JsonNode *element, guint depth, gboolean follows, GString *out)
{
  follow (follows, depth, out);
  print_node (element, depth + 1, out);
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
  GString *out = g_string_new (NULL);
  print_node (root, 0, out);
  g_string_append_c (out, '\n');
  return g_string_free (out, FALSE);
}
