/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes the warnings about files that should not be analysed together: files of different runs or different days, and
 * files that are loaded twice.
 */
#pragma once

#include "loom-timeline.h"

/* Returns the warning as sentences; NULL if there is no reason for a warning. `advice`: a sentence that is added if the
 * files are from different runs or far apart in time. Owned by the caller. */
char *loom_run_warnings_dup_words (const LoomTimeline *timeline, const char *advice);

/* Returns TRUE if the text of loom_run_warnings_dup_words() already contains `notice`, which is a notice from the
 * alignment of clocks. */
gboolean loom_run_warnings_says (const LoomTimeline *timeline, const char *notice);
