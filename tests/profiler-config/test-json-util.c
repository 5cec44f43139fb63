/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that a document with lists that are made while they are printed has the same text as the document that is first
 * made as nodes.
 */
#include "loom-json-util.h"

typedef struct {
  guint n, n_made, n_freed;
} Rows;

static void
add_cell (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "cell", element);
}

static void
add_row (JsonBuilder *builder, guint element, gconstpointer user_data)
{
  Rows *rows = (Rows *) user_data;
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_int (builder, "row", element);
  loom_json_util_add_double (builder, "share", element / 4.0);
  loom_json_util_add_list (builder, "cells", element, add_cell, NULL, NULL);
  rows->n_made++;
}

static void
count_freed (gpointer data)
{
  ((Rows *) data)->n_freed++;
}

static void
build (JsonBuilder *builder, Rows *rows)
{
  g_auto (LoomJsonScope) object = loom_json_util_open_object (builder, NULL);
  loom_json_util_add_text (builder, "name", "a \"list\"");
  loom_json_util_add_list (builder, "rows", rows->n, add_row, rows, count_freed);
  g_auto (LoomJsonScope) inner = loom_json_util_open_object (builder, "inner");
  loom_json_util_add_list (builder, "none", 0, add_cell, NULL, NULL);
  loom_json_util_add_list (builder, "rows", rows->n, add_row, rows, NULL);
}

/* Returns the document, printed while its lists are made. */
static char *
print_while_made (Rows *rows)
{
  GString *text = g_string_new ("{");
  JsonBuilder *builder = loom_json_util_new_printed ();
  build (builder, rows);
  g_assert_cmpuint (rows->n_made, ==, 0);
  g_assert_true (loom_json_util_print_members (builder, 0, FALSE, text));
  g_assert_cmpuint (rows->n_made, ==, 2 * rows->n);
  g_object_unref (builder);
  g_assert_cmpuint (rows->n_freed, ==, 1);
  loom_json_util_print_end ('}', 0, text);
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}

static void
test_lists (void)
{
  for (guint n = 0; n < 4; n++) {
    Rows rows = { n, 0, 0 }, printed = { n, 0, 0 };
    g_autoptr (JsonBuilder) builder = json_builder_new ();
    build (builder, &rows);
    g_assert_cmpuint (rows.n_freed, ==, 1);
    g_autoptr (JsonNode) root = json_builder_get_root (builder);
    g_autofree char *expected = loom_json_util_print (root), *text = print_while_made (&printed);
    g_assert_cmpstr (text, ==, expected);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-util/lists", test_lists);
  return g_test_run ();
}
