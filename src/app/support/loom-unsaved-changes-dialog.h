/* SPDX-License-Identifier: Apache-2.0
 *
 * The question that is asked before what was changed and not saved would be lost.
 */
#pragma once

#include "loom-unsaved-changes.h"

#include <adwaita.h>

/* Presents the dialog over `window`, or the one that is already open. `question` points to where the caller keeps
 * the dialog weakly; NULL at first. `can_save`: the changes may be saved. `answered` is called swapped with (window,
 * response): "cancel", "discard" or "save"; it clears `question`. Main thread. */
void loom_unsaved_changes_dialog_ask (GtkWindow **question, GtkWindow *window, gboolean can_save, GCallback answered);

/* Initialises `changes`, a part of `window`, to ask with this dialog and to destroy the window when it may close. */
void loom_unsaved_changes_dialog_init (LoomUnsavedChanges *changes, const LoomUnsavedChangesKind *kind,
                                       GtkWindow *window);
