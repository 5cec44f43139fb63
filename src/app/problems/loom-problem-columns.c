/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problem-columns.h"

#include "loom-bounded-text.h"
#include "loom-locale-number.h"
#include "loom-table-column.h"

#include <glib/gi18n.h>

#define CELL_PX 18  /* width of a cell without its text, in px */
#define IMAGE_PX 22 /* width in px of the icon of a severity, which is next to the severity's name */

static const struct {
  const char *title;
  int width_px; /* minimum width of the column, in px; 0 if the column takes the remaining width */
  gboolean number;
} columns[LOOM_N_PROBLEM_COLUMNS] = {
  [LOOM_PROBLEM_SEVERITY] = { N_ ("Severity"), 100, FALSE },  [LOOM_PROBLEM_FILE] = { N_ ("File"), 154, FALSE },
  [LOOM_PROBLEM_CODE] = { N_ ("Code"), 162, FALSE },          [LOOM_PROBLEM_COUNT] = { N_ ("Count"), 68, TRUE },
  [LOOM_PROBLEM_OFFSET] = { N_ ("First at Byte"), 92, TRUE }, [LOOM_PROBLEM_MESSAGE] = { N_ ("Problem"), 0, FALSE },
  [LOOM_PROBLEM_TEXT] = { N_ ("Excerpt"), 0, FALSE },
};

const char *
loom_problem_columns_severity_get_icon (LoomSeverity severity)
{
  static const char *const icons[] = { "dialog-information-symbolic", "dialog-warning-symbolic",
                                       "dialog-error-symbolic" };
  return icons[CLAMP (severity, LOOM_SEVERITY_INFO, LOOM_SEVERITY_ERROR)];
}

const char *
loom_problem_columns_severity_get_class (LoomSeverity severity)
{
  static const char *const classes[] = { "dim-label", "warning", "error" };
  return classes[CLAMP (severity, LOOM_SEVERITY_INFO, LOOM_SEVERITY_ERROR)];
}

/* --- cells ------------------------------------------------------------------------------------------------------ */

static char *
dup_path (GtkListItem *item, guint column)
{
  return loom_problem_item_dup_path (gtk_list_item_get_item (item));
}

static void
setup_severity (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *image = gtk_image_new ();
  g_autoptr (GtkWidget) label = g_object_ref (gtk_list_item_get_child (item));
  /* hide the icon from screen readers, because they read the severity's name next to it */
  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_list_item_set_child (item, box);
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), label);
}

static char *
dup_cell (LoomTableItem *item, guint column, gpointer owner)
{
  LoomProblemItem *problem = LOOM_PROBLEM_ITEM (item);
  const LoomProblemFacts *facts = loom_problem_item_get_facts (problem);
  switch ((LoomProblemColumn) column) {
  case LOOM_PROBLEM_FILE: return loom_problem_item_dup_name (problem);
  case LOOM_PROBLEM_CODE: return g_strdup (facts->code);
  case LOOM_PROBLEM_COUNT: return loom_locale_number_group (facts->count);
  case LOOM_PROBLEM_OFFSET:
    return facts->offset != LOOM_OFFSET_NONE ? loom_locale_number_group (facts->offset) : g_strdup ("");
  case LOOM_PROBLEM_MESSAGE: return g_strdup (facts->message);
  case LOOM_PROBLEM_TEXT: return g_strdup (loom_problem_item_get_excerpt (problem, NULL));
  case LOOM_PROBLEM_SEVERITY:
  case LOOM_N_PROBLEM_COLUMNS:
  default: return g_strdup (loom_problem_item_severity_get_word (facts->severity));
  }
}

static void
show_text (LoomProblemItem *problem, GParamSpec *pspec, GtkWidget *label)
{
  const char *excerpt = loom_problem_item_get_excerpt (problem, NULL);
  loom_bounded_text_set_label (GTK_LABEL (label), excerpt != NULL ? excerpt : "");
}

static void
bind_severity (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *image = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  LoomSeverity severity = loom_problem_item_get_facts (gtk_list_item_get_item (item))->severity;
  const char *classes[] = { loom_problem_columns_severity_get_class (severity), NULL };
  gtk_image_set_from_icon_name (GTK_IMAGE (image), loom_problem_columns_severity_get_icon (severity));
  gtk_widget_set_css_classes (image, classes);
}

static void
bind_text (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  LoomProblemItem *problem = gtk_list_item_get_item (item);
  g_signal_connect_object (problem, "notify::excerpt", G_CALLBACK (show_text), gtk_list_item_get_child (item), 0);
  loom_problem_item_load_excerpt (problem);
}

static void
unbind_text (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  LoomProblemItem *problem = gtk_list_item_get_item (item);
  if (problem != NULL)
    g_signal_handlers_disconnect_by_data (problem, gtk_list_item_get_child (item));
}

/* --- columns ---------------------------------------------------------------------------------------------------- */

static int
text_width (GtkColumnView *view, const char *text)
{
  int width;
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (view), text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* Returns the width of a column in px. The column of severities is wide enough for the names of all severities in
 * the current language. */
static int
width_of (GtkColumnView *view, LoomProblemColumn id)
{
  int width = columns[id].width_px;
  for (LoomSeverity i = LOOM_SEVERITY_INFO; id == LOOM_PROBLEM_SEVERITY && i <= LOOM_SEVERITY_ERROR; i++)
    width = MAX (width, text_width (view, loom_problem_item_severity_get_word (i)) + CELL_PX + IMAGE_PX);
  return width;
}

static void
add_column (GtkColumnView *view, LoomProblemColumn id)
{
  gboolean monospace = id == LOOM_PROBLEM_TEXT || id == LOOM_PROBLEM_CODE;
  const LoomTableColumn look = { .is_number = columns[id].number,
                                 .expands = columns[id].width_px == 0,
                                 .width_px = width_of (view, id),
                                 .ellipsize = id == LOOM_PROBLEM_FILE ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END,
                                 .style = monospace ? "monospace" : NULL,
                                 .dup_text = dup_cell,
                                 .dup_tip = id == LOOM_PROBLEM_FILE ? dup_path : NULL };
  GtkColumnViewColumn *column = loom_table_column_add (view, _ (columns[id].title), id, &look, NULL);
  GtkListItemFactory *factory = gtk_column_view_column_get_factory (column);
  if (id == LOOM_PROBLEM_SEVERITY) {
    g_signal_connect (factory, "setup", G_CALLBACK (setup_severity), NULL);
    g_signal_connect (factory, "bind", G_CALLBACK (bind_severity), NULL);
  } else if (id == LOOM_PROBLEM_TEXT) {
    g_signal_connect (factory, "bind", G_CALLBACK (bind_text), NULL);
    g_signal_connect (factory, "unbind", G_CALLBACK (unbind_text), NULL);
    gtk_column_view_column_set_sorter (column, NULL);
  }
}

void
loom_problem_columns_fit (GtkColumnView *view, gboolean has_offsets, gboolean is_narrow)
{
  GListModel *all = gtk_column_view_get_columns (view);
  g_autoptr (GtkColumnViewColumn) code = g_list_model_get_item (all, LOOM_PROBLEM_CODE),
                                  offset = g_list_model_get_item (all, LOOM_PROBLEM_OFFSET),
                                  text = g_list_model_get_item (all, LOOM_PROBLEM_TEXT);
  loom_table_column_set_visible (code, !is_narrow);
  loom_table_column_set_visible (offset, has_offsets && !is_narrow);
  loom_table_column_set_visible (text, has_offsets && !is_narrow);
}

void
loom_problem_columns_add (GtkColumnView *view)
{
  for (LoomProblemColumn id = 0; id < LOOM_N_PROBLEM_COLUMNS; id++)
    add_column (view, id);
}
