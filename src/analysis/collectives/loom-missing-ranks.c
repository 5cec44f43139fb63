/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-missing-ranks.h"

#include <stdio.h>
#include <string.h>

#include "loom-int64-hash.h"

struct _LoomMissingRanks {
  LoomRun *run;
  GHashTable *open;    /* set of the ranks (GINT_TO_POINTER) of which at least one file is open */
  GHashTable *missing; /* set of missing ranks: process groups or messages name them, but no file of them is open */
  /* key (gint64): trace << 32 | LoomSyncEvent.group; value: number of missing ranks of the group, plus 1 */
  GHashTable *by_group;
  guint least;       /* the greatest number of missing ranks of a group whose description contains no list of ranks */
  GHashTable *peers; /* set of ranks (GINT_TO_POINTER) that exchange messages with a missing rank */
  GHashTable *known; /* set of the message names that were already read, as trace << 32 | LoomSyncEvent.name (gint64) */
};

static void
find_open (LoomMissingRanks *self)
{
  for (guint i = 0; i < loom_run_get_n_traces (self->run); i++) {
    const LoomTrace *trace = loom_run_get_trace (self->run, i);
    for (guint k = 0; k < loom_trace_get_n_tracks (trace); k++)
      if (loom_trace_get_track (trace, k)->rank >= 0)
        g_hash_table_add (self->open, GINT_TO_POINTER (loom_trace_get_track (trace, k)->rank));
  }
}

/* Reads the list of ranks at the end of a group's description, such as "0 [0, 1, 2]". Returns FALSE if the description
 * has no complete list: profilers cut long lists, or replace them by a hash. */
static gboolean
read_list (const char *group, GArray *ranks)
{
  const char *at = strrchr (group, '[');
  if (at == NULL)
    return FALSE;
  g_array_set_size (ranks, 0);
  for (at++; *at != ']'; at += strspn (at, ", ")) {
    char *end;
    if (!g_ascii_isdigit (*at))
      return FALSE;
    gint64 rank = g_ascii_strtoll (at, &end, 10);
    if (rank > G_MAXINT)
      return FALSE;
    g_array_append_vals (ranks, &(gint) { (gint) rank }, 1);
    at = end;
  }
  return ranks->len > 0;
}

/* Returns the number of missing ranks of a group. `group`: description of the group. If it contains a list of the
 * group's ranks, adds the missing ones to self->missing; otherwise, computes their number from `n_stated`, the number
 * of ranks that an event of the group states. `own`: rank of the track that has the event. Some profilers number the
 * ranks of a list within the group instead of within the job. Such a list is recognised because it does not contain
 * `own`; it is ignored, and the result is 0. `ranks`: scratch. */
static guint
count_missing (LoomMissingRanks *self, const char *group, gint own, guint n_stated, GArray *ranks)
{
  guint n_open = g_hash_table_size (self->open), n = 0;
  gboolean has_own = FALSE;
  if (!read_list (group, ranks)) {
    n = n_stated > n_open ? n_stated - n_open : 0;
    self->least = MAX (self->least, n);
    return n;
  }
  for (guint i = 0; i < ranks->len; i++)
    has_own |= g_array_index (ranks, gint, i) == own;
  for (guint i = 0; has_own && i < ranks->len; i++) {
    gpointer rank = GINT_TO_POINTER (g_array_index (ranks, gint, i));
    if (g_hash_table_contains (self->open, rank))
      continue;
    g_hash_table_add (self->missing, rank);
    n++;
  }
  return n;
}

static gint64
make_key (guint number, guint32 group)
{
  return (gint64) number << 32 | group;
}

/* The name of a message is "from>to". If no file of the other rank of the message is open, adds this rank to
 * self->missing. Some profilers number the two ranks within the group instead of within the job. Such messages are
 * recognized by one of two signs, and skipped: neither number is the rank of the track, or the list of the group's
 * ranks does not contain the other rank. `ranks`: scratch. */
static void
read_message (LoomMissingRanks *self, const LoomTrace *trace, const LoomSyncEvent *event, GArray *ranks)
{
  gint from, to, own = loom_trace_get_track (trace, event->track)->rank;
  gboolean is_listed = FALSE;
  if (sscanf (loom_trace_get_sync_event_text (trace, event->name), "%d>%d", &from, &to) != 2 ||
      (own != from && own != to))
    return;
  gint other = own == from ? to : from;
  gboolean has_list = read_list (loom_trace_get_sync_event_text (trace, event->group), ranks);
  for (guint i = 0; has_list && i < ranks->len; i++)
    is_listed |= g_array_index (ranks, gint, i) == other;
  if ((has_list && !is_listed) || g_hash_table_contains (self->open, GINT_TO_POINTER (other)))
    return;
  g_hash_table_add (self->missing, GINT_TO_POINTER (other));
  g_hash_table_add (self->peers, GINT_TO_POINTER (own));
}

static void
read_trace (LoomMissingRanks *self, guint number, GArray *ranks)
{
  guint32 n;
  const LoomTrace *trace = loom_run_get_trace (self->run, number);
  const LoomSyncEvent *events = loom_trace_get_meetings (trace, &n);
  for (guint32 i = 0; i < n; i++) {
    gint64 key = make_key (number, events[i].group), name = make_key (number, events[i].name);
    gboolean is_message = events[i].kind == LOOM_SYNC_EVENT_SEND || events[i].kind == LOOM_SYNC_EVENT_RECEIVE;
    if (events[i].kind > LOOM_SYNC_EVENT_RECEIVE || events[i].track >= loom_trace_get_n_tracks (trace))
      continue;
    if (is_message && g_hash_table_add (self->known, g_memdup2 (&name, sizeof name)))
      read_message (self, trace, &events[i], ranks);
    if (g_hash_table_contains (self->by_group, &key))
      continue;
    gint own = loom_trace_get_track (trace, events[i].track)->rank;
    guint missing =
      count_missing (self, loom_trace_get_sync_event_text (trace, events[i].group), own, events[i].n_ranks, ranks);
    g_hash_table_insert (self->by_group, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (missing + 1));
  }
}

LoomMissingRanks *
loom_missing_ranks_new (LoomRun *run)
{
  LoomMissingRanks *self = g_new0 (LoomMissingRanks, 1);
  g_autoptr (GArray) ranks = g_array_new (FALSE, FALSE, sizeof (gint));
  self->run = loom_run_ref (run);
  self->open = g_hash_table_new (NULL, NULL);
  self->missing = g_hash_table_new (NULL, NULL);
  self->by_group = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  self->peers = g_hash_table_new (NULL, NULL);
  self->known = g_hash_table_new_full (loom_int64_hash, g_int64_equal, g_free, NULL);
  find_open (self);
  for (guint i = 0; g_hash_table_size (self->open) > 1 && i < loom_run_get_n_traces (run); i++)
    read_trace (self, i, ranks);
  return self;
}

void
loom_missing_ranks_free (LoomMissingRanks *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->open);
  g_hash_table_unref (self->missing);
  g_hash_table_unref (self->by_group);
  g_hash_table_unref (self->peers);
  g_hash_table_unref (self->known);
  loom_run_unref (self->run);
  g_free (self);
}

guint
loom_missing_ranks_count (const LoomMissingRanks *self)
{
  return MAX (g_hash_table_size (self->missing), self->least);
}

guint
loom_missing_ranks_count_of (const LoomMissingRanks *self, guint number, guint32 event)
{
  guint32 n;
  const LoomSyncEvent *events = loom_trace_get_meetings (loom_run_get_trace (self->run, number), &n);
  gint64 key = make_key (number, events[event].group);
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_group, &key));
  return found > 0 ? found - 1 : 0;
}

gboolean
loom_missing_ranks_has_peer (const LoomMissingRanks *self, gint rank)
{
  return g_hash_table_contains (self->peers, GINT_TO_POINTER (rank));
}
