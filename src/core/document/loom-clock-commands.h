/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands that change the clocks of an open run. Each command makes one undo step. The commands take effect at once,
 * because none of them computes the fit of a clock again. A clock is given by its index among all clocks of the run.
 * Called on the main thread.
 */
#pragma once

#include "loom-document.h"

/* Sets the offset that the user adds to a clock. This offset replaces the previous offset. */
void loom_clock_commands_set_offset (LoomDocument *document, guint clock, gint64 offset_ns);
/* Moves a clock by `by_ns` ns while the user drags it. `begins`: TRUE for the first move of a drag. All moves of a
 * drag are one undo step. */
void loom_clock_commands_drag (LoomDocument *document, guint clock, gint64 by_ns, gboolean begins);

/* If `use` is TRUE, the fits are applied to the clocks. If it is FALSE, the times that are stated in the files are
 * used. */
void loom_clock_commands_use_fit (LoomDocument *document, gboolean use);
/* Adds an undo step for the fits that were applied automatically during a load. Undoing this step removes these
 * fits. */
void loom_clock_commands_note_fit (LoomDocument *document);
/* Removes all changes that the user made to clocks. */
void loom_clock_commands_reset (LoomDocument *document);

/* loom_clock_commands_can_align() returns TRUE if the two spans have different clocks. loom_clock_commands_align()
 * moves the clock of `moved` so that the two spans coincide. If both are collectives, their ends coincide; if not,
 * their starts. */
gboolean loom_clock_commands_can_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved);
void loom_clock_commands_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved);

/* Returns the number of clocks to which a fit is applied. Sets `most_ns` to the largest distance by which a fit
 * moved a clock, in ns. */
guint loom_clock_commands_count_fitted (LoomDocument *document, gint64 *most_ns);

/* Returns the element of `clocks` (guint) to show first. This is the first of these that exists: the first clock whose
 * fit was refused; the first clock that was compared with a reference clock, because there is little to show about a
 * reference clock itself; the first clock. Returns G_MAXUINT if `clocks` is empty. */
guint loom_clock_commands_find_notable (LoomTimeline *timeline, const GArray *clocks);

/* Returns the number of clocks whose fit was refused although there were enough pairs of events for it. */
guint loom_clock_commands_count_refused (LoomDocument *document);
