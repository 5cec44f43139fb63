/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the Python profiles of a run: the profiles that are listed and selected, sums and comparisons of profiles,
 * filters, and the resulting table of functions.
 */
#include "loom-python-profiles.h"
#include "loom-source-commands.h"
#include "run-fixture.h"

#include <string.h>

typedef struct {
  LoomRunState *run;
  LoomPythonProfiles *profiles;
} Fixture;

static gboolean
is_idle (gpointer profiles)
{
  return !loom_python_profiles_is_working (profiles);
}

static void
wait_for_answer (LoomPythonProfiles *profiles)
{
  g_assert_true (fixture_wait (is_idle, profiles));
}

static Fixture
open_path (const char *path)
{
  LoomRunState *run = run_fixture_open (path);
  Fixture fixture = { run, loom_run_state_get_profiles (run) };
  loom_python_profiles_set_timeline (fixture.profiles, loom_document_get_timeline (loom_run_state_get_document (run)));
  wait_for_answer (fixture.profiles);
  return fixture;
}

static Fixture
open_case (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("LOOM_TEST_CASES"), name, NULL);
  return open_path (path);
}

static void
close_fixture (Fixture *fixture)
{
  run_fixture_close (fixture->run);
}

static guint
n_listed (LoomPythonProfiles *profiles)
{
  return g_list_model_get_n_items (loom_python_profiles_get_list (profiles));
}

static void
assert_says (const char *text, const char *part)
{
  if (text == NULL || strstr (text, part) == NULL)
    g_error ("“%s” does not say “%s”", text, part);
}

static void
choose (LoomPythonProfiles *profiles, guint first, guint n)
{
  const guint positions[] = { first, first + 1 };
  loom_python_profiles_choose (profiles, positions, n);
  wait_for_answer (profiles);
}

/* Returns the row of a function; fails if there is none. */
static const LoomPythonFunctionRow *
find_row (LoomPythonProfiles *profiles, const char *name)
{
  LoomPythonFunctionTable *table = loom_python_profiles_get_table (profiles);
  for (guint i = 0; i < table->rows->len; i++)
    if (g_str_equal (loom_python_function_table_get_row (table, i)->name, name))
      return loom_python_function_table_get_row (table, i);
  g_error ("no function “%s”", name);
}

static void
assert_row (LoomPythonProfiles *profiles, const char *name, gint64 calls, double own_ms, double own_per_call_ms,
            double cumulative_ms, double cumulative_per_call_ms)
{
  const LoomPythonFunctionRow *row = find_row (profiles, name);
  g_assert_cmpint (row->calls, ==, calls);
  g_assert_cmpint (row->primitive_calls, ==, calls);
  g_assert_cmpfloat ((double) row->own_ns, ==, own_ms * 1e6);
  g_assert_cmpfloat (row->own_per_call_ns, ==, own_per_call_ms * 1e6);
  g_assert_cmpfloat ((double) row->cumulative_ns, ==, cumulative_ms * 1e6);
  g_assert_cmpfloat (row->cumulative_per_call_ns, ==, cumulative_per_call_ms * 1e6);
}

/* When a run is opened, the earliest profile is selected. */
static void
test_first (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  g_assert_cmpuint (loom_python_profiles_get_all (fixture.profiles)->len, ==, 10);
  assert_says (loom_python_profiles_get_summary (fixture.profiles), "elapsed time · 7 calls · 6.00 ms total");
  g_assert_null (loom_python_profiles_get_reason (fixture.profiles));
  g_assert_cmpuint (loom_python_profiles_get_table (fixture.profiles)->rows->len, ==, 3);
  assert_row (fixture.profiles, "{built-in method time.sleep}", 4, 3, 0.75, 3, 0.75);
  assert_row (fixture.profiles, "work", 2, 2, 1, 5, 2.5);
  assert_row (fixture.profiles, "main", 1, 1, 1, 6, 6);
  close_fixture (&fixture);
}

/* Tests runs without a call tree: one with a profile without calls, and one without profiles. */
static void
test_none (void)
{
  Fixture files = open_case ("python-profiles-files");
  assert_says (loom_python_profiles_get_reason (files.profiles), "No calls recorded");
  g_assert_null (loom_python_profiles_get_advice (files.profiles));
  close_fixture (&files);
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "a.json", "[{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":1,\"name\":\"a\"}]");
  Fixture none = open_path (path);
  g_assert_cmpuint (loom_python_profiles_get_all (none.profiles)->len, ==, 0);
  assert_says (loom_python_profiles_get_advice (none.profiles), "cProfile -o rank0.prof");
  close_fixture (&none);
}

/* Selecting by steps adds up the two profiles inside step 9 (formats/python-profiles.md §2 "By steps"). */
static void
test_steps (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  LoomPythonProfiles *profiles = fixture.profiles;
  g_assert_true (loom_python_profiles_set_steps (profiles, "9"));
  g_assert_cmpuint (n_listed (profiles), ==, 2);
  wait_for_answer (profiles);
  assert_says (loom_python_profiles_get_summary (profiles),
               "2 profiles combined · elapsed time · 14 calls · 30.0 ms total");
  g_assert_true (loom_python_profiles_set_steps (profiles, "9 – 10"));
  g_assert_cmpuint (n_listed (profiles), ==, 5);
  wait_for_answer (profiles);
  assert_says (loom_python_profiles_get_reason (profiles), "different timers");
  g_assert_false (loom_python_profiles_set_steps (profiles, "9 to 10"));
  g_assert_false (loom_python_profiles_set_steps (profiles, "10-9"));
  g_assert_cmpuint (n_listed (profiles), ==, 10);
  close_fixture (&fixture);
}

static void
test_phases (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  static const struct {
    LoomProfileNarrowing narrowing;
    guint n;
  } cases[] = {
    { LOOM_PROFILES_INITIALISATION, 1 }, { LOOM_PROFILES_TRAINING, 8 }, { LOOM_PROFILES_FINALISATION, 1 },
    { LOOM_PROFILES_IN_SELECTION, 0 },   { LOOM_PROFILES_IN_VIEW, 10 }, { LOOM_PROFILES_ALL, 10 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    loom_python_profiles_narrow (fixture.profiles, cases[i].narrowing);
    g_assert_cmpuint (n_listed (fixture.profiles), ==, cases[i].n);
  }
  close_fixture (&fixture);
}

/* Selecting by a range of the timeline selects all profiles that overlap the range, including those that contain it. */
static void
test_time (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  LoomTimelineState *view = loom_run_state_get_view (fixture.run);
  const gint64 start_ns = G_GINT64_CONSTANT (1932984100000000000);
  loom_python_profiles_narrow (fixture.profiles, LOOM_PROFILES_IN_SELECTION);
  loom_timeline_state_select_range (view,
                                    (LoomRange) { start_ns + 2200 * LOOM_NS_PER_MS, start_ns + 2300 * LOOM_NS_PER_MS });
  g_assert_cmpuint (n_listed (fixture.profiles), ==, 1);
  loom_timeline_state_select_range (view,
                                    (LoomRange) { start_ns + 2200 * LOOM_NS_PER_MS, start_ns + 4300 * LOOM_NS_PER_MS });
  g_assert_cmpuint (n_listed (fixture.profiles), ==, 3);
  close_fixture (&fixture);
}

static guint
count_named (LoomPythonProfiles *profiles)
{
  guint n = 0;
  for (guint i = 0; i < n_listed (profiles); i++) {
    g_autoptr (LoomPythonProfileItem) item = g_list_model_get_item (loom_python_profiles_get_list (profiles), i);
    n += strstr (item->detail, " · the slow one · ") != NULL;
  }
  return n;
}

/* The user's name of a source appears in the detail of its profile. */
static void
test_given_name (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  LoomDocument *document = loom_run_state_get_document (fixture.run);
  LoomRun *run = loom_document_get_run (document);
  guint number = 0;
  while (loom_run_get_source (run, number)->profile == NULL ||
         loom_run_get_source (run, number)->profile->start.step != LOOM_STEP_BEFORE_FIRST)
    number++; /* skips to the first profile in the list */
  const char *const paths[] = { loom_run_get_source (run, number)->path, NULL };
  g_assert_cmpuint (count_named (fixture.profiles), ==, 0);
  loom_source_commands_describe (document, paths, LOOM_SOURCE_NAME, "the slow one", -1, NULL);
  loom_python_profiles_set_timeline (fixture.profiles, loom_document_get_timeline (document));
  g_assert_cmpuint (count_named (fixture.profiles), ==, 1);
  close_fixture (&fixture);
}

/* Shows the selected profile minus another one. */
static void
test_compare (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  LoomPythonProfiles *profiles = fixture.profiles;
  loom_python_profiles_compare_with (profiles, 1);
  wait_for_answer (profiles);
  assert_says (loom_python_profiles_get_summary (profiles), "the table shows the difference");
  assert_row (profiles, "main", 0, -1, -1, -6, -6);
  assert_row (profiles, "work", 0, -2, -1, -5, -2.5);
  assert_row (profiles, "{built-in method time.sleep}", 0, -3, -0.75, -3, -0.75);
  loom_python_profiles_compare_with (profiles, 5);
  wait_for_answer (profiles);
  assert_says (loom_python_profiles_get_reason (profiles), "different timers");
  loom_python_profiles_compare_with (profiles, G_MAXUINT);
  wait_for_answer (profiles);
  assert_says (loom_python_profiles_get_summary (profiles), "7 calls");
  close_fixture (&fixture);
}

/* If a profile has only an HTML page and no JSON, the page can be opened and there is no table
 * (formats/python-profiles.md §4 "HTML next to a missing JSON"). */
static void
test_pages (void)
{
  Fixture fixture = open_case ("python-profiles-pyinstrument");
  LoomPythonProfiles *profiles = fixture.profiles;
  guint n = loom_python_profiles_get_all (profiles)->len;
  g_assert_cmpuint (n, ==, 8);
  choose (profiles, n - 1, 1);
  assert_says (loom_python_profiles_get_page (profiles), "train-11-");
  assert_says (loom_python_profiles_get_reason (profiles), "Open the page in a browser");
  choose (profiles, 0, 1);
  assert_says (loom_python_profiles_get_page (profiles), "train-9-");
  assert_says (loom_python_profiles_get_summary (profiles), "390 samples");
  choose (profiles, 0, 2);
  g_assert_null (loom_python_profiles_get_page (profiles));
  close_fixture (&fixture);
}

/* Choosing a profile in the list deselects the other profiles. */
static void
test_choose_profile (void)
{
  Fixture fixture = open_case ("python-profiles-folder");
  LoomPythonProfileItem *third = loom_python_profiles_get_all (fixture.profiles)->pdata[2];
  guint n;
  choose (fixture.profiles, 0, 2);
  loom_python_profiles_choose_profile (fixture.profiles, third->profile);
  const guint *chosen = loom_python_profiles_get_chosen (fixture.profiles, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (chosen[0], ==, 2);
  close_fixture (&fixture);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/python-profiles/first", test_first);
  g_test_add_func ("/core/python-profiles/none", test_none);
  g_test_add_func ("/core/python-profiles/steps", test_steps);
  g_test_add_func ("/core/python-profiles/phases", test_phases);
  g_test_add_func ("/core/python-profiles/time", test_time);
  g_test_add_func ("/core/python-profiles/given-name", test_given_name);
  g_test_add_func ("/core/python-profiles/compare", test_compare);
  g_test_add_func ("/core/python-profiles/python-profiles/4 HTML next to a missing JSON", test_pages);
  g_test_add_func ("/core/python-profiles/choose-profile", test_choose_profile);
  return run_fixture_run ();
}
