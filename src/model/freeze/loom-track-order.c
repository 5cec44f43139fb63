/* SPDX-License-Identifier: Apache-2.0
 *
 * Sorts processes and threads for display: first by the sort index in the file. Among those with equal indices, those
 * with a name come first, sorted by name in natural order and then by key (pid or tid). Those without a name follow,
 * sorted by key. A key that is a number is compared as a number.
 */
#include "loom-track-order.h"

#include "loom-natural-collate.h"

#include <string.h>

typedef struct {
  guint32 id;
  guint32 group; /* for a thread: position of its process, by which threads are sorted first */
  gint64 sort;
  gboolean is_unnamed;
  char *label; /* label for display; owned */
  const char *key;
} Item;

/* Returns a key without its quotes: w0 for "w0". Keys are bytes of the file, which may be invalid UTF-8; the result is
 * valid. Owned by the caller. */
static char *
dup_bare_key (const char *key)
{
  gsize length = strlen (key);
  gboolean quoted = length >= 2 && key[0] == '"' && key[length - 1] == '"';
  return quoted ? g_utf8_make_valid (key + 1, (gssize) length - 2) : g_utf8_make_valid (key, (gssize) length);
}

char *
loom_track_order_dup_process_label (const LoomProcessEntry *process)
{
  g_autofree char *own = NULL;
  if (process->label != NULL)
    own = g_strdup (process->label);
  else
    own = *process->key != '\0' ? dup_bare_key (process->key) : g_strdup ("(no process)");
  return process->labels != NULL ? g_strdup_printf ("%s (%s)", own, process->labels) : g_steal_pointer (&own);
}

char *
loom_track_order_dup_thread_label (const LoomThreadEntry *thread)
{
  if (thread->label != NULL)
    return g_strdup (thread->label);
  if (*thread->key == '\0')
    return g_strdup ("(no thread)");
  g_autofree char *bare = dup_bare_key (thread->key);
  return *thread->key == '"' ? g_steal_pointer (&bare) : g_strdup_printf ("thread %s", bare);
}

static gboolean
parse_key (const char *key, gint64 *value)
{
  char *end;
  *value = g_ascii_strtoll (key, &end, 10);
  return end != key && *end == '\0';
}

static int
compare_keys (const char *a, const char *b)
{
  gint64 first, second;
  gboolean has_first = parse_key (a, &first), has_second = parse_key (b, &second);
  if (has_first != has_second)
    return has_first ? -1 : 1;
  if (has_first && first != second)
    return first < second ? -1 : 1;
  return loom_natural_collate_compare (a, b);
}

static int
compare_items (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Item *first = a, *second = b;
  if (first->group != second->group)
    return first->group < second->group ? -1 : 1;
  if (first->sort != second->sort)
    return first->sort < second->sort ? -1 : 1;
  if (first->is_unnamed != second->is_unnamed)
    return first->is_unnamed ? 1 : -1;
  int order = first->is_unnamed ? 0 : loom_natural_collate_compare (first->label, second->label);
  if (order == 0)
    order = compare_keys (first->key, second->key);
  return order != 0 ? order : (first->id < second->id ? -1 : first->id > second->id);
}

static void
clear_item (gpointer data)
{
  g_free (((Item *) data)->label);
}

static guint32 *
positions_of (GArray *items)
{
  g_array_sort_with_data (items, compare_items, NULL);
  guint32 *positions = g_new (guint32, MAX (items->len, 1));
  for (guint32 i = 0; i < items->len; i++)
    positions[g_array_index (items, Item, i).id] = i;
  return positions;
}

static GArray *
new_items (void)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (Item));
  g_array_set_clear_func (items, clear_item);
  return items;
}

guint32 *
loom_track_order_sort_processes (const LoomTraceBuilder *builder)
{
  g_autoptr (GArray) items = new_items ();
  for (guint32 i = 0; i < builder->processes->len; i++) {
    const LoomProcessEntry *process = loom_trace_builder_peek_process (builder, i);
    Item item = { i,           0, process->sort, process->label == NULL, loom_track_order_dup_process_label (process),
                  process->key };
    g_array_append_val (items, item);
  }
  return positions_of (items);
}

guint32 *
loom_track_order_sort_threads (const LoomTraceBuilder *builder, const guint32 *process_positions)
{
  g_autoptr (GArray) items = new_items ();
  for (guint32 i = 0; i < builder->threads->len; i++) {
    const LoomThreadEntry *thread = loom_trace_builder_peek_thread (builder, i);
    Item item = { i,
                  process_positions[thread->process],
                  thread->sort,
                  thread->label == NULL,
                  loom_track_order_dup_thread_label (thread),
                  thread->key };
    g_array_append_val (items, item);
  }
  return positions_of (items);
}
