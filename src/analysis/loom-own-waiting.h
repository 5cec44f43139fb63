/* SPDX-License-Identifier: Apache-2.0
 *
 * Private. How much of the spans that a rule of one's own found is waiting for ranks that come late to collectives: what such
 * a finding advises would not shorten that. Waits are those of loom-collectives.h, within each span; whom they are for is
 * shared as in loom-wait-shares.h. One thread.
 */
#pragma once

#include "loom-own-gather.h"

G_BEGIN_DECLS

typedef struct _LoomOwnWaiting LoomOwnWaiting;

/* Of the collectives of a run, O(collectives · ranks). NULL only when cancelled. */
LoomOwnWaiting *loom_own_waiting_new (LoomTimeline *timeline, GCancellable *cancellable);
void loom_own_waiting_free (LoomOwnWaiting *waiting); /* NULL: nothing */

void loom_own_waiting_clear (LoomOwnWaiting *waiting); /* as new: for the next rule */
void loom_own_waiting_add (LoomOwnWaiting *waiting, const LoomOwnItem *items, guint n);

gint64 loom_own_waiting_get_time (const LoomOwnWaiting *waiting); /* of all spans added */
/* The ranks that make up most of it, at most LOOM_OWN_WAITING_NAMED, the longest waited for first: "3, 2". How many: `n`, 0
 * where ranks are not known. Owned. */
char *loom_own_waiting_dup_ranks (const LoomOwnWaiting *waiting, guint *n);

#define LOOM_OWN_WAITING_NAMED 4

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomOwnWaiting, loom_own_waiting_free)

G_END_DECLS
