/* SPDX-License-Identifier: Apache-2.0
 *
 * The place that the pointer, or the keyboard focus on a page, is over: a range of time, a rank, spans. The timeline, the
 * strips of the run and the pages of the analysis set it, and each of them highlights what another one has set. Widgets
 * keep no copy.
 *
 * Main thread only. Times are ns of the current timeline; the timeline state clears the place when it gets another one.
 * Setting costs a copy of the target, O(spans + parts), both of which are limited.
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
/* Sets the place to a point of the timeline: an instant (LOOM_TIME_NONE: none), a row (NULL: none), a span
 * (LOOM_SPAN_ID_NONE: none). Without instant and row it clears the place, if the origin has set it. */
void loom_hovered_place_set_pointer (LoomHoveredPlace *self, gint64 time_ns, const LoomTimelineRow *row,
                                     LoomSpanId span, gconstpointer origin);
/* Clears the place if `origin` was the last to set it; with `origin` NULL, in any case. */
void loom_hovered_place_clear (LoomHoveredPlace *self, gconstpointer origin);

/* Returns the place that `viewer` should highlight. NULL if there is none, or if `viewer` itself has set it: the
 * pointer is then over `viewer`. Borrowed until the next change. */
const LoomNavigationTarget *loom_hovered_place_get_target (LoomHoveredPlace *self, gconstpointer viewer);

/* Returns the rank of the place: the rank that it is about, or the rank of its only span. `trace` identifies processes
 * without a rank, G_MAXUINT32: unknown. FALSE: the place is about no rank, or about several. O(log spans). */
gboolean loom_hovered_place_get_rank (const LoomNavigationTarget *target, LoomTimeline *timeline, gint *rank,
                                      guint32 *trace);

/* Returns the element of the block that fits the place best: one about this span, else about spans of its name, else the
 * shortest range that contains the start of the place, else one about its rank. Ranges as long as the page's are ignored,
 * because they fit every place. G_MAXUINT: none fits. O(elements of the block). */
guint loom_hovered_place_find_element (const LoomNavigationTarget *target, LoomTimeline *timeline,
                                       const LoomPageContent *content, guint block);
