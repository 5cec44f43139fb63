/* SPDX-License-Identifier: Apache-2.0
 *
 * The menu of queries: those saved in the session, the user's files and those that come with the program, below the commands of
 * the page. Their items activate "query.take" and "query.take-saved" with the name. Called on the main thread.
 */
#pragma once

#include "loom-saved-queries.h"

#include <gio/gio.h>

/* Fills the sections of the menu after the first one. `named`: queries from loom_query_library_list(). */
void loom_query_menu_fill (GMenu *menu, LoomSavedQueries *saved, const GPtrArray *named);
