/* SPDX-License-Identifier: Apache-2.0
 *
 * The call tree of the spans in the current range of the analysis. It is made for all CPU threads, one process or one
 * thread, and is top-down or bottom-up. While the page is visible, a worker thread computes the tree again after each
 * change; the previous tree is shown until then. Main thread only.
 *
 * Read-only properties: "tree" is a pointer to LoomCallTree, or NULL if no run is open; it is notified after each
 * computation. "summary" is a text with the range of the tree or the progress of the computation. "working" becomes
 * TRUE when the shown tree has been outdated for a short time. "choices" is notified when the list of processes and
 * threads has changed.
 *
 * Signal "spans-found": emitted after loom_span_tree_page_find_spans(). Parameters: a borrowed GArray of LoomSpanId,
 * and the total number of spans (guint64).
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-span-tree.h"

#define LOOM_TYPE_SPAN_TREE_PAGE (loom_span_tree_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomSpanTreePage, loom_span_tree_page, LOOM, SPAN_TREE_PAGE, GObject)

/* Makes the object for the call tree of an analysis. Takes a reference to `analysis`. No tree is computed until
 * loom_span_tree_page_set_wanted() is called with TRUE. */
LoomSpanTreePage *loom_span_tree_page_new (LoomAnalysisContext *analysis);

/* Sets whether the page is visible. The tree is computed only for a visible page. FALSE cancels a running
 * computation. */
void loom_span_tree_page_set_wanted (LoomSpanTreePage *self, gboolean wanted);

void loom_span_tree_page_set_direction (LoomSpanTreePage *self, LoomSpanTreeDirection direction);
LoomSpanTreeDirection loom_span_tree_page_get_direction (LoomSpanTreePage *self);

/* Sets whether the tree is made without the calls that only wait for a device. The initial value is FALSE. The member
 * LoomCallTree.omits_waits of the shown tree says whether that tree was made without these calls. */
void loom_span_tree_page_set_omits_waits (LoomSpanTreePage *self, gboolean omits);

/* Returns the names of the choices: all CPU threads, then each process and its threads. There are at most 2000.
 * NULL-terminated; borrowed until "choices" is notified. */
const char *const *loom_span_tree_page_get_choices (LoomSpanTreePage *self);
/* Selects the choice with this index in loom_span_tree_page_get_choices(); 0 is all CPU threads. Before the first call,
 * in a run with several ranks, the preferred rank is selected or, if the run lacks this rank, the first rank. If
 * several files contain the selected rank, the file with the most events is selected. In a run with at most one rank,
 * all CPU threads are selected. */
void loom_span_tree_page_choose (LoomSpanTreePage *self, guint choice);
/* Sets the preferred rank, which is selected until loom_span_tree_page_choose() is called. It is normally the rank
 * of the main finding. If `rank` is −1, or is not in the run, the first rank is selected. Notifies "choices" if the
 * selection changes. */
void loom_span_tree_page_prefer_rank (LoomSpanTreePage *self, gint rank);
guint loom_span_tree_page_get_chosen (LoomSpanTreePage *self);

/* Starts a worker thread that finds the spans of a node of the current tree, at most LOOM_SELECTED_MOST. Then
 * "spans-found" is emitted. */
void loom_span_tree_page_find_spans (LoomSpanTreePage *self, guint32 node);

LoomCallTree *loom_span_tree_page_get_tree (LoomSpanTreePage *self); /* borrowed; NULL if no run is open */
/* Returns a translated sentence that says why the tree is empty. Returns "" if the tree is not empty, or if no run
 * is open. Static. */
const char *loom_span_tree_page_get_missing (LoomSpanTreePage *self);
const char *loom_span_tree_page_get_summary (LoomSpanTreePage *self); /* borrowed; "" if no tree is shown */
gboolean loom_span_tree_page_is_working (LoomSpanTreePage *self);
/* Returns TRUE if the shown tree may be outdated, because the range or a setting of the page has changed since it
 * was computed. */
gboolean loom_span_tree_page_is_outdated (LoomSpanTreePage *self);
