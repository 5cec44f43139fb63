/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-search.h"

#include <string.h>

#define CHECK_EVERY (1u << 18) /* spans between looks at the cancellable */

typedef struct {
  LoomTimeline *timeline;
  char *text; /* folded */
  GCancellable *cancellable;
  LoomSearchResult *result;
} Search;

void
loom_search_result_free (LoomSearchResult *result)
{
  g_array_unref (result->hits);
  g_array_unref (result->by_time);
  g_array_unref (result->ticks_ns);
  g_free (result);
}

static gboolean
matches (const LoomName *name, const char *folded)
{
  g_autofree char *text = g_utf8_casefold (name->text, -1);
  return strstr (text, folded) != NULL;
}

/* One byte per name of the trace; NULL when none matches. */
static guint8 *
matching_names (const LoomTrace *trace, const char *folded)
{
  guint n = loom_trace_get_n_names (trace);
  g_autofree guint8 *wanted = g_malloc0 (MAX (n, 1));
  gboolean any = FALSE;
  for (guint i = 0; i < n; i++)
    any |= wanted[i] = matches (loom_trace_get_name (trace, i), folded);
  return any ? g_steal_pointer (&wanted) : NULL;
}

static gboolean
search_trace (Search *search, guint number, const LoomTrace *trace)
{
  g_autofree guint8 *wanted = matching_names (trace, search->text);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  LoomSearchResult *result = search->result;
  for (guint32 i = 0; wanted != NULL && i < spans->n; i++) {
    if (i % CHECK_EVERY == 0 && g_cancellable_is_cancelled (search->cancellable))
      return FALSE;
    if (!wanted[spans->name_id[i]])
      continue;
    LoomSpanId id = { number, i };
    if (result->n_found++ < LOOM_SEARCH_MAX_HITS)
      g_array_append_val (result->hits, id);
  }
  return !g_cancellable_is_cancelled (search->cancellable);
}

typedef struct {
  gint64 start_ns;
  guint32 index;
} Timed;

static int
compare_timed (gconstpointer a, gconstpointer b)
{
  const Timed *x = a, *y = b;
  if (x->start_ns != y->start_ns)
    return x->start_ns < y->start_ns ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static void
fill_times (Search *search)
{
  LoomSearchResult *result = search->result;
  guint n = result->hits->len;
  g_autofree Timed *timed = g_new (Timed, MAX (n, 1));
  for (guint i = 0; i < n; i++) {
    gint64 end_ns;
    loom_timeline_get_span (search->timeline, g_array_index (result->hits, LoomSpanId, i), &timed[i].start_ns, &end_ns);
    timed[i].index = i;
  }
  qsort (timed, n, sizeof *timed, compare_timed);
  guint step = n / LOOM_SEARCH_MAX_TICKS + 1;
  for (guint i = 0; i < n; i++) {
    g_array_append_val (result->by_time, timed[i].index);
    if (i % step == 0)
      g_array_append_val (result->ticks_ns, timed[i].start_ns);
  }
}

static LoomSearchResult *
result_new (void)
{
  LoomSearchResult *result = g_new0 (LoomSearchResult, 1);
  result->hits = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  result->by_time = g_array_new (FALSE, FALSE, sizeof (guint32));
  result->ticks_ns = g_array_new (FALSE, FALSE, sizeof (gint64));
  return result;
}

LoomSearchResult *
loom_search (LoomTimeline *timeline, const char *text, GCancellable *cancellable)
{
  g_return_val_if_fail (timeline != NULL && text != NULL && *text != '\0', NULL);
  g_autofree char *folded = g_utf8_casefold (text, -1);
  Search search = { timeline, folded, cancellable, result_new () };
  LoomRun *run = loom_timeline_get_run (timeline);
  for (guint i = 0; i < loom_run_get_n_traces (run); i++)
    if (!search_trace (&search, i, loom_run_get_trace (run, i))) {
      loom_search_result_free (search.result);
      return NULL;
    }
  fill_times (&search);
  return search.result;
}

typedef struct {
  LoomTimeline *timeline;
  char *text;
} Question;

static void
question_free (Question *question)
{
  loom_timeline_unref (question->timeline);
  g_free (question->text);
  g_free (question);
}

static void
search_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Question *question = task_data;
  LoomSearchResult *result = loom_search (question->timeline, question->text, cancellable);
  if (result != NULL)
    g_task_return_pointer (task, result, (GDestroyNotify) loom_search_result_free);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
}

void
loom_search_async (LoomTimeline *timeline, const char *text, GCancellable *cancellable, GAsyncReadyCallback ready,
                   gpointer user_data)
{
  Question *question = g_new (Question, 1);
  *question = (Question) { loom_timeline_ref (timeline), g_strdup (text) };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, ready, user_data);
  g_task_set_task_data (task, question, (GDestroyNotify) question_free);
  g_task_run_in_thread (task, search_in_thread);
}

LoomSearchResult *
loom_search_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

guint
loom_search_result_after (LoomTimeline *timeline, const LoomSearchResult *result, gint64 time_ns, gboolean at)
{
  guint low = 0, high = result->by_time->len;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    guint32 index = g_array_index (result->by_time, guint32, middle);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, g_array_index (result->hits, LoomSpanId, index), &start_ns, &end_ns);
    if (start_ns < time_ns || (start_ns == time_ns && !at))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
