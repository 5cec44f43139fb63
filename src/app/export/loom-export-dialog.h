/* SPDX-License-Identifier: Apache-2.0
 *
 * Asks what to write: which range, in which layout, under what name; then where. It writes nothing itself. The name says
 * whether the file is compressed, and the switch says what the name says: either follows the other.
 *
 * Signal: "chosen" (char *path): options and path are settled, the dialog closes.
 */
#pragma once

#include "loom-steps.h"
#include "loom-trace-export.h"

#include <adwaita.h>

#define LOOM_TYPE_EXPORT_DIALOG (loom_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomExportDialog, loom_export_dialog, LOOM, EXPORT_DIALOG, AdwWindow)

typedef struct {
  const char *run_name; /* for the suggested file name */
  const char *folder;   /* folder to begin in; NULL: any */
  LoomRange visible;
  LoomRange selected;        /* selected range; empty: none */
  gboolean propose_selected; /* suggest the selected range, because the person selected a range and not a span */
  LoomSteps *steps;          /* NULL: none */
} LoomExportContext;

LoomExportDialog *loom_export_dialog_new (GtkWindow *parent, const LoomExportContext *context);

/* Sets the options from the dialog; FALSE with a sentence in `problem` (owned) when the range is invalid. */
gboolean loom_export_dialog_get_options (LoomExportDialog *self, LoomExportOptions *options, char **problem);

typedef enum {
  LOOM_EXPORT_ALL,
  LOOM_EXPORT_VISIBLE,
  LOOM_EXPORT_SELECTED,
  LOOM_EXPORT_STEPS,
} LoomExportRange;

/* For tests. */
void loom_export_dialog_set_range (LoomExportDialog *self, LoomExportRange range);
void loom_export_dialog_set_steps (LoomExportDialog *self, gint64 first, gint64 last);
void loom_export_dialog_set_layout (LoomExportDialog *self, LoomExportLayout layout);
GtkEditable *loom_export_dialog_get_name (LoomExportDialog *self);
GtkSwitch *loom_export_dialog_get_compress (LoomExportDialog *self);
/* Acts as if the person had chosen `file` in the file chooser. */
void loom_export_dialog_choose (LoomExportDialog *self, GFile *file);
