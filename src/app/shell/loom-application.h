/* SPDX-License-Identifier: Apache-2.0
 *
 * The program: one instance, any number of windows. `traceloom [PATH…]` opens the paths together in one window; a
 * second call uses a window that is still empty, else opens another; --add adds to the window last used.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_APPLICATION (loom_application_get_type ())
G_DECLARE_FINAL_TYPE (LoomApplication, loom_application, LOOM, APPLICATION, AdwApplication)

LoomApplication *loom_application_new (void);

/* Applies the settings to the style and to every window. */
void loom_application_apply_settings (GtkApplication *self);
