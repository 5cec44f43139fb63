/* SPDX-License-Identifier: Apache-2.0
 *
 * The call tree of the spans in the range that the analysis is about: of all CPU threads, of a process, or of a thread; top-down
 * or bottom-up. While the page is wanted a worker computes it again whenever the question changes; the previous tree stays until
 * then. Main thread only.
 *
 * Properties, read-only: "tree" (pointer to LoomCallTree, NULL: no run is open), notified with each answer; "summary", of which
 * range it is, or how far the work is; "working", TRUE once the shown tree has been outdated for a moment; "choices", notified
 * when there are other threads to choose from. Signal "spans-found" (GArray of LoomSpanId, borrowed; guint64 how many there are in
 * all) after loom_span_tree_page_find_spans().
 */
#pragma once

#include "loom-analysis-context.h"
#include "loom-span-tree.h"

#define LOOM_TYPE_SPAN_TREE_PAGE (loom_span_tree_page_get_type ())
G_DECLARE_FINAL_TYPE (LoomSpanTreePage, loom_span_tree_page, LOOM, SPAN_TREE_PAGE, GObject)

/* Not wanted when new. Takes a reference to the analysis. */
LoomSpanTreePage *loom_span_tree_page_new (LoomAnalysisContext *analysis);

/* FALSE, while the page is not visible, cancels the work under way. */
void loom_span_tree_page_set_wanted (LoomSpanTreePage *self, gboolean wanted);

void loom_span_tree_page_set_direction (LoomSpanTreePage *self, LoomSpanTreeDirection direction);
LoomSpanTreeDirection loom_span_tree_page_get_direction (LoomSpanTreePage *self);

/* Names of what can be chosen: all CPU threads, each process if there are several, and the threads of each as far as the list has
 * room. NULL-terminated; borrowed until "choices" is notified. */
const char *const *loom_span_tree_page_get_choices (LoomSpanTreePage *self);
/* Chooses by the place in the list; 0: all CPU threads. */
void loom_span_tree_page_choose (LoomSpanTreePage *self, guint choice);
guint loom_span_tree_page_get_chosen (LoomSpanTreePage *self);

/* Looks for the spans of a node of the present tree in a worker; at most LOOM_SELECTED_MOST. */
void loom_span_tree_page_find_spans (LoomSpanTreePage *self, guint32 node);

LoomCallTree *loom_span_tree_page_get_tree (LoomSpanTreePage *self);  /* borrowed; NULL: none */
const char *loom_span_tree_page_get_summary (LoomSpanTreePage *self); /* borrowed; "": none */
gboolean loom_span_tree_page_is_working (LoomSpanTreePage *self);
/* TRUE while the tree may be outdated. */
gboolean loom_span_tree_page_is_outdated (LoomSpanTreePage *self);
