/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds open messages between two ranks, for which only one of the two ranks has made its call (send or receive). Open
 * messages are not used to find suspects (ranks with which the hang probably began), because a pipeline always has open
 * messages. They are only used to count how many ranks wait for a suspect.
 */
#include "loom-hang-private.h"

#include <stdio.h>
#include <string.h>

/* An entry of a dump for an uncompleted message between two members of a group. The message goes from the rank `from`
 * to the rank `to`. */
typedef struct {
  guint group; /* number of the group (see Work.keys) */
  gint from, to;
  guint rank; /* index in LoomHang.ranks of the rank whose dump has this entry */
  gboolean is_send;
} Message;

typedef struct {
  const LoomHang *hang;
  GHashTable *keys; /* result of loom_hang_dup_group_key() → number of the group, plus 1 */
  GArray *messages; /* Message: the uncompleted messages in all dumps */
} Work;

/* Parses "send 0->3" or "recv 0<-3". Both numbers are positions in group->ranks; the first one is the position of the
 * rank that made the call. */
static gboolean
parse (const LoomFlightEntry *entry, const LoomFlightGroup *group, Message *message)
{
  guint own, other;
  message->is_send = sscanf (entry->name, "send %u->%u", &own, &other) == 2;
  if (!message->is_send && sscanf (entry->name, "recv %u<-%u", &own, &other) != 2)
    return FALSE;
  if (own >= group->n_ranks || other >= group->n_ranks)
    return FALSE;
  message->from = group->ranks[message->is_send ? own : other];
  message->to = group->ranks[message->is_send ? other : own];
  return TRUE;
}

static guint
intern_group (Work *work, const LoomFlightGroup *group)
{
  char *key = loom_hang_dup_group_key (group);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (work->keys, key));
  if (number > 0) {
    g_free (key);
    return number - 1;
  }
  g_hash_table_insert (work->keys, key, GUINT_TO_POINTER (g_hash_table_size (work->keys) + 1));
  return g_hash_table_size (work->keys) - 1;
}

static void
add_dump (Work *work, guint rank, const LoomFlightDump *dump)
{
  /* [index of a group in the dump] 1 + the number of the group in work->keys; 0: not searched yet */
  g_autofree guint *numbers = g_new0 (guint, dump->groups->len + 1);
  for (guint i = 0; i < dump->entries->len; i++) {
    const LoomFlightEntry *entry = &g_array_index (dump->entries, LoomFlightEntry, i);
    Message message = { .rank = rank };
    if (!entry->is_message || entry->state == LOOM_FLIGHT_COMPLETED || entry->group == G_MAXUINT)
      continue;
    const LoomFlightGroup *group = &g_array_index (dump->groups, LoomFlightGroup, entry->group);
    if (!parse (entry, group, &message))
      continue;
    if (numbers[entry->group] == 0)
      numbers[entry->group] = intern_group (work, group) + 1;
    message.group = numbers[entry->group] - 1;
    g_array_append_val (work->messages, message);
  }
}

/* Compares messages by group, sender and receiver, so that the two sides of a message become neighbours when messages
 * are sorted. */
static int
compare_messages (gconstpointer a, gconstpointer b)
{
  const Message *first = a, *second = b;
  if (first->group != second->group)
    return first->group < second->group ? -1 : 1;
  if (first->from != second->from)
    return first->from < second->from ? -1 : 1;
  return (first->to > second->to) - (first->to < second->to);
}

static int
compare_ranks (gconstpointer a, gconstpointer b)
{
  gint first = ((const LoomHangRank *) a)->rank, second = ((const LoomHangRank *) b)->rank;
  return (first > second) - (first < second);
}

static guint
find_rank (const LoomHang *self, gint rank)
{
  const LoomHangRank wanted = { .rank = rank };
  guint found;
  return g_array_binary_search (self->ranks, &wanted, compare_ranks, &found) ? found : G_MAXUINT;
}

/* `messages`: all open entries for messages from one certain rank to one certain other rank. If all entries are sends,
 * or all are receives, only one of these two ranks has made its call: then adds a LoomHangWait of this rank for the
 * other one. */
static void
look_at_pair (LoomHang *self, const Message *messages, guint n)
{
  for (guint i = 1; i < n; i++)
    if (messages[i].is_send != messages[0].is_send)
      return;
  guint awaited = find_rank (self, messages[0].is_send ? messages[0].to : messages[0].from);
  LoomHangWait wait = { messages[0].rank, awaited };
  if (awaited != G_MAXUINT && awaited != wait.rank && self->message_waits->len < LOOM_HANG_MAX_WAITS)
    g_array_append_val (self->message_waits, wait);
}

void
loom_hang_find_message_waits (LoomHang *self)
{
  Work work = { .hang = self };
  work.keys = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  work.messages = g_array_new (FALSE, FALSE, sizeof (Message));
  for (guint i = 0; i < self->ranks->len; i++)
    if (loom_hang_rank (self, i)->source != G_MAXUINT)
      add_dump (&work, i, loom_run_get_source (self->run, loom_hang_rank (self, i)->source)->flight);
  g_array_sort (work.messages, compare_messages);
  const Message *all = (const Message *) (gpointer) work.messages->data;
  for (guint i = 0, end; i < work.messages->len; i = end) {
    for (end = i + 1; end < work.messages->len && compare_messages (&all[i], &all[end]) == 0; end++)
      continue;
    look_at_pair (self, all + i, end - i);
  }
  g_array_sort (self->message_waits, loom_hang_compare_waits);
  g_hash_table_unref (work.keys);
  g_array_unref (work.messages);
}
