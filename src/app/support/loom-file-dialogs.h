/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's file dialogs, each kept until it is answered. A dialog that is dismissed calls nobody.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_FILE_DIALOG_FOLDERS,
  LOOM_FILE_DIALOG_FILES,
  LOOM_FILE_DIALOG_JSON, /* one file */
} LoomFileDialog;

/* `files` has at least one and is borrowed. */
typedef void (*LoomFileDialogDone) (GFile **files, guint n_files, gpointer user_data);

/* `user_data` is an object; it is kept alive until the answer. */
void loom_file_dialogs_open (GtkWindow *parent, LoomFileDialog what, const char *title, LoomFileDialogDone chosen,
                             gpointer user_data);
/* `folder` may be NULL. */
void loom_file_dialogs_save (GtkWindow *parent, const char *title, const char *name, const char *folder,
                             LoomFileDialogDone chosen, gpointer user_data);

/* A kind of file that can be saved. */
typedef struct {
  const char *title;  /* marked for translation */
  const char *ending; /* ".html" */
} LoomSaveFormat;

/* What else is asked in the same dialog: one of several answers. */
typedef struct {
  const char *label;
  const char *const *ids, *const *labels; /* NULL-terminated; the first is proposed */
} LoomSaveChoice;

typedef struct {
  const char *title, *stem;      /* the name without its ending */
  const char *folder;            /* NULL: any */
  const LoomSaveFormat *formats; /* static; the first is proposed */
  guint n_formats;
  const LoomSaveChoice *choice; /* NULL: none */
} LoomSaveQuestion;

/* `path` ends as one of the formats does; `choice` is the id of the answer, NULL where nothing was asked. Borrowed. */
typedef void (*LoomSavePlace) (const char *path, const char *choice, gpointer user_data);

/* Asks for a place and a format; before another file than the one that was named is replaced, the person is asked too.
 * `user_data` is an object; it is kept alive until the answer. */
void loom_file_dialogs_save_as (GtkWindow *parent, const LoomSaveQuestion *question, LoomSavePlace chosen,
                                gpointer user_data);

/* The path to write: as named when it ends like one of the formats, unless that is the proposed one and another
 * (`format`) was chosen from the list; else with the ending of that. Owned. */
char *loom_file_dialogs_dup_path (const char *path, const LoomSaveFormat *formats, guint n_formats, guint format);

G_END_DECLS
