/* SPDX-License-Identifier: Apache-2.0
 *
 * The program: one instance, any number of windows. `traceloom [PATH…]` opens the paths together in one window. If the
 * program is already running, the paths are opened in a window without a run or, if there is none, in a new window.
 * With --add, they are added to the run of the window that was used last.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_APPLICATION (loom_application_get_type ())
G_DECLARE_FINAL_TYPE (LoomApplication, loom_application, LOOM, APPLICATION, AdwApplication)

LoomApplication *loom_application_new (void);

/* Applies the settings to the style and to every window. */
void loom_application_apply_settings (GtkApplication *self);
