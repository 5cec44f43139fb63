/* SPDX-License-Identifier: Apache-2.0
 *
 * A row for one finding (the result of a rule) in a list: its severity, its sentence, its place on the timeline, an
 * expandable explanation, and a button to dismiss the finding with a note. Rules that found nothing have rows, too,
 * which cannot be dismissed. Activating an element of the explanation shows the element's place on the timeline. Called
 * on the main thread.
 *
 * Signals: "shows" before the finding or an element of its explanation is shown on the timeline; "explained" (gboolean)
 * when the explanation was expanded or collapsed.
 */
#pragma once

#include "loom-page-view.h"
#include "loom-run-state.h"

#define LOOM_TYPE_FINDING_ROW (loom_finding_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingRow, loom_finding_row, LOOM, FINDING_ROW, GtkListBoxRow)

/* Makes a row for a finding of the run; `finding` is its index in `findings`. Takes references. */
GtkWidget *loom_finding_row_new (LoomRunState *run, LoomFindings *findings, guint finding, LoomRenderContext *scene);
/* Makes a row for the preview of a rule in the rule editor, without buttons to dismiss the finding and to plan a
 * profile. `often`: text shown in place of the time of the finding, such as "3 of 40 windows are beyond the limit". */
GtkWidget *loom_finding_row_new_plain (LoomRunState *run, LoomFindings *findings, guint finding, const char *often,
                                       LoomRenderContext *scene);

const LoomFinding *loom_finding_row_get_finding (LoomFindingRow *self); /* returns a borrowed struct */
void loom_finding_row_set_explained (LoomFindingRow *self, gboolean explained);
/* Shows the finding on the timeline. */
void loom_finding_row_show (LoomFindingRow *self);
