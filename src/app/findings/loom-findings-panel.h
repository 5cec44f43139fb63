/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel with the findings of a run, which are the results of the profiler rules. Findings are sorted by lost time.
 * Below them are a list of dismissed findings and a list of the rules that found nothing. Activating a finding or an
 * element of its explanation shows it on the timeline. Called on the main thread.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_FINDINGS_PANEL (loom_findings_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingsPanel, loom_findings_panel, LOOM, FINDINGS_PANEL, GtkBox)

GtkWidget *loom_findings_panel_new (LoomRunState *run, LoomRenderContext *scene);
