/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the first and the last chapter of a report in the user's language. Words for clocks and for problems are
 * translated there, although they are in English in JSON files.
 */
#include "fixture.h"

#include "loom-document-private.h"
#include "loom-locale.h"
#include "loom-page.h"

#include <libintl.h>
#include <string.h>

static void
speak (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  textdomain (GETTEXT_PACKAGE); /* after LANGUAGE changes, gettext uses it only when a text domain is set */
}

/* Returns the first and the last chapter as tab-separated text. */
static char *
dup_chapters (LoomTimeline *timeline)
{
  LoomReportOptions options = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED };
  LoomRange range;
  g_assert_true (loom_timeline_get_extent (timeline, &range));
  g_autoptr (LoomPageContent) front = loom_document_new_run_page (timeline, &options, range);
  g_autoptr (LoomPageContent) last = loom_document_new_sources_page (timeline, NULL, range);
  g_autofree char *first_text = loom_page_content_dup_tsv (front), *last_text = loom_page_content_dup_tsv (last);
  return g_strconcat (first_text, last_text, NULL);
}

static LoomTimeline *
make_run (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++)
    fake_job_step (job, 1, 0, i, i, i + 0.9);
  LoomTimeline *timeline = fake_job_timeline (job);
  const LoomSource *source = loom_run_get_source (loom_timeline_get_run (timeline), 0);
  loom_import_log_add (source->log, LOOM_SEVERITY_WARNING, "test", 0, "one");
  loom_import_log_add (source->log, LOOM_SEVERITY_ERROR, "test-too", 0, "two");
  return timeline;
}

static void
test_words (void)
{
  static const struct {
    const char *language, *clock, *warning, *error;
  } rows[] = {
    { "C", "stated in UTC", "Warning", "Error" },
    { "de", "in UTC angegeben", "Warnung", "Fehler" },
    { "fr", "indiqué en UTC", "Avertissement", "Erreur" },
    { "es", "indicado en UTC", "Advertencia", "Error" },
    { "ja", "UTC で記載", "警告", "エラー" },
    { "zh_CN", "以 UTC 给出", "警告", "错误" },
  };
  g_autoptr (LoomTimeline) timeline = make_run ();
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    speak (rows[i].language);
    g_autofree char *text = dup_chapters (timeline), *clocks = g_strdup_printf ("%s 1\n", rows[i].clock),
                    *warning = g_strdup_printf ("\t%s\tone", rows[i].warning),
                    *error = g_strdup_printf ("\t%s\ttwo", rows[i].error),
                    *column = g_strdup_printf ("\t%s\t", rows[i].clock);
    g_test_message ("%s", text);
    g_assert_nonnull (strstr (text, clocks));
    g_assert_nonnull (strstr (text, column));
    g_assert_nonnull (strstr (text, warning));
    g_assert_nonnull (strstr (text, error));
  }
}

/* If files were recorded months apart, pages warn in the user's language, but JSON and text reports in English. */
static void
test_warning (void)
{
  FakeJob *job = fake_job_new ();
  for (int i = 0; i < 4; i++)
    fake_job_step (job, i < 2 ? 1 : 2, 0, i, i < 2 ? i : 1e7 + i, (i < 2 ? i : 1e7 + i) + 0.9);
  g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
  LoomReportOptions options = { .numbers = LOOM_NUMBER_CONVENTION_INTENDED };
  speak ("de");
  g_autoptr (LoomReport) report = loom_report_new (timeline, &options, NULL, NULL);
  g_autoptr (JsonNode) root = loom_report_to_json (report, NULL, NULL);
  const char *warning =
    json_array_get_string_element (json_object_get_array_member (json_node_get_object (root), "warnings"), 0);
  g_autofree char *text = loom_report_to_text (report, NULL, NULL), *chapters = dup_chapters (timeline);
  g_test_message ("%s\n%s\n%s", warning, text, chapters);
  g_assert_cmpstr (warning, ==,
                   "These files are 115 days apart, and nothing was recorded in between. "
                   "Numbers computed over all runs together mean little. Make a separate report of each run.");
  g_assert_true (g_str_has_prefix (text, "Warning: These files are 115 days apart"));
  g_assert_nonnull (strstr (chapters, "115 Tage"));
}

/* The sentence for a single GPU differs from that for several GPUs, also in languages without plural forms. */
static void
test_balance (void)
{
  static const struct {
    const char *language, *one, *two;
  } rows[] = {
    { "C", "There is only one GPU, so there is none to compare it with.", "2 GPUs; no two GPUs of the same node" },
    { "fr", "Il n’y a qu’un GPU, donc aucun auquel le comparer.", "2 GPU\u202f; aucune paire" },
    { "ja", "GPU は 1 基だけで、比較する相手がありません。", "GPU 2 基。同じノードで" },
    { "zh_CN", "只有 1 个 GPU，没有可以比较的对象。", "2 个 GPU" },
  };
  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++) {
    FakeJob *job = fake_job_new ();
    for (guint k = 0; k < 8 + 8 * (i % 2); k++)
      fake_job_sample (job, 1, k < 8 ? "gpu0" : "gpu1", "GPUUtilization", k % 8, 50);
    g_autoptr (LoomTimeline) timeline = fake_job_timeline (job);
    g_autoptr (LoomDataFrame) frame = loom_data_frame_new (timeline, LOOM_NUMBER_CONVENTION_INTENDED, NULL);
    LoomPageInput input = {
      .frame = frame, .phases = loom_job_phases_compute (frame), .range = { 0, 1 }, .thresholds = LOOM_THRESHOLDS
    };
    loom_timeline_get_extent (timeline, &input.range);
    speak (rows[i / 2].language);
    g_autoptr (LoomPageContent) sheet = loom_page_find ("balance")->make (&input, NULL);
    g_autofree char *text = loom_page_content_dup_tsv (sheet);
    g_test_message ("%s", text);
    g_assert_nonnull (strstr (text, i % 2 == 0 ? rows[i / 2].one : rows[i / 2].two));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  loom_locale_bind ("");
  g_test_add_func ("/report/language/words", test_words);
  g_test_add_func ("/report/language/warning", test_warning);
  g_test_add_func ("/report/language/balance", test_balance);
  return g_test_run ();
}
