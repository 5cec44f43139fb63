/* SPDX-License-Identifier: Apache-2.0
 *
 * The user guide in a separate window: the pages of data/help, which are part of the program. Pages that are missing in
 * the user's language are shown in English, from the folder C. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Shows the guide in a window of its own, which is destroyed with `parent` (NULL: it has no parent). There is only one
 * help window. */
void loom_help_window_present (GtkWindow *parent);

/* Returns the names of the pages, in their order; NULL-terminated, static. */
const char *const *loom_help_window_get_pages (void);

/* Returns the text of a page; NULL if there is no such page. Owned by the caller. */
char *loom_help_window_dup_page (const char *name);
