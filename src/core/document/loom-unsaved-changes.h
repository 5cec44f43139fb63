/* SPDX-License-Identifier: Apache-2.0
 *
 * Changes of an edited file that would be lost: opening another file and closing the editor wait until the user chose to
 * save, to discard or to cancel, and until the file is saved. A part of the editor. The question itself is asked by
 * loom_unsaved_changes_dialog_init(). Called on the main thread.
 */
#pragma once

#include <glib-object.h>

typedef struct {
  gboolean (*is_changed) (gpointer editor);
  gboolean (*can_save) (gpointer editor); /* TRUE if the changes may be saved; NULL: always */
  /* Begins to save and later calls loom_unsaved_changes_saved() or loom_unsaved_changes_stay(). FALSE: saving could
   * not begin. */
  gboolean (*save) (gpointer editor);
  /* Opens a file; `path` NULL: a new file. `as_new`: as given to loom_unsaved_changes_open(). */
  void (*open) (gpointer editor, const char *path, gboolean as_new);
} LoomUnsavedChangesKind;

typedef struct {
  /* Asks the user, and later calls loom_unsaved_changes_answer(). If it is called again while the question is open, it
   * presents the open question. */
  void (*ask) (gpointer editor, gboolean can_save);
  void (*close) (gpointer editor); /* closes the editor; its changes are saved, or may be lost */
} LoomUnsavedChangesQuestion;

typedef struct {
  const LoomUnsavedChangesKind *kind;         /* static; what the editor can do */
  const LoomUnsavedChangesQuestion *question; /* static; how the user is asked */
  gpointer editor;                            /* borrowed */
  gpointer dialog;                            /* weak pointer for `question`; NULL: no question is open */
  char *path;                                 /* file to open after the question; NULL: a new file */
  gboolean as_new, closes; /* `as_new`: argument of open(); `closes`: the editor is closed after the question */
  gboolean goes_on;        /* TRUE while the editor saves the file before it opens `path` or closes */
} LoomUnsavedChanges;

void loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind,
                                const LoomUnsavedChangesQuestion *question, gpointer editor);
/* Frees the contents. May be called several times. */
void loom_unsaved_changes_clear (LoomUnsavedChanges *self);

/* Calls open() at once if no changes would be lost, else asks first. */
void loom_unsaved_changes_open (LoomUnsavedChanges *self, const char *path, gboolean as_new);
/* Asks the user if changes would be lost, and returns TRUE: the editor must stay open, and is closed after the answer
 * unless the user cancels. Returns FALSE if it may close at once. */
gboolean loom_unsaved_changes_close (LoomUnsavedChanges *self);

/* Handles the answer of the user: "cancel", "discard" or "save". */
void loom_unsaved_changes_answer (LoomUnsavedChanges *self, const char *response);
/* Opens the file or closes the editor, if that waited until the file is saved. Call it when the file is saved. */
void loom_unsaved_changes_saved (LoomUnsavedChanges *self);
/* Cancels the opening or closing that waits until the file is saved. Call it if the user saved the file in another way, or
 * saving failed. */
void loom_unsaved_changes_stay (LoomUnsavedChanges *self);
