/* SPDX-License-Identifier: Apache-2.0
 *
 * The card that is shown in a corner of the tracks in the timing mode. It shows the duration, number of spans and rate
 * of spans of the selected range, and of the range between two marks.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_TIMING_CARD (loom_timing_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimingCard, loom_timing_card, LOOM, TIMING_CARD, GtkWidget)

/* Sets the state that the card describes while it is visible, and takes a reference to it. Must be called once. The
 * card is hidden until loom_timing_card_set_shown(). */
void loom_timing_card_set_state (LoomTimingCard *self, LoomTimelineState *state);

void loom_timing_card_set_shown (LoomTimingCard *self, gboolean shown);
