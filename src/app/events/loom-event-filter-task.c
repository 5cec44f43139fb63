/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-event-filter-task.h"

/* Events between two looks at the cancellable. */
#define LOOK_EVERY 4096

/* --- lists ----------------------------------------------------------------------------------------------------------- */

typedef struct {
  LoomTimeline *timeline;
  LoomEventQuery query;
  LoomSourceOverrides *names; /* NULL: none */
  GArray *tracks;
  char *text;
} Question;

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  g_clear_pointer (&question->tracks, g_array_unref);
  loom_source_overrides_free (question->names);
  g_free (question->text);
  g_free (question);
}

static void
list_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Question *question = task_data;
  LoomEventList *list = loom_event_list_new (question->timeline, &question->query, cancellable);
  if (list != NULL)
    g_task_return_pointer (task, list, (GDestroyNotify) loom_event_list_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
}

void
loom_event_filter_task_run_async (LoomTimeline *timeline, const LoomEventQuery *query, GCancellable *cancellable,
                                  GAsyncReadyCallback ready, gpointer user_data)
{
  Question *question = g_new0 (Question, 1);
  question->timeline = loom_timeline_ref (timeline);
  question->query = *query;
  question->tracks = query->tracks != NULL ? g_array_ref ((GArray *) query->tracks) : NULL;
  question->text = g_strdup (query->text);
  question->query.tracks = question->tracks;
  question->query.text = question->text;
  question->names = query->names != NULL ? loom_source_overrides_copy (query->names) : NULL;
  question->query.names = question->names;
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, ready, user_data);
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  g_task_run_in_thread (task, list_in_thread);
}

LoomEventList *
loom_event_filter_task_run_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

static int
compare (gconstpointer a, gconstpointer b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  return (x > y) - (x < y);
}

/* A bitset grows quickly when it is told in order. */
GtkBitset *
loom_event_filter_task (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable)
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

static void
search_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const Search *search = task_data;
  GtkBitset *rows = loom_event_filter_task (search->list, search->events, search->n, cancellable);
  if (rows != NULL)
    g_task_return_pointer (task, rows, (GDestroyNotify) gtk_bitset_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
}

void
loom_event_filter_task_async (LoomEventList *list, const LoomSpanId *events, guint n, GCancellable *cancellable,
                              GAsyncReadyCallback ready, gpointer user_data)
{
  Search *search = g_new (Search, 1);
  *search = (Search) { loom_event_list_ref (list), g_memdup2 (events, n * sizeof *events), n };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, ready, user_data);
  g_task_set_task_data (task, search, (GDestroyNotify) search_free);
  g_task_run_in_thread (task, search_in_thread);
}

GtkBitset *
loom_event_filter_task_finish (GAsyncResult *result)
{
  return g_task_propagate_pointer (G_TASK (result), NULL);
}
