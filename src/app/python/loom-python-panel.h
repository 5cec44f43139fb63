/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel of the Python profiles of a run. It has a list to choose profiles, a table of their functions, lists of the
 * callers and callees of the selected function, and the call tree as an icicle chart. Called on the main thread.
 */
#pragma once

#include "loom-python-profiles.h"
#include "loom-render-context.h"

#include <adwaita.h>

#define LOOM_TYPE_PYTHON_PANEL (loom_python_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonPanel, loom_python_panel, LOOM, PYTHON_PANEL, AdwBin)

/* Sets the Python profiles and `scene`, which has the colors and fonts of the call tree; takes references. Call
 * once. */
void loom_python_panel_set_profiles (LoomPythonPanel *self, LoomPythonProfiles *profiles, LoomRenderContext *scene);
