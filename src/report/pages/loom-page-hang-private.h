/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the page "Hang": functions that its files share.
 */
#pragma once

#include "loom-hang-words.h"
#include "loom-page-private.h"

/* A rank and its position on the page. */
typedef struct {
  const LoomHang *hang;
  guint rank; /* index in hang->ranks */
  /* position of the rank's kind: 0 for suspects for which others wait, more for those that wait for them */
  guint level;
  guint awaited; /* index of the first rank for which the rank waits; G_MAXUINT: it waits for none */
} LoomHangPlace;

/* Sets the target of a chart element or table row, which is where its activation leads: to the span of `entry`, an
 * entry in a dump; if `entry` is NULL, to the range of the page. */
void loom_page_hang_set_place (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang, guint element,
                               guint rank, const LoomFlightEntry *entry);
/* Returns what a rank does, without its number. `n_awaited`: number of ranks for which it waits. Static. */
const char *loom_page_hang_get_state_words (const LoomHangRank *rank, guint n_awaited);

/* Returns all ranks (LoomHangPlace) in the order in which the page shows them. Owned by the caller. */
GArray *loom_page_hang_sort_ranks (const LoomHang *hang);
/* Adds a diagram that shows which ranks wait for which, from the rank that holds up the job. There is none if the ranks
 * wait for each other in a circle. */
void loom_page_hang_add_diagram (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang);
/* Adds a table with a row for each set of ranks that wait for the same rank. The rank that holds up the job comes
 * first, and then the ranks that wait for it directly. */
void loom_page_hang_add_chains (LoomPageContent *sheet, const LoomPageInput *input, const LoomHang *hang);
