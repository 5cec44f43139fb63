/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures that stand in a corner of the tracks in timing mode: of the selection, and between two marks.
 */
#pragma once

#include "loom-timeline-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_MEASUREMENT_CARD (loom_measurement_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomMeasurementCard, loom_measurement_card, LOOM, MEASUREMENT_CARD, GtkWidget)

/* Follows the state while the card shows; a reference is taken. Once. The card is hidden at first. */
void loom_measurement_card_set_state (LoomMeasurementCard *self, LoomTimelineState *state);

void loom_measurement_card_set_shown (LoomMeasurementCard *self, gboolean shown);
