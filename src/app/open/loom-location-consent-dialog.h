/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog that asks the user before files are downloaded from remote locations that a session file contains. The
 * author of the session chose these locations, and a download reveals the user's IP address to their hosts.
 */
#pragma once

#include <adwaita.h>

typedef void (*LoomLocationAnswer) (gpointer data, gboolean may_fetch);

/* Presents the question over the window of `widget`. `answer` is called at most once, from the main loop, but not if
 * the window is closed without an answer. `free_data` is called with `data` in any case. `locations` is NULL-terminated
 * and has at least one element. */
void loom_location_consent_dialog_ask (GtkWidget *widget, const char *const *locations, LoomLocationAnswer answer,
                                       gpointer data, GDestroyNotify free_data);
