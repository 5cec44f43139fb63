/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog in which the user types a location to open: a path or the URI of files on another machine. It lists the
 * files of a remote location and how much would be downloaded, and reports the location to open. Called on the main
 * thread.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_LOCATION_DIALOG (loom_location_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomLocationDialog, loom_location_dialog, LOOM, LOCATION_DIALOG, AdwWindow)

/* Makes a dialog for typing a location. Its signal "chosen" (const char *location) is emitted when the location
 * shall be opened; the dialog then closes. */
LoomLocationDialog *loom_location_dialog_new (GtkWindow *parent);
