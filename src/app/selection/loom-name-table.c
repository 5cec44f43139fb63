/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-name-table.h"

#include "loom-locale-number.h"
#include "loom-range-statistics.h"
#include "loom-work-kind.h"

#include <glib/gi18n.h>

struct _LoomNameTable {
  LoomRangeTable parent;
  LoomRunNames *names;        /* the names of all spans in the run, each once; NULL until computed */
  LoomRangeStatistics *stats; /* the statistics that the rows show */
  guint *order;               /* for each row, the index of its name in stats->names; NULL if `stats` is NULL */
};

G_DEFINE_FINAL_TYPE (LoomNameTable, loom_name_table, LOOM_TYPE_RANGE_TABLE)

enum { SPAN_CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

enum { NAME, RUNS_ON, SELF, SHARE, COUNT, INSIDE, TOTAL, MEAN, LEAST, MEDIAN, P95, P99, MOST };

/* --- computing the table in a worker ------------------------------------------------------------------------------ */

static LoomResultTable *
new_table (void)
{
  static const guint details[] = { TOTAL, LEAST, P95, P99 };
  LoomResultTable *table = loom_result_table_new (_ ("Names"));
  loom_result_table_add_column (table, C_ ("column", "Name"), NULL,
                                _ ("Double-click a row to go to the longest span with that name"));
  loom_result_table_add_column (table, C_ ("column", "Runs On"), NULL, NULL);
  loom_result_table_add_column (table, C_ ("column", "Self"), "ns",
                                _ ("Time inside the range minus the time in child spans, summed over all tracks; empty "
                                   "for steps and other spans that only enclose work"));
  loom_result_table_add_column (
    table, C_ ("column", "Share"), "%",
    _ ("Share of the self time of all names that run on devices, or of all that run on hosts"));
  loom_result_table_add_column (table, C_ ("column", "Count"), "",
                                _ ("Number of spans that overlap the range, on all tracks"));
  loom_result_table_add_column (
    table, C_ ("column", "In Range"), "ns",
    _ ("Time inside the range, summed over all tracks; spans that run at the same time are all counted"));
  loom_result_table_add_column (table, C_ ("column", "Total"), "ns",
                                _ ("Full durations, including time outside the range, summed over all tracks"));
  loom_result_table_add_column (table, C_ ("column", "Mean"), "ns", _ ("Total divided by count"));
  loom_result_table_add_column (table, C_ ("column", "Min"), "ns", _ ("Full duration of the shortest matching span"));
  loom_result_table_add_column (table, C_ ("column", "Median"), "ns", _ ("Half of these spans are shorter"));
  loom_result_table_add_column (table, C_ ("column", "p95"), "ns", _ ("95 in 100 of these spans are shorter"));
  loom_result_table_add_column (table, C_ ("column", "p99"), "ns", _ ("99 in 100 of these spans are shorter"));
  loom_result_table_add_column (table, C_ ("column", "Max"), "ns",
                                _ ("Full duration of the longest matching span; double-click a row to go there"));
  loom_result_table_set_bars (table, SHARE, LOOM_RESULT_BARS_OF_SHARES);
  /* hide the columns in `details` at first, because the table is narrow; the user can show them with the menu of a
   * column header */
  for (guint i = 0; i < G_N_ELEMENTS (details); i++)
    loom_result_table_set_detail (table, details[i]);
  return table;
}

/* Returns the name of a row. If the table has several rows with the same name but different categories, appends the
 * category. Owned by the caller. */
static char *
name_of (const LoomNameStats *stats, GHashTable *ambiguous)
{
  const char *name = *stats->name != '\0' ? stats->name : _ ("(no name)");
  gboolean alone = *stats->category == '\0' || !g_hash_table_contains (ambiguous, stats->name);
  return alone ? g_strdup (name) : g_strdup_printf ("%s · %s", name, stats->category);
}

/* Returns TRUE for names of spans that only enclose work, such as steps and marks of a profiler. No work is done in the
 * self time of such spans. Therefore, the table shows no self time for them, and lists them after all names of work. */
static gboolean
is_annotation (const LoomNameStats *stats)
{
  LoomWorkKind work = loom_work_kind_classify (stats->name, stats->category, FALSE);
  return work == LOOM_WORK_KIND_ANNOTATION || work == LOOM_WORK_KIND_NONE ||
         g_str_has_prefix (stats->name, "ProfilerStep#");
}

static gboolean
is_on_device (const LoomRangeStatistics *stats, const LoomNameStats *name)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (stats->timeline), name->longest.trace);
  guint32 track, row;
  loom_trace_locate_span (trace, name->longest.span, &track, &row);
  return (loom_trace_get_track (trace, track)->flags & LOOM_TRACK_DEVICE) != 0;
}

/* The data for sorting the rows: the statistics of a span name, whether its spans run on a device, their self time,
 * and the index of the name in LoomRangeStatistics.names. */
typedef struct {
  const LoomNameStats *stats;
  gboolean on_device;
  gint64 self_ns; /* self time of the spans in ns; −1 if the spans only enclose work (is_annotation()) */
  guint index;
} Entry;

/* Sorts span names: names that run on devices, then names that run on hosts, each sorted by self time, largest
 * first. Names without a self time, such as steps and waits of streams, come last, because they are not work. */
static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *x = a, *y = b;
  if ((x->self_ns < 0) != (y->self_ns < 0))
    return x->self_ns < 0 ? 1 : -1;
  if (x->on_device != y->on_device)
    return x->on_device ? -1 : 1;
  if (x->self_ns != y->self_ns)
    return x->self_ns > y->self_ns ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Returns the span names (Entry) in the order of the rows. Owned by the caller. */
static GArray *
sort_names (const LoomRangeStatistics *stats)
{
  GArray *entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), stats->n_names);
  for (guint i = 0; i < stats->n_names; i++) {
    const LoomNameStats *name = &stats->names[i];
    Entry entry = { name, is_on_device (stats, name), is_annotation (name) ? -1 : name->self_in_range_ns, i };
    g_array_append_val (entries, entry);
  }
  g_array_sort (entries, compare_entries);
  return entries;
}

static void
add_row (LoomResultTable *table, const LoomNameStats *stats, const char *name, gint64 all_self_ns)
{
  const struct {
    guint column;
    gint64 ns;
  } times[] = { { INSIDE, stats->in_range_ns }, { TOTAL, stats->total_ns }, { SELF, stats->self_in_range_ns },
                { MEAN, stats->mean_ns },       { LEAST, stats->min_ns },   { MEDIAN, stats->p50_ns },
                { P95, stats->p95_ns },         { P99, stats->p99_ns },     { MOST, stats->max_ns } };
  loom_result_table_add_row (table, name);
  loom_result_table_set_number (table, COUNT, (double) stats->count);
  if (all_self_ns > 0 && !is_annotation (stats))
    loom_result_table_set_number (table, SHARE, 100.0 * (double) stats->self_in_range_ns / (double) all_self_ns);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (times[i].column != SELF || !is_annotation (stats))
      loom_result_table_set_number (table, times[i].column, (double) times[i].ns);
}

/* Fills the column that states whether the spans of a name run on devices or on hosts. Leaves it empty if all names
 * run on devices, or all on hosts. `entries`: Entry, all names of devices before all names of hosts. */
static void
set_runs_on (LoomResultTable *table, const Entry *entry, const GArray *entries)
{
  if (g_array_index (entries, Entry, 0).on_device != g_array_index (entries, Entry, entries->len - 1).on_device)
    loom_result_table_set_text (table, RUNS_ON, entry->on_device ? C_ ("table", "devices") : C_ ("table", "hosts"));
}

static LoomResultTable *
table_of (const LoomRangeStatistics *stats, const GArray *entries)
{
  const LoomNameStats *names = stats->names;
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal),
                         ambiguous = g_hash_table_new (g_str_hash, g_str_equal);
  LoomResultTable *table = new_table ();
  gint64 all_self_ns[2] = { 0 }; /* sum of the self times of all names; index 0: on hosts, index 1: on devices */
  for (guint i = 0; i < entries->len; i++)
    all_self_ns[g_array_index (entries, Entry, i).on_device] += MAX (g_array_index (entries, Entry, i).self_ns, 0);
  for (guint i = 0; i < stats->n_names; i++)
    if (!g_hash_table_add (seen, (gpointer) names[i].name))
      g_hash_table_add (ambiguous, (gpointer) names[i].name);
  for (guint i = 0; i < entries->len; i++) {
    const Entry *entry = &g_array_index (entries, Entry, i);
    g_autofree char *name = name_of (entry->stats, ambiguous);
    add_row (table, entry->stats, name, all_self_ns[entry->on_device]);
    set_runs_on (table, entry, entries);
  }
  return table;
}

/* The result of the worker thread: the statistics, and the order of the rows. */
typedef struct {
  LoomRangeStatistics *stats;
  guint *order;
} Found;

static void
free_found (gpointer data)
{
  Found *found = data;
  loom_range_statistics_free (found->stats);
  g_free (found->order);
  g_free (found);
}

static LoomResultTable *
count (LoomRangeQuestion *question, gpointer *found, GCancellable *cancellable)
{
  const GArray *tracks = question->tracks;
  if (question->known == NULL)
    question->known = loom_run_names_new (loom_timeline_get_run (question->timeline));
  LoomRangeStatistics *stats = loom_range_statistics_new_with_names (
    question->timeline, question->known, question->range, tracks != NULL ? (gpointer) tracks->data : NULL,
    tracks != NULL ? tracks->len : 0, cancellable);
  if (stats == NULL)
    return NULL;
  g_autoptr (GArray) entries = sort_names (stats);
  Found result = { stats, g_new (guint, MAX (entries->len, 1)) };
  for (guint i = 0; i < entries->len; i++)
    result.order[i] = g_array_index (entries, Entry, i).index;
  *found = g_memdup2 (&result, sizeof result);
  return table_of (stats, entries);
}

/* --- table class and public functions ----------------------------------------------------------------------------- */

/* Returns the names of all spans in the run if they have been computed for any timeline of this run; otherwise NULL. */
static gpointer
dup_known (LoomRangeTable *table, LoomTimeline *timeline)
{
  LoomNameTable *self = LOOM_NAME_TABLE (table);
  gboolean is_known = self->names != NULL && self->names->run == loom_timeline_get_run (timeline);
  return is_known ? loom_run_names_ref (self->names) : NULL;
}

static void
take (LoomRangeTable *table, gpointer found)
{
  LoomNameTable *self = LOOM_NAME_TABLE (table);
  g_clear_pointer (&self->names, loom_run_names_unref);
  g_clear_pointer (&self->stats, loom_range_statistics_free);
  g_clear_pointer (&self->order, g_free);
  if (found == NULL)
    return;
  Found *result = found;
  self->stats = g_steal_pointer (&result->stats);
  self->order = g_steal_pointer (&result->order);
  self->names = loom_run_names_ref (self->stats->joined);
  free_found (result);
}

static void
activated (LoomNameTable *self, guint row)
{
  if (self->stats == NULL || row >= self->stats->n_names)
    return;
  LoomSpanId longest = self->stats->names[self->order[row]].longest;
  if (!loom_timeline_span_id_is_none (longest))
    g_signal_emit (self, signals[SPAN_CHOSEN], 0, longest.trace, longest.span);
}

static void
loom_name_table_class_init (LoomNameTableClass *klass)
{
  LoomRangeTableClass *parent = LOOM_RANGE_TABLE_CLASS (klass);
  parent->new_table = new_table;
  parent->count = count;
  parent->free_found = free_found;
  parent->dup_known = dup_known;
  parent->free_known = (GDestroyNotify) loom_run_names_unref;
  parent->take = take;
  signals[SPAN_CHOSEN] = g_signal_new ("span-chosen", LOOM_TYPE_NAME_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
}

static void
loom_name_table_init (LoomNameTable *self)
{
  g_signal_connect_swapped (loom_range_table_get_view (LOOM_RANGE_TABLE (self)), "row-activated",
                            G_CALLBACK (activated), self);
}

char *
loom_name_table_dup_count (LoomNameTable *self)
{
  guint64 n = self->stats != NULL ? self->stats->count : 0;
  g_autofree char *counted = loom_locale_number_group (n);
  char *text = g_strdup_printf (ngettext ("%s span", "%s spans", n), counted);
  if (self->stats == NULL || !loom_run_has_index (self->stats->joined->run))
    return text;
  g_autofree char *spans = text;
  /* Translators: %s is a text such as “12 spans” */
  return g_strdup_printf (_ ("%s, not counting host spans: index files contain only sums of host spans"), spans);
}
