/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-problem-columns.h"

#include "loom-bounded-text.h"
#include "loom-cell-tooltip.h"
#include "loom-timeline-description.h"

#include <glib/gi18n.h>

#define CELL_PX 18  /* beside what a cell says */
#define ARROW_PX 22 /* of the order, beside a title */
#define IMAGE_PX 22 /* of a severity, beside its word */

static const struct {
  const char *title;
  int width_px; /* at least; 0: what is left */
  gboolean number;
} columns[LOOM_N_PROBLEM_COLUMNS] = {
  [LOOM_PROBLEM_SEVERITY] = { N_ ("Severity"), 100, FALSE }, [LOOM_PROBLEM_FILE] = { N_ ("File"), 154, FALSE },
  [LOOM_PROBLEM_CODE] = { N_ ("Code"), 162, FALSE },         [LOOM_PROBLEM_COUNT] = { N_ ("Count"), 68, TRUE },
  [LOOM_PROBLEM_OFFSET] = { N_ ("First byte"), 92, TRUE },   [LOOM_PROBLEM_MESSAGE] = { N_ ("Problem"), 0, FALSE },
  [LOOM_PROBLEM_TEXT] = { N_ ("Text"), 0, FALSE },
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

static GtkWidget *
new_label (LoomProblemColumn column)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label),
                           column == LOOM_PROBLEM_FILE ? PANGO_ELLIPSIZE_MIDDLE : PANGO_ELLIPSIZE_END);
  if (columns[column].number)
    gtk_widget_add_css_class (label, "numeric");
  if (column == LOOM_PROBLEM_TEXT || column == LOOM_PROBLEM_CODE)
    gtk_widget_add_css_class (label, "monospace");
  return label;
}

static char *
dup_path (GtkListItem *item, guint column)
{
  return loom_problem_item_dup_path (gtk_list_item_get_item (item));
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *label = new_label (GPOINTER_TO_UINT (column));
  if (GPOINTER_TO_UINT (column) != LOOM_PROBLEM_SEVERITY) {
    gtk_list_item_set_child (item, label);
    if (GPOINTER_TO_UINT (column) == LOOM_PROBLEM_FILE)
      loom_cell_tooltip_add (label, item, dup_path, 0);
    return;
  }
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *image = gtk_image_new ();
  gtk_accessible_update_state (GTK_ACCESSIBLE (image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1); /* the word says it */
  gtk_box_append (GTK_BOX (box), image);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (item, box);
}

static char *
dup_cell (LoomProblemItem *problem, LoomProblemColumn column)
{
  const LoomProblemFacts *facts = loom_problem_item_get_facts (problem);
  switch (column) {
  case LOOM_PROBLEM_FILE: return loom_problem_item_dup_name (problem);
  case LOOM_PROBLEM_CODE: return g_strdup (facts->code);
  case LOOM_PROBLEM_COUNT: return loom_timeline_description_number (facts->count);
  case LOOM_PROBLEM_OFFSET:
    return facts->offset != LOOM_OFFSET_NONE ? loom_timeline_description_number (facts->offset) : g_strdup ("");
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
bind_severity (GtkWidget *box, const LoomProblemFacts *facts)
{
  GtkWidget *image = gtk_widget_get_first_child (box);
  const char *classes[] = { loom_problem_columns_severity_get_class (facts->severity), NULL };
  gtk_image_set_from_icon_name (GTK_IMAGE (image), loom_problem_columns_severity_get_icon (facts->severity));
  gtk_widget_set_css_classes (image, classes);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  LoomProblemColumn column = GPOINTER_TO_UINT (data);
  LoomProblemItem *problem = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = dup_cell (problem, column);
  if (column == LOOM_PROBLEM_SEVERITY) {
    bind_severity (label, loom_problem_item_get_facts (problem));
    label = gtk_widget_get_last_child (label);
  }
  loom_bounded_text_set_label (GTK_LABEL (label), text != NULL ? text : "");
  if (column != LOOM_PROBLEM_TEXT)
    return;
  g_signal_connect_object (problem, "notify::excerpt", G_CALLBACK (show_text), label, 0);
  loom_problem_item_load_excerpt (problem);
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  LoomProblemItem *problem = gtk_list_item_get_item (item);
  if (GPOINTER_TO_UINT (column) == LOOM_PROBLEM_TEXT && problem != NULL)
    g_signal_handlers_disconnect_by_data (problem, gtk_list_item_get_child (item));
}

/* --- columns ---------------------------------------------------------------------------------------------------- */

static int
text_width (GtkColumnView *view, const char *text, PangoWeight weight)
{
  int width;
  g_autoptr (PangoLayout) layout = loom_bounded_text_new_layout (GTK_WIDGET (view), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* Its title has room in every language, and the words of severities. */
static int
width_of (GtkColumnView *view, LoomProblemColumn id)
{
  int width =
    MAX (columns[id].width_px, text_width (view, _ (columns[id].title), PANGO_WEIGHT_BOLD) + CELL_PX + ARROW_PX);
  for (LoomSeverity i = LOOM_SEVERITY_INFO; id == LOOM_PROBLEM_SEVERITY && i <= LOOM_SEVERITY_ERROR; i++)
    width =
      MAX (width, text_width (view, loom_problem_item_severity_get_word (i), PANGO_WEIGHT_NORMAL) + CELL_PX + IMAGE_PX);
  return columns[id].width_px > 0 ? width : -1;
}

static void
add_column (GtkColumnView *view, LoomProblemColumn id)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GUINT_TO_POINTER (id));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (id));
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), GUINT_TO_POINTER (id));
  g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (_ (columns[id].title), factory);
  if (id != LOOM_PROBLEM_TEXT)
    loom_table_sort_add (column, id);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, columns[id].width_px == 0);
  gtk_column_view_column_set_fixed_width (column, width_of (view, id));
  gtk_column_view_append_column (view, column);
}

void
loom_problem_columns_add (GtkColumnView *view)
{
  for (LoomProblemColumn id = 0; id < LOOM_N_PROBLEM_COLUMNS; id++)
    add_column (view, id);
}
