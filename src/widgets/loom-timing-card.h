/* SPDX-License-Identifier: Apache-2.0
 *
 * The figures that stand in a corner of the tracks in timing mode: of the selection, and between two marks.
 */
#pragma once

#include "loom-view-state.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_TIMING_CARD (loom_timing_card_get_type ())
G_DECLARE_FINAL_TYPE (LoomTimingCard, loom_timing_card, LOOM, TIMING_CARD, GtkWidget)

/* Follows the state while it shows. Hidden at first. */
GtkWidget *loom_timing_card_new (LoomViewState *state);

void loom_timing_card_set_shown (LoomTimingCard *card, gboolean shown);
/* What stands there; borrowed. */
const char *loom_timing_card_get_text (LoomTimingCard *card);

G_END_DECLS
