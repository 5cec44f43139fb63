/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/analysis/hangs: the functions that loom_hang_new() calls one after another. Each fills some members of
 * LoomHang.
 */
#pragma once

#include "loom-hang.h"

/* Fills LoomHang.ranks, LoomHang.groups and LoomHang.members from the dumps of the run. */
void loom_hang_collect_groups (LoomHang *self);

/* Finds the messages for which only one of the two ranks has made its call (send or receive), and fills
 * LoomHang.message_waits. */
void loom_hang_find_message_waits (LoomHang *self);

/* Returns a text that identifies a group: its purpose and its ranks or, if the ranks are unknown, its purpose and its
 * name. Owned by the caller. */
char *loom_hang_dup_group_key (const LoomFlightGroup *group);

/* Finds the collectives that differ between ranks, and fills LoomHang.mismatches. */
void loom_hang_find_mismatches (LoomHang *self);

/* Orders LoomHangWait by rank, then by awaited rank. */
static inline int
loom_hang_compare_waits (gconstpointer a, gconstpointer b)
{
  const LoomHangWait *first = a, *second = b;
  if (first->rank != second->rank)
    return first->rank < second->rank ? -1 : 1;
  return (first->awaited > second->awaited) - (first->awaited < second->awaited);
}

static inline LoomHangRank *
loom_hang_rank (const LoomHang *self, guint i)
{
  return &g_array_index (self->ranks, LoomHangRank, i);
}

static inline LoomHangGroup *
loom_hang_group (const LoomHang *self, guint i)
{
  return &g_array_index (self->groups, LoomHangGroup, i);
}

static inline LoomHangMember *
loom_hang_member (const LoomHang *self, guint i)
{
  return &g_array_index (self->members, LoomHangMember, i);
}
