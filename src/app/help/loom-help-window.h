/* SPDX-License-Identifier: Apache-2.0
 *
 * The user guide in a separate window. The pages of data/help are compiled into the program. Pages that do not exist in
 * the user's language are shown in English, from the folder C. Called on the main thread.
 */
#pragma once

#include <adwaita.h>

/* Shows the user guide in a separate window, which is destroyed with `parent` (may be NULL). If the window exists,
 * presents it again. Shows the page about `place` (loom-help-topic.h); if there is none, the page that was shown before
 * or, in a new window, the first page. */
void loom_help_window_present (GtkWindow *parent, const char *place);

/* Returns the names of the pages of the user guide, in the order of the list; NULL-terminated, static. */
const char *const *loom_help_window_get_pages (void);

/* Returns the text of a page of the user guide; NULL if there is no page with this name. Owned by the caller. */
char *loom_help_window_dup_page (const char *name);
