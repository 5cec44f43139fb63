/* SPDX-License-Identifier: Apache-2.0
 *
 * A page of results as the window shows it and the report prints it: notes, facts, charts and tables in order, and for
 * their elements and rows the place on the timeline they speak of. Filled by one thread, then immutable; ref-counted
 * atomically. Texts are copied, charts and tables referenced.
 */
#pragma once

#include "loom-chart.h"
#include "loom-navigation-target.h"
#include "loom-result-table.h"

G_BEGIN_DECLS

typedef enum {
  LOOM_BLOCK_NOTE,    /* a sentence */
  LOOM_BLOCK_MISSING, /* a sentence on what cannot be said, and why */
  LOOM_BLOCK_FACTS,   /* names and values, one under the other */
  LOOM_BLOCK_CHART,
  LOOM_BLOCK_TABLE,
} LoomBlockKind;

typedef struct {
  const char *name, *value;
} LoomKeyValue;

typedef struct {
  LoomBlockKind kind;
  const char *text; /* of notes; the title of facts */
  GArray *facts;    /* LoomKeyValue */
  LoomChart *chart;
  LoomResultTable *table;
  gboolean wide;  /* a chart that takes a whole line */
  GArray *places; /* LoomNavigationTarget by element, row or fact; may be shorter than there are of these */
} LoomBlock;

typedef struct _LoomPageContent LoomPageContent;

LoomPageContent *loom_page_content_new (LoomRange range);
LoomPageContent *loom_page_content_ref (LoomPageContent *sheet);
void loom_page_content_unref (LoomPageContent *sheet); /* NULL: nothing */

/* The range the figures speak of. */
LoomRange loom_page_content_get_range (const LoomPageContent *sheet);
/* Which sources were used, a phrase: "42 steps of ProfilerStep spans". "" before it is set. */
void loom_page_content_set_sources (LoomPageContent *sheet, const char *sources);
const char *loom_page_content_get_sources (const LoomPageContent *sheet);

void loom_page_content_add_note (LoomPageContent *sheet, const char *text);
void loom_page_content_add_missing (LoomPageContent *sheet, const char *text);
/* Blocks of facts, charts, tables; what follows fills the last one. */
void loom_page_content_add_facts (LoomPageContent *sheet, const char *title);
void loom_page_content_add_fact (LoomPageContent *sheet, const char *name, const char *value);
void loom_page_content_take_chart (LoomPageContent *sheet, LoomChart *chart, gboolean wide);
void loom_page_content_take_table (LoomPageContent *sheet, LoomResultTable *table);
/* The last block goes to the top: what sums up is known last. */
void loom_page_content_move_last_first (LoomPageContent *sheet);
/* Of an element of the last block; spans are copied, as many as LOOM_NAVIGATION_TARGET_MAX_SPANS. */
void loom_page_content_set_place (LoomPageContent *sheet, guint element, LoomRange range, const LoomSpanId *spans,
                                  guint n_spans);

/* The same for stretches, which do not overlap: from the first to the last. Copied; more than LOOM_NAVIGATION_TARGET_MAX_PARTS are the
 * range as a whole. */
#define LOOM_NAVIGATION_TARGET_MAX_PARTS 4096
void loom_page_content_set_parts (LoomPageContent *sheet, guint element, const LoomRange *parts, guint n_parts);

/* … and the row of a device, or with "" of a node, beside what else the element leads to. */
void loom_page_content_set_device (LoomPageContent *sheet, guint element, const char *node, const char *device);

guint loom_page_content_get_n_blocks (const LoomPageContent *sheet);
const LoomBlock *loom_page_content_get_block (const LoomPageContent *sheet, guint i);
/* FALSE when the element leads nowhere. What the target refers to is borrowed from the sheet. */
gboolean loom_page_content_get_place (const LoomPageContent *sheet, guint block, guint element,
                                      LoomNavigationTarget *place);
/* A copy that outlives the sheet; NULL when the element leads nowhere. */
LoomNavigationTarget *loom_page_content_dup_place (const LoomPageContent *sheet, guint block, guint element);

/* All of it, tab-separated. Owned. */
char *loom_page_content_dup_tsv (const LoomPageContent *sheet);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomPageContent, loom_page_content_unref)

G_END_DECLS
