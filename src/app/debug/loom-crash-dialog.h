/* SPDX-License-Identifier: Apache-2.0
 *
 * What the last crash left (loom-crash-handler.h), offered when the program starts again. Main thread.
 */
#pragma once

#include <adwaita.h>

/* Shows a toast when a crash report has not been offered yet, and records the actions from now on. */
void loom_crash_dialog_offer (GtkApplication *application, GObject *owner, AdwToastOverlay *overlay);
