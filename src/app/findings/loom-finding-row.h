/* SPDX-License-Identifier: Apache-2.0
 *
 * A finding in a list: how severe, the sentence, where; folded away what is behind it; a way to dismiss it with a note.
 * What did not find anything is a row too, without that way. Main thread.
 *
 * Signals: "dismissed" (const char *note, "" none); "restored"; "place-activated" (guint block, guint element) of the
 * explanation's sheet; "explained" (gboolean) when it was folded out or in.
 */
#pragma once

#include "loom-findings.h"
#include "loom-page-view.h"

#define LOOM_TYPE_FINDING_ROW (loom_finding_row_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingRow, loom_finding_row, LOOM, FINDING_ROW, GtkListBoxRow)

/* Makes a row for a finding that is borrowed from `findings`, of which a reference is kept. `when`: its range, "1.2
 * s from +3 s", may be "". `note`: why it was dismissed, NULL if it was not. */
GtkWidget *loom_finding_row_new (LoomFindings *findings, guint finding, const char *when, const char *note,
                                 LoomRenderContext *scene);

/* Makes a row for a rule that is being tried, which cannot be dismissed or planned for; `often` replaces the range. */
GtkWidget *loom_finding_row_new_plain (LoomFindings *findings, guint finding, const char *often,
                                       LoomRenderContext *scene);

const LoomFinding *loom_finding_row_get_finding (LoomFindingRow *self);
void loom_finding_row_set_explained (LoomFindingRow *self, gboolean explained);
/* The page with the explanation; NULL until the finding was first explained. */
LoomPageView *loom_finding_row_get_view (LoomFindingRow *self);
/* Dismisses the finding as if a person had typed the note and pressed the button. */
void loom_finding_row_dismiss (LoomFindingRow *self, const char *note);
