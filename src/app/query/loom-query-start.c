/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-start.h"

#include "loom-bounded-text.h"
#include "loom-query-library.h"
#include "loom-query-schema.h"

#include <glib/gi18n.h>

#define COLUMN_PX 24

/* Adds a line of text. A long line is truncated, not wrapped, because GTK 4.8 takes seconds to measure lists of
 * wrapped labels. */
static void
add_line (GtkBox *box, const char *text, const char *css_class)
{
  GtkWidget *label = loom_bounded_text_new_label (text);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (box, label);
}

/* Adds a row that activates `action` with `target`. `detail`: text of the second line; NULL if the row has only one
 * line. */
static void
add_row (GtkListBox *list, const char *title, const char *detail, const char *action, const char *target)
{
  GtkWidget *row = gtk_list_box_row_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (box, "query-start");
  add_line (GTK_BOX (box), title, NULL);
  if (detail != NULL)
    add_line (GTK_BOX (box), detail, "dim-label");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), action);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", target);
  loom_bounded_text_set_tip (row, detail);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_list_box_append (list, row);
}

static GtkListBox *
add_list (GtkBox *columns, const char *title)
{
  GtkWidget *column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *list = gtk_list_box_new ();
  add_line (GTK_BOX (column), title, "heading");
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_widget_set_valign (column, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (column), list);
  gtk_box_append (columns, column);
  return GTK_LIST_BOX (list);
}

static char *
dup_columns (const LoomQueryTable *table)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < table->n_columns; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", table->columns[i].name);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
loom_query_start_fill (GtkBox *box, const GPtrArray *named)
{
  gtk_box_set_homogeneous (box, TRUE);
  gtk_box_set_spacing (box, COLUMN_PX);
  GtkListBox *examples = add_list (box, _ ("Examples")), *tables = add_list (box, _ ("Tables"));
  for (guint i = 0; i < named->len; i++) {
    const LoomNamedQuery *query = named->pdata[i];
    if (query->shipped)
      add_row (examples, _ (query->title), NULL, "query.take", query->name);
  }
  for (guint i = 0; i < LOOM_N_QUERY_TABLES; i++) {
    const LoomQueryTable *table = loom_query_schema_get (i);
    g_autofree char *columns = dup_columns (table);
    add_row (tables, table->name, columns, "query.take-table", table->name);
  }
}
