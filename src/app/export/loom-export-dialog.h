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

G_BEGIN_DECLS

#define LOOM_TYPE_EXPORT_DIALOG (loom_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (LoomExportDialog, loom_export_dialog, LOOM, EXPORT_DIALOG, AdwWindow)

typedef struct {
  const char *run_name; /* for the suggested file name */
  const char *folder;   /* to begin in; NULL */
  LoomRange visible;
  LoomRange selected;        /* empty: none */
  gboolean propose_selected; /* it is a range of its own, no span: probably it is meant */
  LoomSteps *steps;          /* NULL: none */
} LoomExportContext;

LoomExportDialog *loom_export_dialog_new (GtkWindow *parent, const LoomExportContext *context);

/* What was chosen so far; FALSE with a sentence in `problem` (owned) when the range is none. */
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
/* As if the file chooser had answered. */
void loom_export_dialog_choose (LoomExportDialog *self, GFile *file);

G_END_DECLS
