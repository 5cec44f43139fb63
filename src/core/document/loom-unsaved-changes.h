/* SPDX-License-Identifier: Apache-2.0
 *
 * Protects unsaved changes in an editor of a file: opening another file or closing the editor waits until the user has
 * chosen to save, to discard or to cancel, and until the file is saved. LoomUnsavedChanges is a member of the editor's
 * struct. The dialog that asks the user is connected with loom_unsaved_changes_dialog_init(). Called on the main
 * thread.
 */
#pragma once

#include <glib-object.h>

typedef struct {
  gboolean (*is_changed) (gpointer editor);
  /* returns TRUE if the changes may be saved; NULL: the changes may always be saved */
  gboolean (*can_save) (gpointer editor);
  /* Begins to save the file. When saving has ended, the editor calls loom_unsaved_changes_saved() or
   * loom_unsaved_changes_stay(). Returns FALSE if saving could not begin. */
  gboolean (*save) (gpointer editor);
  /* Opens the file `path`; NULL: a new file. `as_new`: the editor shows the content of `path`, but saves it as another,
   * new file. */
  void (*open) (gpointer editor, const char *path, gboolean as_new);
} LoomUnsavedChangesKind;

typedef struct {
  /* Asks the user whether to save the changes, or presents this question again if it is open already. The answer is
   * passed to loom_unsaved_changes_answer(). `can_save`: FALSE if the changes may not be saved. */
  void (*ask) (gpointer editor, gboolean can_save);
  /* closes the editor; called when its changes are saved, or when the user discards them */
  void (*close) (gpointer editor);
} LoomUnsavedChangesQuestion;

typedef struct {
  const LoomUnsavedChangesKind *kind;         /* the functions of the editor; static */
  const LoomUnsavedChangesQuestion *question; /* the functions that ask the user; static */
  gpointer editor;                            /* passed to the functions in `kind`; borrowed */
  /* used by `question`: weak pointer to the open dialog; NULL: no question is open */
  gpointer dialog;
  char *path; /* file to open after the question; NULL: a new file */
  /* `as_new`: passed to open() when `path` is opened; `closes`: TRUE if the editor closes after the question; FALSE if
   * it opens `path` */
  gboolean as_new, closes;
  gboolean goes_on; /* TRUE while the editor saves the file before it opens `path` or closes */
} LoomUnsavedChanges;

void loom_unsaved_changes_init (LoomUnsavedChanges *self, const LoomUnsavedChangesKind *kind,
                                const LoomUnsavedChangesQuestion *question, gpointer editor);
/* Frees the contents. May be called several times. */
void loom_unsaved_changes_clear (LoomUnsavedChanges *self);

/* If the editor has no unsaved changes, calls open() at once; otherwise first asks the user whether to save them. */
void loom_unsaved_changes_open (LoomUnsavedChanges *self, const char *path, gboolean as_new);
/* If the editor has no unsaved changes, returns FALSE: the editor may close at once. Otherwise asks the user whether to
 * save them, and returns TRUE: the editor must stay open; after the answer it is closed, unless the user cancels. */
gboolean loom_unsaved_changes_close (LoomUnsavedChanges *self);

/* Handles the answer of the user: "cancel", "discard" or "save". */
void loom_unsaved_changes_answer (LoomUnsavedChanges *self, const char *response);
/* Must be called when the file was saved. If the user had asked to open another file or to close the editor, does so
 * now. */
void loom_unsaved_changes_saved (LoomUnsavedChanges *self);
/* Must be called if saving failed, and when the user starts to save with a command of the editor instead of answering
 * the question. If the user had asked to open another file or to close the editor, this request is dropped. */
void loom_unsaved_changes_stay (LoomUnsavedChanges *self);
