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
  /* Begins to save the file. When saving has ended, the editor calls loom_unsaved_changes_saved() or
   * loom_unsaved_changes_stay(). Returns FALSE if saving could not begin. */
  gboolean (*save) (gpointer editor);
  /* Opens a file; `path` NULL: a new file. `as_new`: as given to loom_unsaved_changes_open(). */
  void (*open) (gpointer editor, const char *path, gboolean as_new);
} LoomUnsavedChangesKind;

typedef struct {
  /* Presents a question to the user; the answer is passed to loom_unsaved_changes_answer(). If the question is open
   * already, presents it again. */
  void (*ask) (gpointer editor, gboolean can_save);
  void (*close) (gpointer editor); /* closes the editor; called when its changes are saved, or the user discards them */
} LoomUnsavedChangesQuestion;

typedef struct {
  const LoomUnsavedChangesKind *kind;         /* static; what the editor can do */
  const LoomUnsavedChangesQuestion *question; /* static; how the user is asked */
  gpointer editor;                            /* borrowed */
  /* for `question`: weak pointer to the open dialog; NULL: no question is open */
  gpointer dialog;
  char *path; /* file to open after the question; NULL: a new file */
  /* `as_new`: argument of open(); `closes`: TRUE: closes the editor after the question; FALSE: opens `path` */
  gboolean as_new, closes;
  gboolean goes_on; /* TRUE while the editor saves the file before it opens `path` or closes */
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
/* Must be called when the file was saved. Opens the other file or closes the editor, if the user had asked for that. */
void loom_unsaved_changes_saved (LoomUnsavedChanges *self);
/* Must be called if saving failed, or if the user saved the file in another way. The editor then does not open another
 * file or close, if the user had asked for that. */
void loom_unsaved_changes_stay (LoomUnsavedChanges *self);
