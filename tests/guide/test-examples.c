/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiles and runs the three examples of src/README.md: a format that is recognised and read, a rule that fires, a
 * page with a table.
 */
#include "fixture.h"
#include "loom-builtin-rules.h"
#include "loom-load.h"
#include "loom-page.h"
#include "loom-sniff.h"

#include <glib/gstdio.h>

/* --- the format ------------------------------------------------------------------------------------------------------ */

#define START_NS G_GINT64_CONSTANT (1750154400000000000)

static const char marathon[] =
  "{\"traceEvents\": [\n"
  "{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"dur\": 3, \"name\": \"forward\"},\n"
  "{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 5, \"dur\": 1.5, \"name\": \"backward\"}],\n"
  "\"marathonStartNs\": 1750154400000000000, \"marathonRank\": 3}\n";

static LoomRun *
load (const char *text)
{
  g_autofree char *folder = g_dir_make_tmp ("loom-guide-XXXXXX", NULL),
                  *path = g_build_filename (folder, "any-name.json", NULL);
  const char *paths[] = { path, NULL };
  GError *error = NULL;
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  LoomSniff sniff;
  loom_sniff (path, NULL, G_MAXUINT64, &sniff);
  g_assert_cmpint (sniff.kind, !=, LOOM_FILE_FORMAT_NONE);
  loom_sniff_clear (&sniff);
  LoomRun *run = loom_load_paths (paths, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_unlink (path);
  g_rmdir (folder);
  return run;
}

static void
test_format (void)
{
  g_autoptr (LoomRun) run = load (marathon);
  g_assert_cmpuint (loom_run_get_n_sources (run), ==, 1);
  const LoomSource *source = loom_run_get_source (run, 0);
  const LoomDeclaredClock *clock = loom_run_get_clock (run, 0);
  g_assert_cmpstr (source->format, ==, "marathon");
  g_assert_cmpstr (loom_sniff_format_to_string (LOOM_FILE_FORMAT_MARATHON), ==, "marathon");
  g_assert_cmpint (source->rank, ==, 3);
  g_assert_cmpuint (source->n_spans, ==, 2);
  g_assert_cmpint (source->start_ns, ==, START_NS + 2000);
  g_assert_cmpint (source->end_ns, ==, START_NS + 6500);
  g_assert_cmpint (clock->state, ==, LOOM_CLOCK_EXACT);
  g_assert_cmpstr (clock->basis, ==, "marathonStartNs");
  g_assert_cmpuint (loom_import_log_get_n_problems (source->log), ==, 0);
}

/* The example format does not change how files of other formats are recognised. */
static void
test_other_format (void)
{
  g_autoptr (LoomRun) run =
    load ("[{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 2, \"dur\": 3, \"name\": \"forward\"}]");
  g_assert_cmpstr (loom_run_get_source (run, 0)->format, ==, "chrome");
}

/* --- the rule -------------------------------------------------------------------------------------------------------- */

static LoomRuleResult *
evaluate (double first_s, guint n_steps)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 0, first_s);
  for (guint i = 1; i < n_steps; i++)
    fake_job_step (job, 1, 0, (int) i, first_s + i - 1, first_s + i);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  g_assert_cmpint (loom_rule_parameters_find ("slowstart"), ==, LOOM_RULE_SLOW_START);
  g_autoptr (GPtrArray) results = loom_builtin_rules_evaluate (frame, NULL, NULL);
  return g_ptr_array_steal_index (results, LOOM_RULE_SLOW_START);
}

static void
test_rule (void)
{
  g_autoptr (LoomRuleResult) slow = evaluate (6, 3), even = evaluate (4, 3), alone = evaluate (6, 1);
  g_assert_cmpint (slow->status, ==, LOOM_RULE_FIRED);
  g_assert_cmpint (slow->severity, ==, LOOM_RULE_INFO);
  g_assert_cmpstr (slow->sentence, ==, "The first step takes 6.0 times as long as the second");
  g_assert_cmpint (slow->lost_ns, ==, 5 * LOOM_NS_PER_S);
  g_assert_cmpuint (slow->marks->len, ==, 1);
  g_assert_cmpint (g_array_index (slow->marks, LoomRuleOccurrence, 0).begin_ns, ==, AT (0));
  g_assert_cmpint (g_array_index (slow->marks, LoomRuleOccurrence, 0).end_ns, ==, AT (6));
  g_assert_nonnull (g_strrstr (slow->parameters, "factor:5"));
  g_assert_true (g_str_has_prefix (loom_builtin_rules_get_advice (LOOM_RULE_SLOW_START), "The first step compiles"));
  g_assert_cmpint (even->status, ==, LOOM_RULE_PASSED);
  g_assert_cmpuint (even->marks->len, ==, 0);
  g_assert_cmpint (alone->status, ==, LOOM_RULE_NOT_ENOUGH);
}

/* --- the page -------------------------------------------------------------------------------------------------------- */

static LoomPageContent *
make_page (LoomDataFrame *frame)
{
  const LoomPage *page = loom_page_find ("ranks");
  g_assert_nonnull (page);
  g_assert_cmpstr (page->title, ==, "Ranks");
  LoomPageInput input = { .frame = frame,
                          .phases = loom_job_phases_compute (frame),
                          .range = { AT (0), AT (9) },
                          .thresholds = LOOM_THRESHOLDS };
  return page->make (&input, NULL);
}

static void
test_page (void)
{
  FakeJob *job = fake_job_new ();
  fake_job_step (job, 1, 0, 0, 1, 2);
  fake_job_step (job, 1, 0, 1, 2, 3);
  fake_job_step (job, 1, 1, 0, 4, 5);
  g_autoptr (LoomDataFrame) frame = fake_job_frame (job, LOOM_NUMBER_CONVENTION_INTENDED);
  g_autoptr (LoomPageContent) sheet = make_page (frame);
  g_assert_cmpuint (sheet->blocks->len, ==, 1);
  const LoomResultTable *table = loom_page_content_get_block (sheet, 0)->table;
  g_assert_cmpuint (table->n_rows, ==, 2);
  g_assert_cmpstr (loom_result_table_get_text (table, 0, 0), ==, "rank 0");
  g_assert_cmpfloat (loom_result_table_get_number (table, 0, 1), ==, 2);
  g_assert_cmpstr (loom_result_table_get_text (table, 1, 0), ==, "rank 1");
  g_assert_cmpfloat (loom_result_table_get_number (table, 1, 1), ==, 1);
  LoomNavigationTarget place;
  g_assert_true (loom_page_content_get_place (sheet, 0, 1, &place));
  g_assert_cmpint (place.range.begin_ns, ==, AT (4));
  g_assert_cmpint (place.range.end_ns, ==, AT (5));
  g_assert_cmpuint (place.n_spans, ==, 1);
}

static void
test_empty_page (void)
{
  g_autoptr (LoomDataFrame) frame = fake_job_frame (fake_job_new (), LOOM_NUMBER_CONVENTION_INTENDED);
  g_autoptr (LoomPageContent) sheet = make_page (frame);
  g_assert_cmpint (loom_page_content_get_block (sheet, 0)->kind, ==, LOOM_BLOCK_MISSING);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guide/format", test_format);
  g_test_add_func ("/guide/other-format", test_other_format);
  g_test_add_func ("/guide/rule", test_rule);
  g_test_add_func ("/guide/page", test_page);
  g_test_add_func ("/guide/empty-page", test_empty_page);
  return g_test_run ();
}
