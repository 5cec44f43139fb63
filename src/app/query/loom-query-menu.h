/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the menu of queries on the page Query. Below the commands of the page, the menu lists the queries that are
 * saved in the session, those of the user's files and those that come with the program. An item activates
 * "query.take-saved" (query of the session) or "query.take" (other query) with the name of the query. Called on the
 * main thread.
 */
#pragma once

#include "loom-saved-queries.h"

#include <gio/gio.h>

/* Fills the sections of the menu after the first one, which contains the commands. `named`: queries from
 * loom_query_library_list(). */
void loom_query_menu_fill (GMenu *menu, LoomSavedQueries *saved, const GPtrArray *named);
