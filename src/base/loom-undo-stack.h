/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of changes that can be undone; the newest step is the last one. A step contains the state before a change
 * and the state after it; the kind of the step (LoomUndoKind) has a function that applies such a state. All kinds share
 * one stack, so that changes are undone in the reverse order in which they were made. To be used by one thread.
 */
#pragma once

#include <glib.h>

/* Maximum number of steps. If there are more, the oldest ones are dropped. */
#define LOOM_UNDO_STACK_MOST 200

typedef struct _LoomUndoStack LoomUndoStack;

/* A kind of step: the function that restores a state, both to undo and to redo a step, and the function that frees a
 * state. The stack keeps pointers to this struct, so it must be static. */
typedef struct {
  void (*apply) (gconstpointer state, gpointer user_data);
  GDestroyNotify free;
  gboolean passing; /* steps of this kind are dropped first when the stack is full */
} LoomUndoKind;

/* Makes an empty stack. `user_data` is passed to the functions of all kinds and must outlive the stack. */
LoomUndoStack *loom_undo_stack_new (gpointer user_data);
void loom_undo_stack_free (LoomUndoStack *undo);
void loom_undo_stack_clear (LoomUndoStack *undo);

/* Adds a step that was just done. Takes ownership of the states, and copies `words`, a description for the user ("Move
 * rank 3"). Steps that were undone can no longer be redone. `joins` TRUE: the step is merged into the last step if both
 * have the same kind and words and were pushed with `joins`, so that a drag or a held key is undone as one step.
 * Returns TRUE if a new step was added. */
gboolean loom_undo_stack_push (LoomUndoStack *undo, const LoomUndoKind *kind, const char *words, gpointer before,
                               gpointer after, gboolean joins);

/* Prevents the next step from being merged into the last one. */
void loom_undo_stack_seal (LoomUndoStack *undo);

/* The next two functions undo the last step, or redo the last step that was undone. They return FALSE if there is no
 * such step. */
gboolean loom_undo_stack_back (LoomUndoStack *undo);
gboolean loom_undo_stack_forward (LoomUndoStack *undo);

/* The next two functions return the description of the step that would be undone or redone; NULL if there is none.
 * Borrowed. */
const char *loom_undo_stack_get_back (const LoomUndoStack *undo);
const char *loom_undo_stack_get_forward (const LoomUndoStack *undo);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomUndoStack, loom_undo_stack_free)
