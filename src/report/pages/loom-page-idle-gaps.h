/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the longest gaps on the page of idle time. Any thread.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-page-content.h"
#include "loom-page.h"

/* Adds a table of the longest gaps, grouped by their cause, the activity of the host and the work after them. Nothing is
 * added if there are no gaps. O(gaps²), of at most LOOM_IDLE_TIME_MOST_GAPS. */
void loom_page_idle_gaps_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomIdleTime *idle);
