/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the list of events: its contents, its order and the position of an event in it.
 */
#include "loom-event-list.h"

#include "loom-locale.h"
#include "loom-natural-collate.h"
#include "trace-maker.h"

#include <libintl.h>

static const char *
name_of (LoomTimeline *timeline, LoomSpanId id)
{
  const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline), id.trace);
  return loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[id.span])->text;
}

/* Returns the names and starts of the events in the order of the list, such as "forward@0 gemm@10". */
static char *
draw (LoomTimeline *timeline, const LoomEventQuery *query)
{
  g_autoptr (LoomEventList) list = loom_event_list_new (timeline, query, NULL);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < list->n; i++) {
    LoomSpanId id = list->ids[i];
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline, id, &start_ns, &end_ns);
    g_string_append_printf (text, "%s%s@%d", i > 0 ? " " : "", name_of (timeline, id), (int) (start_ns - MAKER_BEGIN));
    g_assert_cmpuint (loom_event_list_find (list, id), ==, i);
  }
  g_assert_cmpuint (list->n_found, ==, list->n);
  return g_string_free (text, FALSE);
}

static void
assert_list (LoomTimeline *timeline, LoomEventQuery query, const char *expected)
{
  g_autofree char *text = draw (timeline, &query);
  g_assert_cmpstr (text, ==, expected);
}

static LoomTimeline *
small_run (void)
{
  Maker first = maker_new ("a.json", "kineto"), second = maker_new ("b.json", "kineto");
  guint32 main = maker_thread (&first, "python", 0, "main", 0),
          stream = maker_thread (&first, "python", 0, "stream 7", LOOM_TRACK_DEVICE);
  guint32 other = maker_thread (&second, "python", 1, "main", 0);
  maker_span (&first, main, "forward", "cpu_op", 0, 100);
  maker_span (&first, main, "gemm 10", "cpu_op", 10, 20);
  maker_span (&first, stream, "gemm 9", "kernel", 10, 50);
  maker_span (&second, other, "forward", "cpu_op", 5, 70);
  guint32 id = loom_trace_builder_name (first.builder, "mark", 4, "user", 4, "", 0);
  loom_trace_builder_instant (first.builder, 0, 0, main, MAKER_BEGIN + 30, id, 'i', 't', LOOM_REF_NONE);
  return maker_timeline (&first, &second);
}

static void
test_orders (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  assert_list (timeline, (LoomEventQuery) { .text = NULL }, "forward@0 forward@5 gemm 10@10 gemm 9@10 mark@30");
  assert_list (timeline, (LoomEventQuery) { .descending = TRUE }, "mark@30 gemm 10@10 gemm 9@10 forward@5 forward@0");
  assert_list (timeline, (LoomEventQuery) { .order = LOOM_EVENT_BY_DURATION, .descending = TRUE },
               "forward@0 forward@5 gemm 9@10 gemm 10@10 mark@30");
  assert_list (timeline, (LoomEventQuery) { .order = LOOM_EVENT_BY_NAME },
               "forward@0 forward@5 gemm 9@10 gemm 10@10 mark@30");
  assert_list (timeline, (LoomEventQuery) { .order = LOOM_EVENT_BY_CATEGORY, .descending = TRUE },
               "mark@30 gemm 9@10 forward@0 forward@5 gemm 10@10");
  assert_list (timeline, (LoomEventQuery) { .order = LOOM_EVENT_BY_TRACK, .descending = TRUE },
               "forward@5 gemm 9@10 mark@30 forward@0 gemm 10@10");
  assert_list (timeline, (LoomEventQuery) { .order = LOOM_EVENT_BY_RANK, .descending = TRUE },
               "forward@5 forward@0 gemm 10@10 gemm 9@10 mark@30");
}

/* The list tells which columns a table needs: whether there are ranks and categories, and how many digits the starts
 * have. */
static void
test_columns (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  g_autoptr (LoomEventList) list = loom_event_list_new (timeline, &(LoomEventQuery) { .text = NULL }, NULL);
  g_assert_true (list->has_ranks && list->has_categories);
  g_assert_cmpuint (list->digits, ==, 9);
  g_assert_cmpint (list->extent_ns, ==, 100);
  Maker maker = maker_new ("a.json", "chrome");
  guint32 thread = maker_thread (&maker, "python", -1, "main", 0);
  maker_span (&maker, thread, "step", "", 0, 3 * LOOM_NS_PER_MS);
  maker_span (&maker, thread, "step", "", 5 * LOOM_NS_PER_MS, 3 * LOOM_NS_PER_MS);
  g_autoptr (LoomTimeline) plain = maker_timeline (&maker, NULL);
  g_autoptr (LoomEventList) other = loom_event_list_new (plain, &(LoomEventQuery) { .text = NULL }, NULL);
  g_assert_false (other->has_ranks || other->has_categories);
  g_assert_cmpuint (other->digits, ==, 3);
  g_assert_cmpint (other->extent_ns, ==, 8 * LOOM_NS_PER_MS);
}

/* Ranks differ if there are at least two, and if nearly all listed events have one. */
static void
test_ranks (void)
{
  static const struct {
    gint first, second;
    guint n_monitored; /* number of events without a rank; there are 100 events with a rank */
    gboolean differ;
  } runs[] = { { 0, 0, 0, FALSE }, { 0, 1, 0, TRUE }, { 0, 1, 4, TRUE }, { 0, 1, 20, FALSE }, { -1, -1, 0, FALSE } };
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++) {
    Maker maker = maker_new ("a.json", "kineto");
    guint32 threads[] = { maker_thread (&maker, "python", runs[i].first, "main", 0),
                          maker_thread (&maker, "other", runs[i].second, "main", 0),
                          maker_thread (&maker, "monitor", -1, "main", 0) };
    for (guint k = 0; k < 100 + runs[i].n_monitored; k++)
      maker_span (&maker, threads[k < 100 ? k % 2 : 2], "work", "cpu_op", 10 * k, 5);
    g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
    g_autoptr (LoomEventList) list = loom_event_list_new (timeline, &(LoomEventQuery) { .text = NULL }, NULL);
    g_assert_cmpint (list->ranks_differ, ==, runs[i].differ);
  }
}

static void
test_ranges (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  assert_list (timeline, (LoomEventQuery) { .range = maker_range (29, 30) },
               "forward@0 forward@5 gemm 10@10 gemm 9@10");
  assert_list (timeline, (LoomEventQuery) { .range = maker_range (30, 31) }, "forward@0 forward@5 gemm 9@10 mark@30");
  assert_list (timeline, (LoomEventQuery) { .range = maker_range (200, 300) }, "");
}

static void
test_words (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  assert_list (timeline, (LoomEventQuery) { .text = "GEMM" }, "gemm 10@10 gemm 9@10");
  assert_list (timeline, (LoomEventQuery) { .text = " gemm  stream" }, "gemm 9@10");
  assert_list (timeline, (LoomEventQuery) { .text = "forward rank 1" }, "forward@5");
  assert_list (timeline, (LoomEventQuery) { .text = "gemm kern" }, "gemm 9@10");
  assert_list (timeline, (LoomEventQuery) { .text = "gemm forward" }, "");
}

/* A text filter matches the translated label of an unnamed thread, not the English one. */
static void
test_words_of_language (void)
{
  Maker maker = maker_new ("a.json", "kineto");
  guint32 process = loom_trace_builder_process (maker.builder, 0, "1", 1),
          thread = loom_trace_builder_thread (maker.builder, process, "7", 1);
  maker_span (&maker, thread, "gemm", "", 0, 10);
  g_autoptr (LoomTimeline) timeline = maker_timeline (&maker, NULL);
  assert_list (timeline, (LoomEventQuery) { .text = "thread 7" }, "gemm@0");
  g_setenv ("LANGUAGE", "zh_CN", TRUE);
  textdomain (GETTEXT_PACKAGE); /* makes gettext read LANGUAGE again */
  assert_list (timeline, (LoomEventQuery) { .text = "线程 7" }, "gemm@0");
  assert_list (timeline, (LoomEventQuery) { .text = "thread 7" }, "");
  g_unsetenv ("LANGUAGE");
  textdomain (GETTEXT_PACKAGE);
}

static void
test_tracks (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  g_autoptr (GArray) tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  assert_list (timeline, (LoomEventQuery) { .tracks = tracks }, "");
  LoomTrackId id = { 1, 0 };
  g_array_append_val (tracks, id);
  assert_list (timeline, (LoomEventQuery) { .tracks = tracks }, "forward@5");
}

/* A query may list tracks in any order and more than once. */
static void
test_tracks_in_any_order (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  g_autoptr (GArray) tracks = g_array_new (FALSE, FALSE, sizeof (LoomTrackId));
  const LoomTrackId ids[] = { { 1, 0 }, { 0, 1 }, { 1, 0 } };
  g_array_append_vals (tracks, ids, G_N_ELEMENTS (ids));
  assert_list (timeline, (LoomEventQuery) { .tracks = tracks }, "forward@5 mark@30");
  g_assert_cmpmem (tracks->data, sizeof ids, ids, sizeof ids); /* the query's own array must not be modified */
}

/* Events beyond the limit of the list are still counted. */
static void
test_most (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  const LoomEventQuery few = { .most = 2 }, all = { .most = G_MAXUINT };
  g_autoptr (LoomEventList) two = loom_event_list_new (timeline, &few, NULL),
                            five = loom_event_list_new (timeline, &all, NULL);
  g_assert_cmpuint (two->n, ==, 2);
  g_assert_cmpuint (two->n_found, ==, 5);
  g_assert_cmpuint (five->n, ==, 5);
}

static void
test_cancelled (void)
{
  g_autoptr (LoomTimeline) timeline = small_run ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const LoomEventQuery query = { .text = NULL };
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_event_list_new (timeline, &query, cancellable));
}

/* --- comparison with a direct implementation of the definition --- */

typedef struct {
  LoomTimeline *timeline;
  const LoomEventQuery *query;
} Definition;

static gint64
number_of (const Definition *definition, LoomSpanId id)
{
  gint64 start_ns, end_ns;
  loom_timeline_get_span (definition->timeline, id, &start_ns, &end_ns);
  return definition->query->order == LOOM_EVENT_BY_DURATION ? end_ns - start_ns : start_ns;
}

static gint
compare (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Definition *definition = user_data;
  const LoomSpanId *x = a, *y = b;
  const Definition by_start = { definition->timeline, &(const LoomEventQuery) { .text = NULL } };
  gint64 p = number_of (definition, *x), q = number_of (definition, *y), s = number_of (&by_start, *x),
         t = number_of (&by_start, *y);
  int order = definition->query->order == LOOM_EVENT_BY_NAME
                ? loom_natural_collate_compare (name_of (definition->timeline, *x), name_of (definition->timeline, *y))
                : (p > q) - (p < q);
  if (order != 0)
    return definition->query->descending ? -order : order;
  return s != t                 ? (s > t) - (s < t)
         : x->trace != y->trace ? (gint) x->trace - (gint) y->trace
                                : (gint) x->span - (gint) y->span;
}

static gboolean
belongs (const Definition *definition, LoomSpanId id)
{
  LoomRange range = definition->query->range;
  gint64 start_ns, end_ns;
  loom_timeline_get_span (definition->timeline, id, &start_ns, &end_ns);
  gboolean touches = start_ns < range.end_ns && (end_ns > range.begin_ns || start_ns == range.begin_ns);
  return (touches || range.end_ns <= range.begin_ns) &&
         (definition->query->text == NULL ||
          strstr (name_of (definition->timeline, id), definition->query->text) != NULL);
}

static GArray *
define (const Definition *definition)
{
  GArray *ids = g_array_new (FALSE, FALSE, sizeof (LoomSpanId));
  LoomRun *run = loom_timeline_get_run (definition->timeline);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    for (guint i = 0; i < loom_trace_get_spans (loom_run_get_trace (run, t))->n; i++) {
      LoomSpanId id = { t, i };
      if (belongs (definition, id))
        g_array_append_val (ids, id);
    }
  g_array_sort_with_data (ids, compare, (gpointer) definition);
  return ids;
}

static void
assert_as_defined (LoomTimeline *timeline, const LoomEventQuery *query)
{
  const Definition definition = { timeline, query };
  g_autoptr (GArray) expected = define (&definition);
  g_autoptr (LoomEventList) list = loom_event_list_new (timeline, query, NULL);
  g_assert_cmpuint (list->n, ==, expected->len);
  for (guint i = 0; i < expected->len; i++) {
    LoomSpanId id = g_array_index (expected, LoomSpanId, i);
    g_assert_true (loom_timeline_span_id_equal (list->ids[i], id));
    g_assert_cmpuint (loom_event_list_find (list, id), ==, i);
  }
  const Definition of_all = { timeline, &(const LoomEventQuery) { .text = NULL } };
  g_autoptr (GArray) all = define (&of_all);
  for (guint i = 0; i < all->len; i++)
    if (!belongs (&definition, g_array_index (all, LoomSpanId, i)))
      g_assert_cmpuint (loom_event_list_find (list, g_array_index (all, LoomSpanId, i)), ==, G_MAXUINT);
}

static void
add_random (Maker *maker, guint32 thread)
{
  static const char *const names[] = { "a", "b2", "b10", "" };
  for (gint64 at = 0, i = 0; i < 60; i++) {
    gint64 dur = g_test_rand_int_range (0, 6);
    maker_span (maker, thread, names[g_test_rand_int_range (0, 4)], "", at, dur * 2);
    maker_span (maker, thread, names[g_test_rand_int_range (0, 4)], "", at, dur);
    at += dur * 2 + g_test_rand_int_range (0, 3);
  }
}

static void
test_as_defined (void)
{
  static const LoomEventOrder orders[] = { LOOM_EVENT_BY_START, LOOM_EVENT_BY_DURATION, LOOM_EVENT_BY_NAME };
  for (guint round = 0; round < 10; round++) {
    Maker first = maker_new ("a.json", "kineto"), second = maker_new ("b.json", "kineto");
    add_random (&first, maker_thread (&first, "p", 0, "one", 0));
    add_random (&first, maker_thread (&first, "p", 0, "two", 0));
    add_random (&second, maker_thread (&second, "p", 1, "one", 0));
    g_autoptr (LoomTimeline) timeline = maker_timeline (&first, &second);
    for (guint i = 0; i < 12; i++) {
      gint64 begin = g_test_rand_int_range (0, 200);
      LoomEventQuery query = { .order = orders[i % 3], .descending = i / 3 % 2 == 1, .text = i > 8 ? "b" : NULL };
      if (i > 5)
        query.range = maker_range (begin, begin + g_test_rand_int_range (1, 100));
      assert_as_defined (timeline, &query);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  loom_locale_bind ("");
  g_test_add_func ("/analysis/event-list/orders", test_orders);
  g_test_add_func ("/analysis/event-list/columns", test_columns);
  g_test_add_func ("/event-list/ranks", test_ranks);
  g_test_add_func ("/analysis/event-list/ranges", test_ranges);
  g_test_add_func ("/analysis/event-list/words", test_words);
  g_test_add_func ("/analysis/event-list/words-of-language", test_words_of_language);
  g_test_add_func ("/analysis/event-list/tracks", test_tracks);
  g_test_add_func ("/analysis/event-list/tracks-in-any-order", test_tracks_in_any_order);
  g_test_add_func ("/analysis/event-list/most", test_most);
  g_test_add_func ("/analysis/event-list/cancelled", test_cancelled);
  g_test_add_func ("/analysis/event-list/as-defined", test_as_defined);
  return g_test_run ();
}
