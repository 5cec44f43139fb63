/* SPDX-License-Identifier: Apache-2.0
 *
 * A small modal window with Cancel and one button that does what it asks for; Escape closes it. Main thread.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* `apply` gets the button, borrowed: whoever connects to it closes the window. Not yet presented. */
GtkWindow *loom_apply_window_new (GtkWindow *parent, const char *title, GtkWidget *content, const char *label, GtkButton **apply);

/* A row for a text; TRUE `wrong` marks it. */
AdwEntryRow *loom_apply_window_add_entry (AdwPreferencesGroup *group, const char *title, const char *text);
void loom_apply_window_mark (AdwEntryRow *row, gboolean wrong);

G_END_DECLS
