/* SPDX-License-Identifier: Apache-2.0
 *
 * The dialog that asks whether to save unsaved changes before they would be lost, for example because the window is
 * closed.
 */
#pragma once

#include "loom-alert-dialog.h"
#include "loom-unsaved-changes.h"

/* Presents a dialog over `window`; if one is open already, presents that one. `question`: points to a variable of the
 * caller, initially NULL, which is set to the dialog as a weak pointer. `can_save`: TRUE if saving is possible.
 * `answered` is called with (window, response), where response is "cancel", "discard" or "save"; it must set the
 * variable to NULL. Called on the main thread. */
void loom_unsaved_changes_dialog_ask (LoomAlertDialog **question, GtkWindow *window, gboolean can_save,
                                      GCallback answered);

/* Initialises `changes`, a member of `window`, to ask with this dialog, and to destroy the window when it may close. */
void loom_unsaved_changes_dialog_init (LoomUnsavedChanges *changes, const LoomUnsavedChangesKind *kind,
                                       GtkWindow *window);
