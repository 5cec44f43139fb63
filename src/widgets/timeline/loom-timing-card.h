/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures that stand in a corner of the tracks in timing mode: of the selection, and between two marks.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_TIMING_CARD (loom_timing_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimingCard, loom_timing_card, LOOM, TIMING_CARD, GtkWidget)

/* Follows the state while the card shows; a reference is taken. Once. The card is hidden at first. */
void loom_timing_card_set_state (LoomTimingCard *self, LoomTimelineState *state);

void loom_timing_card_set_shown (LoomTimingCard *self, gboolean shown);
