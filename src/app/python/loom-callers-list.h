/* SPDX-License-Identifier: Apache-2.0
 *
 * A list of the callers of a function of a Python profile, or of the functions that the function called (callees).
 * Called on the main thread.
 *
 * Signal: "function-chosen" (guint index of the function in the profile) when the user double-clicks a line or presses
 * Return.
 */
#pragma once

#include "loom-python-profile.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_CALLERS_LIST (loom_callers_list_get_type ())
G_DECLARE_FINAL_TYPE (LoomCallersList, loom_callers_list, LOOM, CALLERS_LIST, GtkBox)

/* From now on, the list shows callees (the functions that a function called) instead of callers. */
void loom_callers_list_set_callees (LoomCallersList *self);
/* Shows the callers or callees of a function. The list is empty if `profile` is NULL or `function` is G_MAXUINT32. */
void loom_callers_list_show (LoomCallersList *self, LoomPythonProfile *profile, guint32 function);
