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
  const char *note; /* a remark about the value, such as its components or how it is measured; "": there is no remark */
} LoomKeyValue;

typedef struct {
  LoomBlockKind kind;
  const char *text; /* text of a note, or title of a list of facts */
  /* of a note: the complete name of something that the text names in a shorter form; NULL: there is none */
  const char *tooltip;
  GArray *facts; /* LoomKeyValue: names and values of a list of facts */
  /* facts: TRUE if they are the main results of the page, displayed as large numbers side by side. Note: TRUE if it is
   * the sentence that answers the question of the page. */
  gboolean large;
  LoomChart *chart;
  LoomResultTable *table;
  gboolean wide; /* TRUE: the chart takes the full width of the page; FALSE: two such charts can be side by side */
  /* targets on the timeline (LoomNavigationTarget) of the chart elements, table rows or facts, by index; the array may
   * be shorter if the last elements have no targets */
  GArray *places;
} LoomBlock;

typedef struct {
  LoomRange range;     /* the time range that the numbers and charts of the page cover */
  const char *sources; /* the data sources used, as a phrase: "42 steps of ProfilerStep spans"; "" until set */
  /* sentence with the main results of the page; views show it as headline if nothing else is more important; "" until
   * set */
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
/* Sets the tooltip of the note that was added last: a complete name that its text shortens. NULL: there is none. */
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
/* Adds a table to the page as loom_page_content_take_table() does; if the table has no rows, frees it instead. */
void loom_page_content_take_table_if_any (LoomPageContent *sheet, LoomResultTable *table);
/* Moves the last block to the top of the page; for summaries that are computed last. */
void loom_page_content_move_last_first (LoomPageContent *sheet);
/* Moves the last block to the top of the page; if the page begins with its answer, to the position after the answer. */
void loom_page_content_move_last_below_answer (LoomPageContent *sheet);
/* Sets the target of an element of the last block. Copies the spans, but at most LOOM_NAVIGATION_TARGET_MAX_SPANS of
 * them. */
void loom_page_content_set_place (LoomPageContent *sheet, guint element, LoomRange range, const LoomSpanId *spans,
                                  guint n_spans);
/* Extends the target of an element of the last block to all spans that have the name of the target's first span. */
void loom_page_content_set_same_name (LoomPageContent *sheet, guint element);
/* Sets the range as the target of each of the elements 0 … n − 1 of the last block. */
void loom_page_content_set_places (LoomPageContent *sheet, guint n, LoomRange range);

/* Sets the target of an element of the last block to the range from the first to the last of `parts`, in which the
 * parts are highlighted. If there are more than LOOM_NAVIGATION_TARGET_MAX_PARTS parts, the whole range is highlighted.
 * `n_parts` 0: does nothing. */
#define LOOM_NAVIGATION_TARGET_MAX_PARTS 4096
void loom_page_content_set_parts (LoomPageContent *sheet, guint element, const LoomRange *parts, guint n_parts);

/* Adds the row of a device to the target of an element of the last block. If `device` is "", adds the row of the node
 * instead. Does not change the rest of the target. */
void loom_page_content_set_device (LoomPageContent *sheet, guint element, const char *node, const char *device);

/* Adds all rows of a rank to the target of an element of the last block. If the number of the rank is unknown (−1),
 * `trace` identifies the rank; otherwise `trace` may be G_MAXUINT32. Does not change the rest of the target. */
void loom_page_content_set_rank (LoomPageContent *sheet, guint element, gint rank, guint32 trace);

const LoomBlock *loom_page_content_get_block (const LoomPageContent *sheet, guint i);
/* Sets `place` to the target of an element; the target borrows its spans, parts and texts from the sheet. Returns FALSE
 * if the element has no target. */
gboolean loom_page_content_get_place (const LoomPageContent *sheet, guint block, guint element,
                                      LoomNavigationTarget *place);
/* Returns a copy of the target of an element, which may outlive the sheet; NULL if the element has no target. */
LoomNavigationTarget *loom_page_content_dup_place (const LoomPageContent *sheet, guint block, guint element);

/* Returns the whole page as tab-separated text. Owned by the caller. */
char *loom_page_content_dup_tsv (const LoomPageContent *sheet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPageContent, loom_page_content_unref)
