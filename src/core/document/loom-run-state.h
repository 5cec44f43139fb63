/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of an open run: the document, and its view, the animator of the view, the analysis and the page below the timeline,
 * which the run state creates and owns. Widgets show it and change it; a session is made from it. Main thread only.
 *
 * Property: "page", the name of the page that shows below the timeline; NULL before one does.
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-document.h"

G_BEGIN_DECLS

#define LOOM_TYPE_RUN_STATE (loom_run_state_get_type ())
G_DECLARE_FINAL_TYPE (LoomRunState, loom_run_state, LOOM, RUN_STATE, GObject)

/* Takes a reference to the document. The view has no timeline yet. */
LoomRunState *loom_run_state_new (LoomDocument *document);

/* Borrowed. */
LoomDocument *loom_run_state_get_document (LoomRunState *state);
LoomAnalysisContext *loom_run_state_get_analysis (LoomRunState *state);
LoomTimelineState *loom_run_state_get_view (LoomRunState *state);
LoomViewAnimator *loom_run_state_get_flight (LoomRunState *state);
LoomRunRules *loom_run_state_get_rules (LoomRunState *state);

/* Names of the pages that can be shown, NULL-terminated, copied; none at first. They come and go with what the run has. */
void loom_run_state_set_pages (LoomRunState *state, const char *const *names);
gboolean loom_run_state_has_page (LoomRunState *state, const char *name);
void loom_run_state_set_page (LoomRunState *state, const char *name);
const char *loom_run_state_get_page (LoomRunState *state); /* borrowed until it changes */

G_END_DECLS
