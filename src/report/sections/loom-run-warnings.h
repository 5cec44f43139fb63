/* SPDX-License-Identifier: Apache-2.0
 *
 * Warnings about files that should not be analysed together: files of different runs or different days, and files that
 * are loaded twice.
 */
#pragma once

#include "loom-timeline.h"

/* Returns the warning as sentences. `advice`: sentence that follows a warning that files are from different runs or
 * days. NULL if there is nothing to warn about. Owned by the caller. */
char *loom_run_warnings_dup_words (const LoomTimeline *timeline, const char *advice);

/* Returns TRUE if the warning contains this notice of the alignment already. */
gboolean loom_run_warnings_says (const LoomTimeline *timeline, const char *notice);
