/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of changes that can be undone; the newest step is the last one. A step contains the state before a change
 * and the state after it. The kind of the step (LoomUndoKind) has a function that applies a state. All kinds of steps
 * share one stack, so that changes are undone in the reverse order in which they were made. Used by one thread only.
 */
#pragma once

#include <glib.h>

/* Maximum number of steps. If there are more, old steps are removed. */
#define LOOM_UNDO_STACK_MOST 200

typedef struct _LoomUndoStack LoomUndoStack;

/* A kind of step: a function that applies a state, to undo or redo a step, and a function that frees a state. The
 * struct must be static, because the stack holds pointers to it. */
typedef struct {
  void (*apply) (gconstpointer state, gpointer user_data);
  GDestroyNotify free;
  gboolean passing; /* TRUE if steps of this kind are removed first when the stack is full */
} LoomUndoKind;

/* Makes an empty stack. `user_data` is an argument of the functions of all kinds, and must live longer than the
 * stack. */
LoomUndoStack *loom_undo_stack_new (gpointer user_data);
void loom_undo_stack_free (LoomUndoStack *undo);
void loom_undo_stack_clear (LoomUndoStack *undo);

/* Adds a step for a change that has just been made. Takes ownership of the states. `words`: description for the user
 * ("Move rank 3"), copied. Removes the steps that were undone, so they can no longer be redone. If `joins` is TRUE, the
 * step is merged with the last step, provided that the last step was also added with `joins` TRUE, and has the same
 * kind and words. In this way, a drag or a held key is undone as one step. Returns TRUE if a new step was added. */
gboolean loom_undo_stack_push (LoomUndoStack *undo, const LoomUndoKind *kind, const char *words, gpointer before,
                               gpointer after, gboolean joins);

/* Ensures that the next step is not merged with the last one. */
void loom_undo_stack_seal (LoomUndoStack *undo);

/* loom_undo_stack_back() undoes the last step; loom_undo_stack_forward() redoes the step that was undone last. They
 * return FALSE if there is no such step. */
gboolean loom_undo_stack_back (LoomUndoStack *undo);
gboolean loom_undo_stack_forward (LoomUndoStack *undo);

/* loom_undo_stack_get_back() returns the description of the step that can be undone next, loom_undo_stack_get_forward()
 * that of the step that can be redone next; NULL if there is none. Borrowed. */
const char *loom_undo_stack_get_back (const LoomUndoStack *undo);
const char *loom_undo_stack_get_forward (const LoomUndoStack *undo);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomUndoStack, loom_undo_stack_free)
