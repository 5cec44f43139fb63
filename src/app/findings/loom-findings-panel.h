/* SPDX-License-Identifier: Apache-2.0
 *
 * The panel of the findings of a run: by time lost, dismissed ones apart, the rules that found nothing below. A finding, or an
 * element of its explanation, that is activated is shown on the timeline. Main thread.
 */
#pragma once

#include "loom-render-context.h"
#include "loom-run-state.h"

#include <gtk/gtk.h>

#define LOOM_TYPE_FINDINGS_PANEL (loom_findings_panel_get_type ())
G_DECLARE_FINAL_TYPE (LoomFindingsPanel, loom_findings_panel, LOOM, FINDINGS_PANEL, GtkBox)

GtkWidget *loom_findings_panel_new (LoomRunState *run, LoomRenderContext *scene);
