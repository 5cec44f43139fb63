/* SPDX-License-Identifier: Apache-2.0
 *
 * The preferences: each is written when it changes and holds for open windows at once, memory for the next load.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_PREFERENCES (loom_preferences_get_type ())
G_DECLARE_FINAL_TYPE (LoomPreferences, loom_preferences, LOOM, PREFERENCES, AdwPreferencesWindow)

/* Above the application's active window. Signal: "changed" after a setting changed that open windows show. */
LoomPreferences *loom_preferences_new (GtkApplication *application);

/* Makes the program light, dark or like the desktop, as the settings say. */
void loom_preferences_apply_style (void);
