/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-unsaved-changes.h"

#include "loom-unsaved-changes-dialog.h"

#define KEY "loom-unsaved-changes" /* object data key of a window's LoomUnsavedChanges */

static void
go_on (LoomUnsavedChanges *self)
{
  g_autofree char *path = g_steal_pointer (&self->path);
  self->goes_on = FALSE;
  if (self->closes)
    gtk_window_destroy (self->window);
  else
    self->kind->open (self->window, path, self->as_new);
}

static void
answered (GtkWindow *window, const char *response)
{
  LoomUnsavedChanges *self = g_object_get_data (G_OBJECT (window), KEY);
  g_clear_weak_pointer (&self->question);
  if (g_str_equal (response, "discard"))
    go_on (self);
  else
    self->goes_on = g_str_equal (response, "save") && self->kind->save (window);
}

/* Asks about unsaved changes; FALSE: there are none. */
static gboolean
ask (LoomUnsavedChanges *self)
{
  if (!self->kind->is_changed (self->window))
    return FALSE;
  gboolean can_save = self->kind->can_save == NULL || self->kind->can_save (self->window);
  loom_unsaved_changes_dialog_ask (&self->question, self->window, can_save, G_CALLBACK (answered));
  return TRUE;
}

void
loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind, GtkWindow *window)
{
  *self = (LoomUnsavedChanges) { .kind = kind, .window = window };
  g_object_set_data (G_OBJECT (window), KEY, self);
}

void
loom_unsaved_changes_clear (LoomUnsavedChanges *self)
{
  g_clear_weak_pointer (&self->question);
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
