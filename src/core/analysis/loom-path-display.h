/* SPDX-License-Identifier: Apache-2.0
 *
 * Shows the critical path on the timeline while the user wants to see it. The path is computed for the range that the
 * pages of the analysis use. After each change of the range, a worker thread computes it again. The previous path is
 * shown until then, unless it belongs to another timeline. Main thread only.
 *
 * Properties: "shown" is TRUE while the user wants the path; the initial value is FALSE. "missing" (read-only) is a
 * translated sentence that says why there is no path; it is "" if there is a path, or if the path is being computed.
 */
#pragma once

#include "loom-analysis-context.h"

#define LOOM_TYPE_PATH_DISPLAY (loom_path_display_get_type ())
G_DECLARE_FINAL_TYPE (LoomPathDisplay, loom_path_display, LOOM, PATH_DISPLAY, GObject)

/* Makes an object that shows the critical path in the timeline view of `analysis`. Takes a reference to `analysis`. */
LoomPathDisplay *loom_path_display_new (LoomAnalysisContext *analysis);

void loom_path_display_set_shown (LoomPathDisplay *self, gboolean shown);
gboolean loom_path_display_get_shown (LoomPathDisplay *self);
const char *loom_path_display_get_missing (LoomPathDisplay *self); /* static */
/* Returns TRUE while the path is being computed, or if the computation will start soon. */
gboolean loom_path_display_is_working (LoomPathDisplay *self);
