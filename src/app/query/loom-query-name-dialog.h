/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog in which the user types the name under which a query is saved in the session, or the new name of a saved
 * query. Called on the main thread.
 */
#pragma once

#include "loom-saved-queries.h"

#include <gtk/gtk.h>

typedef void (*LoomQueryNameDialogFunc) (GtkWidget *owner);

/* Shows a dialog over the window of `owner`. The user types a name (`name` is proposed), and the dialog saves `sql`
 * under this name. It warns if an existing query would be replaced. After saving, the query is the chosen one in
 * `saved`, and `done` is called. Takes a reference to `owner`. Returns the dialog, borrowed. */
GtkWindow *loom_query_name_dialog_save (GtkWidget *owner, LoomSavedQueries *saved, const char *name, const char *sql,
                                        LoomQueryNameDialogFunc done);
/* Shows a dialog that renames the chosen query. It refuses a name that another query has. Returns the dialog,
 * borrowed. */
GtkWindow *loom_query_name_dialog_rename (GtkWindow *parent, LoomSavedQueries *saved);
