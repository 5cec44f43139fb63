/* SPDX-License-Identifier: Apache-2.0
 *
 * A row of the list of problems that occurred while files were loaded. Its facts are immutable. The text around the
 * problem's offset in the file is read by a worker on demand and reported with notify::excerpt. Called on the main
 * thread.
 */
#pragma once

#include "loom-problem-list.h"

#define LOOM_TYPE_PROBLEM_ITEM (loom_problem_item_get_type ())
G_DECLARE_FINAL_TYPE (LoomProblemItem, loom_problem_item, LOOM, PROBLEM_ITEM, LoomTableItem)

const LoomProblemFacts *loom_problem_item_get_facts (LoomProblemItem *self); /* returns a borrowed struct */
char *loom_problem_item_dup_path (LoomProblemItem *self);                    /* returns the path in a printable form */
/* returns the file name without its folder, after the name that the user gave to the source, if any */
char *loom_problem_item_dup_name (LoomProblemItem *self);
/* Returns the path, the number of occurrences and the first offset: "/x/rank1.json · 2 times, first at byte 54".
 * Owned. */
char *loom_problem_item_dup_place (LoomProblemItem *self);
const char *loom_problem_item_severity_get_word (LoomSeverity severity);

/* Returns the text around the problem's offset in the file; NULL until the text was read, "" if it cannot be read. Sets
 * `at` to the position of the offset in this text, in bytes. */
const char *loom_problem_item_get_excerpt (LoomProblemItem *self, gsize *at);
/* Starts reading the excerpt in a worker. Later calls do nothing. */
void loom_problem_item_load_excerpt (LoomProblemItem *self);

/* Returns the problem as one line of text, see loom_problem_list_append_line(). */
char *loom_problem_item_dup_text (LoomProblemItem *self);
