/* SPDX-License-Identifier: Apache-2.0
 *
 * The questions before a window or a tab is closed: whether to cancel saving a file, whether to save a changed session
 * file, and whether to close several runs at once. They are asked one after another. The answers are kept until the
 * window is closed or the user cancels.
 */
#include "loom-settings.h"
#include "loom-unsaved-changes-dialog.h"
#include "loom-window-private.h"

#include <glib/gi18n.h>

static void
reset (LoomWindow *self)
{
  g_clear_weak_pointer (&self->closing.tab);
  self->closing.only_tab = self->closing.quits = self->closing.stops = self->closing.closes_runs = FALSE;
}

/* Called when the user cancels closing. Resets the answers of the user in this window or, if the program was about to
 * quit, in all windows. */
static void
stay (LoomWindow *self)
{
  GtkApplication *application = self->closing.quits ? gtk_window_get_application (GTK_WINDOW (self)) : NULL;
  for (GList *l = application != NULL ? gtk_application_get_windows (application) : NULL; l != NULL; l = l->next)
    if (LOOM_IS_WINDOW (l->data))
      reset (l->data);
  reset (self);
}

static void
go_on (LoomWindow *self)
{
  if (self->closing.only_tab) {
    AdwTabPage *page = adw_tab_view_get_page (self->tab_view, GTK_WIDGET (self->closing.tab));
    reset (self);
    adw_tab_view_close_page (self->tab_view, page);
  } else if (self->closing.quits)
    g_action_group_activate_action (G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (self))), "quit", NULL);
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* --- sessions ----------------------------------------------------------------------------------------------------- */

static void
session_saved (LoomRunSession *session, gboolean done, LoomWindow *self)
{
  g_signal_handlers_disconnect_by_func (session, session_saved, self);
  if (done && self->closing.tab != NULL && session == loom_tab_get_session (self->closing.tab))
    go_on (self);
  else
    stay (self);
}

static void
session_answered (LoomWindow *self, const char *response)
{
  LoomTab *tab = self->closing.tab;
  g_clear_weak_pointer (&self->closing.question);
  if (tab == NULL || g_str_equal (response, "cancel"))
    stay (self);
  else if (g_str_equal (response, "save")) {
    g_signal_connect_object (loom_tab_get_session (tab), "saved", G_CALLBACK (session_saved), self, 0);
    loom_run_session_save (loom_tab_get_session (tab), loom_run_session_get_path (loom_tab_get_session (tab)));
  } else {
    loom_run_session_discard (loom_tab_get_session (tab));
    go_on (self);
  }
}

/* Asks whether to save the session of a tab. Selects the tab first, so that the user sees it behind the dialog. */
static void
ask_session (LoomWindow *self, LoomTab *tab)
{
  g_set_weak_pointer (&self->closing.tab, tab);
  adw_tab_view_set_selected_page (self->tab_view, adw_tab_view_get_page (self->tab_view, GTK_WIDGET (tab)));
  loom_unsaved_changes_dialog_ask (&self->closing.question, GTK_WINDOW (self), TRUE, G_CALLBACK (session_answered));
}

static LoomTab *
find_unsaved (LoomWindow *self)
{
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++)
    if (loom_run_session_is_unsaved (loom_tab_get_session (loom_window_get_nth_tab (self, i))))
      return loom_window_get_nth_tab (self, i);
  return NULL;
}

gboolean
loom_window_asks_tab (LoomWindow *self, LoomTab *tab)
{
  if (!loom_run_session_is_unsaved (loom_tab_get_session (tab)))
    return FALSE;
  self->closing.only_tab = TRUE;
  ask_session (self, tab);
  return TRUE;
}

/* --- questions before a window is closed -------------------------------------------------------------------------- */

static void
ask (LoomWindow *self, const char *heading, const char *body, const char *yes, GCallback answered)
{
  if (self->closing.question == NULL) {
    LoomAlertDialog *dialog = loom_alert_dialog_new (GTK_WINDOW (self), heading, body);
    loom_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "close", yes, NULL);
    loom_alert_dialog_set_response_appearance (dialog, "close", ADW_RESPONSE_DESTRUCTIVE);
    loom_alert_dialog_set_default_response (dialog, "cancel");
    loom_alert_dialog_set_close_response (dialog, "cancel");
    g_signal_connect_object (dialog, "response", answered, self, G_CONNECT_SWAPPED);
    g_set_weak_pointer (&self->closing.question, dialog);
  }
  loom_alert_dialog_present (self->closing.question, GTK_WINDOW (self));
}

static void
answered (LoomWindow *self, const char *response, gboolean *flag)
{
  g_clear_weak_pointer (&self->closing.question);
  self->closing.asks_to_stop = FALSE;
  *flag = g_str_equal (response, "close");
  if (*flag)
    go_on (self);
  else
    stay (self);
}

static void
stop_answered (LoomWindow *self, const char *response)
{
  answered (self, response, &self->closing.stops);
}

static void
runs_answered (LoomWindow *self, const char *response)
{
  answered (self, response, &self->closing.closes_runs);
}

static guint
count_runs (LoomWindow *self)
{
  guint n = 0;
  for (guint i = 0; i < loom_window_get_n_tabs (self); i++)
    n += !loom_run_session_is_empty (loom_tab_get_session (loom_window_get_nth_tab (self, i)));
  return n;
}

static void
ask_about_runs (LoomWindow *self, guint n)
{
  g_autofree char *heading = g_strdup_printf (ngettext ("Close %u Run?", "Close %u Runs?", n), n);
  gboolean restores = loom_settings_get_boolean (LOOM_SETTING_RESTORE);
  ask (self, heading, restores ? _ ("Each run is restored to its current view when you open it again.") : NULL,
       _ ("C_lose"), G_CALLBACK (runs_answered));
}

static void
ask_to_stop (LoomWindow *self)
{
  if (self->saving_reads)
    ask (self, _ ("Cancel Reading?"), _ ("Events of a rank are being read."), _ ("_Stop and Close"),
         G_CALLBACK (stop_answered));
  else
    ask (self, _ ("Cancel Saving?"),
         _ ("A file is being saved. If you close now, the incomplete file will be discarded."), _ ("_Stop and Close"),
         G_CALLBACK (stop_answered));
  self->closing.asks_to_stop = TRUE;
}

void
loom_window_writing_ended (LoomWindow *self)
{
  if (self->closing.asks_to_stop && self->closing.question != NULL)
    loom_alert_dialog_close (self->closing.question); /* this has the same effect as if the user cancelled the dialog */
}

gboolean
loom_window_asks_to_close (LoomWindow *self, gboolean quits)
{
  g_return_val_if_fail (LOOM_IS_WINDOW (self), FALSE);
  LoomTab *unsaved = find_unsaved (self);
  guint n_runs = count_runs (self);
  self->closing.only_tab = FALSE;
  self->closing.quits |= quits;
  if (self->saving != NULL && !self->closing.stops)
    ask_to_stop (self);
  else if (unsaved != NULL)
    ask_session (self, unsaved);
  else if (n_runs > 1 && !self->closing.closes_runs)
    ask_about_runs (self, n_runs);
  else
    return FALSE;
  return TRUE;
}

void
loom_window_forget_closing (LoomWindow *self)
{
  g_clear_weak_pointer (&self->closing.question);
  g_clear_weak_pointer (&self->closing.tab);
}
