/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the editor of configurations of SageMaker's profiler, and the dialog “Profile this range next time” that plans
 * such a configuration for a range of the timeline: rows with invalid values are marked, files are opened, the editor
 * asks before unsaved changes are lost, and the dialog opens the editor with its plan.
 */
#include "fixture.h"
#include "loom-next-profile-dialog.h"
#include "loom-profiler-config-editor.h"

#include <string.h>

static GtkWindow *
find (GType type)
{
  GListModel *all = gtk_window_get_toplevels ();
  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (all, i);
    if (G_TYPE_CHECK_INSTANCE_TYPE (window, type))
      return window;
  }
  return NULL;
}

static gpointer
editor_part (LoomProfilerConfigEditor *editor, const char *name)
{
  return gtk_widget_get_template_child (GTK_WIDGET (editor), LOOM_TYPE_PROFILER_CONFIG_EDITOR, name);
}

static GtkWidget *
row_of (LoomProfilerConfigEditor *editor, const char *key)
{
  GtkWidget *row = loom_profiler_config_form_find_row (editor_part (editor, "form"), key);
  if (row == NULL)
    g_error ("no row %s", key);
  return row;
}

static LoomProfilerConfigEditor *
open_editor (LoomWindow *window)
{
  g_action_group_activate_action (G_ACTION_GROUP (window), "edit-config", NULL);
  LoomProfilerConfigEditor *editor = LOOM_PROFILER_CONFIG_EDITOR (find (LOOM_TYPE_PROFILER_CONFIG_EDITOR));
  g_assert_nonnull (editor);
  row_of (editor, "StartStep"); /* creates all rows, which the form otherwise creates later */
  return editor;
}

static gboolean
is_gone (gpointer unused)
{
  return find (LOOM_TYPE_PROFILER_CONFIG_EDITOR) == NULL;
}

static void
drop (LoomProfilerConfigEditor *editor)
{
  gtk_window_destroy (GTK_WINDOW (editor));
  g_assert_true (fixture_wait (is_gone, NULL));
}

/* Sets the value of a row: an entry, a switch or a list. */
static void
set (LoomProfilerConfigEditor *editor, const char *key, const char *text)
{
  GtkWidget *row = row_of (editor, key);
  if (ADW_IS_ENTRY_ROW (row))
    gtk_editable_set_text (GTK_EDITABLE (row), text);
  else if (ADW_IS_EXPANDER_ROW (row))
    adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (row), text[0] != '\0');
  else if (ADW_IS_COMBO_ROW (row))
    adw_combo_row_set_selected (ADW_COMBO_ROW (row), (guint) g_ascii_strtoull (text, NULL, 10));
  else
    gtk_switch_set_active (GTK_SWITCH (adw_action_row_get_activatable_widget (ADW_ACTION_ROW (row))), text[0] != '\0');
}

static void
assert_text (LoomProfilerConfigEditor *editor, const char *holds)
{
  g_autofree char *text = loom_profiler_config_output_dup (editor_part (editor, "text"));
  if (strstr (text, holds) == NULL)
    g_error ("no “%s” in\n%s", holds, text);
}

static void
append_text (GString *out, GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (out, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  else
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      append_text (out, child);
}

static gboolean
shows_line (LoomProfilerConfigEditor *editor, const char *box, const char *holds)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  append_text (lines, editor_part (editor, box));
  return strstr (lines->str, holds) != NULL;
}

static void
answer (const char *response)
{
  GtkWindow *question = find (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (question);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (question), response);
  fixture_spin (20);
}

/* The SDK accepts either step fields or time fields, but not both: the editor shows its message if both are set for all
 * metrics, or for one metric. profile_default_steps counts as a step field. */
static void
check_exclusion (LoomProfilerConfigEditor *editor)
{
  static const char both[] = "Both step and time fields cannot be specified in the metrics config!";
  set (editor, "StartStep", "3");
  set (editor, "DurationInSeconds", "2.5");
  g_assert_true (shows_line (editor, "notes", both));
  set (editor, "StartStep", "");
  assert_text (editor, "\\\"DurationInSeconds\\\":2.5,\\\"Duration\\\":2.5");
  set (editor, "Duration", "");
  assert_text (editor, "{\\\"DurationInSeconds\\\":2.5}");
  set (editor, "DurationInSeconds", "");
  set (editor, "PythonProfilingConfig", "on");
  set (editor, "PythonProfilingConfig.StartTimeInSecSinceEpoch", "1932984000");
  set (editor, "profile_default_steps", "on");
  g_assert_true (shows_line (editor, "notes", both));
  set (editor, "PythonProfilingConfig.StartTimeInSecSinceEpoch", "");
  g_assert_false (shows_line (editor, "notes", both));
}

/* Without framework profiling, SageMaker's profiler uses its own defaults; a disabled profiler gets a note. */
static void
check_disabled (LoomProfilerConfigEditor *editor)
{
  set (editor, "FrameworkProfile", "");
  set (editor, "PythonProfilingConfig", "");
  set (editor, "SageMakerProfiler", "on");
  assert_text (editor, "\"CPUProfilingDuration\" : \"3600\"");
  g_assert_false (shows_line (editor, "notes", "The profiler is disabled"));
  set (editor, "DisableProfiler", "on");
  g_assert_true (shows_line (editor, "notes", "The profiler is disabled"));
}

/* Tests values that SageMaker's SDK refuses: the editor shows the SDK's message and marks the row, and it produces no
 * configuration text until the value is removed. */
static void
test_refused (void)
{
  static const struct {
    const char *on, *key, *text, *message, *marked;
  } rows[] = {
    { NULL, "StartStep", "-1", "start_step must be integer greater or equal to 0!", "StartStep" },
    { NULL, "StartStep", "1.5", "start_step must be integer greater or equal to 0!", "StartStep" },
    { NULL, "NumSteps", "0", "num_steps must be integer greater than 0!", "StartStep" },
    { NULL, "StartTimeInSecSinceEpoch", "-7", "start_unix_time must be valid integer unix time!", "StartStep" },
    { NULL, "DurationInSeconds", "0", "duration must be float greater than 0!", "StartStep" },
    { NULL, "DurationInSeconds", "long", "duration must be float greater than 0!", "StartStep" },
    { "DetailedProfilingConfig", "DetailedProfilingConfig.NumSteps", "-2", "num_steps must be integer greater than 0!",
      "DetailedProfilingConfig" },
    { "SMDataParallelProfilingConfig", "SMDataParallelProfilingConfig.DurationInSeconds", "-2",
      "duration must be float greater than 0!", "SMDataParallelProfilingConfig" },
    { "DataloaderProfilingConfig", "MetricsRegex", "(", "metrics_regex is invalid!", "DataloaderProfilingConfig" },
    { NULL, "RotateMaxFileSizeInBytes", "0", "file_max_size must be an integer greater than 0!",
      "RotateMaxFileSizeInBytes" },
    { NULL, "RotateFileCloseIntervalInSeconds", "-1", "file_close_interval must be a float/integer greater than 0!",
      "RotateFileCloseIntervalInSeconds" },
    { NULL, "FileOpenFailThreshold", "x", "file_open_fail threshold must be an integer greater than 0!",
      "FileOpenFailThreshold" },
    { "SageMakerProfiler", "CPUProfilingDuration", "0", "cpu_profiling_duration must be an integer greater than 0!",
      "CPUProfilingDuration" },
    { "SageMakerProfiler", "SMPFileRotationSecs", "0", "file_rotation must be an integer greater than 0!",
      "SMPFileRotationSecs" },
    { "SageMakerProfiler", "StartStep", "3", "Profiler will not work when Framework Profiler is ON",
      "CPUProfilingDuration" },
  };
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_test_message ("row %u: %s = “%s”: %s", i, rows[i].key, rows[i].text, rows[i].message);
    if (rows[i].on != NULL)
      set (editor, rows[i].on, "on");
    set (editor, rows[i].key, rows[i].text);
    g_assert_true (shows_line (editor, "notes", rows[i].message));
    g_assert_true (gtk_widget_has_css_class (row_of (editor, rows[i].marked), "error"));
    g_autofree char *text = loom_profiler_config_output_dup (editor_part (editor, "text"));
    g_assert_cmpstr (text, ==, "");
    set (editor, rows[i].key, "");
    if (rows[i].on != NULL)
      set (editor, rows[i].on, "");
    g_assert_false (gtk_widget_has_css_class (row_of (editor, rows[i].marked), "error"));
    assert_text (editor, "\"DisableProfiler\" : false");
  }
  g_assert_true (shows_line (editor, "effect", "PythonProfilingConfig: steps 9 to 11"));
  g_assert_true (
    shows_line (editor, "notes", "HorovodProfilingConfig: The profiler in the container ignores this metric"));
  set (editor, "ProfilingIntervalInMilliseconds", "1");
  assert_text (editor, "\"ProfilingIntervalInMilliseconds\" : 100");
  check_exclusion (editor);
  set (editor, "ProfilerName", "2");
  assert_text (editor, "\\\"ProfilerName\\\":\\\"pyinstrument\\\"");
  check_disabled (editor);
  drop (editor);
  fixture_close (window);
}

static gboolean
shows_file (gpointer editor)
{
  return shows_line (editor, "opened", "The service accepts only 100");
}

/* Opening a configuration file fills the rows and lists the problems of the file; opening a file that is not a
 * configuration changes nothing. */
static void
test_opened (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path = fixture_file (
    folder, "profilerconfig.json",
    "{\"JobName\": \"x\", \"ProfilerConfig\": {\"ProfilingIntervalInMilliseconds\": 250, \"ProfilingParameters\": {\"LocalPath\": \"/Data\"}}}");
  g_autofree char *other = fixture_file (folder, "other.json", "[1]");
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  loom_profiler_config_editor_open (editor, path);
  g_assert_true (fixture_wait (shows_file, editor));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row_of (editor, "LocalPath"))), ==, "/Data");
  g_assert_cmpint (loom_profiler_config_output_get_kind (editor_part (editor, "text")), ==,
                   LOOM_PROFILER_PLAN_KIND_REQUEST);
  g_assert_true (shows_line (editor, "notes", "The interval must be 100"));
  set (editor, "ProfilingIntervalInMilliseconds", "3");
  assert_text (editor, "\"JobName\" : \"x\"");
  assert_text (editor, "\"ProfilingIntervalInMilliseconds\" : 500");
  loom_profiler_config_editor_open (editor, other);
  fixture_spin (300);
  assert_text (editor, "\"JobName\" : \"x\"");
  gtk_widget_activate_action (GTK_WIDGET (editor), "config.new", NULL);
  answer ("discard"); /* the changed interval is discarded, and the editor has a new configuration */
  assert_text (editor, "\\\"StartStep\\\":9");
  drop (editor);
  fixture_close (window);
}

/* A range without numbered steps is planned in seconds; the dialog says so, and its button opens the editor with the plan. */
static void
test_from_plan (void)
{
  g_autofree char *folder = fixture_folder ();
  g_autofree char *path =
    fixture_file (folder, "t.json", "[{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":5000000}]");
  LoomWindow *window = fixture_window ();
  fixture_open (window, path);
  g_action_group_activate_action (G_ACTION_GROUP (window), "profile-range",
                                  g_variant_new ("(xx)", 7 * LOOM_NS_PER_S, 9 * LOOM_NS_PER_S));
  gpointer dialog = find (LOOM_TYPE_NEXT_PROFILE_DIALOG);
  gpointer output = gtk_widget_get_template_child (dialog, LOOM_TYPE_NEXT_PROFILE_DIALOG, "text"),
           words = gtk_widget_get_template_child (dialog, LOOM_TYPE_NEXT_PROFILE_DIALOG, "words");
  g_autofree char *request = loom_profiler_config_output_dup (output);
  g_assert_nonnull (strstr (request, "DurationInSeconds"));
  g_assert_nonnull (strstr (gtk_label_get_text (words), "No numbered steps"));
  loom_profiler_config_output_set_kind (output, LOOM_PROFILER_PLAN_KIND_PYTORCH);
  g_autofree char *schedule = loom_profiler_config_output_dup (output);
  g_assert_cmpstr (schedule, ==, "");
  LoomProfilerPlanRange range = { .has_start_step = TRUE, .has_n_steps = TRUE, .start_step = 41, .n_steps = 2 };
  g_signal_emit_by_name (dialog, "edit", &range);
  LoomProfilerConfigEditor *editor = LOOM_PROFILER_CONFIG_EDITOR (find (LOOM_TYPE_PROFILER_CONFIG_EDITOR));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row_of (editor, "StartStep"))), ==, "41");
  assert_text (editor, "\\\"StartStep\\\":41,\\\"NumSteps\\\":2");
  gtk_window_destroy (dialog);
  drop (editor);
  fixture_close (window);
}

/* If the action “profile next time” is activated without a range, the plan covers the range that is selected on the
 * timeline. */
static void
test_selection (void)
{
  LoomRange range = { 0, 0 };
  LoomWindow *window = fixture_window ();
  fixture_open (window, fixture_sample ());
  fixture_wait_facts (window);
  const LoomSteps *all = loom_timeline_state_get_steps (fixture_state (window));
  const LoomStep *steps = all->reference;
  for (guint i = 0; i + 1 < all->n_reference; i++)
    if (steps[i].number == 6)
      range = (LoomRange) { steps[i].begin_ns + 1000, steps[i + 1].begin_ns + 1000 };
  loom_timeline_state_select_range (fixture_state (window), range);
  g_action_group_activate_action (G_ACTION_GROUP (window), "profile-range",
                                  g_variant_new ("(xx)", G_GINT64_CONSTANT (0), G_GINT64_CONSTANT (0)));
  gpointer dialog = find (LOOM_TYPE_NEXT_PROFILE_DIALOG),
           output = gtk_widget_get_template_child (dialog, LOOM_TYPE_NEXT_PROFILE_DIALOG, "text");
  loom_profiler_config_output_set_kind (output, LOOM_PROFILER_PLAN_KIND_PYTHON);
  g_autofree char *python = loom_profiler_config_output_dup (output);
  g_assert_nonnull (strstr (python, "start_step=6"));
  gtk_window_destroy (dialog);
  fixture_close (window);
}

/* The editor asks before unsaved changes are lost. */
static void
test_kept (void)
{
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  gtk_window_close (GTK_WINDOW (editor));
  g_assert_true (fixture_wait (is_gone, NULL)); /* no unsaved changes: it closes without a question */
  editor = open_editor (window);
  g_assert_false (loom_profiler_config_editor_is_changed (editor));
  set (editor, "DetailedProfilingConfig", "on");
  g_assert_true (loom_profiler_config_editor_is_changed (editor));
  gtk_widget_activate_action (GTK_WIDGET (editor), "config.new", NULL);
  answer ("cancel");
  g_assert_true (loom_profiler_config_editor_is_changed (editor));
  gtk_window_close (GTK_WINDOW (window));
  answer ("cancel");
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (window)) && gtk_widget_get_mapped (GTK_WIDGET (editor)));
  gtk_widget_activate_action (GTK_WIDGET (editor), "config.new", NULL);
  answer ("discard");
  g_assert_false (loom_profiler_config_editor_is_changed (editor));
  drop (editor);
  fixture_close (window);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  g_test_add_func ("/app/config-editor/refused", test_refused);
  g_test_add_func ("/app/config-editor/opened", test_opened);
  g_test_add_func ("/app/config-editor/kept", test_kept);
  g_test_add_func ("/app/config-editor/from-plan", test_from_plan);
  g_test_add_func ("/app/config-editor/selection", test_selection);
  return fixture_run ();
}
