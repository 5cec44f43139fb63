/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person did to marks and rows, as steps that can be taken back: watches a view state and pushes what became
 * different. Changes in quick succession, as of a drag, are one step. Main thread.
 */
#pragma once

#include "loom-undo.h"
#include "loom-view-state.h"

G_BEGIN_DECLS

/* Watches for the rest of the state's life, which `undo` outlives; steps are taken back only while the state lives.
 * `changed` is called when what can be taken back is another. Once per state. */
void loom_view_changes_watch (LoomViewState *state, LoomUndo *undo, void (*changed) (gpointer user_data), gpointer user_data);

/* Between these two nothing is a step: a session puts back what was there. States that are not watched are left alone. */
void loom_view_changes_pause (LoomViewState *state);
void loom_view_changes_resume (LoomViewState *state);

G_END_DECLS
