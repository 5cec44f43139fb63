/* SPDX-License-Identifier: Apache-2.0
 *
 * Protects unsaved changes in an editor of a file. Before another file is opened or the editor is closed, the user must
 * choose to save, to discard or to cancel; if the user chooses to save, the file must first be saved.
 * LoomUnsavedChanges is a member of the struct of the editor. loom_unsaved_changes_dialog_init() connects the dialog
 * with the question. Called on the main thread.
 */
#pragma once

#include <glib-object.h>

typedef struct {
  gboolean (*is_changed) (gpointer editor);
  /* Returns TRUE if the changes may be saved. If the changes may always be saved, the member `can_save` is NULL. */
  gboolean (*can_save) (gpointer editor);
  /* Starts to save the file. When this has ended, the editor must call loom_unsaved_changes_saved() or
   * loom_unsaved_changes_stay(). Returns FALSE if saving could not be started. */
  gboolean (*save) (gpointer editor);
  /* Opens the file `path`; NULL for a new file. `as_new`: TRUE if the editor shows the content of `path`, but will
   * save it as a new file. */
  void (*open) (gpointer editor, const char *path, gboolean as_new);
} LoomUnsavedChangesKind;

typedef struct {
  /* Shows the question whether to save the changes. If the question is already open, brings it to the front. The
   * answer must be passed to loom_unsaved_changes_answer(). `can_save`: FALSE if the changes may not be saved. */
  void (*ask) (gpointer editor, gboolean can_save);
  /* Closes the editor. Called when the changes were saved, or when the user chose to discard them. */
  void (*close) (gpointer editor);
} LoomUnsavedChangesQuestion;

typedef struct {
  const LoomUnsavedChangesKind *kind;         /* functions of the editor; static */
  const LoomUnsavedChangesQuestion *question; /* functions that show the question and close the editor; static */
  gpointer editor;                            /* parameter of the functions in `kind` and `question`; borrowed */
  /* weak pointer to the dialog with the question, used by `question`; NULL if the dialog is not open */
  gpointer dialog;
  char *path; /* file to open after the answer; NULL for a new file */
  /* `as_new`: parameter of open() for `path`. `closes`: TRUE if the editor is closed after the answer; FALSE if the
   * editor opens `path` instead. */
  gboolean as_new, closes;
  gboolean goes_on; /* TRUE while the editor saves the file and then opens `path` or closes */
} LoomUnsavedChanges;

void loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind,
                                const LoomUnsavedChangesQuestion *question, gpointer editor);
/* Frees the members. May be called several times. */
void loom_unsaved_changes_clear (LoomUnsavedChanges *self);

/* If the editor has no unsaved changes, calls open() at once. If the editor has unsaved changes, first shows the
 * question whether to save them. */
void loom_unsaved_changes_open (LoomUnsavedChanges *self, const char *path, gboolean as_new);
/* If the editor has no unsaved changes, returns FALSE, and the editor may close at once. If the editor has unsaved
 * changes, shows the question whether to save them, and returns TRUE. The editor must then stay open; it is closed
 * after the answer, unless the user cancels. */
gboolean loom_unsaved_changes_close (LoomUnsavedChanges *self);

/* Handles the user's answer, which is "cancel", "discard" or "save". */
void loom_unsaved_changes_answer (LoomUnsavedChanges *self, const char *response);
/* Must be called when the file has been saved. If the user wanted to open another file or to close the editor, the
 * function now does so. */
void loom_unsaved_changes_saved (LoomUnsavedChanges *self);
/* Must be called if saving failed. Must also be called if the user did not answer the question but used the editor's
 * own command to save. If the user wanted to open another file or close the editor, this wish is dropped. */
void loom_unsaved_changes_stay (LoomUnsavedChanges *self);
