/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog that asks for the name under which a query is saved in the session, or for the new name of a saved query.
 * Called on the main thread.
 */
#pragma once

#include "loom-saved-queries.h"

#include <gtk/gtk.h>

/* Presents a dialog that saves `sql` under a name that the user types; `name` is proposed. The dialog warns if an
 * existing query would be replaced. Returns the dialog, borrowed. */
GtkWindow *loom_query_name_dialog_save (GtkWindow *parent, LoomSavedQueries *saved, const char *name, const char *sql);
/* Presents a dialog that renames the chosen query; it refuses the name of another query. Returns the dialog,
 * borrowed. */
GtkWindow *loom_query_name_dialog_rename (GtkWindow *parent, LoomSavedQueries *saved);
