/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows on the timeline, while the user wants it, the critical path of the range that the pages of the analysis use.
 * After each change of the range, a worker computes the path again; meanwhile the previous path stays, unless it
 * belongs to another timeline. Main thread only.
 *
 * Properties: "shown", whether the path is wanted, initially FALSE; "missing" (read-only), a translated sentence that
 * says why there is no path, "" while there is a path or it is being computed.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_PATH_DISPLAY (loom_path_display_get_type ())
G_DECLARE_FINAL_TYPE (LoomPathDisplay, loom_path_display, LOOM, PATH_DISPLAY, GObject)

/* Makes an object that shows the critical path in the view of the analysis. Takes a reference to the analysis. */
LoomPathDisplay *loom_path_display_new (LoomAnalysisContext *analysis);

void loom_path_display_set_shown (LoomPathDisplay *self, gboolean shown);
gboolean loom_path_display_get_shown (LoomPathDisplay *self);
const char *loom_path_display_get_missing (LoomPathDisplay *self); /* static */
/* Returns TRUE while the path is being computed or will be soon. */
gboolean loom_path_display_is_working (LoomPathDisplay *self);
