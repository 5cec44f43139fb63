/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-sort.h"

#include <string.h>

#define DIGIT_BITS 11
#define N_DIGITS (1 << DIGIT_BITS)

/* Determines the smallest key and the number of bits of the largest difference from it. Returns FALSE if the events are
 * sorted already. */
static gboolean
survey (const LoomKeyedEvent *events, guint n, gint64 *least, guint *n_bits)
{
  gint64 most = G_MININT64;
  gboolean ordered = TRUE;
  *least = G_MAXINT64;
  for (guint i = 0; i < n; i++) {
    ordered &= i == 0 || events[i - 1].key <= events[i].key;
    *least = MIN (*least, events[i].key);
    most = MAX (most, events[i].key);
  }
  *n_bits = n > 0 ? g_bit_storage ((guint64) most - (guint64) *least) : 0;
  return !ordered;
}

static inline guint
digit_of (const LoomKeyedEvent *event, gint64 least, guint shift)
{
  return ((guint64) event->key - (guint64) least) >> shift & (N_DIGITS - 1);
}

/* Sorts by one digit; returns FALSE, without copying, if all events have the same digit. */
static gboolean
sort_digit (const LoomKeyedEvent *from, LoomKeyedEvent *to, guint n, gint64 least, guint shift)
{
  guint places[N_DIGITS] = { 0 }, sum = 0;
  for (guint i = 0; i < n; i++)
    places[digit_of (&from[i], least, shift)]++;
  if (places[digit_of (&from[0], least, shift)] == n)
    return FALSE;
  for (guint i = 0; i < N_DIGITS; i++) {
    guint count = places[i];
    places[i] = sum;
    sum += count;
  }
  for (guint i = 0; i < n; i++)
    to[places[digit_of (&from[i], least, shift)]++] = from[i];
  return TRUE;
}

gboolean
loom_event_sort (LoomKeyedEvent *events, guint n, GCancellable *cancellable)
{
  gint64 least;
  guint n_bits;
  if (!survey (events, n, &least, &n_bits))
    return TRUE;
  g_autofree LoomKeyedEvent *room = g_new (LoomKeyedEvent, n);
  LoomKeyedEvent *from = events, *to = room;
  for (guint shift = 0; shift < n_bits; shift += DIGIT_BITS) {
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (sort_digit (from, to, n, least, shift)) {
      LoomKeyedEvent *other = from;
      from = to, to = other;
    }
  }
  if (from != events)
    memcpy (events, from, (gsize) n * sizeof *events);
  return TRUE;
}
