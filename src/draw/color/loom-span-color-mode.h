/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's settings for spans: which property of a span decides its colour, and whether the arrows of all spans are
 * drawn or only those of the selection. A plain value. Also converts the settings to and from the words that actions
 * and session files use.
 */
#pragma once

#include "loom-draw-list.h"

typedef struct {
  LoomColorBy color_by;
  /* TRUE: draw the arrows of all spans in view that are at least one pixel wide (narrower spans are drawn merged);
   * FALSE: draw only the arrows of the selected spans */
  gboolean all_flows;
} LoomSpanColorMode;

/* Returns the word that session files use for a property: "name", "category", "rank" or "duration". Static storage. */
const char *loom_span_color_mode_color_word (LoomColorBy color_by);
/* Returns the property for a word; LOOM_COLOR_BY_NAME for unknown words and for NULL. */
LoomColorBy loom_span_color_mode_color_from_word (const char *word);

/* Appends the arrows from and to the spans in the list to `lines` (LoomFlowLine), each arrow once. Spans that are so
 * narrow that several are drawn as one mark are skipped. If there are too many spans or arrows to distinguish, appends
 * nothing and returns FALSE. O(marks · log arrows), for at most a few thousand marks. */
gboolean loom_span_color_mode_collect_flows (const LoomDrawList *list, GArray *lines);
