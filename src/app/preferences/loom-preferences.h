/* SPDX-License-Identifier: Apache-2.0
 *
 * The window with the preferences of the program. A change is stored and applied to open windows at once, except the
 * memory limit, which applies when files are loaded next.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_PREFERENCES (loom_preferences_get_type ())
G_DECLARE_FINAL_TYPE (LoomPreferences, loom_preferences, LOOM, PREFERENCES, AdwPreferencesWindow)

/* Makes a dialog over the active window of the application. Emits the signal "changed" when a setting that affects open
 * windows has changed. */
LoomPreferences *loom_preferences_new (GtkApplication *application);

/* Applies the color scheme of the settings: light, dark, or that of the desktop. */
void loom_preferences_apply_style (void);
