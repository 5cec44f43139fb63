/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the findings of a run, which are places where a rule fired: evaluation after a load, marks in the overview,
 * navigation to the timeline, explanations, dismissing and restoring, the message when no rule fired, and evaluation of
 * another range.
 */
#include "loom-locale-number.h"
#include "loom-locale.h"
#include "loom-rule-files.h"
#include "loom-rule-values.h"
#include "loom-run-announcer.h"
#include "loom-run-navigation.h"
#include "loom-sentence.h"
#include "run-fixture.h"

#include <glib/gstdio.h>
#include <libintl.h>
#include <math.h>
#include <string.h>

static gboolean
is_evaluated (gpointer run)
{
  LoomFindingsState *state = loom_run_state_get_findings (run);
  return !loom_findings_state_is_working (state) && loom_findings_state_get_findings (state) != NULL;
}

static void
wait_for_findings (LoomRunState *run)
{
  g_assert_true (fixture_wait (is_evaluated, run));
}

static LoomRunState *
open_and_evaluate (const char *path)
{
  LoomRunState *run = run_fixture_open (path);
  wait_for_findings (run);
  return run;
}

static LoomFindings *
findings_of (LoomRunState *run)
{
  return loom_findings_state_get_findings (loom_run_state_get_findings (run));
}

/* Returns the finding of a rule; borrowed. */
static const LoomFinding *
find (LoomRunState *run, const char *rule)
{
  for (guint i = 0; i < findings_of (run)->n; i++)
    if (g_str_equal (findings_of (run)->all[i].result->name, rule))
      return &findings_of (run)->all[i];
  g_error ("no rule “%s”", rule);
}

/* Returns the title of the message shown instead of findings, or "" if there are findings. */
static const char *
answer_of (LoomRunState *run)
{
  LoomFindingsAnswer answer;
  return loom_findings_state_get_answer (loom_run_state_get_findings (run), &answer) ? answer.title : "";
}

static guint
count_ticks (LoomRunState *run)
{
  LoomPaintOptions options = { 0 };
  loom_timeline_state_fill_options (loom_run_state_get_view (run), &options);
  for (guint i = 1; i < options.n_findings; i++) {
    const LoomFindingMark *mark = &options.findings[i], *last = mark - 1;
    g_assert_cmpuint (last->finding, <=, mark->finding);
    g_assert_true (last->finding < mark->finding || last->range.begin_ns <= mark->range.begin_ns);
  }
  return options.n_findings;
}

static const char *const *
marked_rows (LoomRunState *run)
{
  return loom_timeline_annotations_get_rows (loom_timeline_state_get_finding_marks (loom_run_state_get_view (run)));
}

/* Writes the trace and the metrics of a node of eight cores with two data loader workers. The training process waits
 * for each batch. Returns the folder. */
static char *
few_loaders (void)
{
  char *path = fixture_folder ();
  g_autoptr (GString)
    lines = g_string_new (NULL),
    events = g_string_new (
      "[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{\"start_time_since_epoch_in_micros\":1700000000000000}},"
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"DataLoaderIter\"}},"
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":2,\"args\":{\"name\":\"DataLoaderWorker\"}}");
  for (int second = 0; second < 30; second++) {
    for (int core = 0; core < 8; core++)
      g_string_append_printf (
        lines,
        "{\"Type\":\"cpu\",\"Name\":\"cpu%d\",\"Dimension\":\"CPUUtilization\",\"Value\":50,\"NodeId\":\"algo-1\",\"Timestamp\":%d}\n",
        core, 1700000000 + second);
    g_string_append_printf (
      events,
      ",{\"name\":\"_MultiProcessingDataLoaderIter::GetNext\",\"ph\":\"X\",\"pid\":1,\"ts\":%d,\"dur\":400000,\"args\":{\"pid\":99,\"worker_id\":%d}}",
      1000000 * second, second % 2);
  }
  for (int i = 0; i < 2; i++)
    g_string_append_printf (
      events,
      ",{\"name\":\"DataLoaderWorker\",\"ph\":\"X\",\"pid\":2,\"ts\":%d,\"dur\":27999000,\"args\":{\"pid\":%d,\"worker_id\":%d}}",
      i, 100 + i, i);
  g_string_append (events, "]");
  g_free (fixture_file (path, "1700000000.algo-1.json", lines->str));
  g_free (fixture_file (path, "1700000030000000_99-algo-1_pythontimeline.json", events->str));
  return path;
}

/* After a load, the rules are evaluated without a request: a built-in rule about communication fires on the sample
 * run. */
static void
test_found (void)
{
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  LoomFindings *findings = findings_of (run);
  const LoomFinding *own = find (run, "CommunicationShare");
  g_assert_cmpstr (own->where, ==, "algo-1 rank 0 · GPU 0, algo-1 rank 1 · GPU 1");
  LoomRange range = findings->range;
  g_assert_cmpuint (loom_findings_count (findings, LOOM_RULE_FIRED), ==, 1);
  g_assert_cmpint (own->result->status, ==, LOOM_RULE_FIRED);
  /* the findings about the wait of two ranks for a batch, and about the wait of the other ranks for these two, come
   * first */
  g_autofree char *over = loom_rule_result_dup_over (own->result);
  g_assert_cmpstr (over, ==, "summed over 2 devices");
  g_assert_cmpint (own->result->lost_ns, >, (range.end_ns - range.begin_ns) / 5);
  /* only a warning, because each of the two ranks loses less than a fifth of the range */
  g_assert_cmpint (own->severity, ==, LOOM_RULE_WARNING);
  g_assert_nonnull (strstr (own->result->sentence,
                            "; most of this time is spent waiting for ranks 3, 2, which arrive late; before "
                            "ranks 2 and 3 arrive, their hosts spend up to 2.88 s longer in “enumerate(DataLoader)"));
  g_assert_nonnull (
    strstr (own->result->advice, "waiting for late ranks; only the rest is communication. “Stragglers” shows"));
  /* the advice is about the cause, not about communication */
  g_assert_nonnull (strstr (own->result->advice, " Use more data loader workers"));
  g_assert_null (strstr (own->result->advice, "Overlap communication"));
  g_assert_true (loom_findings_is_saving_known (own));
  g_assert_cmpuint (findings->notes->len, ==, 0);
  g_assert_cmpstr (loom_findings_state_get_main_finding (loom_run_state_get_findings (run)), ==,
                   "The others wait in collectives for ranks 2 and 3: their hosts spend up to 2.88 s longer in "
                   "“enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__” than other hosts.");
  g_autofree char *headline = loom_findings_state_dup_page_headline (loom_run_state_get_findings (run), NULL);
  g_assert_cmpstr (headline, ==, "Ranks 2 and 3 slow down the others, which costs 12.2 % of the run.");
  g_assert_cmpint (find (run, "Dataloader")->result->status, ==, LOOM_RULE_PASSED);
  g_assert_cmpstr (answer_of (run), ==, "");
  g_assert_cmpuint (loom_findings_state_count (loom_run_state_get_findings (run)), ==, 1);
  g_assert_cmpuint (count_ticks (run), ==, own->result->marks->len);
  run_fixture_close (run);
}

/* The overview describes a finding at its mark, and nothing at other times or after the finding is dismissed. */
static void
test_sentences_of_marks (void)
{
  g_autofree char *folder = few_loaders ();
  LoomRunState *run = open_and_evaluate (folder);
  const LoomTimelineAnnotations *marks = loom_timeline_state_get_finding_marks (loom_run_state_get_view (run));
  const LoomFinding *finding = find (run, "Dataloader");
  g_autofree char *capital = loom_sentence_dup_capital (finding->result->sentence);
  g_autofree char *sentence = loom_sentence_dup (capital);
  g_autofree char *found = loom_timeline_annotations_dup_findings (marks, finding->range);
  g_assert_nonnull (strstr (found, sentence));
  LoomRange after = { finding->range.end_ns + LOOM_NS_PER_S, finding->range.end_ns + 2 * LOOM_NS_PER_S };
  g_assert_null (loom_timeline_annotations_dup_findings (marks, after));
  loom_run_rules_dismiss (loom_run_state_get_rules (run), "Dataloader", "expected");
  g_autofree char *left = loom_timeline_annotations_dup_findings (marks, finding->range);
  g_assert_true (left == NULL || strstr (left, sentence) == NULL);
  run_fixture_close (run);
}

/* Showing a finding selects its range, scrolls to it and marks its rows. The marks stay until something else is
 * selected. */
static void
test_shown (void)
{
  g_autofree char *folder = few_loaders ();
  LoomRunState *run = open_and_evaluate (folder);
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomFindings *before = findings_of (run);
  LoomRange meant = find (run, "Dataloader")->range;
  loom_run_navigation_show_finding (run, find (run, "Dataloader"));
  LoomRange range = loom_timeline_state_get_range (state);
  g_assert_cmpint (range.begin_ns, ==, meant.begin_ns);
  g_assert_cmpint (range.end_ns, ==, meant.end_ns);
  g_assert_nonnull (marked_rows (run)[0]);
  const LoomViewport *view = loom_timeline_state_get_viewport (state);
  g_assert_cmpint (view->begin_ns, <=, meant.begin_ns);
  g_assert_cmpint (view->end_ns, >=, meant.end_ns);
  g_assert_true (findings_of (run) == before);
  loom_timeline_state_select_nothing (state);
  g_assert_null (marked_rows (run)[0]);
  run_fixture_close (run);
}

typedef struct {
  gint64 time_ns;
  int change;
} Edge;

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const Edge *x = a, *y = b;
  return x->time_ns < y->time_ns ? -1 : x->time_ns > y->time_ns;
}

/* Returns how long a host waits for batches: the time in which at least one call for the next batch is open. This sum
 * is computed without the code of the rule, to check the result of the rule. */
static gint64
time_of_waits (LoomRunState *run, const char *host)
{
  g_autoptr (LoomDataFrame) frame = loom_data_frame_new (
    loom_timeline_state_get_timeline (loom_run_state_get_view (run)), LOOM_NUMBER_CONVENTION_INTENDED, NULL);
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Edge));
  const LoomDataFrameRows *rows = &frame->rows;
  gint64 total_ns = 0;
  int open = 0;
  for (guint32 i = 0; i < rows->n; i++) {
    if (strstr (loom_data_frame_get_event_name (frame, i), "DataLoaderIter::GetNext") == NULL ||
        strcmp (frame->workers[rows->worker[i]].host, host) != 0)
      continue;
    Edge begin = { rows->start_ns[i], 1 }, end = { rows->end_ns[i], -1 };
    g_array_append_val (edges, begin);
    g_array_append_val (edges, end);
  }
  g_array_sort (edges, compare_edges);
  for (guint i = 0; i < edges->len; i++) {
    const Edge *edge = &g_array_index (edges, Edge, i);
    total_ns += open > 0 ? edge->time_ns - (edge - 1)->time_ns : 0;
    open += edge->change;
  }
  return total_ns;
}

#define N_STEPS 8064 /* one of twelve steps is long, so 672 steps are long */

/* Writes a file of steps of 0.1 ms, of which one of twelve takes 100 times as long. The caller owns the path. */
static char *
write_steps (void)
{
  g_autoptr (GString) text = g_string_new (
    "{\"schemaVersion\": 1, \"distributedInfo\": {\"rank\": 0}, \"baseTimeNanoseconds\": 1735632360000000000,"
    "\"traceEvents\": [");
  g_autofree char *folder = fixture_folder ();
  guint begin_us = 0;
  for (guint i = 0; i < N_STEPS; i++) {
    guint us = i % 12 == 11 ? 10000 : 100;
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"name\":\"ProfilerStep#%u\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u}",
      i > 0 ? "," : "", i, begin_us, us);
    begin_us += us + 10;
  }
  g_string_append (text, "]}");
  return fixture_file (folder, "steps.json", text->str);
}

/* Returns TRUE if the page of the finding has a table "Occurrences" with `n` rows. */
static gboolean
lists_places (const LoomFinding *finding, guint n)
{
  for (guint i = 0; i < finding->sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (finding->sheet, i);
    if (block->table != NULL && strcmp (block->text, "Occurrences") == 0)
      return block->table->n_rows == n;
  }
  return FALSE;
}

/* A finding with many places lists all of them in its table and marks all of them in the overview, up to the end of the
 * run. */
static void
test_many_places (void)
{
  g_autofree char *path = write_steps ();
  LoomRunState *run = open_and_evaluate (path);
  LoomTimelineState *state = loom_run_state_get_view (run);
  const LoomFinding *finding = find (run, "StepOutlier");
  g_assert_cmpuint (finding->result->marks->len, ==, N_STEPS / 12);
  const LoomRuleOccurrence *last = &g_array_index (finding->result->marks, LoomRuleOccurrence, N_STEPS / 12 - 1);
  g_assert_true (lists_places (finding, N_STEPS / 12));
  g_assert_cmpuint (count_ticks (run), ==, N_STEPS / 12);
  loom_run_navigation_show_finding (run, finding);
  guint n;
  const LoomSpanId *selected = loom_timeline_state_get_selected (state, &n);
  g_assert_cmpuint (n, ==, N_STEPS / 12);
  g_assert_true (loom_timeline_span_id_equal (selected[n - 1], last->span));
  LoomRange shown;
  g_assert_true (loom_timeline_state_get_selected_range (state, &shown));
  g_assert_cmpint (loom_timeline_state_get_extent (state).end_ns - shown.end_ns, <, 2 * LOOM_NS_PER_MS);
  run_fixture_close (run);
}

static void
test_explained (void)
{
  g_autofree char *folder = few_loaders ();
  LoomRunState *run = open_and_evaluate (folder);
  const LoomFinding *finding = find (run, "Dataloader");
  const LoomRuleResult *result = finding->result;
  g_assert_cmpuint (finding->sheet->blocks->len, ==, 5);
  g_assert_cmpint (loom_page_content_get_block (finding->sheet, 0)->kind, ==, LOOM_BLOCK_NOTE);
  const LoomBlock *figures = loom_page_content_get_block (finding->sheet, 1),
                  *evidence = loom_page_content_get_block (finding->sheet, 2),
                  *places = loom_page_content_get_block (finding->sheet, 3),
                  *numbers = loom_page_content_get_block (finding->sheet, 4);
  g_assert_cmpint (result->lost_ns, >, 0);
  gint64 lost_ns = 0;
  for (guint i = 0; i < result->marks->len; i++)
    lost_ns += time_of_waits (run, g_array_index (result->marks, LoomRuleOccurrence, i).host);
  g_assert_cmpint (result->lost_ns, ==, lost_ns);
  g_assert_cmpstr (g_array_index (figures->facts, LoomKeyValue, 2).name, ==, "Minimum number of data loader workers");
  g_assert_cmpstr (g_array_index (figures->facts, LoomKeyValue, 2).value, ==,
                   "70.0 percent of cores; in this run: 25.0 percent of cores");
  g_assert_cmpint (evidence->kind, ==, LOOM_BLOCK_CHART);
  g_assert_cmpfloat (evidence->chart->limit, ==, 6);
  g_assert_cmpuint (result->evidence->len, ==, 2); /* two loader workers, which run for the whole recording */
  g_assert_cmpuint (result->groups->len, ==, result->marks->len);
  g_assert_cmpuint (places->table->n_rows, ==, result->marks->len);
  g_assert_cmpuint (numbers->table->n_rows, ==, 2); /* rows: the number of cores and the number of processes */
  LoomNavigationTarget place;
  g_assert_true (loom_page_content_get_place (finding->sheet, 3, 0, &place));
  loom_run_navigation_show (run, &place, LOOM_RUN_NAVIGATION_KEEP_RANGE);
  g_assert_cmpint (loom_timeline_state_get_range (loom_run_state_get_view (run)).begin_ns, ==, finding->range.begin_ns);
  run_fixture_close (run);
}

static void
count_call (guint *n)
{
  ++*n;
}

static void
test_dismissed (void)
{
  g_autofree char *folder = few_loaders ();
  LoomRunState *run = open_and_evaluate (folder);
  LoomFindingsState *state = loom_run_state_get_findings (run);
  LoomRunRules *rules = loom_run_state_get_rules (run);
  guint n_ticks = count_ticks (run), n_notified = 0;
  g_signal_connect_swapped (state, "notify::findings", G_CALLBACK (count_call), &n_notified);
  g_assert_null (loom_findings_state_get_note (state, find (run, "Dataloader")));
  loom_run_rules_dismiss (rules, "Dataloader", "as it should be");
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_cmpstr (g_hash_table_lookup (loom_run_rules_get_dismissed (rules), "Dataloader"), ==, "as it should be");
  g_assert_cmpstr (loom_findings_state_get_note (state, find (run, "Dataloader")), ==, "as it should be");
  g_assert_cmpuint (n_ticks, >, 0);
  g_assert_cmpuint (count_ticks (run), ==, 0);
  g_assert_cmpuint (loom_findings_state_count (state), ==, 0);
  g_assert_cmpstr (answer_of (run), ==, "Nothing Found");
  g_autoptr (LoomPageContent) page = loom_page_content_new ((LoomRange) { 0, 1 });
  g_assert_null (loom_findings_state_dup_page_headline (state, page));
  loom_page_content_set_headline (page, "GPUs compute.");
  g_autofree char *headline = loom_findings_state_dup_page_headline (state, page);
  g_assert_cmpstr (headline, ==, "GPUs compute.");
  loom_run_rules_restore (rules, "Dataloader");
  g_assert_cmpuint (n_notified, ==, 2);
  g_assert_cmpuint (g_hash_table_size (loom_run_rules_get_dismissed (rules)), ==, 0);
  g_assert_cmpuint (count_ticks (run), ==, n_ticks);
  run_fixture_close (run);
}

/* Returns the text of a trace whose kernels are launched late. A kernel begins every 100 µs and runs for `busy_us`.
 * With 90 µs, the device waits for its host for 9 % of its time. The first kernel is longer, so that the device is idle
 * once for another reason. */
static char *
dup_late_launches (guint busy_us)
{
  GString *text = g_string_new ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[");
  for (guint i = 0; i < 20; i++) {
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":3,\"args\":{\"correlation\":%u}},"
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%u,\"dur\":%u,\"args\":{\"device\":0,\"stream\":7,\"correlation\":%u}}",
      i > 0 ? "," : "", 995 + 100 * i, i + 1, 1000 + 100 * i, i == 0 ? 99 : busy_us, i + 1);
    g_string_append_printf (
      text,
      ",{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%u,\"pid\":1,\"tid\":1,\"ts\":%u},"
      "{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%u,\"pid\":0,\"tid\":7,\"ts\":%u,\"bp\":\"e\"}",
      i + 1, 995 + 100 * i, i + 1, 1000 + 100 * i);
  }
  return g_string_free (g_string_append (text, "]}"), FALSE);
}

#define MEMORY(ts, bytes, total)                                                                                 \
  "{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"s\":\"t\",\"ts\":" ts \
  ",\"args\":{\"Bytes\":" bytes ",\"Addr\":7,\"Device Type\":1,\"Device Id\":0,\"Total Allocated\":" total "}}"

static gboolean
has_steps (gpointer run)
{
  return loom_timeline_state_get_steps (loom_run_state_get_view (run)) != NULL;
}

/* Tests the messages that are shown if there are no findings, for four traces: one with ten steps, which are too few;
 * one without steps and metrics, which contains nothing that rules evaluate; one whose device waits for its host for
 * less than the threshold of the rule; and one with events of memory only. */
static void
test_answers (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autoptr (GString) steps =
    g_string_new ("{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[");
  for (guint i = 0; i < 10; i++)
    g_string_append_printf (
      steps,
      "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":90}",
      i > 0 ? "," : "", i, 100 * i);
  g_string_append (steps, "]}");
  g_autofree char *few = fixture_file (folder, "rank0.pt.trace.json", steps->str);
  g_autofree char *other = fixture_folder ();
  g_autofree char *plain =
    fixture_file (other, "t.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5}]");
  g_autofree char *third = fixture_folder (), *launches = dup_late_launches (90);
  g_autofree char *late = fixture_file (third, "rank0.pt.trace.json", launches);
  g_autofree char *fourth = fixture_folder ();
  g_autofree char *memory =
    fixture_file (fourth, "rank0.pt.trace.json",
                  "{\"schemaVersion\":1,\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[" MEMORY (
                    "10", "4096", "4096") "," MEMORY ("500", "-4096", "0") "]}");
  const struct {
    const char *path, *says, *page, *rule;
  } cases[] = { { few, "Not Enough Data", NULL, NULL },
                { plain, "Not Applicable", NULL, NULL },
                { late, "The Loss Is Too Small for a Finding", NULL, "HostBound" },
                { memory, "Only Memory Was Recorded", "memory", NULL } };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    LoomRunState *run = open_and_evaluate (cases[i].path);
    LoomFindingsState *state = loom_run_state_get_findings (run);
    LoomFindingsAnswer answer;
    /* whether only memory was recorded is known when the steps are, which may be after the findings */
    g_assert_true (fixture_wait (has_steps, run));
    g_assert_true (loom_findings_state_get_answer (state, &answer));
    g_assert_cmpstr (answer.title, ==, cases[i].says);
    g_assert_cmpstr (answer.page, ==, cases[i].page);
    g_assert_cmpstr (answer.result != NULL ? answer.result->name : NULL, ==, cases[i].rule);
    g_assert_cmpuint (count_ticks (run), ==, 0);
    /* a loss below a limit is the headline of the summary */
    g_autofree char *headline = loom_findings_state_dup_page_headline (state, NULL);
    g_assert_cmpstr (headline, ==,
                     cases[i].path == late ? "GPU 0 of rank 0 waits for the host for 9.0 % of its time." : NULL);
    run_fixture_close (run);
  }
}

/* A finding about all devices has a headline about all of them; the sentence names the worst. A rule that found nothing
 * is described in one line with the words of its name. */
static void
test_all_devices (void)
{
  g_autofree char *folder = fixture_folder (), *launches = dup_late_launches (60);
  g_autofree char *first = fixture_file (folder, "rank0.pt.trace.json", launches),
                  *second = fixture_file (folder, "rank1.pt.trace.json", launches);
  LoomRunState *run = open_and_evaluate (folder);
  const LoomRuleResult *host = find (run, "HostBound")->result;
  g_assert_cmpint (host->status, ==, LOOM_RULE_FIRED);
  /* 18 pauses of 40 µs in 1,960 µs */
  g_assert_cmpstr (host->headline, ==, "all 2 GPUs wait for the host, together for 36.7 % of their time");
  g_autofree char *line = loom_findings_state_dup_rule_line (find (run, "CPUBottleneck")->result),
                  *words = loom_findings_state_dup_rule_line (find (run, "DataLoadingStalls")->result);
  g_assert_true (g_str_has_prefix (line, "CPU Bottleneck: "));
  g_assert_true (g_str_has_prefix (words, "Data Loading Stalls: "));
  run_fixture_close (run);
}

static gboolean
is_outdated (LoomRunState *run)
{
  gboolean outdated;
  g_object_get (loom_run_state_get_findings (run), "outdated", &outdated, NULL);
  return outdated;
}

/* A finding that names the rank for which others wait gives the text of the notice above the timeline. A closed notice
 * stays closed. */
static void
test_main_finding (void)
{
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  LoomFindingsState *state = loom_run_state_get_findings (run);
  g_assert_true (
    g_str_has_prefix (loom_findings_state_get_main_finding (state),
                      "The others wait in collectives for ranks 2 and 3: their hosts spend up to 2.88 s "));
  g_assert_cmpint (loom_findings_state_find_main (state)->result->late_rank, >=, 0);
  g_assert_cmpint (loom_findings_state_get_late_rank (state), ==, -1); /* it has no mark of one rank */
  loom_findings_state_close_main_finding (state);
  g_assert_null (loom_findings_state_get_main_finding (state));
  run_fixture_close (run);
}

/* Writes a trace of 12 steps of 1000 µs, each of which waits for data for `wait_us`. Returns its path. */
static char *
write_waiting_steps (const char *folder, guint wait_us)
{
  g_autoptr (GString) text =
    g_string_new ("{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"M\",\"name\":\"a\",\"pid\":1}");
  for (guint i = 0; i < 12; i++)
    g_string_append_printf (
      text,
      ",{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":1000},"
      "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__\","
      "\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":%u},"
      "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%u,\"dur\":%u,\"args\":{\"stream\":7}}",
      i, 1000 * i, 1000 * i + 10, wait_us, 1000 * i + wait_us + 30, 950 - wait_us);
  g_string_append (text, "]}");
  return fixture_file (folder, "rank0.pt.trace.json", text->str);
}

/* Without a late rank, the notice states the first severe finding: here steps that wait 70 % of their time for data. If no
 * finding is severe, it states the first one. */
static void
test_severe_finding (void)
{
  g_autofree char *folder = fixture_folder (), *severe = write_waiting_steps (folder, 700);
  LoomRunState *run = open_and_evaluate (severe);
  LoomFindingsState *state = loom_run_state_get_findings (run);
  g_assert_cmpstr (
    loom_findings_state_get_main_finding (state), ==,
    "Rank 0 waits for data in 12 of 12 steps, for 70.0 % of the time of all steps, up to 70.0 % of one step.");
  const LoomFinding *finding = loom_findings_state_find_main (state);
  g_assert_cmpstr (finding->result->name, ==, "DataLoadingStalls");
  g_assert_cmpint (finding->severity, ==, LOOM_RULE_SEVERE);
  run_fixture_close (run);
  g_autofree char *mild_folder = fixture_folder (), *mild = write_waiting_steps (mild_folder, 120);
  run = open_and_evaluate (mild);
  finding = loom_findings_state_find_main (loom_run_state_get_findings (run));
  g_assert_nonnull (finding);
  g_assert_cmpint (finding->severity, <, LOOM_RULE_SEVERE);
  g_assert_nonnull (loom_findings_state_get_main_finding (loom_run_state_get_findings (run)));
  run_fixture_close (run);
}

static gboolean
is_current (gpointer run)
{
  return is_evaluated (run) && !is_outdated (run);
}

/* While no view shows the findings, a new range of the analysis is not evaluated. While a view shows them, it is. Marks,
 * notices and the number of findings remain those of the whole run, which is not evaluated again. */
static void
test_range (void)
{
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  LoomFindingsState *state = loom_run_state_get_findings (run);
  LoomTimelineState *view = loom_run_state_get_view (run);
  LoomFindings *whole = findings_of (run);
  gint64 begin_ns = loom_timeline_state_get_extent (view).begin_ns + LOOM_NS_PER_S;
  g_autofree char *notice = g_strdup (loom_findings_state_get_main_finding (state));
  g_assert_nonnull (notice);
  g_assert_false (is_outdated (run));
  loom_timeline_state_select_range (view, (LoomRange) { begin_ns, begin_ns + LOOM_NS_PER_S });
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), LOOM_RANGE_SCOPE_SELECTION);
  fixture_spin (60);
  g_assert_true (findings_of (run) == whole && !loom_findings_state_is_working (state));
  g_assert_true (is_outdated (run) && !loom_findings_state_needs_request (state));
  g_assert_null (loom_findings_state_dup_page_headline (state, NULL));
  loom_findings_state_add_view (state);
  g_assert_true (fixture_wait (is_current, run));
  g_assert_cmpint (findings_of (run)->range.begin_ns, ==, begin_ns);
  g_assert_cmpuint (loom_findings_state_count_shown (state), ==, 0);
  g_assert_cmpuint (loom_findings_state_count (state), ==, 1);
  g_assert_cmpstr (loom_findings_state_get_main_finding (state), ==, notice);
  LoomFindings *part = findings_of (run);
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), LOOM_RANGE_SCOPE_ALL);
  g_assert_true (findings_of (run) == whole && !is_outdated (run) && !loom_findings_state_is_working (state));
  loom_analysis_context_set_scope (loom_run_state_get_analysis (run), LOOM_RANGE_SCOPE_SELECTION);
  g_assert_true (findings_of (run) == part && !is_outdated (run) && !loom_findings_state_is_working (state));
  loom_findings_state_refresh (state);
  g_assert_true (fixture_wait (is_current, run));
  g_assert_cmpint (findings_of (run)->range.begin_ns, ==, begin_ns);
  loom_timeline_state_select_nothing (view);
  g_assert_true (fixture_wait (is_current, run));
  g_assert_cmpstr (answer_of (run), ==, "No Range");
  loom_findings_state_remove_view (state);
  run_fixture_close (run);
}

/* A rule file that is added to the user's folder of rules is used at the next evaluation; an error in the file is
 * reported with its line. */
static void
test_own (void)
{
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "traceloom", "rules", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_autofree char *good = fixture_file (
    folder, "a.json",
    "{\"traceloom-rules\":1,\"rules\":[{\"name\":\"Mine\",\"where\":{\"name\":\"gemm\"},"
    "\"statistic\":\"count\",\"above\":3,\"sentence\":\"{count} of {windows}: {value}\",\"severity\":\"severe\"}]}");
  g_autofree char *bad = fixture_file (folder, "b.json", "{\"traceloom-rules\":1,\n\"rules\":7}");
  loom_findings_state_refresh (loom_run_state_get_findings (run));
  wait_for_findings (run);
  const LoomFinding *mine = find (run, "Mine");
  g_assert_cmpint (mine->result->status, ==, LOOM_RULE_FIRED);
  g_assert_true (g_str_has_prefix (mine->result->sentence, "1 of 1: "));
  g_assert_cmpint (mine->severity, ==, LOOM_RULE_SEVERE);
  const GPtrArray *notes = findings_of (run)->notes;
  g_assert_cmpuint (notes->len, ==, 1);
  g_assert_cmpstr (notes->pdata[0], ==, "b.json: line 2: “rules” must be an array");
  g_assert_cmpint (g_remove (good), ==, 0);
  g_assert_cmpint (g_remove (bad), ==, 0);
  run_fixture_close (run);
}

/* In Japanese, sentences begin with the name of the node; the name is not capitalized. */
static void
test_own_in_japanese (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_data_dir (), "traceloom", "rules", NULL);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_autofree char *rule = fixture_file (
    folder, "a.json",
    "{\"traceloom-rules\":1,\"rules\":[{\"name\":\"Mine\",\"where\":{\"name\":\"AllReduce\"},\"per\":\"rank\","
    "\"statistic\":\"count\",\"above\":3,\"sentence\":\"{who}: {value}\"}]}");
  g_setenv ("LANGUAGE", "ja", TRUE);
  textdomain (GETTEXT_PACKAGE); /* after LANGUAGE changes, gettext uses it only when a text domain is set */
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  const char *sentence = find (run, "Mine")->result->sentence;
  g_assert_nonnull (strstr (sentence, "のランク"));
  g_assert_true (g_str_has_prefix (sentence, "algo-"));
  g_unsetenv ("LANGUAGE");
  textdomain (GETTEXT_PACKAGE);
  g_assert_cmpint (g_remove (rule), ==, 0);
  run_fixture_close (run);
}

static const LoomRuleLimit *
get_limit (LoomRunState *run, const char *rule, const char *parameter)
{
  const LoomRuleResult *result = find (run, rule)->result;
  for (guint i = 0; i < result->n_limits; i++)
    if (g_str_equal (result->limits[i].parameter, parameter))
      return &result->limits[i];
  g_error ("%s has no parameter %s", rule, parameter);
}

static gboolean
is_saved (gpointer values)
{
  return !loom_rule_values_is_saving (values);
}

static void
set_limit (LoomRunState *run, const char *rule, const char *parameter, double value)
{
  LoomRuleValues *values = loom_rule_values_get_default ();
  loom_rule_values_set (values, rule, get_limit (run, rule, parameter), value);
  g_assert_true (fixture_wait (is_saved, values));
  wait_for_findings (run);
}

/* A changed threshold of a rule applies at once to the open run, and to runs opened later. Resetting the threshold
 * removes it from the parameter file. Tests a rule written in C and a shipped JSON rule. */
static void
test_limits (void)
{
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  g_autofree char *path = loom_rule_files_dup_parameters_path (), *text = NULL;
  const LoomRuleLimit *share = get_limit (run, "CommunicationShare", "above");
  g_assert_cmpfloat (share->value, ==, 30);
  g_assert_cmpfloat_with_epsilon (share->judged, 59.2, 0.05);
  g_assert_cmpfloat (get_limit (run, "CommunicationShare", "least")->judged, ==, 274);
  g_assert_cmpfloat (get_limit (run, "CPUBottleneck", "patience")->judged, ==, 48);
  set_limit (run, "CommunicationShare", "above", 75);
  g_assert_cmpint (find (run, "CommunicationShare")->result->status, ==, LOOM_RULE_PASSED);
  g_assert_cmpfloat (get_limit (run, "CommunicationShare", "above")->initial, ==, 30);
  set_limit (run, "CPUBottleneck", "patience", 40);
  g_assert_cmpint (find (run, "CPUBottleneck")->result->status, ==, LOOM_RULE_PASSED);
  g_assert_true (isfinite (get_limit (run, "CPUBottleneck", "threshold")->judged));
  run_fixture_close (run);
  run = open_and_evaluate (fixture_sample ());
  g_assert_cmpint (find (run, "CommunicationShare")->result->status, ==, LOOM_RULE_PASSED);
  set_limit (run, "CommunicationShare", "above", 30);
  set_limit (run, "CPUBottleneck", "patience", 1000);
  g_assert_cmpint (find (run, "CommunicationShare")->result->status, ==, LOOM_RULE_FIRED);
  g_assert_cmpint (find (run, "CPUBottleneck")->result->status, ==, LOOM_RULE_NOT_ENOUGH);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "{}\n");
  run_fixture_close (run);
}

/* An unusable parameter file is reported and not changed. */
static void
test_limits_refused (void)
{
  LoomRunState *run = open_and_evaluate (fixture_sample ());
  g_autofree char *path = loom_rule_files_dup_parameters_path (), *text = NULL, *problem = NULL;
  g_assert_true (g_file_set_contents (path, "[7]", -1, NULL));
  set_limit (run, "IdleGPU", "below", 50);
  g_object_get (loom_rule_values_get_default (), "problem", &problem, NULL);
  g_assert_nonnull (strstr (problem, "rule-parameters.json does not contain a JSON object with rules"));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "[7]");
  g_assert_true (g_file_set_contents (path, "{\"IdleGPU\": {\"below\": \"2 parsecs\"}}", -1, NULL));
  loom_findings_state_refresh (loom_run_state_get_findings (run));
  wait_for_findings (run);
  g_assert_cmpstr (findings_of (run)->notes->pdata[0], ==,
                   "rule IdleGPU: the value of “below” cannot be used; the default is kept");
  g_assert_cmpfloat (get_limit (run, "IdleGPU", "below")->value, ==, 60);
  g_assert_cmpint (g_remove (path), ==, 0);
  run_fixture_close (run);
}

/* Each example that the program contains is one valid rule. */
static void
test_examples (void)
{
  g_auto (GStrv) paths = loom_rule_files_list_examples ();
  g_assert_cmpuint (g_strv_length (paths), ==, 6);
  for (guint i = 0; paths[i] != NULL; i++) {
    g_autofree char *text = NULL;
    g_autoptr (GError) error = NULL;
    guint line = 0;
    g_assert_true (g_file_get_contents (paths[i], &text, NULL, NULL));
    g_autoptr (GPtrArray) rules = loom_custom_rules_check (text, strlen (text), &line, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (rules->len, ==, 1);
  }
}

static void
note_text (LoomRunAnnouncer *announcer, GParamSpec *pspec, GPtrArray *texts)
{
  g_ptr_array_add (texts, g_strdup (loom_run_announcer_get_text (announcer)));
}

/* Screen readers announce the end of a load with its numbers, then the number of findings, each once. */
static void
test_announced (void)
{
  g_autoptr (LoomDocument) document = loom_document_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  LoomRunState *run = loom_run_state_new (document);
  g_autoptr (LoomRunAnnouncer) announcer = loom_run_announcer_new (run);
  g_signal_connect (announcer, "notify::text", G_CALLBACK (note_text), texts);
  loom_document_open (document, (const char *const[]) { fixture_sample (), NULL });
  run_fixture_wait_loaded (run);
  wait_for_findings (run);
  g_autofree char *count = loom_locale_number_group (loom_document_count_spans (document));
  g_autofree char *loaded = g_strdup_printf ("Run loaded: %s spans, 0 problems", count);
  g_autofree char *found =
    g_strdup_printf ("%u finding", loom_findings_state_count (loom_run_state_get_findings (run)));
  g_assert_cmpuint (texts->len, ==, 2);
  g_assert_cmpstr (texts->pdata[0], ==, loaded);
  g_assert_cmpstr (texts->pdata[1], ==, found);
  loom_document_open (document, (const char *const[]) { "/nowhere", NULL });
  while (loom_document_is_loading (document))
    fixture_spin (5);
  g_assert_cmpstr (loom_run_announcer_get_text (announcer), ==, "Nothing could be loaded");
  g_clear_object (&announcer);
  g_clear_object (&document);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  loom_locale_bind ("");
  g_test_add_func ("/core/findings/announced", test_announced);
  g_test_add_func ("/core/findings/found", test_found);
  g_test_add_func ("/core/findings/shown", test_shown);
  g_test_add_func ("/core/findings/all-devices", test_all_devices);
  g_test_add_func ("/core/findings/sentences-of-marks", test_sentences_of_marks);
  g_test_add_func ("/core/findings/explained", test_explained);
  g_test_add_func ("/core/findings/many-places", test_many_places);
  g_test_add_func ("/core/findings/dismissed", test_dismissed);
  g_test_add_func ("/core/findings/answers", test_answers);
  g_test_add_func ("/core/findings/range", test_range);
  g_test_add_func ("/core/findings/main-finding", test_main_finding);
  g_test_add_func ("/core/findings/severe-finding", test_severe_finding);
  g_test_add_func ("/core/findings/own", test_own);
  g_test_add_func ("/core/findings/own-in-japanese", test_own_in_japanese);
  g_test_add_func ("/core/findings/limits", test_limits);
  g_test_add_func ("/core/findings/limits-refused", test_limits_refused);
  g_test_add_func ("/core/findings/examples", test_examples);
  return run_fixture_run ();
}
