/* SPDX-License-Identifier: Apache-2.0
 *
 * What a window that edits a file does before changes would be lost: another file or closing waits until a person chose to
 * save, to discard or to cancel, and until the file is saved. A part of the window, which clears it. Main thread.
 */
#pragma once

#include <gtk/gtk.h>

typedef struct {
  gboolean (*is_changed) (gpointer window);
  gboolean (*can_save) (gpointer window); /* TRUE if the changes may be saved; NULL: always */
  /* Begins to save and later calls loom_unsaved_changes_saved() or loom_unsaved_changes_stay(). FALSE: saving could
   * not begin. */
  gboolean (*save) (gpointer window);
  /* `path` NULL: a new file. `as_new`: as given to loom_unsaved_changes_open(). */
  void (*open) (gpointer window, const char *path, gboolean as_new);
} LoomUnsavedChangesKind;

typedef struct {
  const LoomUnsavedChangesKind *kind; /* static */
  GtkWindow *window;                  /* borrowed */
  GtkWindow *question;                /* weak */
  char *path;                         /* file to open after the question; NULL: a new file */
  gboolean as_new, closes;            /* `as_new` for open(); close the window after the question */
  gboolean goes_on;                   /* continue once the file is saved */
} LoomUnsavedChanges;

void loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind, GtkWindow *window);
/* May be called more than once. */
void loom_unsaved_changes_clear (LoomUnsavedChanges *self);

/* Calls open() at once if no changes would be lost, else asks first. */
void loom_unsaved_changes_open (LoomUnsavedChanges *self, const char *path, gboolean as_new);
/* For "close-request": returns TRUE when it asks; after the answer it destroys the window if that is allowed. */
gboolean loom_unsaved_changes_close (LoomUnsavedChanges *self);

/* Call when the file is saved: continues with the file to open or the close that waited. */
void loom_unsaved_changes_saved (LoomUnsavedChanges *self);
/* Cancels what waited for saving: the person saved by themselves, or saving failed. */
void loom_unsaved_changes_stay (LoomUnsavedChanges *self);
