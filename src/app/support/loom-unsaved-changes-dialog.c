/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-unsaved-changes-dialog.h"

#include "loom-alert-dialog.h"

#include <glib/gi18n.h>

static LoomAlertDialog *
new_dialog (GtkWindow *window)
{
  LoomAlertDialog *dialog =
    loom_alert_dialog_new (window, _ ("Save Changes?"), _ ("Unsaved changes will be permanently lost."));
  loom_alert_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "discard", _ ("_Discard"), "save", _ ("_Save"),
                                   NULL);
  loom_alert_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  loom_alert_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
  loom_alert_dialog_set_default_response (dialog, "save");
  loom_alert_dialog_set_close_response (dialog, "cancel");
  return dialog;
}

void
loom_unsaved_changes_dialog_ask (LoomAlertDialog **question, GtkWindow *window, gboolean can_save, GCallback answered)
{
  g_return_if_fail (question != NULL && GTK_IS_WINDOW (window) && answered != NULL);
  if (*question == NULL) {
    LoomAlertDialog *dialog = new_dialog (window);
    loom_alert_dialog_set_response_enabled (dialog, "save", can_save);
    g_signal_connect_object (dialog, "response", answered, window, G_CONNECT_SWAPPED);
    g_set_weak_pointer (question, dialog);
  }
  loom_alert_dialog_present (*question, window);
}

/* a window stores its LoomUnsavedChanges as object data with this key */
static const char key[] = "loom-unsaved-changes";

static void
answered (GtkWindow *window, const char *response)
{
  loom_unsaved_changes_answer (g_object_get_data (G_OBJECT (window), key), response);
}

static void
ask (gpointer window, gboolean can_save)
{
  LoomUnsavedChanges *changes = g_object_get_data (window, key);
  loom_unsaved_changes_dialog_ask ((LoomAlertDialog **) &changes->dialog, window, can_save, G_CALLBACK (answered));
}

void
loom_unsaved_changes_dialog_init (LoomUnsavedChanges *changes, const LoomUnsavedChangesKind *kind, GtkWindow *window)
{
  static const LoomUnsavedChangesQuestion question = { ask, (void (*) (gpointer)) gtk_window_destroy };
  loom_unsaved_changes_init (changes, kind, &question, window);
  g_object_set_data (G_OBJECT (window), key, changes);
}
