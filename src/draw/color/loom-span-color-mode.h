/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's settings for spans: what colours show, and whether the arrows of all spans are drawn or only those of the
 * selection. A plain value, with its words for actions and saved views.
 */
#pragma once

#include "loom-draw-list.h"

typedef struct {
  LoomColorBy color_by;
  gboolean all_flows; /* draw the arrows of all distinguishable spans in view */
} LoomSpanColorMode;

/* Static: "name", "category", "rank", "duration". */
const char *loom_span_color_mode_color_word (LoomColorBy color_by);
/* LOOM_COLOR_BY_NAME for unknown words and for NULL. */
LoomColorBy loom_span_color_mode_color_from_word (const char *word);

/* Appends the arrows from and to the spans that the list draws with a separate mark to `lines` (LoomFlowLine), each
 * arrow once. If there are too many arrows to distinguish, appends nothing and returns FALSE. O(marks · log arrows),
 * for at most some thousand marks. */
gboolean loom_span_color_mode_collect_flows (const LoomDrawList *list, GArray *lines);
