/* SPDX-License-Identifier: Apache-2.0
 *
 * What had better not be looked at together: files of different runs, or of different days; and what is there twice.
 */
#pragma once

#include "loom-timeline.h"

/* A warning in sentences, with what to do about runs that lie apart; NULL when there is nothing to warn of. Owned by the caller. */
char *loom_run_warnings_dup_words (const LoomTimeline *timeline, const char *advice);

/* Returns whether the warning already contains this notice of the alignment. */
gboolean loom_run_warnings_says (const LoomTimeline *timeline, const char *notice);
