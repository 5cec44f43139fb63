/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the sentence with which each page answers its question: what is slow, where, when and by how much. The sample
 * run has known problems: on both nodes GPUs 2 and 3 do less work, and one core of the node algo-2 is fully used while
 * the ranks of algo-2 wait for data.
 */
#include "page-fixture.h"

#include <math.h>
#include <string.h>

static const char *
answer_of (LoomAnalysisPage *page)
{
  const LoomPageContent *content = loom_analysis_page_get_content (page);
  for (guint i = 0; i < content->blocks->len; i++)
    if (loom_page_content_get_block (content, i)->kind == LOOM_BLOCK_NOTE &&
        loom_page_content_get_block (content, i)->large)
      return loom_page_content_get_block (content, i)->text;
  g_error ("no answer");
}

static void
assert_answer (LoomRunState *run, const char *id, const char *expected)
{
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, id);
  g_assert_cmpstr (answer_of (page), ==, expected);
}

static void
test_sample (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  assert_answer (run, "balance",
                 "Less busy than other GPUs on the same node: algo-1 gpu2, algo-1 gpu3, algo-2 gpu2, algo-2 gpu3 (busy "
                 "for 37.2 % of the time, the others for 62.2 %). 8 pairs of GPUs have clearly different workloads.");
  assert_answer (
    run, "bottlenecks",
    "GPUs of algo-2 were starved at 5 instants while a core of their node was saturated, from 10.0 s to 12.0 s "
    "after the start. During bottlenecks, _MultiProcessingDataLoaderIter::GetNext took 2.90 s on average instead of 19.4 ms.");
  assert_answer (
    run, "collectives",
    "Of the time that ranks spend in collectives, 84.0 % is waiting for the last rank: 6.59 s over all ranks. Allreduce of ranks 0–3 takes a median of "
    "25.8 ms, with a bus bandwidth of 25.4 GB/s.");
  g_autoptr (LoomAnalysisPage) collectives = page_fixture_show (run, "collectives");
  g_assert_nonnull (page_fixture_get (collectives, "Time of each collective, mean of its ranks")->chart);
  assert_answer (
    run, "parallelism",
    "The 4 ranks work as one group, as in plain data parallelism; no recorded collective shows another axis. "
    "Communication that no computation hides takes 30.0 % of the time of the steps: 748 ms per step on average, 689 ms "
    "of it waiting.");
  assert_answer (run, "memory",
                 "Each of 4 devices has 27.8 GiB allocated at its peak. 20 GiB of the peak was allocated before "
                 "the recording.");
  g_clear_object (&collectives);
  run_fixture_close (run);
}

/* An answer with a long name shortens it, and has the complete name as tooltip. */
static void
test_long_name (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "work");
  const LoomBlock *answer = loom_page_content_get_block (loom_analysis_page_get_content (page), 0);
  g_assert_true (g_str_has_prefix (answer->text, "ampere_bf16_s16816g…8_f2f_stages_64x3_tn takes longest"));
  g_assert_cmpstr (answer->tooltip, ==, "ampere_bf16_s16816gemm_bf16_128x256_ldg8_f2f_stages_64x3_tn");
  g_assert_null (loom_page_content_get_block (loom_analysis_page_get_content (page), 1)->tooltip);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Three functions with different names describe the same wait. The pie chart therefore shows them as one slice, and the
 * bar chart as one bar; the table lists all of their names, but not the marks of steps. The pie omits functions that run
 * during the wait, because their time would count twice. If the notes explain a name, it is not reported as another
 * cause. */
static void
test_same_work (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "bottlenecks");
  LoomChart *pie = page_fixture_get (page, "Functions during bottlenecks, not counting data loader workers")->chart,
            *bars = page_fixture_get (page, "Mean duration during bottlenecks and at other times")->chart;
  LoomResultTable *table = page_fixture_get (page, "What takes longer during bottlenecks")->table;
  g_assert_cmpuint (pie->pie.slices->len, ==, 1);
  g_assert_cmpuint (bars->bars.groups->len, ==, 4);
  g_assert_cmpuint (table->n_rows, ==, 10);
  for (guint row = 0; row < table->n_rows; row++) {
    g_autofree char *name = loom_result_table_dup_cell (table, row, 0);
    g_assert_false (g_str_has_prefix (name, "ProfilerStep"));
  }
  g_clear_object (&page);
  run_fixture_close (run);
}

/* The table of metrics shows the time in each step. The extents of metrics are columns that are hidden at first, and
 * the spans that mark steps are no rows. */
static void
test_metrics_of_steps (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "steps");
  LoomResultTable *table = page_fixture_get (page, "Time of framework metrics in each step")->table;
  g_assert_cmpuint (table->n_rows, >, 5);
  g_assert_cmpstr (loom_result_table_get_column (table, 2)->title, ==, "Time per Step");
  for (guint i = 0; i < table->columns->len; i++)
    g_assert_cmpint (loom_result_table_get_column (table, i)->is_detail, ==, i > 3);
  for (guint row = 0; row < table->n_rows; row++)
    g_assert_cmpstr (loom_result_table_get_text (table, row, 0), !=, "ProfilerStep");
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Composer's steps begin after the wait for their batch, so no wait is inside a step. Ranks that wait for 3 s must not
 * be said to wait for 0 % of their time. */
static void
test_share_of_steps (void)
{
  LoomRunState *run = run_fixture_open (fixture_sample ());
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "loading");
  LoomResultTable *table = page_fixture_get (page, "Waits by rank")->table;
  g_assert_cmpuint (table->n_rows, ==, 4);
  for (guint row = 0; row < table->n_rows; row++)
    g_assert_true (isnan (loom_result_table_get_number (table, row, 6)));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Old versions of PyTorch recorded no addresses of memory blocks, so it is unknown which operators hold memory at the
 * peak; the page must not state 0. */
static void
test_memory_without_addresses (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (
    folder, "old.pt.trace.json",
    "{\"schemaVersion\":1,\"traceEvents\":["
    "{\"ph\":\"X\",\"name\":\"aten::empty\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":10,\"dur\":10},"
    "{\"ph\":\"X\",\"name\":\"aten::mm\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":30,\"dur\":10},"
    "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":12,\"args\":{\"Device Type\":1,"
    "\"Device Id\":0,\"Bytes\":1024}},"
    "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":32,\"args\":{\"Device Type\":1,"
    "\"Device Id\":0,\"Bytes\":4096}}]}");
  LoomRunState *run = run_fixture_open (path);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "memory");
  LoomResultTable *table = page_fixture_get (page, "Who allocates memory")->table;
  gboolean descending;
  g_assert_cmpuint (table->n_rows, ==, 2);
  for (guint row = 0; row < 2; row++) {
    g_assert_true (isnan (loom_result_table_get_number (table, row, 2))); /* column: memory held at the peak */
    g_assert_true (isnan (loom_result_table_get_number (table, row, 7))); /* column: memory not freed */
  }
  g_assert_cmpuint (loom_result_table_get_order (table, &descending), ==, 5); /* column: allocated memory */
  g_assert_true (descending);
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Because an event is missing, no operator is known for 700 B of the peak. The page must not say that they were
 * allocated before the recording, because nothing was allocated at its begin. Two of the three devices have the same
 * peak. */
static void
test_memory_of_lost_events (void)
{
  static const char event[] =
    ",{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":%u,\"args\":{\"Device Type\":1,"
    "\"Device Id\":%u,\"Addr\":%u,\"Bytes\":%u,\"Total Allocated\":%u}}";
  g_autofree char *folder = fixture_folder ();
  g_autoptr (GString) text = g_string_new (
    "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"name\":\"aten::mm\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":99}");
  for (guint device = 0; device < 3; device++) {
    g_string_append_printf (text, event, 10 + device, device, 4096, 100, 100);
    g_string_append_printf (text, event, 20 + device, device, 8192, 200, device < 2 ? 1000 : 300);
  }
  g_string_append (text, "]}");
  g_autofree char *path = fixture_file (folder, "rank0.pt.trace.json", text->str);
  LoomRunState *run = run_fixture_open (path);
  assert_answer (
    run, "memory",
    "2 of 3 devices have 1000 B allocated at their peak; the other devices have less. No recorded allocation explains "
    "700 B of the peak.");
  run_fixture_close (run);
}

/* Layers whose names differ only in the number, such as Linear_0 and Linear_1, share a row of the table, and so do
 * ranks that hold equally much in a layer. A layer that only one rank has is a row of its own: here rank 1 holds memory
 * in a third layer, Loss. In Head, rank 1 holds three times as much as rank 0. */
static void
test_memory_groups (void)
{
  static const struct {
    guint rank;
    const char *module;
    guint bytes;
  } blocks[] = { { 0, "Linear_0", 100 }, { 0, "Linear_1", 100 }, { 0, "Head", 40 },  { 1, "Linear_0", 100 },
                 { 1, "Linear_1", 100 }, { 1, "Head", 120 },     { 1, "Loss_0", 30 } };
  g_autofree char *folder = fixture_folder ();
  for (guint rank = 0; rank < 2; rank++) {
    g_autofree char *name = g_strdup_printf ("rank%u.pt.trace.json", rank);
    g_autoptr (GString) text = g_string_new (NULL);
    g_string_append_printf (text, "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%u},\"traceEvents\":[", rank);
    for (guint i = 0; i < G_N_ELEMENTS (blocks); i++)
      if (blocks[i].rank == rank)
        g_string_append_printf (
          text,
          "{\"ph\":\"X\",\"name\":\"nn.Module: %s\",\"cat\":\"python_function\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":9},"
          "{\"ph\":\"X\",\"name\":\"aten::mm\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":5},"
          "{\"ph\":\"i\",\"s\":\"t\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":%u,\"args\":{\"Device Type\":1,"
          "\"Device Id\":0,\"Addr\":%u,\"Bytes\":%u}},",
          blocks[i].module, 10 * i, 10 * i + 1, 10 * i + 2, 4096 * (i + 1), blocks[i].bytes);
    g_string_append (text,
                     "{\"ph\":\"X\",\"name\":\"end\",\"cat\":\"cpu_op\",\"pid\":1,\"tid\":1,\"ts\":900,\"dur\":5}]}");
    g_free (fixture_file (folder, name, text->str));
  }
  LoomRunState *run = run_fixture_open (folder);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "memory");
  g_assert_cmpstr (answer_of (page), ==,
                   "rank 1, GPU 0 has 350 B allocated at its peak. The largest part of the peak, 200 B, is held by "
                   "aten::mm in 2 × Linear.");
  LoomResultTable *table = page_fixture_get (page, "Who allocates memory")->table;
  static const char *const names[] = { "aten::mm in 2 × Linear", "aten::mm in Head", "aten::mm in Head",
                                       "aten::mm in Loss_0" },
                           *const devices[] = { "each of 2 devices", "rank 1, GPU 0", "rank 0, GPU 0",
                                                "rank 1, GPU 0" };
  static const double held[] = { 200, 120, 40, 30 };
  g_assert_cmpuint (table->n_rows, ==, G_N_ELEMENTS (held));
  for (guint row = 0; row < table->n_rows; row++) {
    g_assert_cmpstr (loom_result_table_get_text (table, row, 0), ==, names[row]);
    g_assert_cmpstr (loom_result_table_get_text (table, row, 1), ==, devices[row]);
    g_assert_cmpfloat (loom_result_table_get_number (table, row, 2), ==, held[row]);
  }
  g_clear_object (&page);
  run_fixture_close (run);
}

/* A step that takes 1.8 times the median is not an outlier, for which at least twice the median is needed, but the
 * sentence names it. */
static void
test_long_step (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autoptr (GString) text = g_string_new ("{\"schemaVersion\":1,\"traceEvents\":[");
  for (guint step = 0; step < 8; step++)
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%u\",\"pid\":1,\"tid\":1,"
      "\"ts\":%u,\"dur\":%u}",
      step > 0 ? "," : "", step, 20000 * step, step == 5 ? 18000 : 10000 + step);
  g_string_append (text, "]}");
  g_autofree char *path = fixture_file (folder, "rank0.pt.trace.json", text->str);
  LoomRunState *run = run_fixture_open (path);
  assert_answer (run, "steps", "The median step takes 10.0 ms. Step 5 takes 18.0 ms, 1.8 times as long.");
  run_fixture_close (run);
}

/* If the waits for data are equally long on all ranks, the page says so in a sentence instead of showing charts of
 * equal bars. */
static void
test_even_waits (void)
{
  g_autofree char *folder = fixture_folder ();
  for (guint rank = 0; rank < 2; rank++) {
    g_autofree char *file = g_strdup_printf ("rank-%u.pt.trace.json", rank);
    g_autoptr (GString) text = g_string_new (NULL);
    g_string_append_printf (
      text, "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%u,\"world_size\":2},\"traceEvents\":[", rank);
    for (guint i = 0; i < 4; i++)
      g_string_append_printf (text,
                              "%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"pid\":1,\"tid\":1,\"ts\":%u,\"dur\":2000,"
                              "\"name\":\"enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__\"}",
                              i > 0 ? "," : "", 20000 * i);
    g_string_append (text, "]}");
    g_free (fixture_file (folder, file, text->str));
  }
  LoomRunState *run = run_fixture_open (folder);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "loading");
  const LoomBlock *note = loom_page_content_get_block (loom_analysis_page_get_content (page), 1);
  g_assert_cmpstr (note->text, ==, "Each wait for a batch takes 2.00 ms, on every rank.");
  g_assert_false (page_fixture_has (page, "Waits for the next batch"));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* --- ranks without counters ------------------------------------------------------------------------------------------ */

/* Opens ranks without counters. Rank i computes for computing_ms[i] from the begin of its recording, which ends with a
 * copy at recorded_ms[i]. */
static LoomRunState *
open_ranks (const guint *computing_ms, const guint *recorded_ms, guint n)
{
  g_autofree char *folder = fixture_folder ();
  for (guint rank = 0; rank < n; rank++) {
    g_autofree char *file = g_strdup_printf ("rank-%u.pt.trace.json", rank),
                    *text = g_strdup_printf (
                      "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":%u,\"world_size\":%u},\"traceEvents\":["
                      "{\"ph\":\"X\",\"name\":\"gemm\",\"cat\":\"kernel\",\"pid\":0,\"tid\":7,\"ts\":1000,\"dur\":%u,"
                      "\"args\":{\"stream\":7,\"device\":0}},"
                      "{\"ph\":\"X\",\"name\":\"Memcpy DtoH\",\"cat\":\"gpu_memcpy\",\"pid\":0,\"tid\":7,\"ts\":%u,"
                      "\"dur\":1,\"args\":{\"stream\":7,\"device\":0}}]}",
                      rank, n, 1000 * computing_ms[rank], 1000 * recorded_ms[rank] + 999);
    g_free (fixture_file (folder, file, text));
  }
  return run_fixture_open (folder);
}

static void
assert_computing (const guint *computing_ms, const guint *recorded_ms, guint n, const char *expected)
{
  LoomRunState *run = open_ranks (computing_ms, recorded_ms, n);
  assert_answer (run, "balance", expected);
  run_fixture_close (run);
}

/* For ranks without GPU counters, the page computes the GPU utilization from kernels, as the part of the recorded time
 * in which they run. */
static void
test_computing (void)
{
  static const guint alike[] = { 40, 40, 40, 40 };
  assert_computing (
    (const guint[]) { 20, 20, 26, 20 }, alike, 4,
    "The GPUs compute most on rank 2: for 65 % of their recorded time; the median of all ranks is 50 %.");
  assert_computing (
    (const guint[]) { 20, 20, 20, 10 }, alike, 4,
    "The GPUs compute least on rank 3: for 25 % of their recorded time; the median of all ranks is 50 %.");
  assert_computing ((const guint[]) { 20, 20, 20, 20 }, alike, 4,
                    "The GPUs of 4 ranks compute about equally long: for 50 % of their recorded time each.");
  /* half of the ranks compute less, so no rank is an exception */
  assert_computing ((const guint[]) { 10, 30 }, alike, 2,
                    "The GPUs of the ranks compute for 25 % (rank 0) to 75 % (rank 1) of their recorded time.");
}

/* One rank is recorded for twice as long and computes for twice as long: its utilization is the same as that of the
 * others. */
static void
test_unequal_recordings (void)
{
  assert_computing ((const guint[]) { 20, 20, 40, 20 }, (const guint[]) { 40, 40, 80, 40 }, 4,
                    "The GPUs of 4 ranks compute about equally long: for 50 % of their recorded time each.");
  assert_computing (
    (const guint[]) { 20, 20, 20, 20 }, (const guint[]) { 40, 40, 80, 40 }, 4,
    "The GPUs compute least on rank 2: for 25 % of their recorded time; the median of all ranks is 50 %.");
}

static void
test_one_rank (void)
{
  LoomRunState *run = open_ranks ((const guint[]) { 20 }, (const guint[]) { 40 }, 1);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "balance");
  g_assert_true (page_fixture_lacks (page));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Appends a call that launches a kernel, the kernel, which begins 10 µs after it on a device, and the flow between the
 * two. */
static void
append_kernel (GString *text, guint device, guint begin_us, guint length_us)
{
  static guint n;
  n++;
  g_string_append_printf (
    text,
    ",{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":9,\"tid\":%u,\"ts\":%u,\"dur\":5},"
    "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%u,\"pid\":9,\"tid\":%u,\"ts\":%u}",
    device + 1, begin_us - 10, n, device + 1, begin_us - 10);
  g_string_append_printf (
    text,
    ",{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%u,\"pid\":%u,\"tid\":7,\"ts\":%u,\"bp\":\"e\"},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":%u,\"tid\":7,\"ts\":%u,\"dur\":%u,"
    "\"args\":{\"device\":%u,\"stream\":7}}",
    n, device, begin_us, device, begin_us, length_us, device);
}

/* One of four devices waits for its host for half of its time. The page must name it, although the mean of all devices
 * is small. */
static void
test_odd_device (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autoptr (GString) text = g_string_new (
    "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"name\":\"main\",\"cat\":\"cpu_op\",\"pid\":9,\"tid\":9,\"ts\":1,\"dur\":9}");
  for (guint device = 0; device < 4; device++) {
    append_kernel (text, device, 1000, device == 2 ? 500 : 1000);
    append_kernel (text, device, 2000, 500);
    append_kernel (text, device, 2500, 500);
  }
  g_string_append (text, "]}");
  g_autofree char *path = fixture_file (folder, "rank0.pt.trace.json", text->str);
  LoomRunState *run = run_fixture_open (path);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "idle");
  g_assert_nonnull (
    strstr (answer_of (page),
            " GPU 2 is idle longest: for 25.0 % of its time (cause of 100 % of the idle time: waits for the host)."));
  g_clear_object (&page);
  run_fixture_close (run);
}

/* Returns the titles of the columns that a table shows only on demand. */
static char *
dup_details (LoomAnalysisPage *page, const char *title)
{
  LoomResultTable *table = page_fixture_get (page, title)->table;
  GString *titles = g_string_new (NULL);
  for (guint i = 0; i < table->columns->len; i++)
    if (loom_result_table_get_column (table, i)->is_detail)
      g_string_append_printf (titles, "%s;", loom_result_table_get_column (table, i)->title);
  return g_string_free (titles, FALSE);
}

/* Wide tables show their less important columns only on demand, so that none is cut off in a window of 1366 px. */
static void
test_wide_tables (void)
{
  static const char events[] =
    "{\"schemaVersion\":1,\"traceEvents\":["
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":80,\"dur\":40,"
    "\"args\":{\"External id\":1,\"Input Dims\":[[8,8],[8,8]]}},"
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":90,\"dur\":5,"
    "\"args\":{\"External id\":1,\"correlation\":7}},"
    "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":7,\"pid\":1,\"tid\":1,\"ts\":90},"
    "{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":7,\"pid\":0,\"tid\":7,\"ts\":130,\"bp\":\"e\"},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":130,\"dur\":10,"
    "\"args\":{\"External id\":1,\"correlation\":7}},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":150,\"dur\":10}]}";
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "rank0.pt.trace.json", events);
  LoomRunState *run = run_fixture_open (path);
  g_autoptr (LoomAnalysisPage) idle = page_fixture_show (run, "idle");
  g_autoptr (LoomAnalysisPage) operators = page_fixture_show (run, "operators");
  g_autofree char *streams = dup_details (idle, "Idle time of streams"), *launches = dup_details (idle, "Launches"),
                  *all = dup_details (operators, "Operators"),
                  *shapes = dup_details (operators, "Operators by shape of their inputs");
  g_assert_cmpstr (streams, ==, "Host Wait (HTA);Kernel Wait (HTA);");
  g_assert_cmpstr (launches, ==, "Kernels Shorter Than Their Call;");
  g_assert_cmpstr (all, ==, "");
  g_assert_cmpstr (shapes, ==, "Host Mean;Device Mean;");
  g_clear_object (&idle);
  g_clear_object (&operators);
  run_fixture_close (run);
}

/* A device is idle for 795 µs. During 700 µs of these, the thread that launches its kernels waits for data; this part
 * counts as waiting for data, not as waiting for the host. */
static void
test_idle_for_data (void)
{
  static const char launch[] =
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":5},"
    "{\"ph\":\"s\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%d,\"pid\":1,\"tid\":1,\"ts\":%d},"
    "{\"ph\":\"f\",\"cat\":\"ac2g\",\"name\":\"ac2g\",\"id\":%d,\"pid\":0,\"tid\":7,\"ts\":%d,\"bp\":\"e\"},"
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":10},";
  g_autofree char *folder = fixture_folder (), *first = g_strdup_printf (launch, 90, 1, 90, 1, 100, 100),
                  *second = g_strdup_printf (launch, 895, 2, 895, 2, 905, 905);
  g_autofree char *text = g_strdup_printf (
    "{\"schemaVersion\":1,\"traceEvents\":["
    "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":0,\"tid\":0,\"ts\":0,\"args\":{\"labels\":\"GPU 0\"}},"
    "%s%s{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"enumerate(DataLoader)#_Iter.__next__\","
    "\"pid\":1,\"tid\":1,\"ts\":150,\"dur\":700}]}",
    first, second);
  g_autofree char *path = fixture_file (folder, "rank0.pt.trace.json", text);
  LoomRunState *run = run_fixture_open (path);
  g_autoptr (LoomAnalysisPage) page = page_fixture_show (run, "idle");
  LoomResultTable *table = page_fixture_get (page, "Idle time of devices")->table;
  LoomChart *bars = page_fixture_get (page, "Idle time by device and cause, share of recorded time")->chart;
  g_assert_cmpfloat (loom_result_table_get_number (table, 0, 1), ==, 795000);
  g_assert_cmpfloat (loom_result_table_get_number (table, 0, 3), ==, 700000);
  g_assert_cmpfloat (loom_result_table_get_number (table, 0, 4), ==, 95000);
  /* the percentages refer to the 815 µs from the begin of the first kernel to the end of the last one */
  g_assert_cmpfloat_with_epsilon (loom_chart_get_value (bars, 0), 100 * 700.0 / 815, 1e-6);
  g_assert_cmpfloat_with_epsilon (loom_chart_get_value (bars, 1), 100 * 95.0 / 815, 1e-6);
  g_clear_object (&page);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/page-answers/sample", test_sample);
  g_test_add_func ("/core/page-answers/long-name", test_long_name);
  g_test_add_func ("/core/page-answers/same-work", test_same_work);
  g_test_add_func ("/core/page-answers/share-of-steps", test_share_of_steps);
  g_test_add_func ("/core/page-answers/metrics-of-steps", test_metrics_of_steps);
  g_test_add_func ("/core/page-answers/memory-without-addresses", test_memory_without_addresses);
  g_test_add_func ("/core/page-answers/memory-of-lost-events", test_memory_of_lost_events);
  g_test_add_func ("/core/page-answers/memory-groups", test_memory_groups);
  g_test_add_func ("/core/page-answers/long-step", test_long_step);
  g_test_add_func ("/core/page-answers/even-waits", test_even_waits);
  g_test_add_func ("/core/page-answers/odd-device", test_odd_device);
  g_test_add_func ("/core/page-answers/computing", test_computing);
  g_test_add_func ("/core/page-answers/unequal-recordings", test_unequal_recordings);
  g_test_add_func ("/core/page-answers/idle-for-data", test_idle_for_data);
  g_test_add_func ("/core/page-answers/wide-tables", test_wide_tables);
  g_test_add_func ("/core/page-answers/one-rank", test_one_rank);
  return run_fixture_run ();
}
