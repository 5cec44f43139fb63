/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-threshold-button.h"

#include "loom-bounded-text.h"

#include <glib/gi18n.h>
#include <string.h>

#define N_THRESHOLDS 4

struct _LoomThresholdButton {
  GtkWidget parent;
  GtkWidget *button;
  LoomAnalysisThresholds now;
  /* `spins`: spin buttons in the popover. `spins` and `reset` are NULL until the popover is opened for the first
   * time. */
  GtkSpinButton *spins[N_THRESHOLDS];
  GtkWidget *reset;
  gboolean setting; /* TRUE while the program changes the values, so that no signal is emitted */
};

G_DEFINE_FINAL_TYPE (LoomThresholdButton, loom_threshold_button, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Returns a pointer to the threshold that a row of the popover edits. */
static double *
value_of (LoomAnalysisThresholds *thresholds, guint row)
{
  double *const values[N_THRESHOLDS] = { &thresholds->bottleneck.high_cpu, &thresholds->bottleneck.low_gpu,
                                         &thresholds->outlier_factor, &thresholds->balance_distance };
  return values[row];
}

LoomAnalysisThresholds
loom_threshold_button_get (LoomThresholdButton *self)
{
  g_return_val_if_fail (LOOM_IS_THRESHOLD_BUTTON (self), LOOM_THRESHOLDS);
  return self->now;
}

/* Shows on the button whether any threshold differs from its default. */
static void
show_state (LoomThresholdButton *self)
{
  LoomAnalysisThresholds usual = LOOM_THRESHOLDS;
  usual.peaks = self->now.peaks; /* ignore the thresholds of peaks: the user edits them in the preferences, not in this
                                  * popover */
  gboolean same = memcmp (&self->now, &usual, sizeof usual) == 0;
  if (self->reset != NULL)
    gtk_widget_set_sensitive (self->reset, !same);
  /* The inner button takes the keyboard focus but has no accessible name, so it gets a tooltip, too. */
  loom_bounded_text_set_tip (gtk_widget_get_first_child (self->button),
                             same ? _ ("Thresholds") : _ ("Thresholds (modified)"));
  if (same)
    gtk_widget_remove_css_class (self->button, "unusual");
  else
    gtk_widget_add_css_class (self->button, "unusual");
}

static void
value_changed (LoomThresholdButton *self)
{
  if (self->setting)
    return;
  for (guint i = 0; i < N_THRESHOLDS; i++)
    *value_of (&self->now, i) = gtk_spin_button_get_value (self->spins[i]);
  show_state (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
show_values (LoomThresholdButton *self)
{
  if (self->reset == NULL)
    return;
  self->setting = TRUE;
  for (guint i = 0; i < N_THRESHOLDS; i++)
    gtk_spin_button_set_value (self->spins[i], *value_of (&self->now, i));
  self->setting = FALSE;
}

void
loom_threshold_button_set (LoomThresholdButton *self, LoomAnalysisThresholds thresholds)
{
  g_return_if_fail (LOOM_IS_THRESHOLD_BUTTON (self));
  self->now = thresholds;
  show_values (self);
  show_state (self);
}

void
loom_threshold_button_reset (LoomThresholdButton *self)
{
  LoomAnalysisThresholds usual = LOOM_THRESHOLDS;
  usual.peaks = self->now.peaks;
  loom_threshold_button_set (self, usual);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
dispose (GObject *object)
{
  LoomThresholdButton *self = LOOM_THRESHOLD_BUTTON (object);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  G_OBJECT_CLASS (loom_threshold_button_parent_class)->dispose (object);
}

static void
loom_threshold_button_class_init (LoomThresholdButtonClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_THRESHOLD_BUTTON, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
add_row (LoomThresholdButton *self, GtkGrid *grid, int row, const char *title, const char *unit, double low,
         double high, double step)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title), *spin = gtk_spin_button_new_with_range (low, high, step);
  GtkWidget *of = loom_bounded_text_new_label (unit);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_xalign (GTK_LABEL (of), 0);
  gtk_widget_add_css_class (of, "dim-label");
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin), step < 0.1 ? 2 : step < 1 ? 1 : 0);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label, NULL, -1);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, spin, 1, row, 1, 1);
  gtk_grid_attach (grid, of, 2, row, 1, 1);
  g_signal_connect_swapped (spin, "value-changed", G_CALLBACK (value_changed), self);
  self->spins[row] = GTK_SPIN_BUTTON (spin);
}

static GtkWidget *
new_grid (LoomThresholdButton *self)
{
  GtkWidget *grid = gtk_grid_new ();
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_widget_add_css_class (grid, "thresholds");
  add_row (self, GTK_GRID (grid), 0, _ ("_Core saturated above"), "%", 0, 100, 1);
  add_row (self, GTK_GRID (grid), 1, _ ("_GPU starved at or below"), "%", 0, 100, 1);
  add_row (self, GTK_GRID (grid), 2, _ ("_Step outlier above"), _ ("× median"), 1, 1000, 0.1);
  add_row (self, GTK_GRID (grid), 3, _ ("GP_U imbalance above"), C_ ("threshold", "histogram distance"), 0, 1, 0.05);
  self->reset = gtk_button_new_with_mnemonic (_ ("_Reset to Defaults"));
  g_signal_connect_swapped (self->reset, "clicked", G_CALLBACK (loom_threshold_button_reset), self);
  gtk_widget_set_margin_top (self->reset, 6);
  gtk_grid_attach (GTK_GRID (grid), self->reset, 0, 4, 3, 1);
  return grid;
}

static void
make_popover (GtkMenuButton *button, gpointer user_data)
{
  LoomThresholdButton *self = user_data;
  if (gtk_menu_button_get_popover (button) != NULL)
    return;
  GtkWidget *popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (popover), new_grid (self));
  gtk_menu_button_set_popover (button, popover);
  loom_threshold_button_set (self, self->now);
}

static void
loom_threshold_button_init (LoomThresholdButton *self)
{
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (self->button), "loom-thresholds-symbolic");
  gtk_menu_button_set_create_popup_func (GTK_MENU_BUTTON (self->button), make_popover, self, NULL);
  gtk_widget_add_css_class (self->button, "flat");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Thresholds"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (self->button)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Thresholds"), -1);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  loom_threshold_button_set (self, LOOM_THRESHOLDS);
}
