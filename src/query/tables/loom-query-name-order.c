/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-query-name-order.h"

#include <stdlib.h>
#include <string.h>

struct _LoomQueryNameOrder {
  guint32 *events; /* the events sorted by name; an event is first_event[trace] + its column index */
  guint64 n, at;
  guint32 *first_event; /* [trace] */
  guint stretch;        /* number of the LoomQueryStretch in which the scan is now; G_MAXUINT: the scan has not begun */
};

static guint64
count_events (const LoomTrace *trace)
{
  return loom_trace_get_spans (trace)->n;
}

gboolean
loom_query_name_order_is_possible (const LoomQueryRun *run)
{
  guint64 n_events = 0, n_names = 0;
  for (guint i = 0; i < run->n_traces; i++) {
    n_events += count_events (loom_run_get_trace (run->run, i));
    n_names += loom_trace_get_n_names (loom_run_get_trace (run->run, i));
  }
  return n_events <= LOOM_QUERY_NAME_ORDER_EVENTS && n_names <= LOOM_QUERY_NAME_ORDER_NAMES;
}

/* --- positions of names in sorted order ------------------------------------------------------------------------------ */

typedef struct {
  const char *text;
  /* number of the name among all names of the run: first_name of the trace + id of the name in the trace */
  guint32 number;
} Name;

static int
compare_names (const void *a, const void *b)
{
  return strcmp (((const Name *) a)->text, ((const Name *) b)->text);
}

typedef struct {
  guint32 *first_name; /* [trace] */
  /* [number of the name in the run] → index of its text in the sorted list of all different texts */
  guint32 *places;
  guint32 n_places;
} Places;

static void
clear_places (Places *places)
{
  g_free (places->first_name);
  g_free (places->places);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Places, clear_places)

static GArray *
list_names (const LoomQueryRun *run, guint32 *first_name)
{
  GArray *names = g_array_new (FALSE, FALSE, sizeof (Name));
  for (guint t = 0; t < run->n_traces; t++) {
    const LoomTrace *trace = loom_run_get_trace (run->run, t);
    first_name[t] = names->len;
    for (guint32 i = 0; i < loom_trace_get_n_names (trace); i++) {
      Name name = { loom_trace_get_name (trace, i)->text, names->len };
      g_array_append_val (names, name);
    }
  }
  return names;
}

/* Sets `places` for all names. Names with the same text get the same place; their ids differ if they are in different
 * traces or categories. */
static void
init_places (Places *self, const LoomQueryRun *run, gboolean descending)
{
  self->first_name = g_new (guint32, run->n_traces + 1);
  g_autoptr (GArray) names = list_names (run, self->first_name);
  Name *all = (Name *) (gpointer) names->data;
  self->places = g_new (guint32, names->len + 1);
  qsort (all, names->len, sizeof (Name), compare_names);
  for (guint32 i = 0; i < names->len; i++) {
    self->n_places += i == 0 || strcmp (all[i - 1].text, all[i].text) != 0;
    self->places[all[i].number] = self->n_places - 1;
  }
  for (guint32 i = 0; descending && i < names->len; i++)
    self->places[i] = self->n_places - 1 - self->places[i];
}

static inline guint32
get_place (const Places *places, const LoomQuerySpanScan *scan)
{
  return places->places[places->first_name[scan->here.trace] + scan->spans->name_id[scan->here.at]];
}

/* --- sorting --------------------------------------------------------------------------------------------------------- */

/* Returns for each place in the sorted names how many events have a name with a lower place. Sets `n` to the number of
 * all events. NULL when cancelled. */
static guint32 *
count_places (LoomQuerySpanScan *scan, const Places *places, guint64 *n, GCancellable *cancellable)
{
  g_autofree guint32 *before = g_new0 (guint32, places->n_places + 1);
  *n = 0;
  while (loom_query_span_scan_next (scan, cancellable)) {
    before[get_place (places, scan)]++;
    if (++*n % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return NULL;
  }
  guint32 sum = 0;
  for (guint32 i = 0; i < places->n_places; i++) {
    guint32 count = before[i];
    before[i] = sum;
    sum += count;
  }
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&before);
}

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const LoomQueryStretch *first = a, *second = b;
  if (first->trace != second->trace)
    return first->trace < second->trace ? -1 : 1;
  return (first->at > second->at) - (first->at < second->at);
}

static void
fill (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, const Places *places, guint32 *next, GCancellable *cancellable)
{
  guint64 n_seen = 0;
  self->events = g_new (guint32, self->n + 1);
  while (n_seen < self->n && loom_query_span_scan_next (scan, cancellable)) {
    self->events[next[get_place (places, scan)]++] = self->first_event[scan->here.trace] + scan->here.at;
    if (++n_seen % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return;
  }
}

/* --- sorting a few events by comparing names ------------------------------------------------------------------------- */

/* At most this many events are sorted by comparing their names. For so few events, finding the places of all names of
 * the run would take longer, above all in a join. */
#define FEW 1024

typedef struct {
  const char *text;
  guint32 event;
} Few;

static int
compare_few (const void *a, const void *b)
{
  const Few *first = a, *second = b;
  int order = strcmp (first->text, second->text);
  return order != 0 ? order : (first->event > second->event) - (first->event < second->event);
}

static int
compare_few_descending (const void *a, const void *b)
{
  const Few *first = a, *second = b;
  int order = strcmp (second->text, first->text);
  return order != 0 ? order : (first->event > second->event) - (first->event < second->event);
}

static gboolean
has_few (const LoomQuerySpanScan *scan)
{
  guint64 n = 0;
  for (guint i = 0; i < scan->stretches->len && n <= FEW; i++) {
    const LoomQueryStretch *stretch = &g_array_index (scan->stretches, LoomQueryStretch, i);
    n += stretch->to - stretch->at;
  }
  return n <= FEW;
}

static void
sort_few (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, gboolean descending)
{
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Few));
  while (loom_query_span_scan_next (scan, NULL)) {
    const LoomName *name = loom_trace_get_name (scan->trace, scan->spans->name_id[scan->here.at]);
    Few few = { name->text, self->first_event[scan->here.trace] + scan->here.at };
    g_array_append_val (all, few);
  }
  self->n = all->len;
  if (all->len > 0)
    qsort (all->data, all->len, sizeof (Few), descending ? compare_few_descending : compare_few);
  self->events = g_new (guint32, self->n + 1);
  for (guint i = 0; i < all->len; i++)
    self->events[i] = g_array_index (all, Few, i).event;
}

/* --- public functions ------------------------------------------------------------------------------------------------ */

LoomQueryNameOrder *
loom_query_name_order_new (LoomQuerySpanScan *scan, gboolean descending, GCancellable *cancellable)
{
  g_autoptr (LoomQueryNameOrder) self = g_new0 (LoomQueryNameOrder, 1);
  g_auto (Places) places = { 0 };
  self->first_event = g_new0 (guint32, scan->run->n_traces + 1);
  for (guint i = 0; i < scan->run->n_traces; i++)
    self->first_event[i + 1] = self->first_event[i] + (guint32) count_events (loom_run_get_trace (scan->run->run, i));
  self->stretch = G_MAXUINT;
  g_array_sort (scan->stretches, compare_stretches);
  if (has_few (scan)) {
    sort_few (self, scan, descending);
    return g_steal_pointer (&self);
  }
  init_places (&places, scan->run, descending);
  g_autofree guint32 *next = count_places (scan, &places, &self->n, cancellable);
  if (next == NULL)
    return NULL;
  loom_query_span_scan_rewind (scan);
  fill (self, scan, &places, next, cancellable);
  return g_cancellable_is_cancelled (cancellable) ? NULL : g_steal_pointer (&self);
}

void
loom_query_name_order_free (LoomQueryNameOrder *self)
{
  if (self == NULL)
    return;
  g_free (self->events);
  g_free (self->first_event);
  g_free (self);
}

/* --- walking --------------------------------------------------------------------------------------------------------- */

static const LoomQueryStretch *
get_stretch (const LoomQuerySpanScan *scan, guint i)
{
  return &g_array_index (scan->stretches, LoomQueryStretch, i);
}

/* Returns the number of the last LoomQueryStretch of the scan that begins at or before an event. */
static guint
find_stretch (const LoomQueryNameOrder *self, const LoomQuerySpanScan *scan, guint32 event)
{
  guint low = 0, high = scan->stretches->len;
  while (high - low > 1) {
    guint middle = low + (high - low) / 2;
    const LoomQueryStretch *stretch = get_stretch (scan, middle);
    if (self->first_event[stretch->trace] + stretch->at <= event)
      low = middle;
    else
      high = middle;
  }
  return low;
}

gboolean
loom_query_name_order_next (LoomQueryNameOrder *self, LoomQuerySpanScan *scan)
{
  if (self->at >= self->n)
    return FALSE;
  guint32 event = self->events[self->at++];
  const LoomQueryStretch *stretch = self->stretch != G_MAXUINT ? get_stretch (scan, self->stretch) : NULL;
  guint32 first = stretch != NULL ? self->first_event[stretch->trace] : 0;
  if (stretch == NULL || event < first + stretch->at || event >= first + stretch->to) {
    self->stretch = find_stretch (self, scan, event);
    loom_query_span_scan_enter (scan, self->stretch);
    first = self->first_event[scan->here.trace];
  }
  scan->here.at = event - first;
  return TRUE;
}
