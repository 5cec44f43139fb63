/* SPDX-License-Identifier: Apache-2.0
 *
 * The dialog that asks whether to save unsaved changes before they are lost, for example when the user closes a window.
 * Main thread only.
 */
#pragma once

#include "loom-alert-dialog.h"
#include "loom-unsaved-changes.h"

/* Shows a dialog over `window`; if the dialog is already open, presents it again. `question`: address of a variable
 * of the caller, initially NULL; it is set to the dialog as a weak pointer. `can_save`: TRUE if saving is possible.
 * `answered` is called with (window, response), where response is "cancel", "discard" or "save"; it must set the
 * variable to NULL. Called on the main thread. */
void loom_unsaved_changes_dialog_ask (LoomAlertDialog **question, GtkWindow *window, gboolean can_save,
                                      GCallback answered);

/* Initialises `changes`, which is a member of `window`. From now on, the dialog of this header asks the questions about
 * unsaved changes. When the user closes the window and its changes have been saved or discarded, the window is
 * destroyed. */
void loom_unsaved_changes_dialog_init (LoomUnsavedChanges *changes, const LoomUnsavedChangesKind *kind,
                                       GtkWindow *window);
