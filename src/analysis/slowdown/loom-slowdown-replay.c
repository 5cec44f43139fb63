/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-slowdown-replay.h"

#include "loom-time.h"

void
loom_slowdown_replay_init (LoomSlowdownReplay *replay)
{
  *replay = (LoomSlowdownReplay) { .operations = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownOperation)),
                                   .waits = g_array_new (FALSE, FALSE, sizeof (LoomSlowdownWait)) };
}

void
loom_slowdown_replay_clear (LoomSlowdownReplay *replay)
{
  g_clear_pointer (&replay->operations, g_array_unref);
  g_clear_pointer (&replay->waits, g_array_unref);
  g_clear_pointer (&replay->first_wait, g_free);
  g_clear_pointer (&replay->order, g_free);
}

guint32
loom_slowdown_replay_add (LoomSlowdownReplay *replay, const LoomSlowdownOperation *operation)
{
  g_array_append_vals (replay->operations, operation, 1);
  return replay->operations->len - 1;
}

void
loom_slowdown_replay_wait (LoomSlowdownReplay *replay, guint32 operation, guint32 before, gint64 lag_ns)
{
  const LoomSlowdownWait wait = { operation, before, lag_ns };
  if (operation != LOOM_SLOWDOWN_NONE && before != LOOM_SLOWDOWN_NONE)
    g_array_append_val (replay->waits, wait);
}

static const LoomSlowdownOperation *
get_operations (const LoomSlowdownReplay *replay)
{
  return (const LoomSlowdownOperation *) (gconstpointer) replay->operations->data;
}

static const LoomSlowdownWait *
get_waits (const LoomSlowdownReplay *replay)
{
  return (const LoomSlowdownWait *) (gconstpointer) replay->waits->data;
}

/* --- order of the operations -------------------------------------------------------------------------------------- */

/* Converts numbers of entries into indices. Before the call, counts[i] must be the number of entries with the number i,
 * and counts[n] must be 0. Each element is replaced by the sum of all elements before it. After the call, if the
 * entries are sorted by number, counts[i] is the index of the first entry with the number i, and counts[n] is the
 * number of all entries. */
static void
sum_counts (guint32 *counts, guint32 n)
{
  guint32 total = 0;
  for (guint32 i = 0; i <= n; i++) {
    guint32 own = counts[i];
    counts[i] = total;
    total += own;
  }
}

/* Sorts the waits by operation. Uses a counting sort. */
static void
sort_waits (LoomSlowdownReplay *replay)
{
  guint32 n = replay->operations->len;
  const LoomSlowdownWait *waits = get_waits (replay);
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (LoomSlowdownWait), replay->waits->len);
  g_array_set_size (sorted, replay->waits->len);
  replay->first_wait = g_new0 (guint32, n + 1);
  for (guint32 i = 0; i < replay->waits->len; i++)
    replay->first_wait[waits[i].operation]++;
  sum_counts (replay->first_wait, n);
  g_autofree guint32 *next = g_memdup2 (replay->first_wait, sizeof *next * n);
  for (guint32 i = 0; i < replay->waits->len; i++)
    g_array_index (sorted, LoomSlowdownWait, next[waits[i].operation]++) = waits[i];
  g_array_unref (replay->waits);
  replay->waits = sorted;
}

/* Data that is used only while the operations are sorted. */
typedef struct {
  LoomSlowdownReplay *replay;
  /* `first_after`: array: [operation] index in `after` of the first operation that waits for this operation; `after`:
   * the waiting operations, sorted by the operation for which they wait */
  guint32 *first_after, *after;
  /* `first_member`: array: [group] index in `members` of the first member of the group; `members`: the members of all
   * groups, sorted by group */
  guint32 *first_member, *members;
  /* array: [operation] number of operations for which this operation waits and which LoomSlowdownReplay.order does not
   * contain yet */
  guint32 *missing;
  guint32 *missing_members; /* array: [group] number of members that cannot be appended to `order` yet */
  /* stack of the operations (guint32) that can be appended to `order` next: they are not in `order` yet, but all
   * operations for which they wait are */
  GArray *ready;
  guint32 n; /* number of operations in `order` so far */
} Sorting;

static void
index_successors (Sorting *sorting)
{
  const LoomSlowdownReplay *replay = sorting->replay;
  guint32 n = replay->operations->len;
  const LoomSlowdownWait *waits = get_waits (replay);
  sorting->first_after = g_new0 (guint32, n + 1);
  sorting->after = g_new (guint32, replay->waits->len + 1);
  for (guint32 i = 0; i < replay->waits->len; i++)
    sorting->first_after[waits[i].before]++;
  sum_counts (sorting->first_after, n);
  g_autofree guint32 *next = g_memdup2 (sorting->first_after, sizeof *next * n);
  for (guint32 i = 0; i < replay->waits->len; i++)
    sorting->after[next[waits[i].before]++] = waits[i].operation;
}

static void
index_members (Sorting *sorting)
{
  const LoomSlowdownReplay *replay = sorting->replay;
  const LoomSlowdownOperation *operations = get_operations (replay);
  sorting->first_member = g_new0 (guint32, replay->n_groups + 1);
  sorting->missing_members = g_new0 (guint32, replay->n_groups + 1);
  sorting->members = g_new (guint32, replay->operations->len + 1);
  for (guint32 i = 0; i < replay->operations->len; i++)
    if (operations[i].group != LOOM_SLOWDOWN_NONE)
      sorting->missing_members[operations[i].group] = ++sorting->first_member[operations[i].group];
  sum_counts (sorting->first_member, replay->n_groups);
  g_autofree guint32 *next = g_memdup2 (sorting->first_member, sizeof *next * (replay->n_groups + 1));
  for (guint32 i = 0; i < replay->operations->len; i++)
    if (operations[i].group != LOOM_SLOWDOWN_NONE)
      sorting->members[next[operations[i].group]++] = i;
}

static void
append (Sorting *sorting, guint32 operation)
{
  sorting->replay->order[sorting->n++] = operation;
  for (guint32 i = sorting->first_after[operation]; i < sorting->first_after[operation + 1]; i++)
    if (--sorting->missing[sorting->after[i]] == 0)
      g_array_append_val (sorting->ready, sorting->after[i]);
}

static void
sort_operations (Sorting *sorting)
{
  const LoomSlowdownReplay *replay = sorting->replay;
  for (guint32 i = replay->operations->len; i-- > 0;)
    if (sorting->missing[i] == 0)
      g_array_append_val (sorting->ready, i);
  while (sorting->ready->len > 0) {
    guint32 operation = g_array_index (sorting->ready, guint32, sorting->ready->len - 1);
    guint32 group = get_operations (replay)[operation].group;
    g_array_set_size (sorting->ready, sorting->ready->len - 1);
    if (group == LOOM_SLOWDOWN_NONE)
      append (sorting, operation);
    else if (--sorting->missing_members[group] == 0)
      for (guint32 i = sorting->first_member[group]; i < sorting->first_member[group + 1]; i++)
        append (sorting, sorting->members[i]);
  }
}

gboolean
loom_slowdown_replay_close (LoomSlowdownReplay *replay)
{
  guint32 n = replay->operations->len;
  Sorting sorting = { .replay = replay,
                      .missing = g_new (guint32, n + 1),
                      .ready = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  sort_waits (replay);
  for (guint32 i = 0; i < n; i++)
    sorting.missing[i] = replay->first_wait[i + 1] - replay->first_wait[i];
  index_successors (&sorting);
  index_members (&sorting);
  replay->order = g_new (guint32, n + 1);
  sort_operations (&sorting);
  g_free (sorting.first_after);
  g_free (sorting.after);
  g_free (sorting.first_member);
  g_free (sorting.members);
  g_free (sorting.missing);
  g_free (sorting.missing_members);
  g_array_unref (sorting.ready);
  return sorting.n == n;
}

/* --- running the replay ------------------------------------------------------------------------------------------- */

static inline gint64
find_begin (const LoomSlowdownReplay *replay, guint32 operation, const gint64 *ends)
{
  const LoomSlowdownWait *waits = get_waits (replay);
  guint32 first = replay->first_wait[operation], end = replay->first_wait[operation + 1];
  if (first == end)
    return get_operations (replay)[operation].begin_ns;
  gint64 begin_ns = G_MININT64;
  for (guint32 i = first; i < end; i++)
    begin_ns = MAX (begin_ns, loom_time_add (ends[waits[i].before], waits[i].lag_ns));
  return begin_ns;
}

/* Extends the range of the step to which a replayed operation belongs. With the flag LOOM_SLOWDOWN_OPENS, the step
 * starts at `begin_ns` or earlier. With the flag LOOM_SLOWDOWN_CLOSES, the step ends at `end_ns` or later. */
static inline void
extend_step (const LoomSlowdownOperation *operation, gint64 begin_ns, gint64 end_ns, LoomRange *steps)
{
  if (operation->step == LOOM_SLOWDOWN_NONE)
    return;
  if ((operation->flags & LOOM_SLOWDOWN_OPENS) != 0)
    steps[operation->step].begin_ns = MIN (steps[operation->step].begin_ns, begin_ns);
  if ((operation->flags & LOOM_SLOWDOWN_CLOSES) != 0)
    steps[operation->step].end_ns = MAX (steps[operation->step].end_ns, end_ns);
}

gint64
loom_slowdown_replay_run (const LoomSlowdownReplay *replay, const gint64 *durations, gint64 *ends, LoomRange *steps)
{
  const LoomSlowdownOperation *operations = get_operations (replay);
  gint64 waits_ns = 0;
  for (guint32 i = 0; i < replay->n_steps; i++)
    steps[i] = (LoomRange) { G_MAXINT64, G_MININT64 };
  for (guint32 i = 0, n = 1; i < replay->operations->len; i += n) {
    guint32 first = replay->order[i];
    if (operations[first].group == LOOM_SLOWDOWN_NONE) { /* the usual case: the operation is in no group */
      gint64 begin_ns = find_begin (replay, first, ends);
      ends[first] = loom_time_add (begin_ns, durations[first]);
      extend_step (&operations[first], begin_ns, ends[first], steps);
      n = 1;
      continue;
    }
    guint32 group = operations[first].group;
    gint64 joined_ns = G_MININT64;
    for (n = 1; i + n < replay->operations->len && operations[replay->order[i + n]].group == group;)
      n++;
    for (guint32 k = i; k < i + n; k++) {
      gint64 begin_ns = ends[replay->order[k]] = find_begin (replay, replay->order[k], ends);
      joined_ns = MAX (joined_ns, begin_ns);
    }
    for (guint32 k = i; k < i + n; k++) {
      guint32 operation = replay->order[k];
      gint64 begin_ns = ends[operation];
      if ((operations[operation].flags & LOOM_SLOWDOWN_WAITS) != 0)
        waits_ns = loom_time_add (waits_ns, loom_time_sub (joined_ns, begin_ns));
      ends[operation] = loom_time_add (joined_ns, durations[operation]);
      extend_step (&operations[operation], begin_ns, ends[operation], steps);
    }
  }
  return waits_ns;
}
