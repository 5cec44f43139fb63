/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person chose to see of spans: what their colours stand for, and whether arrows are drawn that belong to no
 * selection. A value, and the words it has in actions and saved views.
 */
#pragma once

#include "loom-draw-list.h"

G_BEGIN_DECLS

typedef struct {
  LoomColorBy color_by;
  gboolean all_flows; /* the arrows of all that can be told apart in view */
} LoomSpanColorMode;

/* Static: "name", "category", "rank", "duration". */
const char *loom_span_color_mode_color_word (LoomColorBy color_by);
/* LOOM_COLOR_BY_NAME for a word that is none, and for NULL. */
LoomColorBy loom_span_color_mode_color_from_word (const char *word);

/* Arrows from and to the spans of the list that have a mark of their own there, each once, appended to `lines` (LoomFlowLine).
 * FALSE, with nothing appended, when that are too many to be told apart. O(marks · log arrows), no more than some thousand
 * marks are looked at. */
gboolean loom_span_color_mode_collect_flows (const LoomDrawList *list, GArray *lines);

G_END_DECLS
