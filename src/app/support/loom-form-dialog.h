/* SPDX-License-Identifier: Apache-2.0
 *
 * A small modal window with Cancel and one button that applies the form; Escape closes it. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Makes a dialog, which the caller presents. Sets `apply` to the dialog's button, borrowed. The caller's handler of the
 * button must close the window. */
GtkWindow *loom_form_dialog_new (GtkWindow *parent, const char *title, GtkWidget *content, const char *label,
                                 GtkButton **apply);

/* loom_form_dialog_add_entry() adds a row with an entry. loom_form_dialog_mark() marks a row as invalid (if `wrong`) or
 * as valid. */
AdwEntryRow *loom_form_dialog_add_entry (AdwPreferencesGroup *group, const char *title, const char *text);
void loom_form_dialog_mark (AdwEntryRow *row, gboolean wrong);
