/* SPDX-License-Identifier: Apache-2.0
 *
 * Search: what is found, in which order it is visited, and that the bar goes there.
 */
#include "fixture.h"

#include "loom-args.h"
#include "loom-builder.h"
#include "loom-found-names.h"
#include "loom-meter.h"
#include "loom-search-order.h"
#include "loom-search.h"
#include "loom-words.h"

#include <string.h>

static LoomWindow *window;

static LoomTimeline *
timeline (void)
{
  return loom_document_get_timeline (loom_window_get_document (window));
}

static LoomSearchResult *
find (LoomTimeline *in, LoomSearchIndex *index, const char *text, gboolean regex)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, regex);
  return loom_search (in, index, query, NULL);
}

/* Against the plain way. */
static void
test_finds (void)
{
  LoomSearchResult *result = find (timeline (), NULL, "FORWARD", FALSE);
  LoomRun *run = loom_timeline_get_run (timeline ());
  guint64 expected = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++) {
      g_autofree char *name = g_ascii_strdown (loom_trace_get_name (trace, spans->name_id[i])->text, -1);
      expected += strstr (name, "forward") != NULL;
    }
  }
  g_assert_cmpuint (expected, >, 0);
  g_assert_cmpuint (result->n_found, ==, expected);
  g_assert_cmpuint (result->hits->len, ==, expected);
  loom_search_result_unref (result);
}

/* Letter case counts as little as in a text; what is none is told. */
static void
test_regex (void)
{
  g_autoptr (GRegex) regex = g_regex_new ("FORWARD|^step", G_REGEX_CASELESS, 0, NULL);
  LoomSearchResult *forward = find (timeline (), NULL, "forward", FALSE), *every = find (timeline (), NULL, ".", TRUE);
  LoomSearchResult *both = find (timeline (), NULL, "FORWARD|^step", TRUE);
  g_assert_cmpuint (both->n_found, >, forward->n_found);
  g_assert_cmpuint (both->n_found, <, every->n_found);
  for (guint i = 0; i < both->hits->len; i++) {
    LoomSpanId hit = g_array_index (both->hits, LoomSpanId, i);
    const LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline ()), hit.trace);
    g_assert_true (g_regex_match (regex, loom_trace_get_name (trace, loom_trace_get_spans (trace)->name_id[hit.span])->text, 0, NULL));
  }
  loom_search_result_unref (forward);
  loom_search_result_unref (every);
  loom_search_result_unref (both);
  g_assert_null (loom_search_query_new ("(", TRUE));
}

/* Counts and times by name against all hits, each looked up on its own. */
static void
test_names (void)
{
  LoomSearchResult *result = find (timeline (), NULL, ".", TRUE);
  LoomFoundNames *found = loom_found_names_new (timeline (), result, NULL);
  gint64 total_ns = 0, names_ns = 0, count = 0;
  for (guint i = 0; i < result->hits->len; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, i);
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline (), hit, &start_ns, &end_ns);
    total_ns += end_ns - start_ns;
  }
  for (guint i = 0; i < found->longest->len; i++) {
    count += (gint64) loom_table_get_number (found->table, i, 2);
    names_ns += (gint64) loom_table_get_number (found->table, i, 3);
    g_assert_cmpfloat (loom_table_get_number (found->table, i, 5), <=, loom_table_get_number (found->table, i, 7));
  }
  g_assert_cmpuint (found->count, ==, result->n_found);
  g_assert_cmpint (count, ==, (gint64) result->n_found);
  g_assert_cmpint (found->total_ns, ==, names_ns);
  g_assert_cmpint (ABS (found->total_ns - total_ns), <=, total_ns / 1000); /* clocks that drift stretch what is on the timeline */
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_found_names_new (timeline (), result, cancellable));
  loom_found_names_free (found);
  loom_search_result_unref (result);
}

static void
test_order (void)
{
  LoomSearchResult *result = find (timeline (), NULL, "e", FALSE);
  gint64 before = G_MININT64;
  for (guint i = 0; i < result->by_time->len; i++) {
    LoomSpanId hit = g_array_index (result->hits, LoomSpanId, g_array_index (result->by_time, guint32, i));
    gint64 start_ns, end_ns;
    loom_timeline_get_span (timeline (), hit, &start_ns, &end_ns);
    g_assert_cmpint (start_ns, >=, before);
    before = start_ns;
  }
  guint middle = loom_search_result_after (timeline (), result, before, TRUE);
  g_assert_cmpuint (middle, <, result->by_time->len);
  g_assert_cmpuint (loom_search_result_after (timeline (), result, before, FALSE), ==, result->by_time->len);
  loom_search_result_unref (result);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_autoptr (LoomSearchQuery) names = loom_search_query_new ("e", FALSE), args = loom_search_query_new ("e args:e", FALSE);
  g_assert_null (loom_search (timeline (), NULL, names, cancellable));
  g_assert_null (loom_search (timeline (), NULL, args, cancellable));
}

/* --- args ------------------------------------------------------------------------------------------------------- */

/* What is complete, and how many filters it has. */
static void
test_queries (void)
{
  static const struct { const char *text; int plain, regex; } texts[] = {
    { "gemm", 0, 0 },           { "(", 0, -1 },           { "args", 0, 0 },          { "margs.a:b", 0, 0 },       { "args.", -1, -1 },
    { "args.a", 1, 1 },         { "args.a:", -1, -1 },    { "args.a:b", 1, 1 },      { "args.a:(", 1, -1 },       { "x args.a=1 args.b>2 y", 2, 2 },
    { "args.\"a b\"<=1.5", 1, 1 }, { "args.\"a b", -1, -1 }, { "args.a>b", -1, -1 },  { "args.a=\"\"", 1, 1 },     { "args:b", 1, 1 },
    { "args.a!=b", 1, 1 },      { "args.a!b", -1, -1 },   { "args.a:\"b c\"d", 1, 1 }, { "ARGS.A:B", 1, 1 },        { "args=1 args:2 args>3", 3, 3 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint regex = 0; regex < 2; regex++) {
      g_autoptr (LoomSearchQuery) query = loom_search_query_new (texts[i].text, regex != 0);
      g_test_message ("%s", texts[i].text);
      g_assert_cmpint (query != NULL ? (int) loom_search_query_get_filters (query)->len : -1, ==, regex ? texts[i].regex : texts[i].plain);
    }
}

/* One filter on a text. */
static gboolean
holds (const char *filter, const char *args)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (filter, FALSE);
  g_autoptr (GString) room = g_string_new (NULL);
  g_assert_nonnull (query);
  g_assert_cmpuint (loom_search_query_get_filters (query)->len, ==, 1);
  return loom_arg_filter_matches (g_ptr_array_index (loom_search_query_get_filters (query), 0), (LoomSlice) { args, strlen (args) }, room);
}

static void
test_filters (void)
{
  static const char args[] = "{\"Input Dims\":[[4096,8],[]],\"data\":{\"size\":\"12\",\"at.once\":true,\"n\":null},\"dtype\":\"BFloat16\","
                             "\"debug.id\":9007199254740993,\"caf\\u00e9\":\"\\u00c4rger\",\"x\":-1.50}";
  static const char *const yes[] = {
    "args.dtype",           "args.DTYPE:float", "args.dtype=bfloat16", "args.dtype!=float", "args.data.size=12", "args.data.size>11.5",
    "args.data.size<=12",   "args.data:12",     "args.\"input dims\">=4096", "args.\"Input Dims\".0.1=8", "args.debug.id=9007199254740993",
    "args.data.at.once=TRUE", "args.data.n=null", "args.café=ärger",   "args.x=-1.5",       "args:size",         "args:float",
    "args:ÄRGER",           "args>4000",        "args.data",          "args.\"Input Dims\".1",
  };
  static const char *const no[] = {
    "args.dtyp",         "args.dtype.x",  "args.dtype=float",       "args.data.size>12", "args.debug.id=9007199254740992", "args.debug.id!=9007199254740993",
    "args.dtype>1",      "args.at.once",  "args:gemm",              "args.size",         "args.\"Input Dims\".0.2",       "args.x>0",
    "args.\"Input Dims\".2", "args.data.size<12",
  };
  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    if (!holds (yes[i], args))
      g_error ("%s does not hold", yes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    if (holds (no[i], args))
      g_error ("%s holds", no[i]);
  g_assert_false (holds ("args:a", "\"a\"")); /* the details show members alone */
  g_assert_false (holds ("args:a", "{\"a"));
}

static const char *
value_of (GListModel *members, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (members); i++) {
    g_autoptr (LoomArg) arg = g_list_model_get_item (members, i);
    if (g_str_equal (loom_arg_get_name (arg), name))
      return loom_arg_get_value (arg);
  }
  return NULL;
}

static gboolean
is_reduced (GListModel *members)
{
  const char *value = value_of (members, "Collective name");
  return value != NULL && strstr (value, "reduce") != NULL;
}

static gboolean
is_of_stream (GListModel *members)
{
  const char *value = value_of (members, "stream");
  return value != NULL && g_ascii_strtoll (value, NULL, 10) > 7;
}

static gboolean
has_step (GListModel *members)
{
  return value_of (members, "step_num") != NULL;
}

/* Every span of the sample is read as its details are: from plain and compressed files, of pairs both events. */
static void
test_args (void)
{
  static const struct { const char *query; gboolean (*is_wanted) (GListModel *members); } cases[] = {
    { "args.\"collective name\":REDUCE", is_reduced },
    { "args.stream>7", is_of_stream },
    { "args.step_num", has_step },
  };
  LoomRun *run = loom_timeline_get_run (timeline ());
  LoomSearchResult *results[G_N_ELEMENTS (cases)];
  guint n[G_N_ELEMENTS (cases)] = { 0 };
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    results[c] = find (timeline (), NULL, cases[c].query, FALSE);
  for (guint t = 0; t < loom_run_get_n_traces (run); t++)
    for (guint32 i = 0; i < loom_trace_get_spans (loom_run_get_trace (run, t))->n; i++) {
      LoomSpanId span = { t, i };
      LoomArgs *args = loom_args_read (timeline (), span, NULL);
      for (guint c = 0; args != NULL && c < G_N_ELEMENTS (cases); c++) {
        if (!cases[c].is_wanted (args->members))
          continue;
        g_assert_cmpuint (n[c], <, results[c]->hits->len);
        g_assert_true (loom_span_id_equal (g_array_index (results[c]->hits, LoomSpanId, n[c]), span));
        n[c]++;
      }
      g_clear_pointer (&args, loom_args_free);
    }
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_test_message ("%s: %u", cases[c].query, n[c]);
    g_assert_cmpuint (n[c], >, 10);
    g_assert_cmpuint (results[c]->n_found, ==, n[c]);
    g_assert_cmpuint (results[c]->by_time->len, ==, n[c]);
    g_assert_cmpuint (results[c]->n_unread, ==, 0);
    LoomFoundNames *found = loom_found_names_new (timeline (), results[c], NULL);
    g_assert_cmpuint (found->count, ==, n[c]);
    loom_found_names_free (found);
    loom_search_result_unref (results[c]);
  }
}

/* Name and args both. */
static void
test_args_of_name (void)
{
  LoomSearchResult *all = find (timeline (), NULL, "nccl args.dtype=bfloat16", FALSE), *names = find (timeline (), NULL, "nccl", FALSE);
  LoomSearchResult *args = find (timeline (), NULL, "args.dtype=bfloat16", FALSE), *regex = find (timeline (), NULL, "^NCCL args.dtype:^b.*16$", TRUE);
  g_assert_cmpuint (all->n_found, >, 0);
  g_assert_cmpuint (all->n_found, <, names->n_found);
  g_assert_cmpuint (all->n_found, <, args->n_found);
  g_assert_cmpuint (regex->n_found, ==, all->n_found);
  loom_search_result_unref (all);
  loom_search_result_unref (names);
  loom_search_result_unref (args);
  loom_search_result_unref (regex);
}

/* --- args of many spans: that takes a while --------------------------------------------------------------------- */

#define MANY 20000
#define SLOW "args.a:(a+)+[bc]" /* tries every way to cut the value into pieces; a tenth of the values has what it looks for */

static char *
write_many (void)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (text, "%s{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":5,\"args\":{\"a\":\"aaaaaaaaaaa%s\"}}",
                            i > 0 ? "," : "", i % 3, i * 10, i % 10 == 0 ? "b" : "");
  g_string_append_c (text, ']');
  g_autofree char *folder = fixture_folder ();
  return fixture_file (folder, "many.json", text->str);
}

typedef struct {
  GCancellable *meter;
  guint n_parts;
  guint64 n_found;
  double fraction;
  gboolean stops; /* at the first part */
  gboolean is_over;
  LoomSearchResult *result;
} Watch;

static void
part_came (LoomSearchResult *part, gpointer user_data)
{
  Watch *watch = user_data;
  double fraction = loom_meter_get_fraction (watch->meter);
  g_assert_false (g_cancellable_is_cancelled (watch->meter));
  g_assert_cmpuint (part->n_found, >=, watch->n_found);
  g_assert_cmpuint (part->n_found, <=, MANY / 10);
  g_assert_cmpuint (part->hits->len, ==, part->n_found);
  g_assert_cmpfloat (fraction, >=, watch->fraction);
  for (guint i = 1; i < part->hits->len; i++)
    g_assert_cmpuint (g_array_index (part->hits, LoomSpanId, i - 1).span, <, g_array_index (part->hits, LoomSpanId, i).span);
  watch->n_parts++;
  watch->n_found = part->n_found;
  watch->fraction = fraction;
  if (watch->stops)
    g_cancellable_cancel (watch->meter);
}

static void
search_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Watch *watch = user_data;
  watch->result = loom_search_finish (result, NULL);
  watch->is_over = TRUE;
}

static gboolean
is_over (gpointer watch)
{
  return ((Watch *) watch)->is_over;
}

static void
watch_search (LoomWindow *in, Watch *watch)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (SLOW, TRUE);
  watch->meter = G_CANCELLABLE (loom_meter_new ());
  loom_search_async (loom_document_get_timeline (loom_window_get_document (in)), NULL, query, watch->meter, part_came, search_ended, watch);
  g_assert_true (fixture_wait (is_over, watch));
  g_object_unref (watch->meter);
}

/* The first hits come before the last is found; who has seen enough gets no more. */
static void
test_parts (void)
{
  LoomWindow *other = fixture_window ();
  g_autofree char *path = write_many ();
  fixture_open (other, path);
  Watch all = { 0 }, first = { .stops = TRUE };
  watch_search (other, &all);
  g_assert_nonnull (all.result);
  g_assert_cmpuint (all.result->n_found, ==, MANY / 10);
  g_assert_cmpuint (all.n_parts, >, 0);
  g_assert_cmpfloat (all.fraction, >, 0);
  loom_search_result_unref (all.result);
  watch_search (other, &first);
  g_assert_null (first.result);
  g_assert_cmpuint (first.n_parts, ==, 1);
  g_assert_cmpfloat (first.fraction, <, 1);
  fixture_close (other);
}

static gboolean
is_stoppable (gpointer bar)
{
  return gtk_widget_get_visible (loom_search_bar_get_stop (bar)) && loom_search_bar_get_result (bar) != NULL;
}

static gboolean
found_all (gpointer bar)
{
  const LoomSearchResult *result = loom_search_bar_get_result (bar);
  return !gtk_widget_get_visible (loom_search_bar_get_stop (bar)) && result != NULL && result->n_found == MANY / 10;
}

/* What was found when it was stopped stays; a step goes on from there. */
static void
test_stop (void)
{
  LoomWindow *other = fixture_window ();
  g_autofree char *path = write_many ();
  fixture_open (other, path);
  LoomSearchBar *bar = loom_run_view_get_search_bar (loom_window_get_run_view (other));
  loom_search_bar_set_open (bar, TRUE);
  gtk_toggle_button_set_active (loom_search_bar_get_regex (bar), TRUE);
  gtk_editable_set_text (loom_search_bar_get_entry (bar), SLOW);
  g_assert_true (fixture_wait (is_stoppable, bar));
  loom_search_bar_next (bar);
  LoomSpanId lead = loom_view_state_get_lead (fixture_state (other));
  g_assert_cmpuint (lead.span % 10, ==, 0);
  g_signal_emit_by_name (loom_search_bar_get_stop (bar), "clicked");
  g_assert_false (gtk_widget_get_visible (loom_search_bar_get_stop (bar)));
  LoomSearchResult *some = loom_search_bar_get_result (bar);
  guint64 n_some = some->n_found;
  g_assert_cmpuint (n_some, >, 0);
  g_assert_cmpuint (n_some, <, MANY / 10);
  fixture_spin (300); /* nothing comes any more */
  g_assert_true (loom_search_bar_get_result (bar) == some);
  gtk_editable_set_text (loom_search_bar_get_entry (bar), "args.a:b");
  g_assert_true (fixture_wait (found_all, bar));
  loom_search_bar_set_open (bar, FALSE);
  fixture_close (other);
}

/* A file that is gone tells nothing about its args, and that is said. */
static void
test_unread (void)
{
  LoomWindow *other = fixture_window ();
  g_autofree char *path = write_many ();
  fixture_open (other, path);
  g_assert_true (g_file_set_contents (path, "[]", -1, NULL));
  LoomSearchResult *result = find (loom_document_get_timeline (loom_window_get_document (other)), NULL, "n1 args.a", FALSE);
  g_assert_cmpuint (result->n_found, ==, 0);
  g_assert_cmpuint (result->n_unread, ==, (MANY + 1) / 3);
  loom_search_result_unref (result);
  fixture_close (other);
}

/* --- against the plain way, on more than a sample --------------------------------------------------------------- */

/* Spans named by their number: a few names everywhere, and some that stand in one place only. */
static LoomTrace *
make_trace (guint n, guint seed)
{
  LoomBuilder *builder = loom_builder_new ();
  loom_builder_add_clock (builder);
  guint source = loom_builder_add_source (builder, loom_source_new ("a.json"), 0);
  guint32 process = loom_builder_process (builder, source, "1", 1),
          thread = loom_builder_thread (builder, process, "1", 1);
  for (guint i = 0; i < n; i++) {
    char text[32];
    g_snprintf (text, sizeof text,
                i % 50000 == seed ? "Rare %u"
                : i % 3 == 0      ? "often"
                                  : "Über %u",
                i % 50000 == seed ? i : i % 7);
    guint32 name = loom_builder_name (builder, text, strlen (text), "", 0, "", 0);
    loom_builder_span (builder, thread, (gint64) i * 5 + seed, 3, name, loom_ref_make (source, 0, i));
  }
  return loom_builder_freeze (builder, 0, NULL);
}

static LoomTimeline *
make_timeline (guint n)
{
  LoomTrace *traces[3] = { make_trace (n, 1), make_trace (100, 2), make_trace (n, 3) };
  g_autoptr (LoomRun) run = loom_run_new (traces, G_N_ELEMENTS (traces));
  g_autoptr (LoomAlignment) alignment = loom_alignment_new (run, LOOM_ALIGN_DECLARED, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (traces); i++)
    loom_trace_unref (traces[i]);
  return loom_timeline_new (run, alignment);
}

static void
check_against_all (LoomTimeline *many, const LoomSearchResult *result, const char *part)
{
  LoomRun *run = loom_timeline_get_run (many);
  guint64 n_found = 0;
  for (guint t = 0; t < loom_run_get_n_traces (run); t++) {
    LoomTrace *trace = loom_run_get_trace (run, t);
    const LoomSpans *spans = loom_trace_get_spans (trace);
    for (guint32 i = 0; i < spans->n; i++) {
      if (strstr (loom_trace_get_name (trace, spans->name_id[i])->text, part) == NULL)
        continue;
      LoomSpanId expected = { t, i };
      if (n_found < LOOM_SEARCH_MAX_HITS)
        g_assert_true (loom_span_id_equal (g_array_index (result->hits, LoomSpanId, n_found), expected));
      n_found++;
    }
  }
  g_assert_cmpuint (result->n_found, ==, n_found);
  g_assert_cmpuint (result->hits->len, ==, MIN (n_found, LOOM_SEARCH_MAX_HITS));
  g_assert_cmpuint (result->by_time->len, ==, result->hits->len);
}

static void
test_index (void)
{
  static const char *const texts[][2] = {
    { "rare", "Rare" },       { "OFTEN", "often" }, { "rare 50001", "Rare 50001" },
    { "nothing", "nothing" }, { "über", "Über" },
  };
  LoomTimeline *many = make_timeline (1600000);
  LoomRun *run = loom_timeline_get_run (many);
  g_autoptr (LoomSearchIndex) index = loom_search_index_new (run, NULL, NULL);
  g_autoptr (LoomSearchIndex) again = loom_search_index_new (run, index, NULL);
  LoomTrace *first = loom_run_get_trace (run, 0);
  g_assert_true (loom_search_index_get_counts (again, first) == loom_search_index_get_counts (index, first));
  g_assert_null (loom_search_index_get_counts (index, loom_run_get_trace (loom_timeline_get_run (timeline ()), 0)));
  g_assert_cmpuint (loom_search_index_get_memory (index), <, 3200000 / 2);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (texts); i++) {
    LoomSearchResult *result = find (many, i % 2 == 0 ? index : NULL, texts[i / 2][0], FALSE);
    check_against_all (many, result, texts[i / 2][1]);
    loom_search_result_unref (result);
  }
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (loom_search_index_new (run, NULL, cancellable));
  loom_timeline_unref (many);
}

static void
check_order (const gint64 *start_ns, guint n)
{
  g_autofree guint32 *order = g_new (guint32, MAX (n, 1));
  g_autofree guint8 *seen = g_malloc0 (MAX (n, 1));
  loom_search_order (start_ns, n, order);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpuint (order[i], <, n);
    g_assert_cmpuint (seen[order[i]]++, ==, 0);
    if (i == 0)
      continue;
    g_assert_cmpint (start_ns[order[i - 1]], <=, start_ns[order[i]]);
    if (start_ns[order[i - 1]] == start_ns[order[i]])
      g_assert_cmpuint (order[i - 1], <, order[i]);
  }
}

/* Of runs from nothing to all of time: what fits beside an index and what does not. */
static void
test_order_of_starts (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (5);
  g_autofree gint64 *start_ns = g_new (gint64, 50000);
  for (guint bits = 0; bits < 64; bits++) {
    guint n = bits % 5 == 0 ? 50000 : (guint) g_rand_int_range (dice, 0, 3000);
    for (guint i = 0; i < n; i++) {
      guint64 any = (guint64) g_rand_int (dice) << 32 | g_rand_int (dice);
      start_ns[i] = (gint64) ((any & ((G_GUINT64_CONSTANT (2) << bits) - 1)) - (G_GUINT64_CONSTANT (1) << bits));
    }
    check_order (start_ns, n);
  }
}

/* --- the bar ---------------------------------------------------------------------------------------------------- */

static gboolean
has_hits (gpointer state)
{
  gsize n;
  loom_view_state_get_hits (state, &n);
  return n > 0;
}

static void
test_bar (void)
{
  LoomViewState *state = fixture_state (window);
  LoomSearchBar *bar = loom_run_view_get_search_bar (loom_window_get_run_view (window));
  loom_search_bar_set_open (bar, TRUE);
  gtk_editable_set_text (loom_search_bar_get_entry (bar), "backward");
  g_assert_true (fixture_wait (has_hits, state));
  loom_search_bar_next (bar);
  LoomSpanId first = loom_view_state_get_lead (state);
  g_assert_false (loom_span_id_is_none (first));
  g_autofree char *name = g_ascii_strdown (loom_words_name (state, first), -1);
  g_assert_nonnull (strstr (name, "backward"));
  loom_search_bar_next (bar);
  g_assert_false (loom_span_id_equal (first, loom_view_state_get_lead (state)));
  loom_search_bar_previous (bar);
  g_assert_true (loom_span_id_equal (first, loom_view_state_get_lead (state)));
  loom_search_bar_set_open (bar, FALSE);
  g_assert_false (has_hits (state));
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/search/finds", test_finds);
  g_test_add_func ("/app/search/regex", test_regex);
  g_test_add_func ("/app/search/names", test_names);
  g_test_add_func ("/app/search/order", test_order);
  g_test_add_func ("/app/search/cancelled", test_cancelled);
  g_test_add_func ("/app/search/queries", test_queries);
  g_test_add_func ("/app/search/filters", test_filters);
  g_test_add_func ("/app/search/args", test_args);
  g_test_add_func ("/app/search/args-of-name", test_args_of_name);
  g_test_add_func ("/app/search/parts", test_parts);
  g_test_add_func ("/app/search/stop", test_stop);
  g_test_add_func ("/app/search/unread", test_unread);
  g_test_add_func ("/app/search/index", test_index);
  g_test_add_func ("/app/search/order-of-starts", test_order_of_starts);
  g_test_add_func ("/app/search/bar", test_bar);
  window = fixture_window ();
  fixture_open (window, fixture_sample ());
  return fixture_run ();
}
