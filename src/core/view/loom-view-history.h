/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the view was before each jump, as a browser keeps pages. Jumps become entries, steady motion does not: an entry
 * follows the view until the next jump leaves it, so that coming back leads to where one really was. Main thread.
 */
#pragma once

#include "loom-viewport.h"

G_BEGIN_DECLS

/* The oldest entries go beyond this. */
#define LOOM_VIEW_HISTORY_MAX 100

typedef struct _LoomViewHistory LoomViewHistory;

LoomViewHistory *loom_view_history_new (void);
void loom_view_history_free (LoomViewHistory *history);
void loom_view_history_clear (LoomViewHistory *history);

/* A jump. What lay ahead is forgotten; a jump to the same place is none. */
void loom_view_history_jump (LoomViewHistory *history, const LoomViewport *from, const LoomViewport *to);

/* One step back (−1) or ahead (1) from where the view is now. FALSE at the end: nothing changes. */
gboolean loom_view_history_step (LoomViewHistory *history, int step, const LoomViewport *now, LoomViewport *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomViewHistory, loom_view_history_free)

G_END_DECLS
