/* SPDX-License-Identifier: Apache-2.0
 *
 * The content of a page of results, for the window and for reports: notes, facts, charts and tables, from top to
 * bottom. Each chart element, table row and fact can have a target, the place on the timeline that it shows when
 * activated. Filled by one thread, then immutable; ref-counted atomically. Texts are copied, charts and tables
 * referenced.
 */
#pragma once

#include "loom-chart.h"
#include "loom-navigation-target.h"
#include "loom-result-table.h"

typedef enum {
  LOOM_BLOCK_NOTE,    /* one sentence */
  LOOM_BLOCK_MISSING, /* a sentence that says which data is missing, and why */
  LOOM_BLOCK_FACTS,   /* a list of names and values */
  LOOM_BLOCK_CHART,
  LOOM_BLOCK_TABLE,
} LoomBlockKind;

typedef struct {
  const char *name, *value;
  const char *note; /* a remark about the value, such as its components or how it was measured; "": no remark */
} LoomKeyValue;

typedef struct {
  LoomBlockKind kind;
  const char *text; /* text of a note, or title of a list of facts */
  /* For a note: the complete name, if the text contains only a shortened name; otherwise NULL */
  const char *tooltip;
  GArray *facts; /* LoomKeyValue: names and values of a list of facts */
  /* For facts: TRUE if they are the main results of the page, displayed as large numbers side by side. For a note: TRUE
   * if it is the sentence that answers the question of the page. */
  gboolean large;
  LoomChart *chart;
  LoomResultTable *table;
  /* TRUE: the chart takes the full width of the page; FALSE: it can be beside another chart that is not wide */
  gboolean wide;
  /* array indexed by chart element, table row or fact: its target on the timeline (LoomNavigationTarget). The array may
   * be shorter, because elements at the end may have no targets */
  GArray *places;
} LoomBlock;

typedef struct {
  LoomRange range;     /* the time range that the numbers and charts of the page cover */
  const char *sources; /* the data sources used, as a phrase: "42 steps of ProfilerStep spans"; "" until set */
  /* sentence with the main results of the page, which is shown as headline unless the page has a more important
   * message; "" until set */
  const char *headline;
  GPtrArray *blocks; /* LoomBlock: the parts of the page from top to bottom */
  gatomicrefcount ref_count;
  GPtrArray *spans; /* private: copies of the spans of all targets */
  GStringChunk *texts;
} LoomPageContent;

LoomPageContent *loom_page_content_new (LoomRange range);
LoomPageContent *loom_page_content_ref (LoomPageContent *sheet);
void loom_page_content_unref (LoomPageContent *sheet); /* NULL: does nothing */

void loom_page_content_set_sources (LoomPageContent *sheet, const char *sources);
void loom_page_content_set_headline (LoomPageContent *sheet, const char *headline);

void loom_page_content_add_note (LoomPageContent *sheet, const char *text);
/* Adds the sentence that answers the question of the page. It is shown before the charts and tables from which it
 * follows. */
void loom_page_content_add_answer (LoomPageContent *sheet, const char *text);
void loom_page_content_add_missing (LoomPageContent *sheet, const char *text);
/* Sets the tooltip of the note that was added last: the complete name, if the text of the note contains only a
 * shortened name. NULL: no tooltip. */
void loom_page_content_set_tooltip (LoomPageContent *sheet, const char *tooltip);
/* The functions below append a block to the page: a list of facts, a chart or a table. Functions that add facts or set
 * targets apply to the block that was added last. */
void loom_page_content_add_facts (LoomPageContent *sheet, const char *title);
void loom_page_content_add_fact (LoomPageContent *sheet, const char *name, const char *value);
/* loom_page_content_add_figures() begins a block with the main results of a page, which are displayed as large numbers.
 * loom_page_content_add_figure() adds one of them: a short value with a note. */
void loom_page_content_add_figures (LoomPageContent *sheet, const char *title);
void loom_page_content_add_figure (LoomPageContent *sheet, const char *name, const char *value, const char *note);
void loom_page_content_take_chart (LoomPageContent *sheet, LoomChart *chart, gboolean wide);
void loom_page_content_take_table (LoomPageContent *sheet, LoomResultTable *table);
/* Adds a table like loom_page_content_take_table(), but frees the table instead if it has no rows. */
void loom_page_content_take_table_if_any (LoomPageContent *sheet, LoomResultTable *table);
/* Moves the last block to the top of the page; for summaries that are computed last. */
void loom_page_content_move_last_first (LoomPageContent *sheet);
/* Moves the last block to the top of the page. If the page begins with its answer, moves the last block to the position
 * after the answer. */
void loom_page_content_move_last_below_answer (LoomPageContent *sheet);
/* Sets the target of an element of the last block. Copies the spans, but at most LOOM_NAVIGATION_TARGET_MAX_SPANS of
 * them. */
void loom_page_content_set_place (LoomPageContent *sheet, guint element, LoomRange range, const LoomSpanId *spans,
                                  guint n_spans);
/* Extends the target of an element of the last block to all spans that have the name of the target's first span. */
void loom_page_content_set_same_name (LoomPageContent *sheet, guint element);
/* Sets the range as the target of each of the elements 0 … n − 1 of the last block. */
void loom_page_content_set_places (LoomPageContent *sheet, guint n, LoomRange range);

/* Sets the target of an element of the last block: the range from the first to the last of `parts`. On the timeline,
 * the parts are highlighted; if there are more than LOOM_NAVIGATION_TARGET_MAX_PARTS, the whole range is highlighted.
 * Does nothing if `n_parts` is 0. */
#define LOOM_NAVIGATION_TARGET_MAX_PARTS 4096
void loom_page_content_set_parts (LoomPageContent *sheet, guint element, const LoomRange *parts, guint n_parts);

/* Adds the row of a device to the target of an element of the last block. If `device` is "", adds the row of the node
 * instead. Does not change the rest of the target. */
void loom_page_content_set_device (LoomPageContent *sheet, guint element, const char *node, const char *device);

/* Adds all rows of a rank to the target of an element of the last block. If the number of the rank is unknown (−1),
 * `trace` identifies the rank; otherwise `trace` may be G_MAXUINT32. Does not change the rest of the target. */
void loom_page_content_set_rank (LoomPageContent *sheet, guint element, gint rank, guint32 trace);

const LoomBlock *loom_page_content_get_block (const LoomPageContent *sheet, guint i);
/* Sets `place` to the target of an element; the target borrows its spans, parts and texts from `sheet`. Returns FALSE
 * if the element has no target. */
gboolean loom_page_content_get_place (const LoomPageContent *sheet, guint block, guint element,
                                      LoomNavigationTarget *place);
/* Returns a copy of the target of an element, which may outlive `sheet`; NULL if the element has no target. */
LoomNavigationTarget *loom_page_content_dup_place (const LoomPageContent *sheet, guint block, guint element);

/* Returns the whole page as tab-separated text. Owned by the caller. */
char *loom_page_content_dup_tsv (const LoomPageContent *sheet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPageContent, loom_page_content_unref)
