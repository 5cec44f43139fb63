/* SPDX-License-Identifier: Apache-2.0
 *
 * The system's file dialogs, each kept until it is answered. A dialog that is dismissed calls nobody.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
  LOOM_CHOOSE_FOLDERS,
  LOOM_CHOOSE_FILES,
} LoomChoose;

/* `files` has at least one and is borrowed. */
typedef void (*LoomChosen) (GFile **files, guint n_files, gpointer user_data);

/* `user_data` is an object; it is kept alive until the answer. */
void loom_choose_open (GtkWindow *parent, LoomChoose what, const char *title, LoomChosen chosen, gpointer user_data);
/* `folder` may be NULL. */
void loom_choose_save (GtkWindow *parent, const char *title, const char *name, const char *folder, LoomChosen chosen,
                       gpointer user_data);

G_END_DECLS
