/* SPDX-License-Identifier: Apache-2.0
 *
 * The panels below the timeline, one of them seen: tabs to choose it by, and what each says wired to the timeline and the document.
 * All but the selection and the findings are made when they are looked at, or asked for. Hidden and shown as a whole by who is in it
 * (its button that closes, a run of nothing but profiles) and by "visible". Main thread.
 */
#pragma once

#include "loom-analysis.h"
#include "loom-clocks-panel.h"
#include "loom-document.h"
#include "loom-events-panel.h"
#include "loom-findings-panel.h"
#include "loom-found-panel.h"
#include "loom-python-panel.h"
#include "loom-search-bar.h"
#include "loom-timeline-view.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_PANELS (loom_panels_get_type ())
G_DECLARE_FINAL_TYPE (LoomPanels, loom_panels, LOOM, PANELS, GtkBox)

/* The timeline they stand below and the search in it, which live as long. Once, then the document, once. */
void loom_panels_set_view (LoomPanels *panels, LoomTimelineView *timeline, LoomSearchBar *search);
void loom_panels_set_document (LoomPanels *panels, LoomDocument *document);
/* NULL: none; without an extent nothing of it has times. */
void loom_panels_set_timeline (LoomPanels *panels, LoomTimeline *timeline, gboolean has_extent);
/* Call after other sources are shown. */
void loom_panels_sources_changed (LoomPanels *panels);

/* Call after sources are called something else. */
void loom_panels_names_changed (LoomPanels *panels);

/* Pages by name: "selection", "found" while the search is open, "events", "findings", those of loom_pages_get(), "clocks", "python". */
GtkStack *loom_panels_get_stack (LoomPanels *panels);
/* The panel that is seen. Borrowed, as are: */
GtkWidget *loom_panels_get_seen (LoomPanels *panels);
LoomAnalysis *loom_panels_get_analysis (LoomPanels *panels);
LoomFindingsPanel *loom_panels_get_findings (LoomPanels *panels);
LoomFoundPanel *loom_panels_get_found (LoomPanels *panels);
LoomEventsPanel *loom_panels_get_events (LoomPanels *panels);
LoomClocksPanel *loom_panels_get_clocks (LoomPanels *panels);
LoomPythonPanel *loom_panels_get_python (LoomPanels *panels);

/* From where on something counts, and whether bottlenecks are marked on the timeline. */
void loom_panels_set_thresholds (LoomPanels *panels, LoomThresholds thresholds);
void loom_panels_set_bottleneck_marks (LoomPanels *panels, gboolean show);

G_END_DECLS
