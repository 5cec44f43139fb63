/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the search in the args of spans: parsing of queries, spans that match, and how results are shown, kept and
 * reported while the search is still reading.
 */
#include "run-fixture.h"

#include "loom-clock-commands.h"
#include "loom-error.h"
#include "loom-event-args.h"
#include "loom-progress-cancellable.h"
#include "loom-search-args.h"
#include "loom-search-summary.h"
#include "loom-search.h"

#include <string.h>

static LoomRunState *run;

static LoomTimeline *
timeline_of (LoomRunState *of)
{
  return loom_document_get_timeline (loom_run_state_get_document (of));
}

static LoomTimeline *
timeline (void)
{
  return timeline_of (run);
}

static LoomSearchResult *
find (LoomTimeline *in, LoomSearchIndex *index, const char *text, gboolean regex)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (text, regex, NULL);
  return loom_search (in, index, NULL, query, NULL);
}

/* For each query: the number of filters in it if it is plain text, and if it is a regular expression; −1: the query is
 * incomplete or invalid. */
static void
test_queries (void)
{
  static const struct {
    const char *text;
    int plain, regex;
  } texts[] = {
    { "gemm", 0, 0 },
    { "(", 0, -1 },
    { "args", 0, 0 },
    { "margs.a:b", 0, 0 },
    { "args.", -1, -1 },
    { "args.a", 1, 1 },
    { "args.a:", -1, -1 },
    { "args.a:b", 1, 1 },
    { "args.a:(", 1, -1 },
    { "x args.a=1 args.b>2 y", 2, 2 },
    { "args.\"a b\"<=1.5", 1, 1 },
    { "args.\"a b", -1, -1 },
    { "args.a>b", -1, -1 },
    { "args.a=\"\"", 1, 1 },
    { "args:b", 1, 1 },
    { "args.a!=b", 1, 1 },
    { "args.a!b", -1, -1 },
    { "args.a:\"b c\"d", 1, 1 },
    { "ARGS.A:B", 1, 1 },
    { "args=1 args:2 args>3", 3, 3 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint regex = 0; regex < 2; regex++) {
      g_autoptr (LoomSearchQuery) query = loom_search_query_new (texts[i].text, regex != 0, NULL);
      g_test_message ("%s", texts[i].text);
      g_assert_cmpint (query != NULL ? (int) loom_search_query_get_filters (query)->len : -1, ==,
                       regex ? texts[i].regex : texts[i].plain);
    }
}

/* Tests keys that contain blanks and are not quoted: which words belong to the key, and which begin another part of the
 * query. */
static void
test_keys_with_blanks (void)
{
  static const struct {
    const char *text, *key, *value;
    LoomArgTest test;
    const char *name;
  } texts[] = {
    { "args.External id:54292", "External id", "54292", LOOM_ARG_HAS, "any" },
    { "gemm args.In msg nelems>=1000 tail", "In msg nelems", "1000", LOOM_ARG_AT_LEAST, "gemm tail" },
    { "args.dtype aten::mul", "dtype", NULL, LOOM_ARG_EXISTS, "aten::mul" },
    { "args.dtype gemm", "dtype", NULL, LOOM_ARG_EXISTS, "gemm" },
    { "args.dtype cat:kernel", "dtype", NULL, LOOM_ARG_EXISTS, "any" },
    { "args.dtype dur>1ms", "dtype", NULL, LOOM_ARG_EXISTS, "any" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (LoomSearchQuery) query = loom_search_query_new (texts[i].text, FALSE, NULL);
    g_test_message ("%s", texts[i].text);
    g_assert_cmpuint (loom_search_query_get_filters (query)->len, ==, 1);
    const LoomArgFilter *filter = g_ptr_array_index (loom_search_query_get_filters (query), 0);
    g_assert_cmpstr (filter->key, ==, texts[i].key);
    g_assert_cmpint (filter->test, ==, texts[i].test);
    g_assert_cmpstr (filter->value, ==, texts[i].value);
    g_assert_true (loom_search_query_matches_name (query, texts[i].name));
  }
}

static void
test_categories_and_durations (void)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new ("gemm cat:KERN dur>10ms dur<=1.5s", FALSE, NULL);
  g_assert_true (loom_search_query_matches_name (query, "a gemm b"));
  g_assert_true (loom_search_query_matches_category (query, "Kernel"));
  g_assert_false (loom_search_query_matches_category (query, "cpu_op"));
  g_assert_true (loom_search_query_has_durations (query));
  g_assert_true (loom_search_query_matches_duration (query, 10000001));
  g_assert_false (loom_search_query_matches_duration (query, 10000000));
  g_assert_true (loom_search_query_matches_duration (query, 1500000000));
  g_assert_false (loom_search_query_matches_duration (query, 1500000001));
  g_autoptr (LoomSearchQuery) not = loom_search_query_new ("cat!=kernel", FALSE, NULL),
                              same = loom_search_query_new ("cat=kernel", FALSE, NULL);
  g_assert_true (loom_search_query_matches_category (not, "kernels") &&
                 !loom_search_query_matches_category (not, "kernel"));
  g_assert_true (!loom_search_query_matches_category (same, "kernels") &&
                 loom_search_query_matches_category (same, "kernel"));
  g_autoptr (LoomSearchQuery) pattern = loom_search_query_new ("cat:^k", TRUE, NULL),
                              name = loom_search_query_new ("concat::cat", FALSE, NULL);
  g_assert_true (loom_search_query_matches_category (pattern, "kernel") &&
                 !loom_search_query_matches_category (pattern, "ok"));
  g_assert_true (loom_search_query_matches_name (name, "concat::cat"));
}

/* An invalid query is reported in a sentence that quotes the invalid part. */
static void
test_not_understood (void)
{
  static const struct {
    const char *text;
    gboolean regex;
    const char *words;
  } texts[] = {
    { "(", TRUE, "“(” is not a valid regular expression" },
    { "args.", FALSE, "“args.” is missing the name" },
    { "x args.a:", FALSE, "“args.a:” is missing a value" },
    { "args.a>b", FALSE, "not a number" },
    { "dur>10", FALSE, "“dur>10” is missing a duration with its unit" },
    { "dur>", FALSE, "is missing a duration" },
    { "cat>kernel", FALSE, "Compare the category with one of : = !=, for example cat:kernel." },
    { "cat:", FALSE, "is missing a value" },
    { "args.a!b", FALSE, "is missing an operator. Use one of : = != < <= > >=." },
    { "dur<", FALSE, "is missing a duration" },
    { "dur!5ms", FALSE, "Compare the duration with one of = != < <= > >=, for example dur>10ms." },
  };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_null (loom_search_query_new (texts[i].text, texts[i].regex, &error));
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT);
    g_test_message ("%s: %s", texts[i].text, error->message);
    g_assert_nonnull (strstr (error->message, texts[i].words));
  }
}

/* Long parts are truncated in the quotation, because the message is shown in one line. */
static void
test_quoted_short (void)
{
  static const char *const begins[] = { "(", "args.a:(", "cat:(" };
  g_autofree char *tail = g_strnfill (500, 'a');
  for (guint i = 0; i < G_N_ELEMENTS (begins); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *text = g_strconcat (begins[i], tail, NULL);
    g_assert_null (loom_search_query_new (text, TRUE, &error));
    g_assert_nonnull (strstr (error->message, "is not a valid regular expression"));
    g_assert_cmpuint (strlen (error->message), <, 120);
  }
}

/* The words of a query that belong to no filter form the name to search for. They are joined by single blanks, wherever
 * the filters are. */
static void
test_rest_is_name (void)
{
  static const char *const texts[] = { "foo args.x:1 bar", "args.x:1 foo bar", "foo bar args.x:1",
                                       "foo args.x:1  args.y bar" };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (LoomSearchQuery) query = loom_search_query_new (texts[i], FALSE, NULL);
    g_assert_true (loom_search_query_matches_name (query, "a foo bar"));
    g_assert_false (loom_search_query_matches_name (query, "foo  bar"));
  }
}

/* Returns TRUE if a query that consists of the filter matches the args. */
static gboolean
holds (const char *filter, const char *args)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (filter, FALSE, NULL);
  g_autoptr (GString) room = g_string_new (NULL);
  g_assert_nonnull (query);
  g_assert_cmpuint (loom_search_query_get_filters (query)->len, ==, 1);
  return loom_arg_filter_matches (g_ptr_array_index (loom_search_query_get_filters (query), 0),
                                  (LoomJsonSlice) { args, strlen (args) }, room);
}

static void
test_filters (void)
{
  static const char args[] =
    "{\"Input Dims\":[[4096,8],[]],\"data\":{\"size\":\"12\",\"at.once\":true,\"n\":null},\"dtype\":\"BFloat16\","
    "\"debug.id\":9007199254740993,\"caf\\u00e9\":\"\\u00c4rger\",\"x\":-1.50}";
  static const char *const yes[] = {
    "args.dtype",
    "args.DTYPE:float",
    "args.dtype=bfloat16",
    "args.dtype!=float",
    "args.data.size=12",
    "args.data.size>11.5",
    "args.data.size<=12",
    "args.data:12",
    "args.\"input dims\">=4096",
    "args.\"Input Dims\".0.1=8",
    "args.debug.id=9007199254740993",
    "args.data.at.once=TRUE",
    "args.data.n=null",
    "args.café=ärger",
    "args.x=-1.5",
    "args:size",
    "args:float",
    "args:ÄRGER",
    "args>4000",
    "args.data",
    "args.\"Input Dims\".1",
  };
  static const char *const no[] = {
    "args.dtyp",
    "args.dtype.x",
    "args.dtype=float",
    "args.data.size>12",
    "args.debug.id=9007199254740992",
    "args.debug.id!=9007199254740993",
    "args.dtype>1",
    "args.at.once",
    "args:gemm",
    "args.size",
    "args.\"Input Dims\".0.2",
    "args.x>0",
    "args.\"Input Dims\".2",
    "args.data.size<12",
  };
  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    if (!holds (yes[i], args))
      g_error ("%s does not hold", yes[i]);
  for (guint i = 0; i < G_N_ELEMENTS (no); i++)
    if (holds (no[i], args))
      g_error ("%s holds", no[i]);
  g_assert_false (holds ("args:a", "\"a\"")); /* args that are not an object have no members */
  g_assert_false (holds ("args:a", "{\"a"));
}

static const char *
value_of (GListModel *members, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (members); i++) {
    g_autoptr (LoomArg) arg = g_list_model_get_item (members, i);
    if (g_str_equal (loom_event_arg_get_name (arg), name))
      return loom_event_arg_get_value (arg);
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

/* For every span of the sample run, the search finds the same args as the details of the span show. The spans come from
 * plain and compressed files, and from single events and pairs of begin and end events. */
static void
test_args (void)
{
  static const struct {
    const char *query;
    gboolean (*is_wanted) (GListModel *members);
  } cases[] = {
    { "args.\"collective name\":REDUCE", is_reduced },
    { "args.stream>7", is_of_stream },
    { "args.step_num", has_step },
  };
  LoomRun *traces = loom_timeline_get_run (timeline ());
  LoomSearchResult *results[G_N_ELEMENTS (cases)];
  guint n[G_N_ELEMENTS (cases)] = { 0 };
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    results[c] = find (timeline (), NULL, cases[c].query, FALSE);
  for (guint t = 0; t < loom_run_get_n_traces (traces); t++)
    for (guint32 i = 0; i < loom_trace_get_spans (loom_run_get_trace (traces, t))->n; i++) {
      LoomSpanId span = { t, i };
      LoomEventArgs *args = loom_event_args_read (timeline (), span, NULL);
      for (guint c = 0; args != NULL && c < G_N_ELEMENTS (cases); c++) {
        if (!cases[c].is_wanted (args->members))
          continue;
        g_assert_cmpuint (n[c], <, results[c]->hits->len);
        g_assert_true (loom_timeline_span_id_equal (g_array_index (results[c]->hits, LoomSpanId, n[c]), span));
        n[c]++;
      }
      g_clear_pointer (&args, loom_event_args_free);
    }
  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_test_message ("%s: %u", cases[c].query, n[c]);
    g_assert_cmpuint (n[c], >, 10);
    g_assert_cmpuint (results[c]->n_found, ==, n[c]);
    g_assert_cmpuint (results[c]->by_time->len, ==, n[c]);
    g_assert_cmpuint (results[c]->n_unread, ==, 0);
    LoomSearchSummary *found = loom_search_summary_new (timeline (), results[c], NULL);
    g_assert_cmpuint (found->count, ==, n[c]);
    loom_search_summary_free (found);
    loom_search_result_unref (results[c]);
  }
}

/* A query with a name and a filter matches spans that satisfy both. */
static void
test_args_of_name (void)
{
  LoomSearchResult *all = find (timeline (), NULL, "nccl args.dtype=bfloat16", FALSE),
                   *names = find (timeline (), NULL, "nccl", FALSE);
  LoomSearchResult *args = find (timeline (), NULL, "args.dtype=bfloat16", FALSE),
                   *regex = find (timeline (), NULL, "^NCCL args.dtype:^b.*16$", TRUE);
  g_assert_cmpuint (all->n_found, >, 0);
  g_assert_cmpuint (all->n_found, <, names->n_found);
  g_assert_cmpuint (all->n_found, <, args->n_found);
  g_assert_cmpuint (regex->n_found, ==, all->n_found);
  loom_search_result_unref (all);
  loom_search_result_unref (names);
  loom_search_result_unref (args);
  loom_search_result_unref (regex);
}

/* --- args of many spans, which take a while to read --- */

#define MANY 20000
#define TENTH "args.a:b$" /* matches one of ten spans */

static char *
write_many (void)
{
  g_autoptr (GString) text = g_string_new ("[");
  for (guint i = 0; i < MANY; i++)
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"name\":\"n%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":5,\"args\":{\"a\":\"aaaaaaaaaaa%s\"}}",
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
  gboolean stops; /* TRUE: the test stops the search at its first partial result */
  gboolean is_over;
  LoomSearchResult *result;
} Watch;

static void
part_came (LoomSearchResult *part, gpointer user_data)
{
  Watch *watch = user_data;
  double fraction = loom_progress_cancellable_get_fraction (watch->meter);
  g_assert_false (g_cancellable_is_cancelled (watch->meter));
  g_assert_cmpuint (part->n_found, >=, watch->n_found);
  g_assert_cmpuint (part->n_found, <=, MANY / 10);
  g_assert_cmpuint (part->hits->len, ==, part->n_found);
  g_assert_cmpfloat (fraction, >=, watch->fraction);
  for (guint i = 1; i < part->hits->len; i++)
    g_assert_cmpuint (g_array_index (part->hits, LoomSpanId, i - 1).span, <,
                      g_array_index (part->hits, LoomSpanId, i).span);
  watch->n_parts++;
  watch->n_found = part->n_found;
  watch->fraction = fraction;
  if (watch->stops) {
    g_cancellable_cancel (watch->meter);
    watch->is_over = TRUE;
  }
}

static void
search_ended (gpointer owner, gpointer result, const GError *error, gpointer question)
{
  Watch *watch = owner;
  watch->result = result;
  watch->is_over = TRUE;
}

static gboolean
is_over (gpointer watch)
{
  return ((Watch *) watch)->is_over;
}

static void
watch_search (LoomRunState *in, Watch *watch)
{
  g_autoptr (LoomSearchQuery) query = loom_search_query_new (TENTH, TRUE, NULL);
  watch->meter = G_CANCELLABLE (loom_progress_cancellable_new ());
  loom_search_async (timeline_of (in), NULL, NULL, query, watch->meter, part_came, search_ended, watch);
  g_assert_true (fixture_wait (is_over, watch));
  g_object_unref (watch->meter);
}

/* Partial results arrive before the search has finished; after it is stopped, no further results arrive. */
static void
test_parts (void)
{
  g_autofree char *path = write_many ();
  LoomRunState *other = run_fixture_open (path);
  Watch all = { 0 }, first = { .stops = TRUE };
  loom_search_args_set_patience (0);
  watch_search (other, &all);
  g_assert_nonnull (all.result);
  g_assert_cmpuint (all.result->n_found, ==, MANY / 10);
  g_assert_cmpuint (all.n_parts, >, 0);
  g_assert_cmpuint (all.n_found, <, MANY / 10);
  g_assert_cmpfloat (all.fraction, >, 0);
  loom_search_result_unref (all.result);
  watch_search (other, &first);
  fixture_spin (50); /* waits for partial results that must not arrive */
  g_assert_null (first.result);
  g_assert_cmpuint (first.n_parts, ==, 1);
  run_fixture_close (other);
}

static LoomSearchState *
open_search (LoomRunState *in, const char *text, gboolean regex)
{
  LoomSearchState *search = loom_run_state_get_search (in);
  loom_search_state_set_open (search, TRUE);
  loom_search_state_ask (search, text, regex);
  return search;
}

static gboolean
found_all (gpointer search)
{
  const LoomSearchResult *result = loom_search_state_get_result (search);
  return !loom_search_state_reads_args (search) && result != NULL && result->n_found == MANY / 10;
}

/* When the first partial result arrives, goes to the first hit and stops the search. */
static void
step_and_stop (LoomSearchState *search, gboolean *stopped)
{
  const LoomSearchResult *part = loom_search_state_get_result (search);
  if (part == NULL || *stopped)
    return;
  *stopped = TRUE;
  g_assert_true (loom_search_state_reads_args (search));
  g_assert_cmpuint (part->n_found, >, 0);
  g_assert_cmpuint (part->n_found, <, MANY / 10);
  g_assert_true (loom_search_state_step (search, TRUE));
  loom_search_state_stop (search);
}

static gboolean
is_set (gpointer flag)
{
  return *(gboolean *) flag;
}

/* Hits that were found before the search was stopped stay, and the user can step through them. */
static void
test_stop (void)
{
  gboolean stopped = FALSE;
  g_autofree char *path = write_many ();
  LoomRunState *other = run_fixture_open (path);
  loom_search_args_set_patience (0);
  LoomSearchState *search = loom_run_state_get_search (other);
  gulong id = g_signal_connect (search, "found", G_CALLBACK (step_and_stop), &stopped);
  open_search (other, TENTH, TRUE);
  g_assert_true (fixture_wait (is_set, &stopped));
  LoomSpanId lead = loom_timeline_state_get_lead (loom_run_state_get_view (other));
  g_assert_cmpuint (lead.span % 10, ==, 0);
  g_assert_false (loom_search_state_reads_args (search));
  g_assert_true (loom_search_state_was_stopped (search));
  LoomSearchResult *some = loom_search_state_get_result (search);
  g_assert_cmpuint (some->n_found, <, MANY / 10);
  fixture_spin (300); /* waits for partial results that must not arrive */
  g_assert_true (loom_search_state_get_result (search) == some);
  g_signal_handler_disconnect (search, id);
  loom_search_state_ask (search, "args.a:b", FALSE);
  g_assert_false (loom_search_state_was_stopped (search));
  g_assert_true (fixture_wait (found_all, search));
  loom_search_state_set_open (search, FALSE);
  g_assert_null (loom_search_state_get_result (search));
  run_fixture_close (other);
}

/* Moving a clock changes the times of hits, but not which spans are hits: no file is read again, and the current hit
 * stays the same. */
static void
test_moved_clock (void)
{
  g_autofree char *path = write_many ();
  LoomRunState *other = run_fixture_open (path);
  LoomTimelineState *view = loom_run_state_get_view (other);
  LoomSearchState *search = open_search (other, "args.a:b", FALSE);
  g_assert_true (fixture_wait (found_all, search));
  for (guint i = 0; i < 3; i++)
    g_assert_true (loom_search_state_step (search, TRUE));
  LoomSpanId third = loom_timeline_state_get_lead (view);
  gint64 before_ns = g_array_index (loom_search_state_get_result (search)->ticks_ns, gint64, 0);
  g_assert_true (g_file_set_contents (path, "[]", -1, NULL));
  loom_clock_commands_set_offset (loom_run_state_get_document (other), 0, 5000000);
  g_assert_true (found_all (search));
  g_assert_cmpint (g_array_index (loom_search_state_get_result (search)->ticks_ns, gint64, 0), ==, before_ns + 5000000);
  g_assert_cmpuint (loom_search_state_get_position (search), ==, 2);
  loom_search_state_step (search, FALSE);
  loom_search_state_step (search, TRUE);
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (view), third));
  run_fixture_close (other);
}

/* A step that is requested before the first hit is found is made when the hit arrives; with an invalid query, a step
 * does nothing. */
static void
test_step_before_found (void)
{
  g_autofree char *path = write_many ();
  LoomRunState *other = run_fixture_open (path);
  LoomSearchState *search = loom_run_state_get_search (other);
  loom_search_state_set_open (search, TRUE);
  g_assert_false (loom_search_state_step (search, TRUE));
  loom_search_state_ask (search, "args.a:b", FALSE);
  g_assert_true (loom_search_state_step (search, FALSE));
  g_assert_true (fixture_wait (found_all, search));
  g_assert_cmpuint (loom_search_state_get_position (search), !=, G_MAXUINT);
  loom_search_state_ask (search, "args.", FALSE);
  g_assert_nonnull (loom_search_state_get_error (search));
  g_assert_null (loom_search_state_get_result (search));
  g_assert_false (loom_search_state_step (search, TRUE));
  run_fixture_close (other);
}

/* Spans whose file was deleted are counted as unread, and the result states their number. */
static void
test_unread (void)
{
  g_autofree char *path = write_many ();
  LoomRunState *other = run_fixture_open (path);
  g_assert_true (g_file_set_contents (path, "[]", -1, NULL));
  LoomSearchResult *result = find (timeline_of (other), NULL, "n1 args.a", FALSE);
  g_assert_cmpuint (result->n_found, ==, 0);
  g_assert_cmpuint (result->n_unread, ==, (MANY + 1) / 3);
  loom_search_result_unref (result);
  run_fixture_close (other);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/search-args/queries", test_queries);
  g_test_add_func ("/core/search-args/rest-is-name", test_rest_is_name);
  g_test_add_func ("/core/search-args/keys-with-blanks", test_keys_with_blanks);
  g_test_add_func ("/core/search-args/categories-and-durations", test_categories_and_durations);
  g_test_add_func ("/core/search-args/not-understood", test_not_understood);
  g_test_add_func ("/core/search-args/quoted-short", test_quoted_short);
  g_test_add_func ("/core/search-args/filters", test_filters);
  g_test_add_func ("/core/search-args/sample", test_args);
  g_test_add_func ("/core/search-args/of-name", test_args_of_name);
  g_test_add_func ("/core/search-args/parts", test_parts);
  g_test_add_func ("/core/search-args/stop", test_stop);
  g_test_add_func ("/core/search-args/moved-clock", test_moved_clock);
  g_test_add_func ("/core/search-args/step-before-found", test_step_before_found);
  g_test_add_func ("/core/search-args/unread", test_unread);
  run = run_fixture_open (fixture_sample ());
  int status = run_fixture_run ();
  run_fixture_close (run);
  return status;
}
