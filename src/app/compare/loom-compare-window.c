/* SPDX-License-Identifier: Apache-2.0
 *
 * The views are linked: the one below shows what the one above does, moved by the offset, and the other way round.
 */
#include "loom-compare-window.h"

#include "loom-bounded-text.h"
#include "loom-compare-table.h"
#include "loom-dialog-size.h"
#include "loom-hover-details.h"
#include "loom-scene-theme.h"
#include "loom-steps.h"
#include "loom-timeline-summaries.h"
#include "loom-view-navigation.h"
#include "loom-window-measure-workaround.h"
#include "loom-worker.h"

#include <glib/gi18n.h>

struct _LoomCompareWindow {
  AdwWindow parent;
  LoomTimeline *timelines[2];
  GtkLabel *names[2];
  LoomTimelineView *views[2];
  LoomTableView *table;
  GtkSpinButton *step;
  GtkWidget *step_box;
  GtkLabel *aligned;
  GtkSpinner *spinner;
  LoomNameComparison *changes; /* NULL until computed */
  LoomTimelineState *states[2];
  LoomViewAnimator *flights[2];
  LoomTimelineSummaries *summaries[2];
  LoomSteps *steps[2]; /* NULL until computed */
  GCancellable *cancellable;
  gint64 offset_ns;
  gboolean linking; /* one view is being moved to follow the other */
};

G_DEFINE_FINAL_TYPE (LoomCompareWindow, loom_compare_window, ADW_TYPE_WINDOW)

/* --- one axis ------------------------------------------------------------------------------------------------------ */

static void
lead (LoomCompareWindow *self, guint which)
{
  gint64 by_ns = which == 0 ? self->offset_ns : -self->offset_ns;
  LoomViewport view = *loom_timeline_state_get_viewport (self->states[1 - which]);
  const LoomViewport *leader = loom_timeline_state_get_viewport (self->states[which]);
  if (self->linking)
    return;
  self->linking = TRUE;
  view.begin_ns = leader->begin_ns + by_ns;
  view.end_ns = leader->end_ns + by_ns;
  loom_timeline_state_set_viewport (self->states[1 - which], &view);
  self->linking = FALSE;
}

static void
first_moved (LoomCompareWindow *self)
{
  lead (self, 0);
}

static void
second_moved (LoomCompareWindow *self)
{
  lead (self, 1);
}

static void
set_offset (LoomCompareWindow *self, gint64 offset_ns, const char *words)
{
  self->offset_ns = offset_ns;
  loom_bounded_text_set_label (self->aligned, words);
  lead (self, 0);
}

gint64
loom_compare_window_get_offset (LoomCompareWindow *self)
{
  return self->offset_ns;
}

/* --- steps --------------------------------------------------------------------------------------------------------- */

static gboolean
find_step (const LoomSteps *steps, gint64 number, gint64 *begin_ns)
{
  guint n;
  const LoomStep *all = loom_steps_get_reference (steps, &n);
  for (guint i = 0; i < n; i++)
    if (all[i].number == number) {
      *begin_ns = all[i].begin_ns;
      return TRUE;
    }
  return FALSE;
}

gboolean
loom_compare_window_align_step (LoomCompareWindow *self, gint64 number)
{
  gint64 begin_ns[2];
  if (self->steps[0] == NULL || !find_step (self->steps[0], number, &begin_ns[0]) ||
      !find_step (self->steps[1], number, &begin_ns[1]))
    return FALSE;
  g_autofree char *digits = g_strdup_printf ("%" G_GINT64_FORMAT, number),
                  *words = g_strdup_printf (_ ("Aligned at step %s"), digits);
  set_offset (self, begin_ns[1] - begin_ns[0], words);
  return TRUE;
}

static void
step_chosen (LoomCompareWindow *self)
{
  loom_compare_window_align_step (self, gtk_spin_button_get_value_as_int (self->step));
}

/* The numbers of the first and last step that both runs have; FALSE: none. */
static gboolean
get_common (LoomCompareWindow *self, gint64 *first, gint64 *last)
{
  guint n;
  const LoomStep *all = loom_steps_get_reference (self->steps[0], &n);
  gint64 begin_ns;
  gboolean any = FALSE;
  for (guint i = 0; i < n; i++) {
    if (all[i].number < 0 || !find_step (self->steps[1], all[i].number, &begin_ns))
      continue;
    *first = any ? MIN (*first, all[i].number) : all[i].number;
    *last = any ? MAX (*last, all[i].number) : all[i].number;
    any = TRUE;
  }
  return any;
}

static void
align_starts (LoomCompareWindow *self)
{
  set_offset (self,
              loom_timeline_state_get_extent (self->states[1]).begin_ns -
                loom_timeline_state_get_extent (self->states[0]).begin_ns,
              _ ("Aligned at their beginnings"));
}

static void
show_steps (LoomCompareWindow *self)
{
  gint64 first, last;
  gboolean common = get_common (self, &first, &last);
  gtk_widget_set_visible (self->step_box, common);
  if (!common)
    return;
  gtk_spin_button_set_range (self->step, (double) first, (double) last);
  gtk_spin_button_set_value (self->step, (double) first);
  loom_compare_window_align_step (self, first);
}

/* --- the worker ---------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timelines[2];
  LoomSteps *steps[2];
  LoomNameComparison *changes;
  LoomResultTable *table;
} Input;

static void
input_free (Input *input)
{
  for (guint i = 0; i < 2; i++) {
    loom_timeline_unref (input->timelines[i]);
    g_clear_pointer (&input->steps[i], loom_steps_unref);
  }
  g_clear_pointer (&input->changes, loom_name_comparison_free);
  g_clear_pointer (&input->table, loom_result_table_unref);
  g_free (input);
}

/* The results are stored in the input. */
static gpointer
work_in_thread (Input *input, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < 2; i++)
    input->steps[i] = loom_steps_new (input->timelines[i], cancellable);
  input->changes = loom_name_comparison_new (input->timelines[0], input->timelines[1], cancellable);
  input->table = input->changes != NULL ? loom_compare_table_new (input->changes) : NULL;
  return NULL;
}

static void
worked (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  LoomCompareWindow *self = owner;
  Input *input = data;
  gtk_spinner_set_spinning (self->spinner, FALSE);
  self->changes = g_steal_pointer (&input->changes);
  for (guint i = 0; i < 2; i++) {
    LoomTimelineState *state = self->states[i];
    self->steps[i] = g_steal_pointer (&input->steps[i]);
    loom_timeline_state_set_facts (state, loom_timeline_state_get_overview (state), self->steps[i],
                                   loom_timeline_state_get_collectives (state));
  }
  loom_table_view_set_table (self->table, input->table);
  show_steps (self);
}

static void
start_work (LoomCompareWindow *self)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) work_in_thread, (GDestroyNotify) input_free, NULL };
  Input *input =
    LOOM_WORKER_INPUT (Input, { loom_timeline_ref (self->timelines[0]), loom_timeline_ref (self->timelines[1]) });
  loom_worker_start (&self->cancellable, &kind, input, worked, self);
  gtk_spinner_set_spinning (self->spinner, TRUE);
}

gboolean
loom_compare_window_is_working (LoomCompareWindow *self)
{
  return self->cancellable != NULL;
}

/* Shows the longest span of the name in both runs, one above the other. */
static void
row_activated (LoomCompareWindow *self, guint row)
{
  guint n;
  const LoomNameChange *change = &loom_name_comparison_get (self->changes, &n)[row];
  gint64 start_ns[2], end_ns[2];
  for (guint i = 0; i < 2; i++)
    if (change->count[i] > 0)
      loom_timeline_get_span (self->timelines[i], change->longest[i], &start_ns[i], &end_ns[i]);
  if (change->count[0] > 0 && change->count[1] > 0) {
    g_autofree char *words = g_strdup_printf (_ ("Aligned at “%s”"), change->name);
    set_offset (self, start_ns[1] - start_ns[0], words);
  }
  for (guint i = 0; i < 2; i++) {
    if (change->count[i] > 0)
      loom_view_navigation_go_to_span (self->flights[i], change->longest[i]);
    else
      loom_timeline_state_select_nothing (self->states[i]);
  }
}

/* --- making and closing the window --------------------------------------------------------------------------------- */

static void
update_theme (LoomCompareWindow *self)
{
  for (guint i = 0; i < 2 && self->views[i] != NULL; i++)
    loom_scene_theme_update (loom_timeline_view_get_scene (self->views[i]), GTK_WIDGET (self->views[i]));
}

/* Called when the colors of a new style are in force. */
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
  loom_worker_cancel (&self->cancellable);
  for (guint i = 0; i < 2; i++) {
    if (self->states[i] != NULL)
      g_signal_handlers_disconnect_by_data (self->states[i], self);
    g_clear_object (&self->states[i]);
    g_clear_object (&self->flights[i]);
    g_clear_pointer (&self->summaries[i], loom_timeline_summaries_free);
    self->views[i] = NULL;
    g_clear_pointer (&self->timelines[i], loom_timeline_unref);
    g_clear_pointer (&self->steps[i], loom_steps_unref);
  }
  g_clear_pointer (&self->changes, loom_name_comparison_free);
  G_OBJECT_CLASS (loom_compare_window_parent_class)->dispose (object);
}

static void
loom_compare_window_class_init (LoomCompareWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  loom_window_measure_workaround_install (widget_class);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->css_changed = css_changed;
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_w, GDK_CONTROL_MASK, "window.close", NULL);
  g_type_ensure (LOOM_TYPE_TIMELINE_VIEW);
  g_type_ensure (LOOM_TYPE_TABLE_VIEW);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/traceloom/Traceloom/loom-compare-window.ui");
  const struct {
    const char *name;
    gssize offset;
  } lines[] = {
    { "name_above", G_STRUCT_OFFSET (LoomCompareWindow, names[0]) },
    { "name_below", G_STRUCT_OFFSET (LoomCompareWindow, names[1]) },
    { "view_above", G_STRUCT_OFFSET (LoomCompareWindow, views[0]) },
    { "view_below", G_STRUCT_OFFSET (LoomCompareWindow, views[1]) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    gtk_widget_class_bind_template_child_full (widget_class, lines[i].name, FALSE, lines[i].offset);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, step_box);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, step);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, aligned);
  gtk_widget_class_bind_template_child (widget_class, LoomCompareWindow, table);
  gtk_widget_class_bind_template_callback (widget_class, update_theme);
  gtk_widget_class_bind_template_callback (widget_class, step_chosen);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
connect_parts (LoomCompareWindow *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  g_signal_connect_swapped (self->states[0], "view-changed", G_CALLBACK (first_moved), self);
  g_signal_connect_swapped (self->states[1], "view-changed", G_CALLBACK (second_moved), self);
  g_signal_connect_swapped (manager, "notify::dark", G_CALLBACK (update_theme), self);
  g_signal_connect_swapped (manager, "notify::high-contrast", G_CALLBACK (update_theme), self);
  loom_timeline_view_listen (self->views[0], GTK_WIDGET (self)); /* one view is enough: the other follows it */
}

static void
loom_compare_window_init (LoomCompareWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  loom_dialog_size_set (GTK_WINDOW (self), 1200, 860);
  for (guint i = 0; i < 2; i++) {
    self->states[i] = loom_timeline_state_new ();
    self->flights[i] = loom_view_animator_new (self->states[i]);
    self->summaries[i] = loom_timeline_summaries_new (self->states[i]);
    loom_timeline_view_set_state (self->views[i], self->states[i], self->flights[i]);
    loom_hover_details_attach (self->views[i], self->states[i]);
  }
  loom_table_view_set_fills (self->table, TRUE);
  connect_parts (self);
}

LoomCompareWindow *
loom_compare_window_new (GtkWindow *parent, LoomTimeline *first, const char *first_name, LoomTimeline *second,
                         const char *second_name)
{
  LoomCompareWindow *self = g_object_new (LOOM_TYPE_COMPARE_WINDOW, NULL);
  g_autofree char *title = g_strdup_printf (_ ("%s and %s"), first_name, second_name);
  gtk_window_set_title (GTK_WINDOW (self), title);
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  loom_bounded_text_set_label (self->names[0], first_name);
  loom_bounded_text_set_label (self->names[1], second_name);
  self->timelines[0] = loom_timeline_ref (first);
  self->timelines[1] = loom_timeline_ref (second);
  self->linking = TRUE;
  for (guint i = 0; i < 2; i++)
    loom_timeline_state_set_timeline (self->states[i], self->timelines[i]);
  self->linking = FALSE;
  align_starts (self);
  start_work (self);
  return self;
}

LoomTimelineView *
loom_compare_window_get_view (LoomCompareWindow *self, guint which)
{
  return self->views[which];
}

LoomTableView *
loom_compare_window_get_table (LoomCompareWindow *self)
{
  return self->table;
}
