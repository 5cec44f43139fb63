/* SPDX-License-Identifier: Apache-2.0
 *
 * Paints the legend of the colours of spans: for each family of work that the timeline shows, a coloured square and its
 * name. May be called on any thread.
 */
#pragma once

#include "loom-minimap-data.h"
#include "loom-timeline-painter.h"

/* Returns the families of work whose colours are visible in the list and in the overview, as bits 1 << LoomWorkFamily.
 * Also sets the bit 1 << LOOM_N_FAMILIES if waiting of ranks is visible. A family is ignored if its marks cover less
 * than LOOM_LEGEND_LEAST of the area of all marks. `overview` may be NULL. O(marks + buckets). */
#define LOOM_LEGEND_LEAST 0.002
guint loom_legend_painter_find (const LoomDrawList *list, const LoomMinimapData *overview);

/* Paints the legend: an entry for each family of work, in lines from the left; families of work on devices come first.
 * If there is no room for all entries, the last line ends with the number of missing entries, for example "+2". Names
 * are never cut. */
void loom_legend_painter_paint (cairo_t *cr, guint families, double width, double height,
                                const LoomPaintOptions *options);

/* Paints a box like the waits for other ranks in the lane of a rank: pale and hatched. */
void loom_legend_painter_paint_waiting (cairo_t *cr, const LoomTheme *theme, double x, double y, double width,
                                        double height);

/* Returns the names of the families of work as a list, for a tooltip. Translated, owned by the caller; "" if there are
 * none. */
char *loom_legend_painter_dup_names (guint families);
