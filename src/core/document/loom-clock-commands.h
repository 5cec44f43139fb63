/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that change the clocks of an open run. Each command is one undo step. Commands take effect at once, because
 * none of them fits clocks again. A clock is given by its index among all clocks of the run. Called on the main thread.
 */
#pragma once

#include "loom-document.h"

/* Replaces the offset that the user added to a clock. */
void loom_clock_commands_set_offset (LoomDocument *document, guint clock, gint64 offset_ns);
/* Moves a clock by `by_ns` while the user drags it. `begins`: TRUE for the first move of a drag; the whole drag is one
 * undo step. */
void loom_clock_commands_drag (LoomDocument *document, guint clock, gint64 by_ns, gboolean begins);

/* If `use` is TRUE, applies the fits to the clocks; else uses the clocks as the files declare them. */
void loom_clock_commands_use_fit (LoomDocument *document, gboolean use);
/* Adds an undo step that takes back the fits which a load applied automatically. */
void loom_clock_commands_note_fit (LoomDocument *document);
/* Removes all changes that the user made to clocks. */
void loom_clock_commands_reset (LoomDocument *document);

/* loom_clock_commands_can_align() returns TRUE if both spans have different clocks. loom_clock_commands_align() moves
 * the clock of `moved` so that the spans coincide: at their ends if both are collectives, else at their starts. */
gboolean loom_clock_commands_can_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved);
void loom_clock_commands_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved);

/* Counts the clocks to which a fit is applied. Sets `most_ns` to the largest distance by which a fit moved a clock. */
guint loom_clock_commands_count_fitted (LoomDocument *document, gint64 *most_ns);

/* Returns the clock to show first among `clocks` (guint): the first clock whose fit was refused; else the first clock
 * that was compared with a reference clock, because the page of a reference clock shows little; else the first clock.
 * G_MAXUINT: `clocks` is empty. */
guint loom_clock_commands_find_notable (LoomTimeline *timeline, const GArray *clocks);

/* Counts the clocks whose fit was refused although there are enough pairs of events for a fit. */
guint loom_clock_commands_count_refused (LoomDocument *document);
