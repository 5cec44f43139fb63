/* SPDX-License-Identifier: Apache-2.0
 *
 * A widget to choose Python profiles: the user chooses one profile, or several profiles whose times are added, and a
 * profile with which they are compared. The list of profiles can be limited to a time range, to steps, or to a phase of
 * the job. Called on the main thread.
 */
#pragma once

#include "loom-python-profiles.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_PYTHON_PROFILE_CHOOSER (loom_python_profile_chooser_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonProfileChooser, loom_python_profile_chooser, LOOM, PYTHON_PROFILE_CHOOSER, GtkBox)

/* Sets the profiles of the run, from which the user chooses; takes a reference. May be called only once. */
void loom_python_profile_chooser_set_profiles (LoomPythonProfileChooser *self, LoomPythonProfiles *profiles);
