/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of views, for going back and forward as in a browser. A jump adds an entry. Continuous motion such as
 * panning changes the current entry instead, so that going back from a jump returns to the view just before the jump.
 * Called on the main thread.
 */
#pragma once

#include "loom-viewport.h"

/* Maximum number of entries; the oldest are removed. */
#define LOOM_VIEW_HISTORY_MAX 100

typedef struct _LoomViewHistory LoomViewHistory;

LoomViewHistory *loom_view_history_new (void);
void loom_view_history_free (LoomViewHistory *self);
void loom_view_history_clear (LoomViewHistory *self);

/* Adds an entry for the view `to`, and removes the entries after the current one. `from` is the view before the jump.
 * If both views are equal, nothing is changed. */
void loom_view_history_jump (LoomViewHistory *self, const LoomViewport *from, const LoomViewport *to);

/* Moves one step back (`step` −1) or forward (1) in the history, and sets `target` to the view of that entry; `now` is
 * the present view. At either end of the history, returns FALSE and changes nothing. */
gboolean loom_view_history_step (LoomViewHistory *self, int step, const LoomViewport *now, LoomViewport *target);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomViewHistory, loom_view_history_free)
