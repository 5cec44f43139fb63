/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel of what the rules found: by time lost, dismissed ones apart, what found nothing below. It is filled when a load
 * has ended, and again when a person asks for the range chosen now. Main thread.
 *
 * A finding, or an element of its explanation, that is activated is shown on the timeline. Signal: "close".
 */
#pragma once

#include "loom-finding-row.h"
#include "loom-run-state.h"

#define LOOM_TYPE_FINDINGS_PANEL (loom_findings_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingsPanel, loom_findings_panel, LOOM, FINDINGS_PANEL, GtkWidget)

GtkWidget *loom_findings_panel_new (LoomRunState *run, LoomRenderContext *scene);

/* Call when the whole run is loaded: evaluates it, unless the run is very large. */
void loom_findings_panel_loaded (LoomFindingsPanel *self);
/* Evaluates the range that is chosen now. */
void loom_findings_panel_evaluate (LoomFindingsPanel *self);

gboolean loom_findings_panel_is_working (LoomFindingsPanel *self);
LoomFindings *loom_findings_panel_get_findings (LoomFindingsPanel *self); /* borrowed; NULL: not evaluated */

/* Adds a rule file as if a person had chosen it; a file that is used already is only read again. */
void loom_findings_panel_add_rules (LoomFindingsPanel *self, const char *path);

/* The row of a rule's finding, NULL: none; the notes about rule files; the text of the empty state, "" when there
 * are findings. For tests. */
LoomFindingRow *loom_findings_panel_find_row (LoomFindingsPanel *self, const char *rule);
const char *loom_findings_panel_get_notes (LoomFindingsPanel *self);
const char *loom_findings_panel_get_empty (LoomFindingsPanel *self);
