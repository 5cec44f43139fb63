/* SPDX-License-Identifier: Apache-2.0
 *
 * A small modal window with a form, a button to cancel and a button to apply the form. Escape closes it. Called on the
 * main thread.
 */
#pragma once

#include <adwaita.h>

/* Makes a dialog; the caller must present it. Sets `apply` to the button to apply the form, borrowed. The caller must
 * connect a handler to `apply`; the handler must close the window. `label`: text of the button. */
GtkWindow *loom_form_dialog_new (GtkWindow *parent, const char *title, GtkWidget *content, const char *label,
                                 GtkButton **apply);

/* loom_form_dialog_add_entry() adds a row with a text entry. loom_form_dialog_mark() marks a row as invalid if
 * `wrong` is TRUE, otherwise as valid. */
AdwEntryRow *loom_form_dialog_add_entry (AdwPreferencesGroup *group, const char *title, const char *text);
void loom_form_dialog_mark (AdwEntryRow *row, gboolean wrong);
