/* SPDX-License-Identifier: Apache-2.0
 *
 * The card in a corner of the tracks that is shown in the timing mode: duration, number of spans and rate of the
 * selected range, and of the range between two marks.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_TIMING_CARD (loom_timing_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimingCard, loom_timing_card, LOOM, TIMING_CARD, GtkWidget)

/* Sets the state that the card describes while it is visible; takes a reference. Must be called once. The card is
 * hidden at first. */
void loom_timing_card_set_state (LoomTimingCard *self, LoomTimelineState *state);

void loom_timing_card_set_shown (LoomTimingCard *self, gboolean shown);
