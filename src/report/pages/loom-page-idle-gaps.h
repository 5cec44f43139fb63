/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the longest gaps on the page of idle time. The functions may be called on any thread.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-page-content.h"
#include "loom-page.h"

/* Adds a table of the longest gaps. Gaps with the same cause, host activity and following work share a row. Adds
 * nothing if there are no gaps. O(gaps²), for at most LOOM_IDLE_TIME_MOST_GAPS gaps. */
void loom_page_idle_gaps_add (LoomPageContent *sheet, const LoomPageInput *input, const LoomIdleTime *idle);
