/* SPDX-License-Identifier: Apache-2.0
 *
 * Actions of a window that show a view or a page, undo and redo changes, and change how clocks are aligned.
 */
#include "loom-clock-commands.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

/* While the user edits a text, Undo and Redo apply to the text; otherwise, they apply to the run. If a text entry or a
 * text view has the focus, activates its action `action`, and returns TRUE. Otherwise returns FALSE. */
static gboolean
is_for_text (LoomWindow *self, const char *action)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  return (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus)) && gtk_widget_activate_action (focus, action, NULL);
}

static void
undo_activated (LoomWindow *self)
{
  LoomUndoStack *undo = loom_document_get_undo (self->document);
  if (is_for_text (self, "text.undo"))
    return;
  const char *words = loom_undo_stack_get_back (undo);
  g_autofree char *text = words != NULL ? g_strdup_printf (
                                            /* Translators: %s is what was undone, such as "Reset clocks" */
                                            _ ("Undone: %s"), words)
                                        : NULL;
  if (loom_undo_stack_back (undo))
    loom_tab_tell_step (self->tab, text);
}

static void
redo_activated (LoomWindow *self)
{
  LoomUndoStack *undo = loom_document_get_undo (self->document);
  if (is_for_text (self, "text.redo"))
    return;
  const char *words = loom_undo_stack_get_forward (undo);
  g_autofree char *text = words != NULL ? g_strdup_printf (
                                            /* Translators: %s is what was redone, such as "Reset clocks" */
                                            _ ("Redone: %s"), words)
                                        : NULL;
  if (loom_undo_stack_forward (undo))
    loom_tab_tell_step (self->tab, text);
}

static void
use_declared_activated (LoomWindow *self)
{
  loom_clock_commands_use_fit (self->document, FALSE);
}

static void
use_fit_activated (LoomWindow *self)
{
  loom_clock_commands_use_fit (self->document, TRUE);
}

static void
reset_activated (LoomWindow *self)
{
  loom_clock_commands_reset (self->document);
}

/* If exactly two spans are selected and their clocks can be aligned, sets `kept` and `moved` to these spans, in the
 * order in which the user selected them, and returns TRUE. Otherwise returns FALSE. */
static gboolean
get_pair (LoomWindow *self, LoomSpanId *kept, LoomSpanId *moved)
{
  guint n;
  if (self->run_view == NULL)
    return FALSE;
  const LoomSpanId *selected = loom_timeline_state_get_selected (self->state, &n);
  if (n != 2 || !loom_clock_commands_can_align (self->document, selected[0], selected[1]))
    return FALSE;
  *kept = selected[0];
  *moved = selected[1];
  return TRUE;
}

static void
align_activated (LoomWindow *self)
{
  LoomSpanId kept, moved;
  if (get_pair (self, &kept, &moved))
    loom_clock_commands_align (self->document, kept, moved);
}

static void
show_clocks_activated (LoomWindow *self)
{
  loom_run_state_open_page (self->run, "clocks");
}

static void
show_page_activated (LoomWindow *self, GVariant *parameter)
{
  loom_run_state_open_page (self->run, g_variant_get_string (parameter, NULL));
}

static void
show_view_activated (LoomWindow *self, GVariant *parameter)
{
  loom_run_page_show_view (loom_window_get_run_view (self), g_variant_get_string (parameter, NULL));
}

static const LoomWindowAction actions[] = {
  { "show-clocks", G_CALLBACK (show_clocks_activated) },
  { "show-view", G_CALLBACK (show_view_activated), "s" },
  { "show-page", G_CALLBACK (show_page_activated), "s" },
  { "undo", G_CALLBACK (undo_activated) },
  { "redo", G_CALLBACK (redo_activated) },
  { "use-declared-clocks", G_CALLBACK (use_declared_activated) },
  { "use-fitted-clocks", G_CALLBACK (use_fit_activated) },
  { "reset-clocks", G_CALLBACK (reset_activated) },
  { "align-events", G_CALLBACK (align_activated) },
};

void
loom_window_update_clock_actions (LoomWindow *self)
{
  gint64 most_ns;
  LoomSpanId kept, moved;
  LoomUndoStack *undo = loom_document_get_undo (self->document);
  const LoomClockOverrides *edits = loom_document_get_clock_edits (self->document);
  loom_window_enable_action (self, "undo", loom_undo_stack_get_back (undo) != NULL);
  loom_window_enable_action (self, "redo", loom_undo_stack_get_forward (undo) != NULL);
  loom_window_enable_action (self, "use-declared-clocks",
                             loom_clock_commands_count_fitted (self->document, &most_ns) > 0);
  loom_window_enable_action (self, "use-fitted-clocks", edits->mode != LOOM_ALIGN_AUTO);
  loom_window_enable_action (self, "reset-clocks", !loom_clock_overrides_is_empty (edits));
  loom_window_enable_action (self, "align-events", get_pair (self, &kept, &moved));
}

void
loom_window_add_clock_actions (LoomWindow *self)
{
  loom_window_add_action_table (self, actions, G_N_ELEMENTS (actions));
}

void
loom_window_add_clock_tab_actions (LoomWindow *self)
{
  g_signal_connect_swapped (self->state, "selection-changed", G_CALLBACK (loom_window_update_clock_actions), self);
}
