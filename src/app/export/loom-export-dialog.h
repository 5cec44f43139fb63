/* SPDX-License-Identifier: Apache-2.0
 *
 * A dialog to choose how to export the run: the range, the layout (file format), the file name and the folder. The
 * dialog itself writes no file.
 *
 * Signal: "chosen" (char *path) when all choices are made; the dialog then closes.
 */
#pragma once

#include "loom-export-choice.h"

#include <adwaita.h>

#define LOOM_TYPE_EXPORT_DIALOG (loom_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomExportDialog, loom_export_dialog, LOOM, EXPORT_DIALOG, AdwWindow)

/* Makes a dialog; takes ownership of `choice`. `folder`: the first folder of the file chooser; NULL for the default
 * folder. */
LoomExportDialog *loom_export_dialog_new (GtkWindow *parent, LoomExportChoice *choice, const char *folder);

/* Returns the current choices. Borrowed. */
const LoomExportChoice *loom_export_dialog_get_choice (LoomExportDialog *self);

/* For tests: the same effect as selecting `file` in the file chooser. */
void loom_export_dialog_choose (LoomExportDialog *self, GFile *file);
