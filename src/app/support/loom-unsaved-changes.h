/* SPDX-License-Identifier: Apache-2.0
 *
 * What a window that edits a file does before changes would be lost: another file or closing waits until a person chose to
 * save, to discard or to cancel, and until the file is saved. A part of the window, which clears it. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  gboolean (*is_changed) (gpointer window);
  gboolean (*can_save) (gpointer window); /* NULL: always */
  /* Begins to save, then loom_unsaved_changes_saved() or loom_unsaved_changes_stay(). FALSE: it cannot begin. */
  gboolean (*save) (gpointer window);
  /* `path` NULL: a new file. `as_new`: as given to loom_unsaved_changes_open(). */
  void (*open) (gpointer window, const char *path, gboolean as_new);
} LoomUnsavedChangesKind;

typedef struct {
  const LoomUnsavedChangesKind *kind; /* static */
  GtkWindow *window;                  /* borrowed */
  GtkWindow *question;                /* weak */
  char *path;                         /* opened next; NULL: a new file */
  gboolean as_new, closes;            /* next */
  gboolean goes_on;                   /* once it is saved */
} LoomUnsavedChanges;

void loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind, GtkWindow *window);
/* Also more than once. */
void loom_unsaved_changes_clear (LoomUnsavedChanges *self);

/* Calls open() at once when nothing would be lost, else asks first. */
void loom_unsaved_changes_open (LoomUnsavedChanges *self, const char *path, gboolean as_new);
/* For "close-request": TRUE when it asks; then it destroys the window when that may be. */
gboolean loom_unsaved_changes_close (LoomUnsavedChanges *self);

/* The file is saved: what waited for it follows. */
void loom_unsaved_changes_saved (LoomUnsavedChanges *self);
/* Nothing follows: a person saves by themselves, or saving failed. */
void loom_unsaved_changes_stay (LoomUnsavedChanges *self);

G_END_DECLS
