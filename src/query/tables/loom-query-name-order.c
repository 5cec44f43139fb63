/* SPDX-License-Identifier: Apache-2.0
 *
 * Visits events by name: a few events are sorted; for many, the lists of the events of each name are used
 * (loom-query-name-order.h).
 */
#include "loom-query-name-order.h"

#include <stdlib.h>
#include <string.h>

/* Visits events by name, one part at a time. A part contains either the events of one name of a trace, or the events of
 * all names of a trace that have the same text. */
struct _LoomQueryNameOrder {
  guint flags;         /* LoomQueryNameOrderFlags: how events are sorted, and which events are visited */
  const GArray *names; /* LoomQueryName: the names to visit, borrowed; NULL: all events are in `few` */
  GArray *own_names;   /* the same array as `names`, if this object owns it; NULL: `names` belongs to the run */
  guint at;            /* index of the next name in `names`, or of the next event in `few` */
  guint begin, end;    /* range [begin, end) of the indices, in `names`, of the names that have the current text */
  /* `events`: column indices of the events of the current part; `n_events`: number of these events; `n_done`: number of
   * them that were visited */
  const guint32 *events;
  guint32 n_events, n_done;
  guint trace;
  guint8 tracks; /* LoomQueryName.tracks of the names in the current part */
  /* number of parts that have begun so far. A part contains the events of one name, or of all names with the same
   * text. Comparing this number with an earlier value shows whether a new part has begun since then */
  guint n_parts;
  GArray *sorted; /* guint32: column indices of the events of several names, sorted by id; NULL until needed */
  /* array indexed by trace: number of the first stretch (LoomQueryStretch) of the scan that belongs to the trace */
  guint *first;
  guint stretch; /* number of the LoomQueryStretch of the scan that contains the current event */
  guint entered; /* number of the LoomQueryStretch in which the scan is now; G_MAXUINT: the scan has not begun */
  /* TRUE: the event `kept` in the LoomQueryStretch with the number `kept_stretch` was already found, and is returned by
   * the next call */
  gboolean is_kept;
  guint kept_stretch;
  guint32 kept;
  guint n_looked;
  gboolean is_full; /* TRUE after an allocation of memory for the events of a trace has failed */
  GArray *few;      /* Few: all events of the scan, sorted by name; NULL: the scan has too many events for this */
};

gboolean
loom_query_name_order_is_possible (const LoomQueryRun *run)
{
  guint64 n_events = 0, n_names = 0;
  for (guint i = 0; i < run->n_traces; i++) {
    n_events += loom_trace_get_spans (loom_run_get_trace (run->run, i))->n;
    n_names += loom_trace_get_n_names (loom_run_get_trace (run->run, i));
  }
  return n_events <= LOOM_QUERY_NAME_ORDER_EVENTS && n_names <= LOOM_QUERY_NAME_ORDER_NAMES;
}

static const LoomQueryStretch *
get_stretch (const LoomQuerySpanScan *scan, guint i)
{
  return &g_array_index (scan->stretches, LoomQueryStretch, i);
}

static guint64
count_stretches (const LoomQuerySpanScan *scan)
{
  guint64 n = 0;
  for (guint i = 0; i < scan->stretches->len; i++)
    n += get_stretch (scan, i)->to - get_stretch (scan, i)->at;
  return n;
}

/* Moves the scan to an event. `stretch`: number of the LoomQueryStretch that contains the event; `event`: its index
 * in the span columns of the trace (LoomSpans). */
static void
enter (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, guint stretch, guint32 event)
{
  if (self->entered != stretch)
    loom_query_span_scan_enter (scan, stretch);
  self->entered = stretch;
  scan->here.at = event;
}

/* --- few events --------------------------------------------------------------------------------------------------- */

/* The events of a scan are sorted by comparing the texts of their names if the scan has at most FEW events, or not more
 * events than the run has names. Visiting the list of events of each name would then take longer, above all in a join,
 * which makes a scan for each row. */
#define FEW 1024

typedef struct {
  const char *text;
  guint stretch;
  guint32 event;
} Few;

/* Compares two events by their ids. The stretches (LoomQueryStretch) of a scan are in the order of ids. */
static int
compare_ids (const Few *first, const Few *second)
{
  if (first->stretch != second->stretch)
    return first->stretch < second->stretch ? -1 : 1;
  return (first->event > second->event) - (first->event < second->event);
}

static int
compare_few (const void *a, const void *b)
{
  int order = strcmp (((const Few *) a)->text, ((const Few *) b)->text);
  return order != 0 ? order : compare_ids (a, b);
}

static int
compare_few_descending (const void *a, const void *b)
{
  int order = strcmp (((const Few *) b)->text, ((const Few *) a)->text);
  return order != 0 ? order : compare_ids (a, b);
}

static void
sort_few (LoomQueryNameOrder *self, LoomQuerySpanScan *scan)
{
  gboolean descending = (self->flags & LOOM_QUERY_NAME_ORDER_DESCENDING) != 0;
  self->few = g_array_new (FALSE, FALSE, sizeof (Few));
  while (loom_query_span_scan_next (scan, NULL)) {
    const LoomName *name = loom_trace_get_name (scan->trace, scan->spans->name_id[scan->here.at]);
    Few few = { name->text, scan->n_done - 1, scan->here.at };
    g_array_append_val (self->few, few);
  }
  if (self->few->len > 0)
    qsort (self->few->data, self->few->len, sizeof (Few), descending ? compare_few_descending : compare_few);
}

static gboolean
next_few (LoomQueryNameOrder *self, LoomQuerySpanScan *scan)
{
  const Few *all = (const Few *) (gpointer) self->few->data, *last = self->at > 0 ? &all[self->at - 1] : NULL;
  while (last != NULL && (self->flags & LOOM_QUERY_NAME_ORDER_ONCE) != 0 && self->at < self->few->len &&
         strcmp (all[self->at].text, last->text) == 0)
    self->at++;
  if (self->at >= self->few->len)
    return FALSE;
  const Few *few = &all[self->at++];
  enter (self, scan, few->stretch, few->event);
  return TRUE;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static const LoomQueryName *
get_name (const LoomQueryNameOrder *self, guint i)
{
  return &g_array_index (self->names, LoomQueryName, i);
}

static gboolean
is_same_text (const LoomQueryNameOrder *self, guint i, guint k)
{
  return strcmp (get_name (self, i)->text, get_name (self, k)->text) == 0;
}

/* Moves to the names with the next text, in the order that the query requires. Returns FALSE if no name remains. */
static gboolean
next_text (LoomQueryNameOrder *self)
{
  if ((self->flags & LOOM_QUERY_NAME_ORDER_DESCENDING) != 0) {
    self->end = self->begin;
    while (self->begin > 0 && is_same_text (self, self->begin - 1, self->end - 1))
      self->begin--;
  } else {
    self->begin = self->end;
    while (self->end < self->names->len && is_same_text (self, self->end, self->begin))
      self->end++;
  }
  self->at = self->begin;
  return self->begin < self->end;
}

static int
compare_events (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  return (x > y) - (x < y);
}

/* Makes the next part (see LoomQueryNameOrder): it contains the events of `n` names, beginning with the name at index
 * self->at. Returns FALSE when cancelled. */
static gboolean
make_part (LoomQueryNameOrder *self, LoomQueryRun *run, guint n, GCancellable *cancellable)
{
  self->trace = get_name (self, self->at)->trace;
  self->tracks = get_name (self, self->at)->tracks;
  self->n_parts++;
  const LoomQueryNameEvents *all = loom_query_run_get_name_events (run, self->trace, cancellable);
  self->is_full = all == NULL && !g_cancellable_is_cancelled (cancellable);
  if (all == NULL)
    return FALSE;
  if (n > 1 && self->sorted == NULL)
    self->sorted = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (n > 1)
    g_array_set_size (self->sorted, 0);
  for (guint i = 0; i < n; i++) {
    guint32 id = get_name (self, self->at + i)->id;
    self->events = all->events + all->first[id];
    self->n_events = all->first[id + 1] - all->first[id];
    if (n > 1)
      g_array_append_vals (self->sorted, self->events, self->n_events);
  }
  if (n > 1) {
    qsort (self->sorted->data, self->sorted->len, sizeof (guint32), compare_events);
    self->events = (const guint32 *) (gpointer) self->sorted->data;
    self->n_events = self->sorted->len;
  }
  self->n_done = 0;
  self->stretch = self->first[self->trace];
  self->at += n;
  return TRUE;
}

/* Returns the number of names, beginning at index self->at, whose events form one part. If the query sorts the events
 * of a text by id, these are all names of a trace with the same text; otherwise one name. */
static guint
count_together (const LoomQueryNameOrder *self)
{
  guint n = 1;
  if ((self->flags & LOOM_QUERY_NAME_ORDER_THEN_ID) == 0)
    return 1;
  while (self->at + n < self->end && get_name (self, self->at + n)->trace == get_name (self, self->at)->trace)
    n++;
  return n;
}

/* Moves to the next part whose names the conditions allow. Returns FALSE at the end, and when cancelled. */
static gboolean
next_part (LoomQueryNameOrder *self, const LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  for (; self->at < self->end || next_text (self); self->at++) {
    const LoomQueryName *name = get_name (self, self->at);
    if (self->first[name->trace] == self->first[name->trace + 1])
      continue;
    guint n = count_together (self);
    if (n > 1 || loom_query_span_scan_may_allow_name (scan, name->trace, name->id))
      return make_part (self, scan->run, n, cancellable);
    if (++self->n_looked % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
  }
  return FALSE;
}

/* Skips all other events whose names have the same text as the name of the current event. If the names were passed to
 * loom_query_name_order_new_of(), skips only the other events of the same name. */
static void
skip_text (LoomQueryNameOrder *self)
{
  self->n_done = self->n_events;
  if (self->own_names == NULL)
    self->at = self->end;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Sets self->stretch to the number of the first stretch (LoomQueryStretch) of the trace that ends after the event.
 * Returns FALSE if all stretches of the trace end before the event. */
static gboolean
find_stretch (LoomQueryNameOrder *self, const LoomQuerySpanScan *scan, guint32 event)
{
  guint low = self->stretch, high = self->first[self->trace + 1];
  if (low < high && event < get_stretch (scan, low)->to)
    return TRUE;
  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (get_stretch (scan, middle)->to <= event)
      low = middle + 1;
    else
      high = middle;
  }
  self->stretch = low;
  return low < self->first[self->trace + 1];
}

/* Skips the events of the current part whose column index is less than `event`. */
static void
skip_before (LoomQueryNameOrder *self, guint32 event)
{
  guint32 low = self->n_done, high = self->n_events;
  while (low < high) {
    guint32 middle = low + (high - low) / 2;
    if (self->events[middle] < event)
      low = middle + 1;
    else
      high = middle;
  }
  self->n_done = low;
}

/* Moves the scan to the next event of the current part that is in one of the stretches (LoomQueryStretch) of the scan.
 * The conditions may still exclude this event. Returns FALSE if the part has no such event. */
static gboolean
next_event (LoomQueryNameOrder *self, LoomQuerySpanScan *scan)
{
  while (self->n_done < self->n_events) {
    guint32 event = self->events[self->n_done];
    if (!find_stretch (self, scan, event))
      break;
    if (event < get_stretch (scan, self->stretch)->at) {
      skip_before (self, get_stretch (scan, self->stretch)->at);
      continue;
    }
    if (self->tracks != LOOM_QUERY_ALL_TRACKS &&
        self->tracks != loom_query_span_scan_get_track_kind (scan, get_stretch (scan, self->stretch))) {
      skip_before (self, get_stretch (scan, self->stretch)->to);
      continue;
    }
    enter (self, scan, self->stretch, event);
    self->n_done++;
    return TRUE;
  }
  self->n_done = self->n_events;
  return FALSE;
}

/* --- creating and freeing the order ------------------------------------------------------------------------------- */

gboolean
loom_query_name_order_is_faster (const LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  guint64 n_events = 0, n_all = count_stretches (scan);
  guint n_names = 0;
  for (guint t = 0; t < scan->run->n_traces; t++)
    n_names += loom_trace_get_n_names (loom_run_get_trace (scan->run->run, t));
  if (n_all <= FEW || n_all / LOOM_QUERY_SPANS_PER_NAME < n_names || !loom_query_name_order_is_possible (scan->run))
    return FALSE;
  for (guint t = 0; t < scan->run->n_traces; t++) {
    const LoomQueryNameEvents *all = loom_query_run_get_name_events (scan->run, t, cancellable);
    guint32 n = loom_trace_get_n_names (loom_run_get_trace (scan->run->run, t));
    if (all == NULL)
      return FALSE;
    for (guint32 i = 0; i < n; i++)
      if (loom_query_span_scan_may_allow_name (scan, t, i))
        n_events += all->first[i + 1] - all->first[i];
  }
  return n_events < n_all / 4;
}

static int
compare_stretches (gconstpointer a, gconstpointer b)
{
  const LoomQueryStretch *first = a, *second = b;
  if (first->trace != second->trace)
    return first->trace < second->trace ? -1 : 1;
  return (first->at > second->at) - (first->at < second->at);
}

/* For each trace, stores the number of its first LoomQueryStretch in self->first. */
static void
find_traces (LoomQueryNameOrder *self, const LoomQuerySpanScan *scan)
{
  guint n_traces = scan->run->n_traces;
  self->first = g_new (guint, n_traces + 1);
  for (guint t = 0, i = 0; t <= n_traces; t++) {
    while (i < scan->stretches->len && get_stretch (scan, i)->trace < t)
      i++;
    self->first[t] = i;
  }
}

LoomQueryNameOrder *
loom_query_name_order_new_of (LoomQuerySpanScan *scan, GArray *names, guint flags)
{
  LoomQueryNameOrder *self = g_new0 (LoomQueryNameOrder, 1);
  self->flags = flags;
  self->entered = G_MAXUINT;
  self->names = self->own_names = names;
  g_array_sort (scan->stretches, compare_stretches);
  find_traces (self, scan);
  return self;
}

LoomQueryNameOrder *
loom_query_name_order_new (LoomQuerySpanScan *scan, guint flags)
{
  LoomQueryNameOrder *self = g_new0 (LoomQueryNameOrder, 1);
  self->flags = flags;
  self->entered = G_MAXUINT;
  g_array_sort (scan->stretches, compare_stretches);
  guint64 n_events = count_stretches (scan);
  if (n_events > FEW)
    self->names = loom_query_run_get_sorted_names (scan->run);
  if (self->names == NULL || n_events <= self->names->len) {
    sort_few (self, scan);
    return self;
  }
  self->begin = self->end = (flags & LOOM_QUERY_NAME_ORDER_DESCENDING) != 0 ? self->names->len : 0;
  self->at = self->end;
  find_traces (self, scan);
  return self;
}

void
loom_query_name_order_free (LoomQueryNameOrder *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->sorted, g_array_unref);
  g_clear_pointer (&self->few, g_array_unref);
  g_clear_pointer (&self->own_names, g_array_unref);
  g_free (self->first);
  g_free (self);
}

gboolean
loom_query_name_order_next (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, GCancellable *cancellable)
{
  if (self->is_kept) {
    self->is_kept = FALSE;
    enter (self, scan, self->kept_stretch, self->kept);
    return TRUE;
  }
  if (self->few != NULL)
    return next_few (self, scan);
  while (TRUE) {
    if (++self->n_looked % LOOM_QUERY_LOOK_EVERY == 0 && g_cancellable_is_cancelled (cancellable))
      return FALSE;
    if (next_event (self, scan)) {
      if (loom_query_span_scan_is_allowed (scan))
        break;
    } else if (!next_part (self, scan, cancellable))
      return FALSE;
  }
  if ((self->flags & LOOM_QUERY_NAME_ORDER_ONCE) != 0)
    skip_text (self);
  return TRUE;
}

gboolean
loom_query_name_order_is_full (const LoomQueryNameOrder *self)
{
  return self->is_full;
}

guint
loom_query_name_order_list (LoomQueryNameOrder *self, LoomQuerySpanScan *scan, guint32 *list, guint most,
                            GCancellable *cancellable)
{
  guint n = 0, stretch = G_MAXUINT, begin = 0, part = 0;
  if (self->few != NULL)
    most = 1;
  while (n < most && loom_query_name_order_next (self, scan, cancellable)) {
    self->is_kept =
      n > 0 && (self->entered != stretch || self->begin != begin || (self->own_names != NULL && self->n_parts != part));
    if (self->is_kept) {
      self->kept_stretch = self->entered;
      self->kept = scan->here.at;
      break;
    }
    stretch = self->entered;
    begin = self->begin;
    part = self->n_parts;
    list[n++] = scan->here.at;
  }
  if (n > 0)
    enter (self, scan, stretch, list[0]);
  return n;
}
