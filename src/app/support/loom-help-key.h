/* SPDX-License-Identifier: Apache-2.0
 *
 * Opens the user guide with F1 in dialogs. The keys of the application work only in its own windows, not in dialogs.
 */
#pragma once

#include <gtk/gtk.h>

/* From now on, F1 in the dialog activates the action “app.help”. */
void loom_help_key_add (GtkWindow *dialog);
