/* SPDX-License-Identifier: Apache-2.0
 *
 * The file dialogs of the system. A dialog exists until the user answers or dismisses it; if it is dismissed, no
 * callback is called. Main thread only.
 */
#pragma once

#include <gtk/gtk.h>

typedef enum {
  LOOM_FILE_DIALOG_FOLDERS,
  LOOM_FILE_DIALOG_FILES,
  LOOM_FILE_DIALOG_JSON, /* a single JSON file */
  LOOM_FILE_DIALOG_SQL,  /* a single file with SQL */
} LoomFileDialog;

/* Called with the files that the user chose. There is at least one file. The array is borrowed. */
typedef void (*LoomFileDialogDone) (GFile **files, guint n_files, gpointer user_data);

/* Shows a dialog to choose files. `folder`: the first folder of the dialog; NULL for the list of recent files.
 * `user_data` must be a GObject; the dialog holds a reference to it until the user answers. */
void loom_file_dialogs_open (GtkWindow *parent, LoomFileDialog what, const char *title, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);
/* Shows a dialog to choose the name of a file to save. `folder`: the first folder of the dialog; may be NULL.
 * `user_data` must be a GObject; the dialog holds a reference to it until the user answers. */
void loom_file_dialogs_save (GtkWindow *parent, const char *title, const char *name, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);

/* A format in which a file can be saved. */
typedef struct {
  const char *title;  /* name of the format for the user, marked for translation */
  const char *ending; /* ending of the file name, for example ".html" */
} LoomSaveFormat;

/* An additional question in the save dialog; the user chooses one of several answers. */
typedef struct {
  const char *label;
  /* ids and labels of the answers, NULL-terminated; the first answer is selected by default */
  const char *const *ids, *const *labels;
} LoomSaveChoice;

typedef struct {
  const char *title, *stem;      /* `title`: title of the dialog. `stem`: proposed file name without its ending. */
  const char *folder;            /* first folder of the dialog; NULL if the dialog uses its default folder */
  const LoomSaveFormat *formats; /* the formats, in static storage; the first format is selected by default */
  guint n_formats;
  /* an additional question in the dialog; NULL if the user chooses only a name and a format */
  const LoomSaveChoice *choice;
} LoomSaveQuestion;

/* Called when the user has chosen a path. The path has the ending of one of the formats. `choice`: id of the chosen
 * answer; NULL if the dialog has no additional question. Both texts are borrowed. */
typedef void (*LoomSavePlace) (const char *path, const char *choice, gpointer user_data);

/* Shows a dialog to choose a file name and a format. The dialog may add an ending to the typed name. If a file with
 * the resulting name exists, the user is asked before it is replaced. `user_data` must be a GObject; the dialog
 * holds a reference to it until the user answers. */
void loom_file_dialogs_save_as (GtkWindow *parent, const LoomSaveQuestion *question, LoomSavePlace chosen,
                                gpointer user_data);

/* Returns the path to write. If the typed path has the ending of no format, adds the ending of the selected format. If
 * it has the ending of the first format, and another format is selected, replaces this ending by that of the selected
 * format. In all other cases, returns the typed path. Owned by the caller. */
char *loom_file_dialogs_dup_path (const char *path, const LoomSaveFormat *formats, guint n_formats, guint format);
