/* SPDX-License-Identifier: Apache-2.0
 *
 * “Profile this range next time”: the steps a range touches, its seconds where there are none, the text of every kind, the
 * way there from the menu and from a finding.
 */
#include "fixture.h"
#include "loom-next-profile-dialog.h"

#include <string.h>

static LoomNextProfileDialog *
find_dialog (void)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    if (LOOM_IS_NEXT_PROFILE_DIALOG (window))
      return LOOM_NEXT_PROFILE_DIALOG (window);
  }
  return NULL;
}

static void
close_dialog (void)
{
  LoomNextProfileDialog *dialog = find_dialog ();
  g_assert_nonnull (dialog);
  gtk_window_destroy (GTK_WINDOW (dialog));
  fixture_spin (20);
}

static LoomWindow *
open_sample (void)
{
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  fixture_wait_facts (window);
  g_assert_nonnull (loom_timeline_state_get_steps (fixture_state (window)));
  return window;
}

/* From within the step of that number to within the next. */
static LoomRange
two_steps (LoomWindow *window, gint64 number)
{
  guint n;
  const LoomStep *steps = loom_steps_get_reference (loom_timeline_state_get_steps (fixture_state (window)), &n);
  for (guint i = 0; i + 1 < n; i++)
    if (steps[i].number == number)
      return (LoomRange) { steps[i].begin_ns + 1000, steps[i + 1].begin_ns + 1000 };
  g_assert_not_reached ();
}

static void
activate (LoomWindow *window, LoomRange range)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "profile-range",
                                  g_variant_new ("(xx)", range.begin_ns, range.end_ns));
  fixture_spin (20);
}

static void
test_steps (void)
{
  static const struct {
    LoomProfilerPlanKind kind;
    const char *holds;
  } kinds[] = {
    { LOOM_PROFILER_PLAN_KIND_REQUEST, "\\\"StartStep\\\"" }, { LOOM_PROFILER_PLAN_KIND_CONTAINER, "StartStep" },
    { LOOM_PROFILER_PLAN_KIND_PYTHON, "start_step=4" },       { LOOM_PROFILER_PLAN_KIND_PYTORCH, "schedule" },
    { LOOM_PROFILER_PLAN_KIND_COMPOSER, "cyclic_schedule" },
  };
  LoomWindow *window = open_sample ();
  activate (window, two_steps (window, 4));
  LoomNextProfileDialog *dialog = find_dialog ();
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    loom_next_profile_dialog_set_kind (dialog, kinds[i].kind);
    g_autofree char *text = loom_next_profile_dialog_dup_text (dialog);
    g_test_message ("%s", text);
    g_assert_nonnull (strstr (text, kinds[i].holds));
  }
  loom_next_profile_dialog_set_kind (dialog, LOOM_PROFILER_PLAN_KIND_PYTHON);
  g_autofree char *python = loom_next_profile_dialog_dup_text (dialog);
  g_assert_nonnull (strstr (python, "num_steps=2"));
  close_dialog ();
  fixture_close (window);
}

/* The selection counts when no range is given. */
static void
test_selection (void)
{
  LoomWindow *window = open_sample ();
  loom_timeline_state_select_range (fixture_state (window), two_steps (window, 6));
  activate (window, (LoomRange) { 0, 0 });
  loom_next_profile_dialog_set_kind (find_dialog (), LOOM_PROFILER_PLAN_KIND_PYTHON);
  g_autofree char *python = loom_next_profile_dialog_dup_text (find_dialog ());
  g_assert_nonnull (strstr (python, "start_step=6"));
  close_dialog ();
  fixture_close (window);
}

/* Without steps seconds, and schedules say why they cannot be written. */
static void
test_times (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "t.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5000000}]");
  LoomProfilerPlanRange plan =
    loom_next_profile_dialog_range (NULL, (LoomRange) { 7 * LOOM_NS_PER_S + 5, 9 * LOOM_NS_PER_S + 5 });
  g_assert_true (plan.has_start_s && plan.has_duration && !plan.has_start_step);
  g_assert_cmpint (plan.start_s, ==, 7);
  g_assert_cmpfloat (plan.duration_s, ==, 2);
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  activate (window, (LoomRange) { 0, 0 });
  g_autofree char *request = loom_next_profile_dialog_dup_text (find_dialog ());
  g_assert_nonnull (strstr (request, "DurationInSeconds"));
  g_assert_nonnull (strstr (loom_next_profile_dialog_get_words (find_dialog ()), "No numbered steps"));
  loom_next_profile_dialog_set_kind (find_dialog (), LOOM_PROFILER_PLAN_KIND_PYTORCH);
  g_autofree char *schedule = loom_next_profile_dialog_dup_text (find_dialog ());
  g_assert_cmpstr (schedule, ==, "");
  close_dialog ();
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/plan/steps", test_steps);
  g_test_add_func ("/plan/selection", test_selection);
  g_test_add_func ("/plan/times", test_times);
  return fixture_run ();
}
