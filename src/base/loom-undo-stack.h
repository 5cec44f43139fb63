/* SPDX-License-Identifier: Apache-2.0
 *
 * What a person did and may take back, newest last: each step is a state before and a state after, of a kind that knows how
 * to put a state in force. Several kinds share one stack, so that steps are taken back in the order in which they were
 * done. One thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Steps that are kept; the oldest are forgotten. */
#define LOOM_UNDO_STACK_MOST 200

typedef struct _LoomUndoStack LoomUndoStack;

/* One kind of state; static. */
typedef struct {
  void (*apply) (gconstpointer state, gpointer user_data);
  GDestroyNotify free;
  gboolean passing; /* steps that are forgotten before all others */
} LoomUndoKind;

/* `user_data` is handed to all kinds, and outlives the stack. */
LoomUndoStack *loom_undo_stack_new (gpointer user_data);
void loom_undo_stack_free (LoomUndoStack *undo);
void loom_undo_stack_clear (LoomUndoStack *undo);

/* A step that was just done; the states are taken over, `words` (for people: "Move rank 3") copied. What was taken back
 * cannot be done again any more. With `joins` it becomes one with the last step where that is of the same kind and words
 * and joins too: one way of a drag or of a held key. TRUE when it is a step of its own. */
gboolean loom_undo_stack_push (LoomUndoStack *undo, const LoomUndoKind *kind, const char *words, gpointer before,
                               gpointer after, gboolean joins);

/* What comes next does not join what was done before. */
void loom_undo_stack_seal (LoomUndoStack *undo);

/* Takes the last step back, or does it again. FALSE: there is none. */
gboolean loom_undo_stack_back (LoomUndoStack *undo);
gboolean loom_undo_stack_forward (LoomUndoStack *undo);

/* Of the step that would be; NULL: there is none. Borrowed. */
const char *loom_undo_stack_get_back (const LoomUndoStack *undo);
const char *loom_undo_stack_get_forward (const LoomUndoStack *undo);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomUndoStack, loom_undo_stack_free)

G_END_DECLS
