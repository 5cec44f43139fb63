/* SPDX-License-Identifier: Apache-2.0
 *
 * The queries that the user saved with a name in the session of a run, sorted by name. Also stores which of them is in
 * the editor. Main thread only.
 *
 * Signals: "changed" after queries were saved, renamed or removed, and after another query was chosen.
 */
#pragma once

#include <glib-object.h>

/* Maximum number of saved queries. The user chooses one from a list, which must not become too long. */
#define LOOM_SAVED_QUERIES_MOST 200

#define LOOM_TYPE_SAVED_QUERIES (loom_saved_queries_get_type ())
G_DECLARE_FINAL_TYPE (LoomSavedQueries, loom_saved_queries, LOOM, SAVED_QUERIES, GObject)

LoomSavedQueries *loom_saved_queries_new (void);

/* Saves a query under a name, and chooses it. Replaces a query that has this name. Blanks around the name are removed.
 * Returns FALSE if the name is empty, the query is longer than LOOM_QUERY_TEXT_BYTES, or there are too many queries. */
gboolean loom_saved_queries_save (LoomSavedQueries *self, const char *name, const char *sql);
/* Renames the chosen query. Returns FALSE if no query is chosen, the name is empty, or another query has the name. */
gboolean loom_saved_queries_rename (LoomSavedQueries *self, const char *name);
/* Removes the chosen query, if there is one. */
void loom_saved_queries_remove (LoomSavedQueries *self);
void loom_saved_queries_clear (LoomSavedQueries *self);

/* Chooses the query with this name. If `name` is NULL, or no query has this name, no query is chosen afterwards. */
void loom_saved_queries_choose (LoomSavedQueries *self, const char *name);
/* The names and texts that the functions below return are borrowed until "changed". */
/* returns the name of the chosen query; NULL: no query is chosen */
const char *loom_saved_queries_get_chosen (LoomSavedQueries *self);
/* Returns the text of the query with this name; NULL: no query has this name. */
const char *loom_saved_queries_find (LoomSavedQueries *self, const char *name);

guint loom_saved_queries_get_n (LoomSavedQueries *self);
const char *loom_saved_queries_get_name (LoomSavedQueries *self, guint query);
const char *loom_saved_queries_get_text (LoomSavedQueries *self, guint query);
