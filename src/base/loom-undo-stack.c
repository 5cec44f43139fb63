/* SPDX-License-Identifier: Apache-2.0
 *
 * The history of changes that can be undone. The interface is described in loom-undo-stack.h.
 */
#include "loom-undo-stack.h"

#include <string.h>

typedef struct {
  const LoomUndoKind *kind;
  char *words;
  gpointer before, after;
  gboolean joins;
} Step;

struct _LoomUndoStack {
  GPtrArray *steps; /* Step *: all steps, oldest first */
  guint n_done;     /* number of steps that are in effect; the steps after these have been undone */
  gpointer user_data;
};

static void
step_free (gpointer data)
{
  Step *step = data;
  step->kind->free (step->before);
  step->kind->free (step->after);
  g_free (step->words);
  g_free (step);
}

LoomUndoStack *
loom_undo_stack_new (gpointer user_data)
{
  LoomUndoStack *undo = g_new0 (LoomUndoStack, 1);
  undo->steps = g_ptr_array_new_with_free_func (step_free);
  undo->user_data = user_data;
  return undo;
}

void
loom_undo_stack_free (LoomUndoStack *undo)
{
  if (undo == NULL)
    return;
  g_ptr_array_unref (undo->steps);
  g_free (undo);
}

void
loom_undo_stack_clear (LoomUndoStack *undo)
{
  g_ptr_array_set_size (undo->steps, 0);
  undo->n_done = 0;
}

static Step *
last_done (const LoomUndoStack *undo)
{
  return undo->n_done > 0 ? undo->steps->pdata[undo->n_done - 1] : NULL;
}

/* Removes one step because the stack is full: the oldest step whose kind has LoomUndoKind.passing set; if there is
 * none, the oldest step. */
static void
forget_one (LoomUndoStack *undo)
{
  guint i = 0;
  while (i < undo->steps->len && !((const Step *) undo->steps->pdata[i])->kind->passing)
    i++;
  g_ptr_array_remove_index (undo->steps, i < undo->steps->len ? i : 0);
}

gboolean
loom_undo_stack_push (LoomUndoStack *undo, const LoomUndoKind *kind, const char *words, gpointer before, gpointer after,
                      gboolean joins)
{
  Step *last = last_done (undo);
  gboolean is_newest = undo->n_done == undo->steps->len;
  g_ptr_array_set_size (undo->steps, (gint) undo->n_done);
  if (joins && is_newest && last != NULL && last->joins && last->kind == kind && strcmp (last->words, words) == 0) {
    kind->free (before);
    kind->free (last->after);
    last->after = after;
    return FALSE;
  }
  Step *step = g_new (Step, 1);
  *step = (Step) { kind, g_strdup (words), before, after, joins };
  g_ptr_array_add (undo->steps, step);
  if (undo->steps->len > LOOM_UNDO_STACK_MOST)
    forget_one (undo);
  undo->n_done = undo->steps->len;
  return TRUE;
}

void
loom_undo_stack_seal (LoomUndoStack *undo)
{
  Step *step = last_done (undo);
  if (step != NULL)
    step->joins = FALSE;
}

gboolean
loom_undo_stack_back (LoomUndoStack *undo)
{
  Step *step = last_done (undo);
  if (step == NULL)
    return FALSE;
  undo->n_done--;
  step->joins = FALSE;
  step->kind->apply (step->before, undo->user_data);
  return TRUE;
}

gboolean
loom_undo_stack_forward (LoomUndoStack *undo)
{
  if (undo->n_done == undo->steps->len)
    return FALSE;
  Step *step = undo->steps->pdata[undo->n_done++];
  step->kind->apply (step->after, undo->user_data);
  return TRUE;
}

const char *
loom_undo_stack_get_back (const LoomUndoStack *undo)
{
  const Step *step = last_done (undo);
  return step != NULL ? step->words : NULL;
}

const char *
loom_undo_stack_get_forward (const LoomUndoStack *undo)
{
  return undo->n_done < undo->steps->len ? ((const Step *) undo->steps->pdata[undo->n_done])->words : NULL;
}
