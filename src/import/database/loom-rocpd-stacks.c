/* SPDX-License-Identifier: Apache-2.0
 *
 * Keeps the stack ids and categories of the events of a rocpd database. The interface is described in
 * loom-rocpd-stacks.h.
 */
#include "loom-rocpd-stacks.h"

#include "loom-row-ids.h"

enum { EVENT_ID = 1, EVENT_CATEGORY, EVENT_STACK, EVENT_PARENT_STACK };

/* The array `events` has at most MOST_PER_ROW elements per row, plus FREE_ELEMENTS. This limits the memory for a table
 * whose ids have gaps. */
#define MOST_PER_ROW 4
#define FREE_ELEMENTS 4096

/* value of Event.category: the event is not in the table */
#define UNKNOWN G_MININT32

typedef struct {
  gint32 stack, category;
} Event;

struct _LoomRocpdStacks {
  gint64 first;   /* id of the event at index 0 */
  guint64 n_rows; /* number of rows that were read */
  GArray *events; /* Event, indexed by id minus `first` */
};

static void
add_event (LoomRocpdStacks *self, gint64 id, gint64 stack, gint64 category)
{
  static const Event unknown = { 0, UNKNOWN };
  guint64 at = (guint64) id - (guint64) self->first;
  if (id < self->first || at >= self->n_rows * MOST_PER_ROW + FREE_ELEMENTS || stack != (gint32) stack ||
      category != (gint32) category || category == UNKNOWN || at >= G_MAXUINT / sizeof (Event))
    return;
  while (self->events->len <= at)
    g_array_append_val (self->events, unknown);
  Event *event = &g_array_index (self->events, Event, at);
  if (event->category == UNKNOWN) /* if several rows have the same id, only the first of them is used */
    *event = (Event) { (gint32) stack, (gint32) category };
}

LoomRocpdStacks *
loom_rocpd_stacks_new (LoomDatabase *database, const char *table)
{
  static const char *const columns[] = { "id", "category_id", "stack_id", "parent_stack_id", NULL };
  LoomRocpdStacks *self = g_new0 (LoomRocpdStacks, 1);
  self->events = g_array_new (FALSE, FALSE, sizeof (Event));
  sqlite3_stmt *row = loom_database_select (database, table, columns, NULL);
  while (row != NULL && loom_database_step (database, row) == SQLITE_ROW) {
    gint64 id = loom_row_ids_of_row (row, EVENT_ID), stack = sqlite3_column_int64 (row, EVENT_STACK);
    if (self->n_rows++ == 0)
      self->first = id;
    add_event (self, id, stack != 0 ? stack : sqlite3_column_int64 (row, EVENT_PARENT_STACK),
               sqlite3_column_int64 (row, EVENT_CATEGORY));
  }
  sqlite3_finalize (row);
  return self;
}

void
loom_rocpd_stacks_free (LoomRocpdStacks *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->events);
  g_free (self);
}

gboolean
loom_rocpd_stacks_find (const LoomRocpdStacks *self, gint64 event, gint64 *stack, gint64 *category)
{
  guint64 at = (guint64) event - (guint64) self->first;
  const Event *found = event >= self->first && at < self->events->len ? &g_array_index (self->events, Event, at) : NULL;
  if (found == NULL || found->category == UNKNOWN)
    return FALSE;
  *stack = found->stack;
  *category = found->category;
  return TRUE;
}
