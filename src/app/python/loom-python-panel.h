/* SPDX-License-Identifier: Apache-2.0
 *
 * The Python profiles of a run: which of them, their functions as a table, who called whom, and the call tree as an
 * icicle chart. Sums, differences and trees are worked out in a worker. Signal "close". Main thread.
 */
#pragma once

#include "loom-function-table.h"
#include "loom-icicle-view.h"
#include "loom-python-profile-chooser.h"

#define LOOM_TYPE_PYTHON_PANEL (loom_python_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomPythonPanel, loom_python_panel, LOOM, PYTHON_PANEL, GtkWidget)

/* Call once. */
void loom_python_panel_set_scene (LoomPythonPanel *self, LoomRenderContext *scene);
/* Shows the profiles of a timeline; NULL: no run is open. */
void loom_python_panel_set_timeline (LoomPythonPanel *self, LoomTimeline *timeline);

/* The panel's parts, for tests; borrowed. */
LoomPythonProfileChooser *loom_python_panel_get_chooser (LoomPythonPanel *self);
LoomFunctionTable *loom_python_panel_get_table (LoomPythonPanel *self);
LoomIcicleView *loom_python_panel_get_tree (LoomPythonPanel *self);
gboolean loom_python_panel_is_working (LoomPythonPanel *self);
/* The text of the title: what the panel shows, or why it is empty. */
const char *loom_python_panel_get_summary (LoomPythonPanel *self);
