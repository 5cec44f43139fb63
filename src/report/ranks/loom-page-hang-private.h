/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the page "Hang": the order of the ranks, and the functions that loom-page-hang.c and
 * loom-page-hang-waits.c share.
 */
#pragma once

#include "loom-hang-words.h"
#include "loom-page-private.h"

/* An element of the list of ranks; the list has the order in which the page shows the ranks. */
typedef struct {
  const LoomHang *hang;
  guint rank; /* index of the rank in hang->ranks */
  /* sort key that depends on the role of the rank: 0 for suspects for which other ranks wait; ranks with greater keys
   * come later */
  guint level;
  guint awaited; /* index of the first rank for which the rank waits; G_MAXUINT: it waits for none */
} LoomHangPlace;

/* Sets the target (the place on the timeline) of a chart element or table row: the span of `entry`, an entry in a dump,
 * or the range of the page if `entry` is NULL. */
void loom_page_hang_set_place (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang, guint element,
                               guint rank, const LoomFlightEntry *entry);
/* Returns words for the state of a rank, such as "waits". `n_awaited`: number of ranks for which the rank waits.
 * Static. */
const char *loom_page_hang_get_state_words (const LoomHangRank *rank, guint n_awaited);

/* Returns all ranks (LoomHangPlace), sorted by role and then by the rank for which each rank waits. Owned by the
 * caller. */
GArray *loom_page_hang_sort_ranks (const LoomHang *hang);
/* Adds a diagram that shows which ranks wait for which; it begins with the rank that holds up the job. Adds nothing if
 * the ranks wait for each other in a circle. */
void loom_page_hang_add_diagram (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang);
/* Adds a table with a row for each set of ranks that wait for the same rank. The first row is the rank that holds up
 * the job, the next rows are ranks that wait for it directly. */
void loom_page_hang_add_chains (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang);
