/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the state's overview and steps up to date: both are computed in a worker for each new timeline, one at a time;
 * what was computed for a timeline that is gone is dropped. Main thread only.
 */
#pragma once

#include "loom-view-state.h"

G_BEGIN_DECLS

typedef struct _LoomFacts LoomFacts;

LoomFacts *loom_facts_new (LoomViewState *state);
void loom_facts_free (LoomFacts *facts);

/* Whether the state's are those of its timeline, not of a part of it that came before, and of one. */
gboolean loom_facts_are_whole (LoomFacts *facts);

G_END_DECLS
