/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog that asks the user before files are downloaded from remote locations in a session file. Consent is needed
 * because the author of the session chose the locations, and a download reveals the user's IP address to the hosts of
 * these locations.
 */
#pragma once

#include <adwaita.h>

typedef void (*LoomLocationAnswer) (gpointer data, gboolean may_fetch);

/* Shows the question over the window of `widget`. `answer` is called from the main loop with the user's answer; it is
 * not called if the window is closed without an answer. Whether `answer` is called or not, `free_data` is called with
 * `data`. `locations` is NULL-terminated and has at least one element. */
void loom_location_consent_dialog_ask (GtkWidget *widget, const char *const *locations, LoomLocationAnswer answer,
                                       gpointer data, GDestroyNotify free_data);
