/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog that asks for the name under which a query is saved in the session, or for the new name of a saved query.
 * Called on the main thread.
 */
#pragma once

#include "loom-saved-queries.h"

#include <gtk/gtk.h>

typedef void (*LoomQueryNameDialogFunc) (GtkWidget *owner);

/* Presents a dialog over the window of `owner` that saves `sql` under a name that the user types; `name` is proposed.
 * The dialog warns if an existing query would be replaced. Calls `done` after the query was saved; it is then the chosen
 * one of `saved`. Takes a reference to `owner`. Returns the dialog, borrowed. */
GtkWindow *loom_query_name_dialog_save (GtkWidget *owner, LoomSavedQueries *saved, const char *name, const char *sql,
                                        LoomQueryNameDialogFunc done);
/* Presents a dialog that renames the chosen query; it refuses the name of another query. Returns the dialog,
 * borrowed. */
GtkWindow *loom_query_name_dialog_rename (GtkWindow *parent, LoomSavedQueries *saved);
