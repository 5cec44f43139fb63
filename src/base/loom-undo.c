/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-undo.h"

#include <string.h>

typedef struct {
  const LoomUndoKind *kind;
  char *words;
  gpointer before, after;
  gboolean joins;
} Step;

struct _LoomUndo {
  GPtrArray *steps; /* Step * */
  guint n_done;     /* of them; the others were taken back */
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

LoomUndo *
loom_undo_new (gpointer user_data)
{
  LoomUndo *undo = g_new0 (LoomUndo, 1);
  undo->steps = g_ptr_array_new_with_free_func (step_free);
  undo->user_data = user_data;
  return undo;
}

void
loom_undo_free (LoomUndo *undo)
{
  if (undo == NULL)
    return;
  g_ptr_array_unref (undo->steps);
  g_free (undo);
}

void
loom_undo_clear (LoomUndo *undo)
{
  g_ptr_array_set_size (undo->steps, 0);
  undo->n_done = 0;
}

static Step *
last_done (const LoomUndo *undo)
{
  return undo->n_done > 0 ? undo->steps->pdata[undo->n_done - 1] : NULL;
}

/* The oldest that passes, else the oldest. */
static void
forget_one (LoomUndo *undo)
{
  guint i = 0;
  while (i < undo->steps->len && !((const Step *) undo->steps->pdata[i])->kind->passing)
    i++;
  g_ptr_array_remove_index (undo->steps, i < undo->steps->len ? i : 0);
}

gboolean
loom_undo_push (LoomUndo *undo, const LoomUndoKind *kind, const char *words, gpointer before, gpointer after, gboolean joins)
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
  if (undo->steps->len > LOOM_UNDO_MOST)
    forget_one (undo);
  undo->n_done = undo->steps->len;
  return TRUE;
}

void
loom_undo_seal (LoomUndo *undo)
{
  Step *step = last_done (undo);
  if (step != NULL)
    step->joins = FALSE;
}

gboolean
loom_undo_back (LoomUndo *undo)
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
loom_undo_forward (LoomUndo *undo)
{
  if (undo->n_done == undo->steps->len)
    return FALSE;
  Step *step = undo->steps->pdata[undo->n_done++];
  step->kind->apply (step->after, undo->user_data);
  return TRUE;
}

const char *
loom_undo_get_back (const LoomUndo *undo)
{
  const Step *step = last_done (undo);
  return step != NULL ? step->words : NULL;
}

const char *
loom_undo_get_forward (const LoomUndo *undo)
{
  return undo->n_done < undo->steps->len ? ((const Step *) undo->steps->pdata[undo->n_done])->words : NULL;
}
