/* SPDX-License-Identifier: Apache-2.0
 *
 * The file dialogs of the system. Each exists until the user answers; if it is dismissed, no callback is called.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  LOOM_FILE_DIALOG_FOLDERS,
  LOOM_FILE_DIALOG_FILES,
  LOOM_FILE_DIALOG_JSON, /* a single JSON file */
  LOOM_FILE_DIALOG_SQL,  /* a single file with SQL */
} LoomFileDialog;

/* Called with the files that the user chose, at least one; they are borrowed. */
typedef void (*LoomFileDialogDone) (GFile **files, guint n_files, gpointer user_data);

/* Asks for files to open. `folder`: where the dialog starts; NULL: with recent files. `user_data` must be a GObject;
 * the dialog references it until the user answers. */
void loom_file_dialogs_open (GtkWindow *parent, LoomFileDialog what, const char *title, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);
/* Asks for the name of a file to save; `folder` may be NULL. `user_data` must be a GObject; the dialog references it
 * until the user answers. */
void loom_file_dialogs_save (GtkWindow *parent, const char *title, const char *name, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);

/* A format in which a file can be saved. */
typedef struct {
  const char *title;  /* name of the format for the user, marked for translation */
  const char *ending; /* ending of the file name, for example ".html" */
} LoomSaveFormat;

/* A further question in the save dialog, with several answers to choose from. */
typedef struct {
  const char *label;
  /* ids and labels of the answers, NULL-terminated; the first answer is preselected */
  const char *const *ids, *const *labels;
} LoomSaveChoice;

typedef struct {
  const char *title, *stem;      /* `title`: title of the dialog; `stem`: proposed file name without its ending */
  const char *folder;            /* folder in which the dialog starts; NULL: the dialog chooses it */
  const LoomSaveFormat *formats; /* the formats, in static storage; the first one is preselected */
  guint n_formats;
  const LoomSaveChoice *choice; /* a further question in the dialog; NULL: the dialog asks only for name and format */
} LoomSaveQuestion;

/* Called when the user has chosen a path, which has the ending of one of the formats. `choice`: id of the chosen
 * answer; NULL if there was no further question. Borrowed. */
typedef void (*LoomSavePlace) (const char *path, const char *choice, gpointer user_data);

/* Asks for a file name and a format. If the dialog adds an ending to the typed name, and a file with the resulting name
 * exists, the dialog asks again before the file is replaced. `user_data` must be a GObject, to which the dialog holds a
 * reference until the user answers. */
void loom_file_dialogs_save_as (GtkWindow *parent, const LoomSaveQuestion *question, LoomSavePlace chosen,
                                gpointer user_data);

/* Returns the path to write. A typed path with the ending of a format is kept, with one exception: if it has the
 * ending of the proposed format, and the user selected another format, the path gets the ending of the selected
 * format. Owned. */
char *loom_file_dialogs_dup_path (const char *path, const LoomSaveFormat *formats, guint n_formats, guint format);
