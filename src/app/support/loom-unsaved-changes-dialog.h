/* SPDX-License-Identifier: Apache-2.0
 *
 * The question that is asked before what was changed and not saved would be lost.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Shows it over the window that edits, or the one that stands there already. `question`: where that is kept, weakly; NULL at first.
 * `can_save`: whether there is something that may be saved. `answered` (window, response), swapped: "cancel", "discard" or
 * "save"; it clears `question`. Main thread. */
void loom_unsaved_changes_dialog_ask (GtkWindow **question, GtkWindow *window, gboolean can_save, GCallback answered);

G_END_DECLS
