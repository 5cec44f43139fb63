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
  g_clear_pointer (&replay->added, g_free);
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

void
loom_slowdown_replay_append (LoomSlowdownReplay *replay, const LoomSlowdownReplay *other)
{
  guint32 first = replay->operations->len, first_wait = replay->waits->len;
  g_array_append_vals (replay->operations, other->operations->data, other->operations->len);
  g_array_append_vals (replay->waits, other->waits->data, other->waits->len);
  for (guint32 i = first_wait; i < replay->waits->len; i++) {
    LoomSlowdownWait *wait = &g_array_index (replay->waits, LoomSlowdownWait, i);
    wait->operation += first;
    wait->before += first;
  }
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
  /* array: [operation] number of operations for which this operation waits and which LoomSlowdownReplay.added does not
   * contain yet */
  guint32 *missing;
  guint32 *missing_members; /* array: [group] number of members that cannot be appended to `added` yet */
  /* stack of the operations (guint32) that can be appended to `added` next: they are not in `added` yet, but all
   * operations for which they wait are */
  GArray *ready;
  guint32 n; /* number of operations in `added` so far */
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
  sorting->replay->added[sorting->n++] = operation;
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

/* Gives the operations new numbers, in the order of LoomSlowdownReplay.added. A replay then reads and writes its arrays
 * from the beginning to the end; with the old numbers, it took 1.4 times as long. */
static void
renumber (LoomSlowdownReplay *replay)
{
  guint32 n = replay->operations->len, at = 0;
  g_autofree guint32 *number = g_new (guint32, n + 1), *old_first = replay->first_wait;
  g_autoptr (GArray) old_operations = replay->operations, old_waits = replay->waits;
  for (guint32 i = 0; i < n; i++)
    number[replay->added[i]] = i;
  replay->operations = g_array_sized_new (FALSE, FALSE, sizeof (LoomSlowdownOperation), n);
  replay->waits = g_array_sized_new (FALSE, FALSE, sizeof (LoomSlowdownWait), old_waits->len);
  g_array_set_size (replay->operations, n);
  g_array_set_size (replay->waits, old_waits->len);
  replay->first_wait = g_new (guint32, n + 1);
  for (guint32 i = 0; i < n; i++) {
    guint32 old = replay->added[i];
    g_array_index (replay->operations, LoomSlowdownOperation, i) =
      g_array_index (old_operations, LoomSlowdownOperation, old);
    replay->first_wait[i] = at;
    for (guint32 k = old_first[old]; k < old_first[old + 1]; k++) {
      const LoomSlowdownWait *wait = &g_array_index (old_waits, LoomSlowdownWait, k);
      g_array_index (replay->waits, LoomSlowdownWait, at++) =
        (LoomSlowdownWait) { i, number[wait->before], wait->lag_ns };
    }
  }
  replay->first_wait[n] = at;
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
  replay->added = g_new (guint32, n + 1);
  sort_operations (&sorting);
  g_free (sorting.first_after);
  g_free (sorting.after);
  g_free (sorting.first_member);
  g_free (sorting.members);
  g_free (sorting.missing);
  g_free (sorting.missing_members);
  g_array_unref (sorting.ready);
  if (sorting.n == n)
    renumber (replay);
  return sorting.n == n;
}

/* --- running replays ---------------------------------------------------------------------------------------------- */

/* Several replays that run at the same time. ends[operation · n + k]: end of the operation in replay k. */
typedef struct {
  const LoomSlowdownReplay *replay;
  const LoomSlowdownReplayTimes *times;
  gint64 *ends;
  LoomSlowdownReplayResult *results;
} Runs;

static inline gint64
get_duration (const LoomSlowdownReplayTimes *times, const LoomSlowdownOperation *operation, guint32 i)
{
  gboolean is_chosen = times->workers != NULL && times->workers[operation->worker] != 0 &&
                       (times->likes == NULL || times->likes[(guint32) (operation->like + 1)] != 0);
  return is_chosen ? times->other[i] : times->base[i];
}

/* Sets the elements of `begins` to the start of an operation in each of the `n` replays. */
static inline __attribute__ ((always_inline)) void
find_begins (const Runs *runs, guint32 operation, gint64 *begins, guint n)
{
  const LoomSlowdownReplay *replay = runs->replay;
  const LoomSlowdownWait *waits = get_waits (replay);
  guint32 first = replay->first_wait[operation], end = replay->first_wait[operation + 1];
  for (guint k = 0; k < n; k++)
    begins[k] = first == end ? get_operations (replay)[operation].begin_ns : G_MININT64;
  for (guint32 i = first; i < end; i++)
    for (guint k = 0; k < n; k++)
      begins[k] = MAX (begins[k], loom_time_add (runs->ends[(gsize) waits[i].before * n + k], waits[i].lag_ns));
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

/* Sets the end of operation `i` in each of the `n` replays. `begins`: start of the operation in each replay. `joined`:
 * latest start in its group in each replay; equal to `begins` if the operation is in no group. */
static inline __attribute__ ((always_inline)) void
end_operation (const Runs *runs, guint32 i, const gint64 *begins, const gint64 *joined, guint n)
{
  const LoomSlowdownOperation *operation = &get_operations (runs->replay)[i];
  for (guint k = 0; k < n; k++) {
    gint64 end_ns = loom_time_add (joined[k], get_duration (&runs->times[k], operation, i));
    runs->ends[(gsize) i * n + k] = end_ns;
    extend_step (operation, begins[k], end_ns, runs->results[k].steps);
  }
}

static inline __attribute__ ((always_inline)) void
run_group (const Runs *runs, guint32 first, guint32 end, guint n)
{
  gint64 joined[LOOM_SLOWDOWN_MOST_REPLAYS], begins[LOOM_SLOWDOWN_MOST_REPLAYS];
  for (guint k = 0; k < n; k++)
    joined[k] = G_MININT64;
  for (guint32 i = first; i < end; i++) {
    find_begins (runs, i, &runs->ends[(gsize) i * n], n);
    for (guint k = 0; k < n; k++)
      joined[k] = MAX (joined[k], runs->ends[(gsize) i * n + k]);
  }
  for (guint32 i = first; i < end; i++) {
    gboolean waits = (get_operations (runs->replay)[i].flags & LOOM_SLOWDOWN_WAITS) != 0;
    for (guint k = 0; k < n; k++) {
      begins[k] = runs->ends[(gsize) i * n + k];
      gint64 wait_ns = waits ? loom_time_sub (joined[k], begins[k]) : 0;
      runs->results[k].waits_ns = loom_time_add (runs->results[k].waits_ns, wait_ns);
    }
    end_operation (runs, i, begins, joined, n);
  }
}

/* Runs `n` replays. Inlined with constant values of `n`, because the loops over the replays are then unrolled. */
static inline __attribute__ ((always_inline)) void
run_replays (const Runs *runs, guint n)
{
  const LoomSlowdownOperation *operations = get_operations (runs->replay);
  guint32 n_operations = runs->replay->operations->len;
  gint64 begins[LOOM_SLOWDOWN_MOST_REPLAYS];
  for (guint32 i = 0, end; i < n_operations; i = end) {
    guint32 group = operations[i].group;
    for (end = i + 1; group != LOOM_SLOWDOWN_NONE && end < n_operations && operations[end].group == group;)
      end++;
    if (group != LOOM_SLOWDOWN_NONE) {
      run_group (runs, i, end, n);
      continue;
    }
    find_begins (runs, i, begins, n); /* the usual case: the operation is in no group */
    end_operation (runs, i, begins, begins, n);
  }
}

void
loom_slowdown_replay_run (const LoomSlowdownReplay *replay, const LoomSlowdownReplayTimes *times, guint n, gint64 *ends,
                          LoomSlowdownReplayResult *results)
{
  const Runs runs = { replay, times, ends, results };
  for (guint k = 0; k < n; k++) {
    results[k].waits_ns = 0;
    for (guint32 i = 0; i < replay->n_steps; i++)
      results[k].steps[i] = (LoomRange) { G_MAXINT64, G_MININT64 };
  }
  if (n == LOOM_SLOWDOWN_MOST_REPLAYS) {
    run_replays (&runs, LOOM_SLOWDOWN_MOST_REPLAYS);
    return;
  }
  for (guint k = 0; k < n; k++)
    run_replays (&(const Runs) { replay, &times[k], ends, &results[k] }, 1);
}
