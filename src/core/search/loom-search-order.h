/* SPDX-License-Identifier: Apache-2.0
 *
 * Orders the hits of a search by time, and in the order in which the user visits them. Private to the search.
 */
#pragma once

#include "loom-search.h"

/* Sets `by_time`, `ticks_ns`, `visits` and `n_device` of a new result from its hits. Any thread. O(hits · log hits). */
void loom_search_order_hits (LoomSearchResult *result, LoomTimeline *timeline);
