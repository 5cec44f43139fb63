/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-lane-row.h"

#include "loom-bounded-text.h"
#include "loom-lane-area.h"
#include "loom-locale-number.h"
#include "loom-sentence.h"
#include "loom-template.h"

#include <glib/gi18n.h>

struct _LoomLaneRow {
  GtkWidget parent;
  GtkWidget *cut, *header, *end, *stack, *message_box, *run, *again, *series;
  GtkMenuButton *menu;
  GtkLabel *name, *scale, *message, *sql;
  GtkEditable *entry;
  LoomLaneArea *area;
  LoomQueryLanes *lanes;
  guint lane;
};

G_DEFINE_FINAL_TYPE (LoomLaneRow, loom_lane_row, GTK_TYPE_WIDGET)

/* Returns the text to show instead of a result: a text which says that the query is running, or the reason why it
 * failed. Returns "" in all other cases; a lane without a result then shows only the button that runs its query. */
static const char *
get_message (LoomLaneRow *self)
{
  const char *problem = loom_query_lanes_get_problem (self->lanes, self->lane);
  if (loom_query_lanes_is_running (self->lanes, self->lane))
    return _ ("Running…");
  return problem != NULL ? problem : "";
}

/* Returns a text that states how many rows of the result the lane does not show, and why; "" if it shows all rows.
 * Owned by the caller. */
static char *
dup_lack (const LoomResultLane *result)
{
  g_autofree char *count = loom_locale_number_group (LOOM_QUERY_ANSWER_MOST);
  guint n_left = result != NULL ? loom_result_lane_get_left (result) : 0;
  g_autofree char *cut = result != NULL && loom_result_lane_is_cut (result)
                           ? g_strdup_printf (_ ("Only the first %s rows are shown."), count)
                           : NULL,
                  *left = n_left > 0
                            ? g_strdup_printf (ngettext ("%u row is not shown because it has no time.",
                                                         "%u rows are not shown because they have no time.", n_left),
                                               n_left)
                            : NULL;
  g_autofree char *rows = cut != NULL ? loom_sentence_join (cut, left) : g_strdup (left != NULL ? left : "");
  if (result == NULL || !loom_result_lane_is_series_cut (result))
    return g_steal_pointer (&rows);
  g_autofree char *series = g_strdup_printf (_ ("Only the first %u series are shown."), LOOM_RESULT_LANE_MOST_SERIES);
  return loom_sentence_join (series, rows);
}

/* Shows how many rows of the result are missing in the lane; otherwise, the user would think that the lane shows all
 * rows. */
static void
show_lack (LoomLaneRow *self, const LoomResultLane *result)
{
  g_autofree char *words = dup_lack (result);
  gtk_widget_set_visible (self->cut, words[0] != '\0');
  loom_bounded_text_set_tip (GTK_WIDGET (self->menu), words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

static GtkWidget *
new_series_name (const char *name)
{
  GtkWidget *label = loom_bounded_text_new_label (name);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  return label;
}

/* Shows one text for the value axis, which all series share: its title and its ends. Shows the name of each series
 * beside the line of the series. */
static void
show_scale (LoomLaneRow *self, const LoomResultLane *result)
{
  g_autofree char *scale = result != NULL ? loom_result_lane_dup_scale (result) : NULL;
  guint n = result != NULL && loom_result_lane_names_series (result) ? loom_result_lane_get_n_series (result) : 0;
  GtkWidget *child;
  gtk_widget_set_visible (GTK_WIDGET (self->scale), scale != NULL);
  loom_bounded_text_set_label (self->scale, scale != NULL ? scale : "");
  while ((child = gtk_widget_get_first_child (self->series)) != NULL)
    gtk_box_remove (GTK_BOX (self->series), child);
  for (guint i = 0; i < n; i++)
    gtk_box_append (GTK_BOX (self->series), new_series_name (loom_result_lane_get_series_name (result, i)));
}

void
loom_lane_row_update (LoomLaneRow *self)
{
  const char *name = loom_query_lanes_get_name (self->lanes, self->lane),
             *text = loom_query_lanes_get_text (self->lanes, self->lane);
  const LoomResultLane *result = loom_query_lanes_get_result (self->lanes, self->lane);
  gboolean is_running = loom_query_lanes_is_running (self->lanes, self->lane);
  loom_bounded_text_set_label (self->name, name);
  loom_bounded_text_set_label (self->sql, text);
  loom_bounded_text_set_label (self->message, get_message (self));
  loom_lane_area_set_lane (self->area, result, loom_query_lanes_get_color (self->lanes, self->lane));
  show_lack (self, result);
  show_scale (self, result);
  gtk_widget_set_visible (self->run, !is_running);
  gtk_widget_set_sensitive (self->again, !is_running);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), result != NULL ? GTK_WIDGET (self->area) : self->message_box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->menu), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
menu_shown (LoomLaneRow *self)
{
  gtk_editable_set_text (self->entry, loom_query_lanes_get_name (self->lanes, self->lane));
}

static void
renamed (LoomLaneRow *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->entry)));
  gtk_menu_button_popdown (self->menu);
  loom_query_lanes_rename (self->lanes, self->lane, name);
}

static void
run_clicked (LoomLaneRow *self)
{
  gtk_menu_button_popdown (self->menu);
  loom_query_lanes_run (self->lanes, self->lane);
}

/* Removes the lane, which may destroy this row. */
static void
remove_clicked (LoomLaneRow *self)
{
  gtk_menu_button_popdown (self->menu);
  loom_query_lanes_remove (self->lanes, self->lane);
}

static void
dispose (GObject *object)
{
  LoomLaneRow *self = LOOM_LANE_ROW (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->lanes);
  G_OBJECT_CLASS (loom_lane_row_parent_class)->dispose (object);
}

static void
loom_lane_row_class_init (LoomLaneRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (LOOM_TYPE_LANE_AREA);
  loom_template_set (widget_class, "loom-lane-row.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, again);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, area);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, cut);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, end);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, entry);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, header);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, menu);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, message);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, message_box);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, name);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, run);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, scale);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, series);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, sql);
  gtk_widget_class_bind_template_child (widget_class, LoomLaneRow, stack);
  gtk_widget_class_bind_template_callback (widget_class, menu_shown);
  gtk_widget_class_bind_template_callback (widget_class, remove_clicked);
  gtk_widget_class_bind_template_callback (widget_class, renamed);
  gtk_widget_class_bind_template_callback (widget_class, run_clicked);
}

static void
loom_lane_row_init (LoomLaneRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
loom_lane_row_new (LoomQueryLanes *lanes, guint lane, LoomTimelineView *view)
{
  LoomLaneRow *self = g_object_new (LOOM_TYPE_LANE_ROW, NULL);
  self->lanes = g_object_ref (lanes);
  self->lane = lane;
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR); /* time goes from left to right, as in the tracks */
  loom_lane_area_set_scene (self->area, loom_timeline_view_get_scene (view), loom_timeline_view_get_flight (view));
  loom_timeline_view_align (view, self->header, self->end);
  loom_lane_row_update (self);
  return GTK_WIDGET (self);
}
