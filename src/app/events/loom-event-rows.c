/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-rows.h"

/* Number of events between two checks of the cancellable. */
#define LOOK_EVERY 4096

static int
compare (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  return (x > y) - (x < y);
}

/* a bitset is filled quickly only in ascending order, so the positions are sorted before they are added */
GtkBitset *
loom_event_rows_find (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++) {
    guint position = loom_event_list_find (list, events[i]);
    if (position != G_MAXUINT)
      g_array_append_val (found, position);
    if (i % LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return NULL;
  }
  g_array_sort (found, compare);
  GtkBitset *rows = gtk_bitset_new_empty ();
  for (guint i = 0; i < found->len; i++)
    gtk_bitset_add (rows, g_array_index (found, guint, i));
  return rows;
}

typedef struct {
  LoomEventList *list;
  LoomSpanId *events;
  guint n;
} Search;

static void
search_free (Search *search)
{
  loom_event_list_unref (search->list);
  g_free (search->events);
  g_free (search);
}

static GtkBitset *
find_rows (const Search *search, GCancellable *cancellable, GError **error)
{
  return loom_event_rows_find (search->list, search->events, search->n, cancellable);
}

void
loom_event_rows_start_find (GCancellable **running, LoomEventList *list, const LoomSpanId *events, guint n,
                            LoomWorkerDone done, gpointer owner)
{
  static const LoomWorkerKind kind = { (LoomWorkerFunc) find_rows, (GDestroyNotify) search_free,
                                       (GDestroyNotify) gtk_bitset_unref };
  Search *search = LOOM_WORKER_INPUT (Search, loom_event_list_ref (list), g_memdup2 (events, n * sizeof *events), n);
  loom_worker_start (running, &kind, search, done, owner);
}
