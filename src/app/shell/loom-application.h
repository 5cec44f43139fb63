/* SPDX-License-Identifier: Apache-2.0
 *
 * The program: one instance, any number of windows. `traceloom [PATH…]` opens the paths together in one window. Further
 * calls use a window without a run, else open a new one; with --add they add the paths to the last used window.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_APPLICATION (loom_application_get_type ())
G_DECLARE_FINAL_TYPE (LoomApplication, loom_application, LOOM, APPLICATION, AdwApplication)

LoomApplication *loom_application_new (void);

/* Applies the settings to the style and to every window. */
void loom_application_apply_settings (GtkApplication *self);
