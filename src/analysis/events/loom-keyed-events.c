/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-keyed-events.h"

#include "loom-radix-sort.h"

#define KEY(event) ((event)->key)
LOOM_DEFINE_DIGIT_SORT (sort_digits, LoomKeyedEvent, KEY)

void
loom_keyed_events_sort (LoomKeyedEvent *events, guint n)
{
  guint64 least = G_MAXUINT64, most = 0;
  gboolean sorted = TRUE;
  for (guint i = 0; i < n; i++) {
    sorted &= i == 0 || events[i - 1].key <= events[i].key;
    least = MIN (least, events[i].key);
    most = MAX (most, events[i].key);
  }
  if (sorted)
    return;
  for (guint i = 0; i < n; i++)
    events[i].key -= least; /* makes keys smaller, so that the radix sort processes fewer digits */
  g_autofree LoomKeyedEvent *room = g_new (LoomKeyedEvent, n);
  sort_digits (events, room, n, g_bit_storage (most - least));
}
