/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-alert-dialog.h"

#include "loom-dialog-size.h"

#if LOOM_HAS_ADW_DIALOG

LoomAlertDialog *
loom_alert_dialog_new (GtkWindow *parent, const char *heading, const char *body)
{
  return ADW_ALERT_DIALOG (adw_alert_dialog_new (heading, body));
}

void
loom_alert_dialog_present (LoomAlertDialog *self, GtkWindow *parent)
{
  adw_dialog_present (ADW_DIALOG (self), parent != NULL ? GTK_WIDGET (parent) : NULL);
}

void
loom_alert_dialog_close (LoomAlertDialog *self)
{
  adw_dialog_close (ADW_DIALOG (self));
}

#else

/* Called when the parent is destroyed. GTK keeps a closed dialog until the event that closed it is handled, with a
 * pointer to its parent without a reference, and would use this pointer afterwards. */
static void
forget_parent (GtkWindow *self)
{
  gtk_window_set_transient_for (self, NULL);
}

LoomAlertDialog *
loom_alert_dialog_new (GtkWindow *parent, const char *heading, const char *body)
{
  GtkWidget *self = adw_message_dialog_new (parent, heading, body);
  loom_dialog_size_widen (GTK_WINDOW (self));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  if (parent != NULL)
    g_signal_connect_object (parent, "destroy", G_CALLBACK (forget_parent), self, G_CONNECT_SWAPPED);
  return ADW_MESSAGE_DIALOG (self);
}

void
loom_alert_dialog_present (LoomAlertDialog *self, GtkWindow *parent)
{
  gtk_window_present (GTK_WINDOW (self));
}

void
loom_alert_dialog_close (LoomAlertDialog *self)
{
  gtk_window_close (GTK_WINDOW (self));
}

#endif
