/* SPDX-License-Identifier: Apache-2.0
 *
 * Offers the report of the last crash (loom-crash-handler.h) when the program starts again. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Shows a toast if there is a crash report that has not been offered yet. Records the actions of the user from now on,
 * for the next crash report. */
void loom_crash_dialog_offer (GtkApplication *application, GObject *owner, AdwToastOverlay *overlay);
