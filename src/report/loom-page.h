/* SPDX-License-Identifier: Apache-2.0
 *
 * The pages of the analysis: each turns results of src/analysis into a sheet of charts and tables, for the window's
 * panels and for a report. A page is one file. Words are translated. Pure functions, any thread.
 */
#pragma once

#include "loom-frame.h"
#include "loom-phases.h"
#include "loom-sheet.h"
#include "loom-source-edits.h"
#include "loom-thresholds.h"

G_BEGIN_DECLS

typedef struct {
  LoomFrame *frame;  /* of what is asked about: the whole run, or a range */
  LoomPhases phases; /* of that frame */
  LoomRange range;   /* what is asked about, on the timeline */
  LoomThresholds thresholds;
  const LoomSourceEdits *names; /* what sources are called by hand; NULL: nothing */
  guint64 part; /* what each part of a page counts on a LoomMeter; 0 where nobody looks */
} LoomPageInput;

/* The one rule for figures of a range that is not the whole run, for every page and report; to be translated by who shows it.
 * It is said once per document, and in the heading of each panel. */
extern const char loom_page_range_rule[];

/* NULL only when cancelled. */
typedef LoomSheet *(*LoomPageFunc) (const LoomPageInput *input, GCancellable *cancellable);

typedef struct {
  const char *id;    /* "steps" */
  const char *title; /* marked for translation */
  LoomPageFunc make;
  guint n_parts; /* in which it is made, about as long as one another */
} LoomPage;

/* In the order in which they stand. Static. */
const LoomPage *loom_pages_get (guint *n);
const LoomPage *loom_page_find (const char *id); /* NULL: no such page */

LoomSheet *loom_page_overview (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_utilization (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_steps (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_bottlenecks (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_loading (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_balance (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_stragglers (const LoomPageInput *input, GCancellable *cancellable);
LoomSheet *loom_page_work (const LoomPageInput *input, GCancellable *cancellable);

G_END_DECLS
