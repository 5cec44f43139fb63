/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the page "Stragglers": its state, and the functions that loom-page-stragglers.c,
 * loom-page-straggler-charts.c and loom-page-straggler-tables.c share. The functions that add charts and tables add
 * nothing if the run has nothing to show in them.
 */
#pragma once

#include "loom-page-private.h"

typedef struct {
  const LoomPageInput *input;
  LoomPageContent *sheet;
  LoomCollectives *collectives;
  const LoomStragglers *stragglers;
  const LoomSlowdown *slowdown;
  /* the slowdown that states which ranks are slow: `slowdown`; that of the whole run if the range has too few steps */
  const LoomSlowdown *cause;
  LoomCollectives *cause_collectives; /* the collectives from which `cause` is computed; borrowed */
  gboolean is_typical; /* TRUE: no rank is slow in the range, although `cause` may have slow ranks in other steps */
  const LoomHostDelay *delay; /* the ranks that are late because of their hosts; NULL: there are none */
  /* TRUE if a rank is late although it is not a straggler: because of its host (`delay`), because it runs other or more
   * kernels, or because its devices are idle (loom_late_ranks_find_unequal()) */
  gboolean has_other_cause;
  LoomPageStragglerWaits waits;
  GArray *messages; /* LoomRankWaits: the waits of ranks in messages */
} LoomPageStragglers;

/* Returns the name of a rank, such as "rank 3"; if its number is unknown, the name of the file. Owned by the caller. */
char *loom_page_stragglers_dup_rank (const LoomPageStragglers *self, gint rank, guint32 trace);
/* Makes the spans of a collective the target of an element (the place on the timeline that the element shows when
 * activated). The span of the rank that arrived last comes first. */
void loom_page_stragglers_set_place (const LoomPageStragglers *self, guint element, guint number);
/* Adds the rows of a rank to the target of an element (the place on the timeline that the element shows when
 * activated). */
void loom_page_stragglers_set_rank (const LoomPageStragglers *self, guint element, const LoomStraggler *rank);

/* Returns TRUE if a rank is one of the slow ranks; FALSE if it is not, or if this is unknown. */
gboolean loom_page_stragglers_is_slow (const LoomPageStragglers *self, const LoomStraggler *rank);

/* Adds the chart of the ranks for which others wait, and a note if slow links are the reason. */
void loom_page_stragglers_add_bars (const LoomPageStragglers *self);
/* Adds a chart with the time for which each rank itself waits, in collectives and for messages. The ranks are sorted by
 * number. */
void loom_page_stragglers_add_own_waits (const LoomPageStragglers *self);
/* Adds the pie of how the time of all ranks in collectives divides into waits and transfers. */
void loom_page_stragglers_add_pie (const LoomPageStragglers *self);
/* Adds a heat map that shows how much later than the first rank each rank arrived at collectives. A cell for several
 * collectives shows their maximum, so that a single long wait is visible. The latest ranks are in the top rows. */
void loom_page_stragglers_add_heat (const LoomPageStragglers *self);

/* Adds a table of the work that takes longer on late ranks before they arrive. */
void loom_page_stragglers_add_before (const LoomPageStragglers *self);
/* Adds the table of ranks. */
void loom_page_stragglers_add_ranks (const LoomPageStragglers *self);
/* Adds the table of the collectives in which ranks wait longest. */
void loom_page_stragglers_add_held_up (const LoomPageStragglers *self);
