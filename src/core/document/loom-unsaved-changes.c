/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-unsaved-changes.h: while the user is asked about unsaved changes, stores what the user wanted to do
 * (open a file or close the editor). When the user has saved or discarded the changes, opens the file or closes the
 * editor; if the user cancels, does neither.
 */
#include "loom-unsaved-changes.h"

static void
go_on (LoomUnsavedChanges *self)
{
  g_autofree char *path = g_steal_pointer (&self->path);
  self->goes_on = FALSE;
  if (self->closes)
    self->question->close (self->editor);
  else
    self->kind->open (self->editor, path, self->as_new);
}

void
loom_unsaved_changes_answer (LoomUnsavedChanges *self, const char *response)
{
  g_clear_weak_pointer (&self->dialog);
  if (g_str_equal (response, "discard"))
    go_on (self);
  else
    self->goes_on = g_str_equal (response, "save") && self->kind->save (self->editor);
}

/* If there are unsaved changes, shows the question whether to save them, and returns TRUE. If not, returns FALSE. */
static gboolean
ask (LoomUnsavedChanges *self)
{
  if (!self->kind->is_changed (self->editor))
    return FALSE;
  self->question->ask (self->editor, self->kind->can_save == NULL || self->kind->can_save (self->editor));
  return TRUE;
}

void
loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind,
                           const LoomUnsavedChangesQuestion *question, gpointer editor)
{
  *self = (LoomUnsavedChanges) { .kind = kind, .question = question, .editor = editor };
}

void
loom_unsaved_changes_clear (LoomUnsavedChanges *self)
{
  g_clear_weak_pointer (&self->dialog);
  g_clear_pointer (&self->path, g_free);
}

void
loom_unsaved_changes_open (LoomUnsavedChanges *self, const char *path, gboolean as_new)
{
  g_free (self->path);
  self->path = g_strdup (path);
  self->as_new = as_new;
  self->closes = FALSE;
  if (!ask (self))
    go_on (self);
}

gboolean
loom_unsaved_changes_close (LoomUnsavedChanges *self)
{
  self->closes = ask (self);
  return self->closes;
}

void
loom_unsaved_changes_saved (LoomUnsavedChanges *self)
{
  if (self->goes_on)
    go_on (self);
}

void
loom_unsaved_changes_stay (LoomUnsavedChanges *self)
{
  self->goes_on = FALSE;
}
