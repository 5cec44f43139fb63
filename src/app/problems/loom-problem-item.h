/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of the list of problems that occurred while files were loaded. Its facts are immutable. A worker thread reads
 * the text around the problem's offset in the file when the row needs the text; then notify::excerpt is emitted. Called
 * on the main thread.
 */
#pragma once

#include "loom-problem-list.h"

#define LOOM_TYPE_PROBLEM_ITEM (loom_problem_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemItem, loom_problem_item, LOOM, PROBLEM_ITEM, LoomTableItem)

const LoomProblemFacts *loom_problem_item_get_facts (LoomProblemItem *self); /* returns a borrowed struct */
char *loom_problem_item_dup_path (LoomProblemItem *self);                    /* returns the path in a printable form */
/* returns the file name without its folder; if the user gave a name to the source, this name precedes the file name */
char *loom_problem_item_dup_name (LoomProblemItem *self);
/* Returns a text with the path, the number of occurrences and the offset of the first occurrence: "/x/rank1.json · 2
 * times, first at byte 54". Owned by the caller. */
char *loom_problem_item_dup_place (LoomProblemItem *self);
const char *loom_problem_item_severity_get_word (LoomSeverity severity);

/* Returns the text around the problem's offset in the file; NULL if the text was not read yet, "" if it cannot be
 * read. Sets `at` to the position of the offset in the text, in bytes. */
const char *loom_problem_item_get_excerpt (LoomProblemItem *self, gsize *at);
/* Starts reading the text around the problem's offset on a worker thread. Later calls do nothing. */
void loom_problem_item_load_excerpt (LoomProblemItem *self);

/* Returns the problem as one line of text, see loom_problem_list_append_line(). Owned by the caller. */
char *loom_problem_item_dup_text (LoomProblemItem *self);
