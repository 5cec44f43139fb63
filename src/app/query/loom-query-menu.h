/* SPDX-License-Identifier: Apache-2.0
 *
 * Fills the menu of queries on the page Query. Below the commands of the page, the menu lists three groups of queries:
 * those saved in the session, those in the user's files, and those that come with the program. An item activates the
 * action "query.take-saved" (for a query of the session) or "query.take" (for other queries) with the name of the
 * query. Called on the main thread.
 */
#pragma once

#include "loom-saved-queries.h"

#include <gio/gio.h>

/* Fills all sections of the menu except the first one, which contains the commands. `named`: queries from
 * loom_query_library_list(). */
void loom_query_menu_fill (GMenu *menu, LoomSavedQueries *saved, const GPtrArray *named);
