/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests Python profiles: building, sums and queries. "§" and quotations in the comments of this file refer to
 * formats/python-profiles.md.
 */
#include "loom-python-profile-builder.h"
#include "loom-python-profile-query.h"

#include <math.h>
#include <string.h>

static guint32
function (LoomPythonProfileBuilder *builder, const char *name, gint64 calls, gint64 primitive, gint64 own_ns,
          gint64 cumulative_ns)
{
  guint32 number = loom_python_profile_builder_function (builder, "a.py", 4, 7, name, strlen (name));
  LoomPythonProfileFunction *entry = loom_python_profile_builder_get_function (builder, number);
  entry->calls = calls;
  entry->primitive_calls = primitive;
  entry->own_ns = own_ns;
  entry->cumulative_ns = cumulative_ns;
  return number;
}

static LoomPythonProfile *
counted (LoomPythonProfileTimer timer, gint64 own_ns, gboolean with_times)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  guint32 f = function (builder, "f", 1, 1, own_ns, own_ns + 50), g = function (builder, "g", 3, 2, 50, 50);
  LoomPythonProfileCall call = { f, g, 3, 2, with_times ? 50 : LOOM_TIME_NONE, with_times ? 50 : LOOM_TIME_NONE };
  loom_python_profile_builder_set_timer (builder, timer);
  g_assert_true (loom_python_profile_builder_call (builder, &call));
  return loom_python_profile_builder_finish (builder);
}

static void
test_counted (void)
{
  g_autoptr (LoomPythonProfile) profile = counted (LOOM_TIMER_CPU, 100, TRUE);
  guint32 n;
  g_assert_cmpuint (profile->functions->len, ==, 2);
  g_assert_cmpint (profile->total_ns, ==, 150);
  g_assert_cmpint (profile->n_calls, ==, 4);
  g_assert_null (loom_python_profile_get_callers (profile, 0, &n));
  g_assert_cmpuint (n, ==, 0);
  g_assert_cmpuint (loom_python_profile_get_callers (profile, 1, &n)->caller, ==, 0);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (loom_python_profile_get_callees (profile, 0, &n)->callee, ==, 1);
  g_assert_cmpuint (n, ==, 1);
  loom_python_profile_get_frames (profile, &n);
  g_assert_cmpuint (n, ==, 0);
}

/* A sum of profiles: "add cc, nc, tt, ct per key; caller tuples element-wise". */
static void
test_sum (void)
{
  g_autoptr (LoomPythonProfile) a = counted (LOOM_TIMER_CPU, 100, TRUE);
  g_autoptr (LoomPythonProfile) b = counted (LOOM_TIMER_CPU, 1, TRUE);
  LoomPythonProfile *both[] = { a, b, a };
  g_autoptr (LoomPythonProfile) sum = loom_python_profile_sum (both, 3);
  guint32 n;
  const LoomPythonProfileFunction *g = loom_python_profile_get_function (sum, 1);
  g_assert_cmpuint (sum->functions->len, ==, 2);
  g_assert_cmpint (loom_python_profile_get_function (sum, 0)->own_ns, ==, 201);
  g_assert_cmpint (loom_python_profile_get_function (sum, 0)->cumulative_ns, ==, 351);
  g_assert_cmpint (g->calls, ==, 9);
  g_assert_cmpint (g->primitive_calls, ==, 6);
  const LoomPythonProfileCall *call = loom_python_profile_get_callers (sum, 1, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (call->calls, ==, 9);
  g_assert_cmpint (call->primitive_calls, ==, 6);
  g_assert_cmpint (call->own_ns, ==, 150);
  g_assert_cmpint (sum->timer, ==, LOOM_TIMER_CPU);
}

/* If one of the profiles contains numbers of calls but no times, the sum has no times. */
static void
test_sum_without_times (void)
{
  g_autoptr (LoomPythonProfile) a = counted (LOOM_TIMER_CPU, 100, TRUE);
  g_autoptr (LoomPythonProfile) b = counted (LOOM_TIMER_CPU, 1, FALSE);
  LoomPythonProfile *both[] = { a, b };
  g_autoptr (LoomPythonProfile) sum = loom_python_profile_sum (both, 2);
  guint32 n;
  g_assert_cmpint (loom_python_profile_get_callers (sum, 1, &n)->own_ns, ==, LOOM_TIME_NONE);
  g_assert_cmpint (loom_python_profile_get_callers (sum, 1, &n)->calls, ==, 6);
}

/* formats/python-profiles.md: "Never add profiles with different timers." */
static void
test_different_timers (void)
{
  g_autoptr (LoomPythonProfile) a = counted (LOOM_TIMER_CPU, 100, TRUE);
  g_autoptr (LoomPythonProfile) b = counted (LOOM_TIMER_ELAPSED, 100, TRUE);
  g_autoptr (LoomPythonProfile) c = counted (LOOM_TIMER_UNKNOWN, 100, TRUE);
  LoomPythonProfile *pairs[][2] = { { a, b }, { a, c }, { c, b } };
  for (guint i = 0; i < 3; i++) {
    g_assert_false (loom_python_profile_can_add (pairs[i][0], pairs[i][1]));
    g_assert_null (loom_python_profile_sum (pairs[i], 2));
  }
}

/* Returns a profile with times in ns. The function run takes 10: it calls load, which takes 4 and calls run again for
 * 3, then load again for 2, then save. In a report the time of save is 9, which must be limited to the remaining 4. */
static LoomPythonProfile *
sampled (LoomPythonProfileKind kind)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (kind);
  guint32 run = function (builder, "run", 0, 0, 0, 0), load = function (builder, "load", 0, 0, 0, 0),
          save = function (builder, "save", 0, 0, 0, 0);
  guint32 top = loom_python_profile_builder_frame (builder, LOOM_FRAME_NONE, run, 0, 10);
  guint32 first = loom_python_profile_builder_frame (builder, top, load, 0, 4);
  loom_python_profile_builder_frame (builder, first, run, 1, 3);
  loom_python_profile_builder_frame (builder, top, load, 4, 2);
  loom_python_profile_builder_frame (builder, top, save, 6, kind == LOOM_PYTHON_PROFILE_SESSION ? 4 : 9);
  return loom_python_profile_builder_finish (builder);
}

static void
check_frames (const LoomPythonProfile *profile, const char *expected)
{
  guint32 n;
  const LoomPythonProfileFrame *frames = loom_python_profile_get_frames (profile, &n);
  g_autoptr (GString) found = g_string_new (NULL);
  for (guint32 i = 0; i < n; i++)
    g_string_append_printf (found, "%u %s %" G_GINT64_FORMAT "+%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT ";",
                            frames[i].depth, loom_python_profile_get_function (profile, frames[i].function)->name,
                            frames[i].start_ns, frames[i].dur_ns, frames[i].own_ns);
  g_assert_cmpstr (found->str, ==, expected);
}

/* §3: "children are packed left to right in given order"; the self time of a frame is its time minus the times of its
 * children. */
static void
test_tree (void)
{
  g_autoptr (LoomPythonProfile) report = sampled (LOOM_PYTHON_PROFILE_REPORT);
  g_autoptr (LoomPythonProfile) session = sampled (LOOM_PYTHON_PROFILE_SESSION);
  check_frames (report, "0 run 0+10/0;1 load 0+4/1;2 run 0+3/3;1 load 4+2/2;1 save 6+4/4;");
  check_frames (session, "0 run 0+10/0;1 load 0+4/1;2 run 1+3/3;1 load 4+2/2;1 save 6+4/4;");
}

/* The time of a recursive function is counted once, for its outermost frame. */
static void
test_tree_table (void)
{
  g_autoptr (LoomPythonProfile) report = sampled (LOOM_PYTHON_PROFILE_REPORT);
  const LoomPythonProfileFunction *run = loom_python_profile_get_function (report, 0),
                                  *load = loom_python_profile_get_function (report, 1);
  guint32 n;
  g_assert_cmpint (run->cumulative_ns, ==, 10);
  g_assert_cmpint (run->own_ns, ==, 3);
  g_assert_cmpint (run->calls, ==, LOOM_CALLS_UNKNOWN);
  g_assert_cmpint (load->cumulative_ns, ==, 6);
  g_assert_cmpint (load->own_ns, ==, 3);
  g_assert_cmpint (report->total_ns, ==, 10);
  g_assert_cmpint (report->n_calls, ==, LOOM_CALLS_UNKNOWN);
  const LoomPythonProfileCall *callees = loom_python_profile_get_callees (report, 0, &n);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpint (callees[0].cumulative_ns, ==, 6);
  g_assert_cmpint (callees[1].cumulative_ns, ==, 4);
}

static void
test_tree_sum (void)
{
  g_autoptr (LoomPythonProfile) report = sampled (LOOM_PYTHON_PROFILE_REPORT);
  g_autoptr (LoomPythonProfile) session = sampled (LOOM_PYTHON_PROFILE_SESSION);
  LoomPythonProfile *both[] = { report, session };
  g_autoptr (LoomPythonProfile) sum = loom_python_profile_sum (both, 2);
  g_assert_cmpint (sum->kind, ==, LOOM_PYTHON_PROFILE_REPORT);
  check_frames (sum, "0 run 0+20/0;1 load 0+12/6;2 run 0+6/6;1 save 12+8/8;");
}

static void
test_seconds (void)
{
  gboolean odd = FALSE;
  g_assert_cmpint (loom_python_profile_ns_from_seconds (0.25, &odd), ==, 250000000);
  g_assert_cmpint (loom_python_profile_ns_from_seconds (-1e-9, &odd), ==, -1);
  g_assert_false (odd);
  g_assert_cmpint (loom_python_profile_ns_from_seconds (NAN, &odd), ==, 0);
  g_assert_true (odd);
  odd = FALSE;
  g_assert_cmpint (loom_python_profile_ns_from_seconds (INFINITY, &odd), >, 0);
  g_assert_true (odd);
}

/* --- intervals -------------------------------------------------------------------------------------------------------- */

static LoomPythonProfile *
interval (LoomPythonProfileMode mode, gint64 step, LoomStepPart part, gint64 start_ns, LoomPythonProfileMode end_mode,
          gint64 end_step, LoomStepPart end_part, gint64 end_ns, const char *node)
{
  LoomPythonProfileBuilder *builder = loom_python_profile_builder_new (LOOM_PYTHON_PROFILE_CPROFILE);
  loom_python_profile_builder_set_interval (builder, (LoomPythonProfilePoint) { start_ns, step, mode, part },
                                            (LoomPythonProfilePoint) { end_ns, end_step, end_mode, end_part });
  loom_python_profile_builder_set_place (builder, NULL, node, -1);
  return loom_python_profile_builder_finish (builder);
}

/* §2 "By steps": the selection of profiles by steps, tested sentence by sentence. */
static void
test_step_query (void)
{
  static const struct {
    gint64 start, end;
    LoomStepPart start_part, end_part;
    LoomStepQuery query;
    gboolean taken;
  } cases[] = {
    { 5, 5, LOOM_PART_STEP_START, LOOM_PART_FORWARD_PASS_END, LOOM_STEP_QUERY (4, 6),
      TRUE }, /* the interval begins before the query and ends after it */
    /* the query begins after the interval has started */
    { 5, 5, LOOM_PART_STEP_START, LOOM_PART_FORWARD_PASS_END, LOOM_STEP_QUERY (6, 9), FALSE },
    /* the query ends before the interval has ended */
    { 5, 6, LOOM_PART_STEP_START, LOOM_PART_STEP_START, LOOM_STEP_QUERY (4, 5), FALSE },
    { 5, 5, LOOM_PART_STEP_START, LOOM_PART_FORWARD_PASS_END, LOOM_STEP_QUERY (5, 5), TRUE },
    { 5,
      5,
      LOOM_PART_STEP_START,
      LOOM_PART_FORWARD_PASS_END,
      { 5, 5, LOOM_MODE_NONE, LOOM_PART_FORWARD_PASS_END, LOOM_PART_STEP_END },
      FALSE }, /* the interval is in another part of the step than the query */
    { 5,
      5,
      LOOM_PART_FORWARD_PASS_END,
      LOOM_PART_STEP_END,
      { 5, 5, LOOM_MODE_NONE, LOOM_PART_FORWARD_PASS_END, LOOM_PART_STEP_END },
      TRUE },
    { 5,
      5,
      LOOM_PART_FORWARD_PASS_END,
      LOOM_PART_STEP_END,
      { 5, 5, LOOM_MODE_NONE, LOOM_PART_STEP_END, LOOM_PART_STEP_END },
      FALSE },
    { 5,
      5,
      LOOM_PART_STEP_START,
      LOOM_PART_STEP_END,
      { 5, 5, LOOM_MODE_NONE, LOOM_PART_STEP_START, LOOM_PART_STEP_START },
      FALSE },
    { 5,
      6,
      LOOM_PART_STEP_END,
      LOOM_PART_STEP_START,
      { 5, 6, LOOM_MODE_NONE, LOOM_PART_STEP_START, LOOM_PART_STEP_START },
      TRUE },
    { 5,
      5,
      LOOM_PART_STEP_START,
      LOOM_PART_STEP_END,
      { 5, 5, LOOM_MODE_EVAL, LOOM_PART_STEP_START, LOOM_PART_STEP_END },
      FALSE },
    { 5,
      5,
      LOOM_PART_STEP_START,
      LOOM_PART_STEP_END,
      { 5, 5, LOOM_MODE_TRAIN, LOOM_PART_STEP_START, LOOM_PART_STEP_END },
      TRUE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (LoomPythonProfile) profile = interval (LOOM_MODE_TRAIN, cases[i].start, cases[i].start_part, 0,
                                                      LOOM_MODE_TRAIN, cases[i].end, cases[i].end_part, 1, NULL);
    if (loom_python_profile_query_has_steps (profile, &cases[i].query) != cases[i].taken)
      g_error ("case %u", i);
  }
  const LoomStepQuery all = LOOM_STEP_QUERY (-10, 100);
  g_autoptr (LoomPythonProfile) mixed =
    interval (LOOM_MODE_TRAIN, 5, LOOM_PART_STEP_END, 0, LOOM_MODE_EVAL, 6, LOOM_PART_STEP_START, 1, NULL);
  g_assert_false (loom_python_profile_query_has_steps (mixed, &all)); /* §2: "equal mode at both ends" is required, but
                                                                       * these intervals mix modes */
}

/* §2 "Job phases": selection of profiles by phases of the job. */
static void
test_phases (void)
{
  g_autoptr (LoomPythonProfile) begin = interval (LOOM_MODE_PRE_STEP_ZERO, LOOM_STEP_BEFORE_FIRST, LOOM_PART_START, 10,
                                                  LOOM_MODE_TRAIN, 0, LOOM_PART_STEP_START, 20, "second");
  g_autoptr (LoomPythonProfile) middle =
    interval (LOOM_MODE_TRAIN, 0, LOOM_PART_STEP_START, 5, LOOM_MODE_TRAIN, 0, LOOM_PART_STEP_END, 6, "first");
  g_autoptr (LoomPythonProfile) end = interval (LOOM_MODE_EVAL, 3, LOOM_PART_STEP_END, 30, LOOM_MODE_POST_HOOK_CLOSE,
                                                LOOM_STEP_AFTER_LAST, LOOM_PART_END, 40, "third");
  g_assert_cmpint (loom_python_profile_query_get_job_phase (begin), ==, LOOM_JOB_PHASE_INITIALISATION);
  g_assert_cmpint (loom_python_profile_query_get_job_phase (middle), ==, LOOM_JOB_PHASE_TRAINING);
  g_assert_cmpint (loom_python_profile_query_get_job_phase (end), ==, LOOM_JOB_PHASE_FINALISATION);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/profile/counted", test_counted);
  g_test_add_func ("/profile/python-profiles/2 adding", test_sum);
  g_test_add_func ("/profile/sum-without-times", test_sum_without_times);
  g_test_add_func ("/profile/python-profiles/2 different timers", test_different_timers);
  g_test_add_func ("/profile/python-profiles/3 report layout", test_tree);
  g_test_add_func ("/profile/tree-table", test_tree_table);
  g_test_add_func ("/profile/tree-sum", test_tree_sum);
  g_test_add_func ("/profile/python-profiles/4 NaN times", test_seconds);
  g_test_add_func ("/profile/python-profiles/2 by steps", test_step_query);
  g_test_add_func ("/profile/python-profiles/2 job phases", test_phases);
  return g_test_run ();
}
