/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person may do to the clocks of an open run. Each is one step that can be taken back; none fits anew, so the answer
 * comes at once. Clocks are flat numbers of the run. Main thread.
 */
#pragma once

#include "loom-document.h"

/* The offset a person added: replaced, or moved by so much. Moves with `joins` that follow one another are one step. */
void loom_clock_commands_set_offset (LoomDocument *document, guint clock, gint64 offset_ns);
void loom_clock_commands_move (LoomDocument *document, guint clock, gint64 by_ns, gboolean joins);
/* Moved as one pull of the pointer goes on; `begins`: another one. */
void loom_clock_commands_drag (LoomDocument *document, guint clock, gint64 by_ns, gboolean begins);

/* Puts fits in force, or what the formats declare. */
void loom_clock_commands_use_fit (LoomDocument *document, gboolean use);
/* Makes an undo step of the fits that a load applied by itself. */
void loom_clock_commands_note_fit (LoomDocument *document);
/* Everything as the run was opened. */
void loom_clock_commands_reset (LoomDocument *document);

/* Two events of different clocks are one: the second's clock is moved. Of collectives the ends coincide, else the starts. */
gboolean loom_clock_commands_can_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved);
void loom_clock_commands_align (LoomDocument *document, LoomSpanId kept, LoomSpanId moved);

/* How many clocks a fit is in force for, and the most that one of them was moved by it. */
guint loom_clock_commands_count_fitted (LoomDocument *document, gint64 *most_ns);

/* The clock of `clocks` (guint) to show first: one whose fit was refused, else the first that was compared with a reference,
 * because references show little. G_MAXUINT if there are none. */
guint loom_clock_commands_find_notable (LoomTimeline *timeline, const GArray *clocks);

/* How many clocks have evidence that a fit could not be made of. */
guint loom_clock_commands_count_refused (LoomDocument *document);
