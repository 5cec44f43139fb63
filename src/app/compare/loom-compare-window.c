/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-compare-window.h"

#include "loom-bounded-text.h"
#include "loom-dialog-size.h"
#include "loom-hover-details.h"
#include "loom-run-pair.h"
#include "loom-scene-theme.h"
#include "loom-table-view.h"
#include "loom-timeline-view.h"
#include "loom-window-measure-workaround.h"

#include <glib/gi18n.h>

struct _LoomCompareWindow {
  AdwWindow parent;
  GtkLabel *names[2];
  LoomTimelineView *views[2];
  GtkLabel *headline, *note;
  GtkStack *tables;
  LoomTableView *table[LOOM_COMPARISON_NAMES + 1];
  GtkSpinButton *step;
  GtkWidget *step_box;
  GtkLabel *aligned;
  GtkSpinner *spinner;
  LoomRunPair *pair;
  /* a comparison has been shown; later ones do not change the table that the user may have selected */
  gboolean has_compared;
};

G_DEFINE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, ADW_TYPE_WINDOW)

/* --- the comparison -------------------------------------------------------------------------------------------------- */

static void
show_alignment (LoomCompareWindow *self)
{
  loom_bounded_text_set_label (self->aligned, loom_run_pair_get_alignment (self->pair));
}

static void
step_chosen (LoomCompareWindow *self)
{
  loom_run_pair_align_step (self->pair, gtk_spin_button_get_value_as_int (self->step));
}

static void
show_steps (LoomCompareWindow *self)
{
  gint64 first, last;
  gboolean common = loom_run_pair_get_steps (self->pair, &first, &last);
  gtk_widget_set_visible (self->step_box, common);
  if (!common)
    return;
  gtk_spin_button_set_range (self->step, (double) first, (double) last);
  gtk_spin_button_set_value (self->step, (double) first);
  loom_run_pair_align_step (self->pair, first);
}

static void
compared (LoomCompareWindow *self)
{
  gtk_spinner_set_spinning (self->spinner, FALSE);
  loom_bounded_text_set_label (self->headline, loom_run_pair_get_headline (self->pair));
  const char *note = loom_run_pair_get_note (self->pair);
  gtk_widget_set_visible (GTK_WIDGET (self->note), note != NULL);
  loom_bounded_text_set_label (self->note, note != NULL ? note : "");
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++) {
    LoomResultTable *table = loom_run_pair_get_table (self->pair, i);
    gtk_stack_page_set_visible (gtk_stack_get_page (self->tables, GTK_WIDGET (self->table[i])), table != NULL);
    if (table != NULL)
      loom_table_view_set_table (self->table[i], table);
  }
  if (gtk_stack_get_visible_child (self->tables) == GTK_WIDGET (self->table[LOOM_COMPARISON_NAMES]) &&
      !self->has_compared && loom_run_pair_get_table (self->pair, LOOM_COMPARISON_PARTS) != NULL)
    gtk_stack_set_visible_child_name (self->tables, "parts");
  self->has_compared = TRUE;
  show_steps (self);
}

static void
show_runs (LoomCompareWindow *self)
{
  const char *names[] = { loom_run_pair_get_name (self->pair, 0), loom_run_pair_get_name (self->pair, 1) };
  g_autofree char *title = g_strdup_printf (_ ("%s and %s"), names[0], names[1]);
  gtk_window_set_title (GTK_WINDOW (self), title);
  for (guint i = 0; i < 2; i++) {
    loom_bounded_text_set_label (self->names[i], names[i]);
    loom_bounded_text_set_tip (GTK_WIDGET (self->names[i]), names[i]);
  }
  loom_bounded_text_set_label (self->headline, _ ("Comparing…"));
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  gtk_widget_set_visible (self->step_box, FALSE);
  gtk_spinner_set_spinning (self->spinner, TRUE);
}

static void
swap (GtkWidget *widget, const char *name, GVariant *parameter)
{
  LoomCompareWindow *self = LOOM_COMPARE_WINDOW (widget);
  loom_run_pair_swap (self->pair);
  show_runs (self);
}

static void
row_activated (LoomCompareWindow *self, guint row)
{
  loom_run_pair_show_row (self->pair, row);
}

/* --- making and closing the window --------------------------------------------------------------------------------- */

static void
update_theme (LoomCompareWindow *self)
{
  for (guint i = 0; i < 2 && self->views[i] != NULL; i++)
    loom_scene_theme_update (loom_timeline_view_get_scene (self->views[i]), GTK_WIDGET (self->views[i]));
}

/* Updates the colors of the charts after the style has changed. */
static void
css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (loom_compare_window_parent_class)->css_changed (widget, change);
  update_theme (LOOM_COMPARE_WINDOW (widget));
}

static void
dispose (GObject *object)
{
  LoomCompareWindow *self = LOOM_COMPARE_WINDOW (object);
  g_signal_handlers_disconnect_by_data (adw_style_manager_get_default (), self);
  g_signal_handlers_disconnect_by_data (self->pair, self);
  self->views[0] = self->views[1] = NULL;
  G_OBJECT_CLASS (loom_compare_window_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_object_unref (LOOM_COMPARE_WINDOW (object)->pair);
  G_OBJECT_CLASS (loom_compare_window_parent_class)->finalize (object);
}

static void
loom_compare_window_class_init (LoomCompareWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->css_changed = css_changed;
  gtk_widget_class_install_action (widget_class, "compare.swap", NULL, swap);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  g_type_ensure (LOOM_TYPE_TIMELINE_VIEW);
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-compare-window.ui");
  const struct {
    const char *name;
    gssize offset;
  } lines[] = {
    { "name_before", G_STRUCT_OFFSET (LoomCompareWindow, names[0]) },
    { "name_after", G_STRUCT_OFFSET (LoomCompareWindow, names[1]) },
    { "view_before", G_STRUCT_OFFSET (LoomCompareWindow, views[0]) },
    { "view_after", G_STRUCT_OFFSET (LoomCompareWindow, views[1]) },
    { "parts", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_PARTS]) },
    { "ranks", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_RANKS]) },
    { "names", G_STRUCT_OFFSET (LoomCompareWindow, table[LOOM_COMPARISON_NAMES]) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    gtk_widget_class_bind_template_child_full (widget_class, lines[i].name, FALSE, lines[i].offset);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, step_box);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, step);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, aligned);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, headline);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, note);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, tables);
  gtk_widget_class_bind_template_callback (widget_class, update_theme);
  gtk_widget_class_bind_template_callback (widget_class, step_chosen);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
connect_parts (LoomCompareWindow *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  g_signal_connect_swapped (self->pair, "aligned", G_CALLBACK (show_alignment), self);
  g_signal_connect_swapped (self->pair, "compared", G_CALLBACK (compared), self);
  g_signal_connect_swapped (manager, "notify::dark", G_CALLBACK (update_theme), self);
  g_signal_connect_swapped (manager, "notify::high-contrast", G_CALLBACK (update_theme), self);
  loom_timeline_view_listen (self->views[0], GTK_WIDGET (self)); /* one view is enough: the other follows it */
}

static void
loom_compare_window_init (LoomCompareWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_dialog_size_set (GTK_WINDOW (self), 1200, 860);
  self->pair = loom_run_pair_new ();
  for (guint i = 0; i < 2; i++) {
    LoomTimelineState *state = loom_run_pair_get_view (self->pair, i);
    loom_timeline_view_set_state (self->views[i], state, loom_run_pair_get_flight (self->pair, i));
    loom_hover_details_attach (self->views[i], state);
  }
  for (guint i = 0; i <= LOOM_COMPARISON_NAMES; i++)
    loom_table_view_set_fills (self->table[i], TRUE);
  connect_parts (self);
}

LoomCompareWindow *
loom_compare_window_new (GtkWindow *parent, LoomTimeline *first, const char *first_name, LoomTimeline *second,
                         const char *second_name)
{
  LoomCompareWindow *self = g_object_new (LOOM_TYPE_COMPARE_WINDOW, NULL);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  LoomTimeline *timelines[] = { first, second };
  loom_run_pair_start (self->pair, timelines, (const char *const[]) { first_name, second_name });
  show_runs (self);
  return self;
}
