/* SPDX-License-Identifier: Apache-2.0
 *
 * Offers the report of the last crash (loom-crash-handler.h) when the program starts again. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Shows a toast when a crash report has not been offered yet, and records the actions from now on. */
void loom_crash_dialog_offer (GtkApplication *application, GObject *owner, AdwToastOverlay *overlay);
