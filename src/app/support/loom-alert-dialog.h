/* SPDX-License-Identifier: Apache-2.0
 *
 * Names for dialogs whose classes depend on the version of libadwaita with which the program is built. From version 1.5
 * on, a question and the About dialog are an AdwDialog inside their window; in earlier versions, they are windows. When
 * the minimum version is 1.5, replace these names by those of AdwAlertDialog. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

#if ADW_CHECK_VERSION(1, 5, 0)
#define LOOM_HAS_ADW_DIALOG 1
typedef AdwAlertDialog LoomAlertDialog;
#define LOOM_IS_ALERT_DIALOG ADW_IS_ALERT_DIALOG
#define loom_alert_dialog_add_response adw_alert_dialog_add_response
#define loom_alert_dialog_add_responses adw_alert_dialog_add_responses
#define loom_alert_dialog_get_body adw_alert_dialog_get_body
#define loom_alert_dialog_get_default_response adw_alert_dialog_get_default_response
#define loom_alert_dialog_get_heading adw_alert_dialog_get_heading
#define loom_alert_dialog_set_close_response adw_alert_dialog_set_close_response
#define loom_alert_dialog_set_default_response adw_alert_dialog_set_default_response
#define loom_alert_dialog_set_response_appearance adw_alert_dialog_set_response_appearance
#define loom_alert_dialog_set_response_enabled adw_alert_dialog_set_response_enabled
#define loom_alert_dialog_show_about adw_show_about_dialog
#else
#define LOOM_HAS_ADW_DIALOG 0
typedef AdwMessageDialog LoomAlertDialog;
#define LOOM_IS_ALERT_DIALOG ADW_IS_MESSAGE_DIALOG
#define loom_alert_dialog_add_response adw_message_dialog_add_response
#define loom_alert_dialog_add_responses adw_message_dialog_add_responses
#define loom_alert_dialog_get_body adw_message_dialog_get_body
#define loom_alert_dialog_get_default_response adw_message_dialog_get_default_response
#define loom_alert_dialog_get_heading adw_message_dialog_get_heading
#define loom_alert_dialog_set_close_response adw_message_dialog_set_close_response
#define loom_alert_dialog_set_default_response adw_message_dialog_set_default_response
#define loom_alert_dialog_set_response_appearance adw_message_dialog_set_response_appearance
#define loom_alert_dialog_set_response_enabled adw_message_dialog_set_response_enabled
#define loom_alert_dialog_show_about adw_show_about_window
#endif

/* Makes a dialog that asks a question. The caller must show it with loom_alert_dialog_present(). `parent` may be
 * NULL. GTK owns the dialog, and frees it after its signal "response". */
LoomAlertDialog *loom_alert_dialog_new (GtkWindow *parent, const char *heading, const char *body);
/* Shows the dialog; if it is already open, brings it to the front. */
void loom_alert_dialog_present (LoomAlertDialog *self, GtkWindow *parent);
/* Closes the dialog with its close response; the Escape key has the same effect. */
void loom_alert_dialog_close (LoomAlertDialog *self);
