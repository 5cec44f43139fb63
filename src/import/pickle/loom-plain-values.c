/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of plain values: the numbers, texts, lists and dicts of a Python pickle or a JSON file. The interface is
 * described in loom-plain-values.h.
 */
#include "loom-plain-values.h"

#include "loom-parse-time.h"

#include <math.h>
#include <string.h>

/* The smallest double that is too large for gint64. */
#define INT64_BOUND 9223372036854775808.0

LoomPlainValues *
loom_plain_values_new (void)
{
  LoomPlainValues *self = g_new0 (LoomPlainValues, 1);
  self->values = g_array_new (FALSE, FALSE, sizeof (LoomPlainValue));
  self->top = G_MAXUINT32;
  return self;
}

static gboolean
is_container (const LoomPlainValue *value)
{
  return value != NULL && (value->type == LOOM_PLAIN_LIST || value->type == LOOM_PLAIN_DICT);
}

void
loom_plain_values_free (LoomPlainValues *self)
{
  for (guint i = 0; i < self->values->len; i++) {
    LoomPlainValue *value = &g_array_index (self->values, LoomPlainValue, i);
    if (is_container (value) && value->items != NULL)
      g_array_unref (value->items);
  }
  g_array_unref (self->values);
  g_free (self->bytes);
  if (self->texts != NULL)
    g_string_chunk_free (self->texts);
  g_free (self);
}

guint32
loom_plain_values_add (LoomPlainValues *self, LoomPlainValue value)
{
  g_array_append_val (self->values, value);
  return self->values->len - 1;
}

void
loom_plain_values_append (LoomPlainValues *self, guint32 container, guint32 value)
{
  LoomPlainValue *into = &g_array_index (self->values, LoomPlainValue, container);
  if (into->items == NULL)
    into->items = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_array_append_val (into->items, value);
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

static guint32 add_json (LoomPlainValues *self, JsonNode *node, guint depth);

static guint32
add_text (LoomPlainValues *self, const char *text)
{
  if (self->texts == NULL)
    self->texts = g_string_chunk_new (4096);
  LoomPlainValue value = { LOOM_PLAIN_TEXT, (guint32) strlen (text), .text = NULL };
  value.text = g_string_chunk_insert_const (self->texts, text);
  return loom_plain_values_add (self, value);
}

static guint32
add_scalar (LoomPlainValues *self, JsonNode *node)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;
  LoomPlainValue value = { LOOM_PLAIN_NONE, 0, .integer = 0 };
  if (type == G_TYPE_STRING)
    return add_text (self, json_node_get_string (node));
  if (type == G_TYPE_INT64)
    value = (LoomPlainValue) { LOOM_PLAIN_INT, 0, .integer = json_node_get_int (node) };
  else if (type == G_TYPE_BOOLEAN)
    value = (LoomPlainValue) { LOOM_PLAIN_BOOL, 0, .integer = json_node_get_boolean (node) };
  else if (type == G_TYPE_DOUBLE)
    value = (LoomPlainValue) { LOOM_PLAIN_FLOAT, 0, .number = json_node_get_double (node) };
  return loom_plain_values_add (self, value);
}

static guint32
add_array (LoomPlainValues *self, JsonArray *array, guint depth)
{
  guint32 list = loom_plain_values_add (self, (LoomPlainValue) { LOOM_PLAIN_LIST, 0, .items = NULL });
  for (guint i = 0; i < json_array_get_length (array); i++)
    loom_plain_values_append (self, list, add_json (self, json_array_get_element (array, i), depth));
  return list;
}

static guint32
add_object (LoomPlainValues *self, JsonObject *object, guint depth)
{
  guint32 dict = loom_plain_values_add (self, (LoomPlainValue) { LOOM_PLAIN_DICT, 0, .items = NULL });
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &member)) {
    loom_plain_values_append (self, dict, add_text (self, name));
    loom_plain_values_append (self, dict, add_json (self, member, depth));
  }
  return dict;
}

static guint32
add_json (LoomPlainValues *self, JsonNode *node, guint depth)
{
  if (depth < LOOM_PLAIN_MAX_DEPTH && JSON_NODE_HOLDS_ARRAY (node))
    return add_array (self, json_node_get_array (node), depth + 1);
  if (depth < LOOM_PLAIN_MAX_DEPTH && JSON_NODE_HOLDS_OBJECT (node))
    return add_object (self, json_node_get_object (node), depth + 1);
  return add_scalar (self, node);
}

guint32
loom_plain_values_add_json (LoomPlainValues *self, JsonNode *node)
{
  return add_json (self, node, 0);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static const LoomPlainValue *
get (const LoomPlainValues *self, guint32 number)
{
  return number < self->values->len ? &g_array_index (self->values, LoomPlainValue, number) : NULL;
}

static const LoomPlainValue *
get_nth (const LoomPlainValues *self, const LoomPlainValue *container, guint i)
{
  gboolean has = is_container (container) && container->items != NULL && i < container->items->len;
  return has ? get (self, g_array_index (container->items, guint32, i)) : NULL;
}

const LoomPlainValue *
loom_plain_values_get_top (const LoomPlainValues *self)
{
  return get (self, self->top);
}

guint
loom_plain_values_get_n (const LoomPlainValue *value)
{
  guint n = is_container (value) && value->items != NULL ? value->items->len : 0;
  return n > 0 && value->type == LOOM_PLAIN_DICT ? n / 2 : n;
}

const LoomPlainValue *
loom_plain_values_get_item (const LoomPlainValues *self, const LoomPlainValue *list, guint i)
{
  return list != NULL && list->type == LOOM_PLAIN_LIST ? get_nth (self, list, i) : NULL;
}

const LoomPlainValue *
loom_plain_values_get_key (const LoomPlainValues *self, const LoomPlainValue *dict, guint i)
{
  return dict != NULL && dict->type == LOOM_PLAIN_DICT ? get_nth (self, dict, 2 * i) : NULL;
}

const LoomPlainValue *
loom_plain_values_get_value (const LoomPlainValues *self, const LoomPlainValue *dict, guint i)
{
  return dict != NULL && dict->type == LOOM_PLAIN_DICT ? get_nth (self, dict, 2 * i + 1) : NULL;
}

const LoomPlainValue *
loom_plain_values_find (const LoomPlainValues *self, const LoomPlainValue *dict, const char *key)
{
  gsize length = strlen (key);
  for (guint i = dict != NULL && dict->type == LOOM_PLAIN_DICT ? loom_plain_values_get_n (dict) : 0; i-- > 0;) {
    const LoomPlainValue *name = loom_plain_values_get_key (self, dict, i);
    if (name != NULL && name->type == LOOM_PLAIN_TEXT && name->length == length &&
        memcmp (name->text, key, length) == 0)
      return loom_plain_values_get_value (self, dict, i);
  }
  return NULL;
}

gint64
loom_plain_values_to_int (const LoomPlainValue *value, gint64 fallback)
{
  gint64 integer;
  if (value == NULL)
    return fallback;
  switch (value->type) {
  case LOOM_PLAIN_INT:
  case LOOM_PLAIN_BOOL: return value->integer;
  case LOOM_PLAIN_FLOAT:
    return fabs (value->number) < INT64_BOUND && floor (value->number) == value->number ? (gint64) value->number
                                                                                        : fallback;
  case LOOM_PLAIN_TEXT: return loom_parse_time_parse_int (value->text, value->length, &integer) ? integer : fallback;
  default: return fallback;
  }
}

char *
loom_plain_values_dup_text (const LoomPlainValue *value)
{
  if (value != NULL && value->type == LOOM_PLAIN_TEXT)
    return g_utf8_make_valid (value->text, (gssize) value->length);
  if (value != NULL && (value->type == LOOM_PLAIN_INT || value->type == LOOM_PLAIN_BOOL))
    return g_strdup_printf ("%" G_GINT64_FORMAT, value->integer);
  return NULL;
}
