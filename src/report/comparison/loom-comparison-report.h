/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the comparison of two runs: as tables and the first chapter of a report document, as plain text, and as JSON.
 * Texts for documents and the window are translated. The functions may be called on any thread.
 */
#pragma once

#include <json-glib/json-glib.h>

#include "loom-page-content.h"
#include "loom-run-comparison.h"

typedef enum {
  LOOM_COMPARISON_PARTS, /* how the time in each part of a step (computing, waiting, …) changes, one row per part; both
                          * runs need steps */
  LOOM_COMPARISON_RANKS, /* how the time of each rank changes, one row per rank; both runs need steps */
  /* how the device time of each module of the model changes (loom-module-report.h); both runs need kernels and their
   * launches */
  LOOM_COMPARISON_MODULES,
  /* how the time of spans with each name changes: one row per name, in the order of LoomRunComparison.names */
  LOOM_COMPARISON_NAMES,
} LoomComparisonTable;

/* Returns a sentence that explains the times in the table LOOM_COMPARISON_NAMES; translated. */
const char *loom_comparison_report_get_names_note (const LoomRunComparison *comparison);

/* Makes a table of the comparison, owned by the caller; NULL if a run does not contain the data for this table. Titles
 * of columns contain the short names of the runs (loom_comparison_words_make_short_names()). */
LoomResultTable *loom_comparison_report_new_table (const LoomRunComparison *comparison, const char *const names[2],
                                                   LoomComparisonTable table, glong max_letters);
/* Makes the first chapter of the document that compares two runs: notes, and the names of the runs. Owned by the
 * caller. */
LoomPageContent *loom_comparison_report_new_front (const LoomRunComparison *comparison, const char *const names[2]);
/* Returns the headline, the notes, the names of the runs and the tables as aligned text. Tables end after 20 rows,
 * followed by the number of the remaining rows. Long names of rows are shortened. Owned by the caller. */
char *loom_comparison_report_to_text (const LoomRunComparison *comparison, const char *const names[2]);
/* Returns all numbers of the comparison as JSON; times are in ns. Owned by the caller. */
JsonNode *loom_comparison_report_to_json (const LoomRunComparison *comparison, const char *const names[2]);
