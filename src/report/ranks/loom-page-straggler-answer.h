/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to the page "Stragglers": the parts of its top. loom-page-straggler-answer.c makes the sentences,
 * loom-page-straggler-figures.c the main numbers, and loom-page-straggler-facts.c the lists of facts about stragglers.
 * Texts are translated and owned by the caller.
 */
#pragma once

#include "loom-page-private.h"

/* Maximum number of ranks that a sentence names, and of stragglers with a list of facts. */
#define LOOM_PAGE_STRAGGLER_ANSWER_MAX_NAMED 4

typedef struct {
  LoomPageContent *sheet;
  const LoomPageInput *input;
  const LoomSlowdown *slowdown;
  const LoomStragglers *stragglers; /* lateness of the ranks in collectives; NULL: the run has no collectives */
  const LoomHostDelay *delay;       /* the ranks that are late because of their hosts; NULL: there are none */
  const LoomPageStragglerWaits *waits;
} LoomPageStragglerAnswer;

/* Returns TRUE if the files of some ranks of the job are not open. It is then unknown how long the other ranks wait for
 * these ranks. */
gboolean loom_page_straggler_answer_has_missing (const LoomPageStragglerAnswer *self);
/* Returns the worker of the straggler number `i`, which must be less than the number of stragglers. */
const LoomSlowdownWorker *loom_page_straggler_answer_get_straggler (const LoomPageStragglerAnswer *self, guint i);
/* Returns by how much the computing time of a worker in a step exceeds the typical time, in percent of the typical
 * time. */
double loom_page_straggler_answer_get_step_percent (const LoomPageStragglerAnswer *self,
                                                    const LoomSlowdownWorker *worker, guint step);
/* Returns by how much the computing time of a worker exceeds the typical time, in percent of the typical time; mean
 * over all steps. */
double loom_page_straggler_answer_get_extra_percent (const LoomPageStragglerAnswer *self,
                                                     const LoomSlowdownWorker *worker);
/* Returns the names of the ranks that are held up: ranks that are not stragglers, but make other ranks wait, mostly
 * because they themselves wait for a third rank. For example "ranks 7, 2 and 6"; NULL if there are no such ranks. Owned
 * by the caller. */
char *loom_page_straggler_answer_dup_held_up (const LoomPageStragglerAnswer *self);
/* Adds the main numbers: what differences between ranks cost. */
void loom_page_straggler_answer_add_figures (const LoomPageStragglerAnswer *self);
/* Adds for each straggler the facts about the work that takes longer on it. */
void loom_page_straggler_answer_add_facts (const LoomPageStragglerAnswer *self);
