/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes two lists by which queries find events by name: all names of the run, sorted by text; and for each name of a
 * trace, the events that have it. Each list is made when a query first needs it.
 */
#include "loom-query-run-private.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

/* Number of events between two checks of the cancellable. */
#define LOOK_EVERY (1u << 20)

static int
compare_names (const void *a, const void *b)
{
  const LoomQueryName *first = a, *second = b;
  int order = strcmp (first->text, second->text);
  if (order != 0)
    return order;
  if (first->trace != second->trace)
    return first->trace < second->trace ? -1 : 1;
  return (first->id > second->id) - (first->id < second->id);
}

static GArray *
sort_names (const LoomQueryRun *run)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (LoomQueryName));
  for (guint t = 0; t < run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (run->run, t);
    for (guint32 i = 0; i < loom_trace_get_n_names (trace); i++) {
      LoomQueryName name = { loom_trace_get_name (trace, i)->text, t, i, LOOM_QUERY_ALL_TRACKS };
      g_array_append_val (names, name);
    }
  }
  qsort (names->data, names->len, sizeof (LoomQueryName), compare_names);
  return names;
}

const GArray *
loom_query_run_get_sorted_names (LoomQueryRun *run)
{
  g_mutex_lock (&run->lock);
  if (run->names == NULL)
    run->names = sort_names (run);
  const GArray *names = run->names;
  g_mutex_unlock (&run->lock);
  return names;
}

/* Counts the events of each name. Sets first[i + 1] to the number of events whose name id is at most i. */
static void
count_events (const LoomTrace *trace, guint32 *first)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 n_names = loom_trace_get_n_names (trace);
  for (guint32 i = 0; i < spans->n; i++)
    first[spans->name_id[i] + 1]++;
  for (guint32 i = 0; i < n_names; i++)
    first[i + 1] += first[i];
}

/* Lists the events of each name with a counting sort: counts the events of each name, computes from these numbers where
 * the list of each name begins, and appends each event to the list of its name. SQLite allocates the memory, so that it
 * counts towards the memory limit of the query that first needs the lists. */
static LoomQueryNameEvents *
place_events (const LoomTrace *trace, GCancellable *cancellable)
{
  const LoomSpans *spans = loom_trace_get_spans (trace);
  guint32 n_names = loom_trace_get_n_names (trace);
  LoomQueryNameEvents *self = g_new0 (LoomQueryNameEvents, 1);
  self->first = g_new0 (guint32, n_names + 1);
  self->events = sqlite3_malloc64 (MAX (spans->n, 1) * sizeof (guint32));
  if (self->events == NULL) {
    loom_query_run_name_events_free (self);
    return NULL;
  }
  count_events (trace, self->first);
  g_autofree guint32 *next = g_memdup2 (self->first, sizeof (guint32) * (n_names + 1));
  for (guint32 i = 0; i < spans->n; i++) {
    self->events[next[spans->name_id[i]]++] = i;
    if (i % LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable)) {
      loom_query_run_name_events_free (self);
      return NULL;
    }
  }
  return self;
}

const LoomQueryNameEvents *
loom_query_run_get_name_events (LoomQueryRun *run, guint trace, GCancellable *cancellable)
{
  g_mutex_lock (&run->lock);
  if (run->name_events[trace] == NULL)
    run->name_events[trace] = place_events (loom_run_get_trace (run->run, trace), cancellable);
  const LoomQueryNameEvents *events = run->name_events[trace];
  g_mutex_unlock (&run->lock);
  return events;
}

void
loom_query_run_name_events_free (LoomQueryNameEvents *self)
{
  if (self == NULL)
    return;
  g_free (self->first);
  sqlite3_free (self->events);
  g_free (self);
}
