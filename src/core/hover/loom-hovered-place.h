/* SPDX-License-Identifier: Apache-2.0
 *
 * The hovered place: a range of time, a rank or spans under the pointer, or under the keyboard focus on a page. The
 * timeline, the overview, the findings, the panel of SQL queries and the pages of the analysis set the place. Each of
 * them also highlights the place if another one has set it. Widgets keep no copy of the place. Main thread only.
 *
 * Times are ns of the current timeline; the timeline state clears the place when it gets another timeline. Setting the
 * place copies the target. The cost is O(spans + parts of the target); the numbers of both are limited.
 *
 * Property: "target" (LoomNavigationTarget, read only), NULL: nothing is hovered.
 */
#pragma once

#include "loom-navigation-target.h"
#include "loom-page-content.h"
#include "loom-row-list.h"

#define LOOM_TYPE_HOVERED_PLACE (loom_hovered_place_get_type ())
G_DECLARE_FINAL_TYPE (LoomHoveredPlace, loom_hovered_place, LOOM, HOVERED_PLACE, GObject)

LoomHoveredPlace *loom_hovered_place_new (void);

/* Sets the place; `target` is copied. `origin` identifies the object over which the pointer is; only
 * its address is used. */
void loom_hovered_place_set (LoomHoveredPlace *self, const LoomNavigationTarget *target, gconstpointer origin);
/* Sets the place to a point of the timeline: an instant, a row and a span. Each of the three may be unknown:
 * LOOM_TIME_NONE means no instant, NULL no row, LOOM_SPAN_ID_NONE no span. If there is neither an instant nor a row,
 * clears the place if `origin` has set it. */
void loom_hovered_place_set_pointer (LoomHoveredPlace *self, gint64 time_ns, const LoomTimelineRow *row,
                                     LoomSpanId span, gconstpointer origin);
/* Clears the place if `origin` has set it; if `origin` is NULL, clears it in any case. */
void loom_hovered_place_clear (LoomHoveredPlace *self, gconstpointer origin);

/* Returns the place that `viewer` should highlight. NULL if nothing is hovered, or if `viewer` itself has set the
 * place, because the pointer is over `viewer`. Borrowed until the next change. */
const LoomNavigationTarget *loom_hovered_place_get_target (LoomHoveredPlace *self, gconstpointer viewer);

/* Sets `rank` to the rank that the place states or, if it states none, to the rank of its only span. If this rank is
 * unknown, `rank` is −1, and `trace` identifies the process; if the process is unknown, too, `trace` is G_MAXUINT32.
 * Returns TRUE if the place states a rank or has exactly one span, otherwise FALSE. O(log spans). */
gboolean loom_hovered_place_get_rank (const LoomNavigationTarget *target, LoomTimeline *timeline, gint *rank,
                                      guint32 *trace);

/* Returns the index of the element in a block of a page that matches the hovered place `target` best. An element is a
 * part of a chart or a row of a table. In descending order of preference, returns: an element about the span at the
 * place; an element about spans of the same name; the element with the shortest range that contains the start of the
 * place; an element about the rank of the place. Ignores ranges that are as long as the range of the page, because they
 * contain every place. G_MAXUINT: no element matches. O(elements of the block). */
guint loom_hovered_place_find_element (const LoomNavigationTarget *target, LoomTimeline *timeline,
                                       const LoomPageContent *content, guint block);
