/* SPDX-License-Identifier: Apache-2.0
 *
 * The file dialogs of the system. Each exists until the user answers; if it is dismissed, no callback is called.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  LOOM_FILE_DIALOG_FOLDERS,
  LOOM_FILE_DIALOG_FILES,
  LOOM_FILE_DIALOG_JSON, /* a single file */
  LOOM_FILE_DIALOG_SQL,  /* a single file */
} LoomFileDialog;

/* `files` has at least one element and is borrowed. */
typedef void (*LoomFileDialogDone) (GFile **files, guint n_files, gpointer user_data);

/* `folder`: where the dialog begins; NULL: with recent files. `user_data` is a GObject; the dialog holds a reference until the
 * user answers. */
void loom_file_dialogs_open (GtkWindow *parent, LoomFileDialog what, const char *title, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);
/* `folder` may be NULL. */
void loom_file_dialogs_save (GtkWindow *parent, const char *title, const char *name, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);

/* A format that can be saved. */
typedef struct {
  const char *title;  /* marked for translation */
  const char *ending; /* ending of the file name, for example ".html" */
} LoomSaveFormat;

/* A further question in the same dialog: one of several answers. */
typedef struct {
  const char *label;
  const char *const *ids, *const *labels; /* NULL-terminated; the first answer is preselected */
} LoomSaveChoice;

typedef struct {
  const char *title, *stem;      /* title of the dialog; file name without its ending */
  const char *folder;            /* folder to begin in; NULL: any */
  const LoomSaveFormat *formats; /* static storage; the first format is preselected */
  guint n_formats;
  const LoomSaveChoice *choice; /* NULL: no further question */
} LoomSaveQuestion;

/* `path` has the ending of one of the formats; `choice` is the id of the answer, NULL if there was no further
 * question. Borrowed. */
typedef void (*LoomSavePlace) (const char *path, const char *choice, gpointer user_data);

/* Asks for a file name and a format. If adding the ending of the format changes the typed name, the user is asked again
 * before an existing file is replaced. `user_data` is a GObject, which the dialog references until the user answers. */
void loom_file_dialogs_save_as (GtkWindow *parent, const LoomSaveQuestion *question, LoomSavePlace chosen,
                                gpointer user_data);

/* Returns the path to write. A typed path with the ending of a format is kept. However, if the typed ending is that of
 * the proposed format and the user selected another format, the ending of the selected format is used. Owned. */
char *loom_file_dialogs_dup_path (const char *path, const LoomSaveFormat *formats, guint n_formats, guint format);
