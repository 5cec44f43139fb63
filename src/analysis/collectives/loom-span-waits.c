/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-span-waits.h"

#include <string.h>

#include "loom-rank-breakdown.h"
#include "loom-transfer-list.h"
#include "loom-transfers.h"

static void
add (GArray *waits, const LoomCollectives *collectives, const LoomCollectiveMember *member, LoomRange range)
{
  if (range.end_ns <= range.begin_ns)
    return;
  const LoomSpanWait wait = { loom_collectives_get_span (collectives, member), range };
  g_array_append_val (waits, wait);
}

static void
add_collectives (GArray *waits, LoomCollectives *collectives)
{
  for (guint i = 0; i < collectives->n; i++) {
    const LoomCollectiveMember *members = loom_collectives_get_members (collectives, &collectives->all[i]);
    for (guint k = 0; k < collectives->all[i].n; k++)
      add (waits, collectives, &members[k],
           (LoomRange) { members[k].arrival_ns, loom_time_add (members[k].arrival_ns, members[k].wait_ns) });
  }
}

static void
add_messages (GArray *waits, const LoomCollectives *collectives, const LoomTransferList *list)
{
  for (guint i = 0; i < list->transfers->len; i++) {
    const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, i);
    const LoomCollectiveMember member = { .trace = transfer->waiting_trace, .meeting = transfer->waiting_meeting };
    if (strcmp (transfer->name, LOOM_TRANSFERS_MESSAGE) == 0)
      add (waits, collectives, &member, transfer->wait);
  }
}

GArray *
loom_span_waits_new (LoomCollectives *collectives, GCancellable *cancellable)
{
  g_return_val_if_fail (collectives != NULL, NULL);
  const LoomTransferList *list = loom_transfer_list_get (collectives, cancellable);
  if (list == NULL)
    return NULL;
  GArray *waits = g_array_new (FALSE, FALSE, sizeof (LoomSpanWait));
  add_collectives (waits, collectives);
  add_messages (waits, collectives, list);
  return waits;
}

/* --- messages of the lanes ---------------------------------------------------------------------------------------- */

gboolean
loom_span_waits_find (const LoomCollectives *collectives, LoomSpanId span, gint64 *until_ns)
{
  g_return_val_if_fail (collectives != NULL && until_ns != NULL, FALSE);
  guint32 event = loom_collectives_find_event (collectives, span);
  if (event == G_MAXUINT32)
    return FALSE;
  if (collectives->collective_of[event] != G_MAXUINT32) {
    *until_ns = collectives->all[collectives->collective_of[event]].arrival_ns;
    return TRUE;
  }
  const LoomTransferList *list = loom_transfer_list_get (collectives, NULL);
  if (list == NULL || list->message_of[event] == G_MAXUINT32)
    return FALSE;
  const LoomTransfer *transfer = &g_array_index (list->transfers, LoomTransfer, list->message_of[event]);
  gboolean waits = collectives->first_place[transfer->waiting_trace] + transfer->waiting_meeting == event;
  *until_ns = waits ? transfer->wait.end_ns : G_MININT64;
  return TRUE;
}
