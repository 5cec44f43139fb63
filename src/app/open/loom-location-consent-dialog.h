/* SPDX-License-Identifier: Apache-2.0
 *
 * The question before files are downloaded from locations that a session file names. The author of the session chose the locations,
 * and a download reveals the person's address to their hosts.
 */
#pragma once

#include <adwaita.h>

typedef void (*LoomLocationAnswer) (gpointer data, gboolean may_fetch);

/* Shows the question over the window of `widget`. `answer` is called at most once, from the main loop; not at all when that window is
 * closed without an answer. `data` is freed by `free_data` in either case. `locations`: at least one, NULL-terminated. */
void loom_location_consent_dialog_ask (GtkWidget *widget, const char *const *locations, LoomLocationAnswer answer,
                                       gpointer data, GDestroyNotify free_data);
