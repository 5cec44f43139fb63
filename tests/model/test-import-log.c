/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the import log, which collects the problems of a file: all problems with the same code, such as "truncated",
 * share one entry, which does not depend on the order in which the pieces of the file report them.
 */
#include "loom-import-log.h"

static void
test_empty (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  g_assert_cmpuint (loom_import_log_get_n_problems (log), ==, 0);
  g_assert_cmpuint (loom_import_log_count_at_least (log, LOOM_SEVERITY_INFO), ==, 0);
  loom_import_log_free (NULL);
}

static void
test_one_entry_per_code (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  loom_import_log_add (log, LOOM_SEVERITY_WARNING, "bad-event", 500, "at 500");
  loom_import_log_add_n (log, LOOM_SEVERITY_WARNING, "bad-event", 900, 3, "at 900");
  loom_import_log_printf (log, LOOM_SEVERITY_ERROR, "truncated", LOOM_OFFSET_NONE, "cut %s %d", "after", 12);
  g_assert_cmpuint (loom_import_log_get_n_problems (log), ==, 2);
  const LoomProblem *bad = loom_import_log_get_problem (log, 0), *cut = loom_import_log_get_problem (log, 1);
  g_assert_cmpstr (bad->code, ==, "bad-event");
  g_assert_cmpuint (bad->count, ==, 4);
  g_assert_cmpuint (bad->offset, ==, 500);
  g_assert_cmpstr (bad->message, ==, "at 500");
  g_assert_cmpuint (cut->count, ==, 1);
  g_assert_cmpuint (cut->offset, ==, LOOM_OFFSET_NONE);
  g_assert_cmpstr (cut->message, ==, "cut after 12");
}

/* Pieces of a file are read in parallel: an entry keeps the offset and the text of the report with the lowest
 * offset. */
static void
test_lowest_offset (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  loom_import_log_add (log, LOOM_SEVERITY_INFO, "x", LOOM_OFFSET_NONE, "nowhere");
  loom_import_log_add (log, LOOM_SEVERITY_INFO, "x", 70, "at 70");
  loom_import_log_add (log, LOOM_SEVERITY_INFO, "x", 7, "at 7");
  loom_import_log_add (log, LOOM_SEVERITY_INFO, "x", 7, "again at 7");
  const LoomProblem *problem = loom_import_log_get_problem (log, 0);
  g_assert_cmpuint (problem->count, ==, 4);
  g_assert_cmpuint (problem->offset, ==, 7);
  g_assert_cmpstr (problem->message, ==, "at 7");
}

/* The log copies the code, so that the caller may free it. */
static void
test_code_is_kept (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  char code[] = "short-lived";
  loom_import_log_add (log, LOOM_SEVERITY_INFO, code, 1, "");
  code[0] = '?';
  g_assert_cmpstr (loom_import_log_get_problem (log, 0)->code, ==, "short-lived");
}

static void
test_severities (void)
{
  g_autoptr (LoomImportLog) log = loom_import_log_new ();
  loom_import_log_add (log, LOOM_SEVERITY_INFO, "a", 1, "");
  loom_import_log_add (log, LOOM_SEVERITY_WARNING, "b", 1, "");
  loom_import_log_add (log, LOOM_SEVERITY_ERROR, "c", 1, "");
  g_assert_cmpuint (loom_import_log_count_at_least (log, LOOM_SEVERITY_INFO), ==, 3);
  g_assert_cmpuint (loom_import_log_count_at_least (log, LOOM_SEVERITY_WARNING), ==, 2);
  g_assert_cmpuint (loom_import_log_count_at_least (log, LOOM_SEVERITY_ERROR), ==, 1);
  g_assert_cmpstr (loom_import_log_severity_to_string (LOOM_SEVERITY_INFO), ==, "info");
  g_assert_cmpstr (loom_import_log_severity_to_string (LOOM_SEVERITY_WARNING), ==, "warning");
  g_assert_cmpstr (loom_import_log_severity_to_string (LOOM_SEVERITY_ERROR), ==, "error");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/import-log/empty", test_empty);
  g_test_add_func ("/model/import-log/one-entry-per-code", test_one_entry_per_code);
  g_test_add_func ("/model/import-log/lowest-offset", test_lowest_offset);
  g_test_add_func ("/model/import-log/code-is-kept", test_code_is_kept);
  g_test_add_func ("/model/import-log/severities", test_severities);
  return g_test_run ();
}
