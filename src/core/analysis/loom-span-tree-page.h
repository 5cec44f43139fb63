/* SPDX-License-Identifier: Apache-2.0
 *
 * The call tree of the spans in the current range of the analysis: for all CPU threads, one process or one thread,
 * top-down or bottom-up. While the page is wanted, a worker computes the tree again after each change; until then the
 * previous tree stays. Main thread only.
 *
 * Read-only properties: "tree" (pointer to LoomCallTree; NULL: no run is open), notified after each computation;
 * "summary", a text with the range of the tree or the progress of the computation; "working", TRUE when the shown tree
 * has been outdated for a short time; "choices", notified when the list of processes and threads has changed. Signal
 * "spans-found" (GArray of LoomSpanId, borrowed; guint64 total number of spans) after loom_span_tree_page_find_spans().
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-span-tree.h"

#define LOOM_TYPE_SPAN_TREE_PAGE (loom_span_tree_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomSpanTreePage, loom_span_tree_page, LOOM, SPAN_TREE_PAGE, GObject)

/* Makes the object for the tree of spans of an analysis. Takes a reference to `analysis`. Computes nothing until
 * loom_span_tree_page_set_wanted() is called with TRUE. */
LoomSpanTreePage *loom_span_tree_page_new (LoomAnalysisContext *analysis);

/* Sets whether the page is visible and so must be computed. FALSE cancels a running computation. */
void loom_span_tree_page_set_wanted (LoomSpanTreePage *self, gboolean wanted);

void loom_span_tree_page_set_direction (LoomSpanTreePage *self, LoomSpanTreeDirection direction);
LoomSpanTreeDirection loom_span_tree_page_get_direction (LoomSpanTreePage *self);

/* Sets whether calls that only wait for a device are omitted from the tree. FALSE at first.
 * LoomCallTree.omits_waits of the shown tree says whether it omits them. */
void loom_span_tree_page_set_omits_waits (LoomSpanTreePage *self, gboolean omits);

/* Returns the names of the choices: all CPU threads, then each process and its threads, at most 2000. NULL-terminated;
 * borrowed until "choices" is notified. */
const char *const *loom_span_tree_page_get_choices (LoomSpanTreePage *self);
/* Selects the choice at this index of loom_span_tree_page_get_choices(); 0: all CPU threads. Until the first call, the
 * preferred rank or else the first rank is selected, in the file with most of its events; in a run without several
 * ranks, all CPU threads are selected. */
void loom_span_tree_page_choose (LoomSpanTreePage *self, guint choice);
/* Sets the rank that is selected until loom_span_tree_page_choose() is called, normally the rank of the main finding;
 * −1, or a rank that the run does not have: the first rank is selected. Notifies "choices" if this changes the
 * selection. */
void loom_span_tree_page_prefer_rank (LoomSpanTreePage *self, gint rank);
guint loom_span_tree_page_get_chosen (LoomSpanTreePage *self);

/* Searches in a worker for the spans of a node of the current tree, at most LOOM_SELECTED_MOST, and then emits
 * "spans-found". */
void loom_span_tree_page_find_spans (LoomSpanTreePage *self, guint32 node);

LoomCallTree *loom_span_tree_page_get_tree (LoomSpanTreePage *self); /* borrowed; NULL: no run is open */
/* Returns a translated sentence that says why the tree is empty; "" if the tree is not empty, or if no run is open.
 * Static. */
const char *loom_span_tree_page_get_missing (LoomSpanTreePage *self);
const char *loom_span_tree_page_get_summary (LoomSpanTreePage *self); /* borrowed; "": no tree is shown */
gboolean loom_span_tree_page_is_working (LoomSpanTreePage *self);
/* Returns TRUE if the shown tree may be outdated, because a setting of the page or the range has changed since it was
 * computed. */
gboolean loom_span_tree_page_is_outdated (LoomSpanTreePage *self);
