/* SPDX-License-Identifier: Apache-2.0
 *
 * Implements loom-query-intervals.h: the sets, and the cursors of interval_join() and interval_union().
 */
#include "loom-query-intervals.h"

#include <string.h>

#include "loom-merge-sort.h"
#include "loom-time.h"

#define FIRST_ROOM 64
/* number of intervals that are sorted between two checks of the cancellable */
#define SORTED_AT_ONCE ((gsize) 1 << 16)

typedef struct {
  gint64 start_ns, end_ns, id;
  gboolean has_id;
} Interval;

typedef struct {
  /* intervals sorted by start; the array is allocated by SQLite, so that it counts towards SQLite's memory limit */
  Interval *items;
  gsize n, room;
} IntervalSet;

#define STARTS_EARLIER(a, b) ((a)->start_ns < (b)->start_ns)
LOOM_DEFINE_SORT (sort_intervals, Interval, STARTS_EARLIER)

/* --- collecting --------------------------------------------------------------------------------------------------- */

static gboolean
add_interval (IntervalSet *set, const Interval *interval)
{
  if (set->n == set->room) {
    gsize room = MAX (2 * set->room, FIRST_ROOM);
    Interval *items = sqlite3_realloc64 (set->items, room * sizeof (Interval));
    if (items == NULL)
      return FALSE;
    set->items = items;
    set->room = room;
  }
  set->items[set->n++] = *interval;
  return TRUE;
}

static void
collect (sqlite3_context *context, int argc, sqlite3_value **argv)
{
  sqlite3_value *start = argv[argc - 2], *duration = argv[argc - 1];
  IntervalSet *set = sqlite3_aggregate_context (context, sizeof (IntervalSet));
  if (set == NULL)
    sqlite3_result_error_nomem (context);
  if (set == NULL || sqlite3_value_type (start) == SQLITE_NULL || sqlite3_value_type (duration) == SQLITE_NULL)
    return;
  gint64 length_ns = sqlite3_value_int64 (duration), start_ns = sqlite3_value_int64 (start);
  if (length_ns < 0) {
    sqlite3_result_error (context, "interval_set(): a duration is negative", -1);
    return;
  }
  Interval interval = { start_ns, loom_time_add (start_ns, length_ns), 0, FALSE };
  if (argc == 3 && sqlite3_value_type (argv[0]) != SQLITE_NULL) {
    interval.id = sqlite3_value_int64 (argv[0]);
    interval.has_id = TRUE;
  }
  if (!add_interval (set, &interval))
    sqlite3_result_error_nomem (context);
}

/* Merges neighbouring sorted sequences of `length` intervals: each pair of sequences becomes one sequence. Returns
 * FALSE when cancelled. */
static gboolean
merge_stretches (IntervalSet *set, gsize length, Interval *room, GCancellable *cancellable)
{
  for (gsize at = 0; at + length < set->n; at += 2 * length) {
    Interval *items = set->items + at;
    if (g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (STARTS_EARLIER (&items[length], &items[length - 1]))
      sort_intervals_merge (items, length, MIN (2 * length, set->n - at), room);
  }
  return TRUE;
}

/* Sorts the intervals. SQLite cannot interrupt a sort, so this function checks the cancellable itself. Returns SQLite's
 * result code. */
static int
sort_set (IntervalSet *set, GCancellable *cancellable)
{
  for (gsize at = 0; at < set->n; at += SORTED_AT_ONCE) {
    if (g_cancellable_is_cancelled (cancellable))
      return SQLITE_INTERRUPT;
    sort_intervals (set->items + at, MIN (SORTED_AT_ONCE, set->n - at));
  }
  Interval *room = set->n > SORTED_AT_ONCE ? sqlite3_malloc64 (set->n * sizeof *room) : NULL;
  gboolean good = TRUE;
  if (set->n > SORTED_AT_ONCE && room == NULL)
    return SQLITE_NOMEM;
  for (gsize length = SORTED_AT_ONCE; good && length < set->n; length *= 2)
    good = merge_stretches (set, length, room, cancellable);
  sqlite3_free (room);
  return good ? SQLITE_OK : SQLITE_INTERRUPT;
}

/* Ends the aggregate: moves the set to host->sets, which loom_query_intervals_clear() frees. SQLite calls this function
 * even after an error, so every set is freed. */
static void
finish_set (sqlite3_context *context)
{
  LoomQueryHost *host = sqlite3_user_data (context);
  IntervalSet *made = sqlite3_aggregate_context (context, 0);
  if (made == NULL)
    return;
  if (host->sets == NULL)
    host->sets = g_array_new (FALSE, FALSE, sizeof (IntervalSet));
  int code = sort_set (made, host->cancellable);
  g_array_append_vals (host->sets, made, 1);
  *made = (IntervalSet) { 0 };
  if (code == SQLITE_OK)
    sqlite3_result_int64 (context, host->sets->len - 1);
  else
    sqlite3_result_error_code (context, code);
}

int
loom_query_intervals_register (sqlite3 *database, LoomQueryHost *host)
{
  int code = SQLITE_OK;
  for (int n = 2; n <= 3 && code == SQLITE_OK; n++)
    code = sqlite3_create_function (database, "interval_set", n, SQLITE_UTF8, host, NULL, collect, finish_set);
  return code;
}

void
loom_query_intervals_clear (LoomQueryHost *host)
{
  for (guint i = 0; host->sets != NULL && i < host->sets->len; i++)
    sqlite3_free (g_array_index (host->sets, IntervalSet, i).items);
  g_clear_pointer (&host->sets, g_array_unref);
}

/* --- cursors ------------------------------------------------------------------------------------------------------ */

typedef struct {
  LoomQueryCursor base;
  IntervalSet sets[2]; /* sets that the arguments name, borrowed from the connection; a union has only one set */
  /* the arguments of the table: each is the number that identifies a set of intervals, and is also the value of a
   * hidden column of the table */
  gint64 numbers[2];
  gsize at[2]; /* array indexed by set: index, in the set, of the interval that becomes `current` next */
  /* join: the interval whose partners in the other set are searched; union: the merged interval */
  Interval current;
  guint side; /* number of the set (0 or 1) to which `current` belongs */
  /* index, in the other set, of the partner that the current row of the result shows; the search for the next partner
   * begins after it */
  gsize partner;
  gboolean has_current; /* join: TRUE while more partners of `current` may follow */
  guint64 n_merged;     /* number of intervals that were merged into the current row of a union */
  gint64 row;
} Cursor;

/* Reads the arguments, which are numbers of sets. Sets `is_empty` if an argument is NULL, which interval_set() returns
 * for a set without rows. Returns FALSE if an argument is not the number of a set. */
static gboolean
read_sets (Cursor *self, const LoomQueryCondition *conditions, guint n, guint first, gboolean *is_empty)
{
  const GArray *sets = loom_query_module_host (&self->base)->sets;
  *is_empty = FALSE;
  for (guint i = 0; i < n; i++) {
    guint number = conditions[i].column - first;
    if (conditions[i].column < first)
      continue;
    self->numbers[number] = sqlite3_value_int64 (conditions[i].value);
    if (sqlite3_value_type (conditions[i].value) == SQLITE_NULL)
      *is_empty = TRUE;
    else if (sqlite3_value_type (conditions[i].value) != SQLITE_INTEGER || sets == NULL || self->numbers[number] < 0 ||
             self->numbers[number] >= (gint64) sets->len)
      return FALSE;
    else
      self->sets[number] = g_array_index (sets, IntervalSet, self->numbers[number]);
  }
  return TRUE;
}

static int
begin (Cursor *self, const LoomQueryCondition *conditions, guint n, guint first, int (*next) (LoomQueryCursor *base))
{
  gboolean is_empty;
  self->sets[0] = self->sets[1] = (IntervalSet) { 0 };
  self->at[0] = self->at[1] = 0;
  self->has_current = FALSE;
  self->row = -1;
  if (!read_sets (self, conditions, n, first, &is_empty))
    return loom_query_module_fail (&self->base, SQLITE_ERROR, "an argument is no set that interval_set() returned");
  if (is_empty) {
    self->base.at_end = TRUE;
    return SQLITE_OK;
  }
  return next (&self->base);
}

static gint64
row_id (LoomQueryCursor *base)
{
  return ((Cursor *) base)->row;
}

static guint64
guess_intervals (const LoomQueryRun *run)
{
  return MIN (run->n_spans, 100000);
}

/* --- interval_join ------------------------------------------------------------------------------------------------ */

/* Sets `current` to the next interval of the two sets, in the order of their starts. Returns FALSE if one of the sets
 * has no interval left, so that no more pairs exist. */
static gboolean
take_next (Cursor *self)
{
  const IntervalSet *left = &self->sets[0], *right = &self->sets[1];
  if (self->at[0] >= left->n || self->at[1] >= right->n)
    return FALSE;
  self->side = left->items[self->at[0]].start_ns <= right->items[self->at[1]].start_ns ? 0 : 1;
  self->current = self->sets[self->side].items[self->at[self->side]++];
  self->partner = self->at[1 - self->side];
  return TRUE;
}

/* Moves to the next pair of intervals that overlap: `current`, and a partner in the other set that begins inside
 * `current` or at the same time. Each pair is thus found only once, when `current` is the interval that begins first.
 * An interval of length 0 and an interval that contains it are also a pair. */
static int
next_pair (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  self->row++;
  if (self->has_current)
    self->partner++;
  for (;;) {
    const IntervalSet *other = &self->sets[1 - self->side];
    if (self->has_current && self->partner < other->n) {
      gint64 start_ns = other->items[self->partner].start_ns;
      if (start_ns < self->current.end_ns || start_ns == self->current.start_ns)
        return SQLITE_OK;
    }
    self->has_current = take_next (self);
    base->at_end = !self->has_current;
    if (base->at_end)
      return SQLITE_OK;
  }
}

enum { JOIN_LEFT_ID, JOIN_RIGHT_ID, JOIN_START, JOIN_DURATION, JOIN_FIRST_SET };

static int
filter_join (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  return begin ((Cursor *) base, conditions, n, JOIN_FIRST_SET, next_pair);
}

static void
set_pair (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  const Interval *partner = &self->sets[1 - self->side].items[self->partner],
                 *left = self->side == 0 ? &self->current : partner,
                 *right = self->side == 0 ? partner : &self->current;
  const Interval *named = column == JOIN_LEFT_ID ? left : right;
  if (column <= JOIN_RIGHT_ID && named->has_id)
    sqlite3_result_int64 (context, named->id);
  else if (column == JOIN_START)
    sqlite3_result_int64 (context, partner->start_ns);
  else if (column == JOIN_DURATION)
    sqlite3_result_int64 (context, loom_time_sub (MIN (left->end_ns, right->end_ns), partner->start_ns));
  else if (column >= JOIN_FIRST_SET)
    sqlite3_result_int64 (context, self->numbers[column - JOIN_FIRST_SET]);
}

/* --- interval_union ----------------------------------------------------------------------------------------------- */

enum { UNION_START, UNION_DURATION, UNION_INTERVALS, UNION_SET };

static int
next_union (LoomQueryCursor *base)
{
  Cursor *self = (Cursor *) base;
  const IntervalSet *set = &self->sets[0];
  self->row++;
  base->at_end = self->at[0] >= set->n;
  if (base->at_end)
    return SQLITE_OK;
  self->current = set->items[self->at[0]];
  self->n_merged = 0;
  while (self->at[0] < set->n && set->items[self->at[0]].start_ns <= self->current.end_ns) {
    self->current.end_ns = MAX (self->current.end_ns, set->items[self->at[0]].end_ns);
    self->at[0]++;
    self->n_merged++;
  }
  return SQLITE_OK;
}

static int
filter_union (LoomQueryCursor *base, const LoomQueryCondition *conditions, guint n)
{
  return begin ((Cursor *) base, conditions, n, UNION_SET, next_union);
}

static void
set_union (LoomQueryCursor *base, sqlite3_context *context, guint column)
{
  const Cursor *self = (Cursor *) base;
  switch (column) {
  case UNION_START: sqlite3_result_int64 (context, self->current.start_ns); break;
  case UNION_DURATION:
    sqlite3_result_int64 (context, loom_time_sub (self->current.end_ns, self->current.start_ns));
    break;
  case UNION_INTERVALS: sqlite3_result_int64 (context, (gint64) self->n_merged); break;
  default: sqlite3_result_int64 (context, self->numbers[0]); break;
  }
}

const LoomQueryModule loom_query_module_interval_join = {
  LOOM_QUERY_TABLE_INTERVAL_JOIN, sizeof (Cursor), guess_intervals, filter_join, next_pair, set_pair, row_id, NULL, NULL
};
const LoomQueryModule loom_query_module_interval_union = { LOOM_QUERY_TABLE_INTERVAL_UNION,
                                                           sizeof (Cursor),
                                                           guess_intervals,
                                                           filter_union,
                                                           next_union,
                                                           set_union,
                                                           row_id,
                                                           NULL,
                                                           NULL };
