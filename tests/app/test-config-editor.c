/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiler configurations written in the window: defaults, what the SDK refuses and where it is said, files of every form
 * opened with their traps, what no field knows kept, every kind of text.
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

static GtkWidget *
row_of (LoomProfilerConfigEditor *editor, const char *key)
{
  GtkWidget *row = loom_profiler_config_form_find_row (loom_profiler_config_editor_get_form (editor), key);
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
  row_of (editor, "StartStep"); /* all rows are there from now on */
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

static gboolean
is_idle (gpointer editor)
{
  return !loom_profiler_config_editor_is_busy (editor);
}

static void
open_text (LoomProfilerConfigEditor *editor, const char *folder, const char *text)
{
  g_autofree char *path = fixture_file (folder, "profilerconfig.json", text);
  loom_profiler_config_editor_open (editor, path);
  g_assert_true (fixture_wait (is_idle, editor));
}

/* Into an entry, a switch, a list. */
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
  g_autofree char *text = loom_profiler_config_output_dup (loom_profiler_config_editor_get_text (editor));
  if (strstr (text, holds) == NULL)
    g_error ("no “%s” in\n%s", holds, text);
}

static void
assert_lines (char *lines, const char *holds)
{
  if (strstr (lines, holds) == NULL)
    g_error ("no “%s” in\n%s", holds, lines);
  g_free (lines);
}

static void
answer (const char *response)
{
  GtkWindow *question = find (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (question);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (question), response);
  fixture_spin (20);
}

/* Nothing said: the SDK's defaults, in every kind. */
static void
test_defaults (void)
{
  static const struct {
    LoomProfilerPlanKind kind;
    const char *holds;
  } kinds[] = {
    { LOOM_PROFILER_PLAN_KIND_REQUEST,
      "{\\\"StartStep\\\":9,\\\"NumSteps\\\":3,\\\"ProfilerName\\\":\\\"cprofile\\\",\\\"cProfileTimer\\\":\\\"default\\\"}" },
    { LOOM_PROFILER_PLAN_KIND_CONTAINER, "\"RotateMaxFileSizeInBytes\" : \"10485760\"" },
    { LOOM_PROFILER_PLAN_KIND_PYTHON, "framework_profile_params=FrameworkProfile()" },
    { LOOM_PROFILER_PLAN_KIND_PYTORCH, "schedule(skip_first=4, wait=0, warmup=1, active=1, repeat=1)" },
    { LOOM_PROFILER_PLAN_KIND_COMPOSER, "cyclic_schedule(skip_first=4" },
  };
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    loom_profiler_config_output_set_kind (loom_profiler_config_editor_get_text (editor), kinds[i].kind);
    assert_text (editor, kinds[i].holds);
  }
  assert_lines (loom_profiler_config_editor_dup_effect (editor), "PythonProfilingConfig: steps 9 to 11");
  assert_lines (loom_profiler_config_editor_dup_notes (editor),
                "HorovodProfilingConfig: The reader in the container ignores this");
  drop (editor);
  fixture_close (window);
}

/* Row by row: what is written into which row, what the SDK says, which row is marked; without it the text is there again. */
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
    assert_lines (loom_profiler_config_editor_dup_notes (editor), rows[i].message);
    g_assert_true (gtk_widget_has_css_class (row_of (editor, rows[i].marked), "error"));
    g_autofree char *text = loom_profiler_config_output_dup (loom_profiler_config_editor_get_text (editor));
    g_assert_cmpstr (text, ==, "");
    set (editor, rows[i].key, "");
    if (rows[i].on != NULL)
      set (editor, rows[i].on, "");
    g_assert_false (gtk_widget_has_css_class (row_of (editor, rows[i].marked), "error"));
    assert_text (editor, "\"DisableProfiler\" : false");
  }
  drop (editor);
  fixture_close (window);
}

/* Steps and times exclude each other, of all metrics and of one; a length of default steps too. */
static void
test_exclusion (void)
{
  static const char both[] = "Both step and time fields cannot be specified in the metrics config!";
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  set (editor, "StartStep", "3");
  set (editor, "DurationInSeconds", "2.5");
  assert_lines (loom_profiler_config_editor_dup_notes (editor), both);
  set (editor, "StartStep", "");
  assert_text (editor, "\\\"DurationInSeconds\\\":2.5,\\\"Duration\\\":2.5");
  set (editor, "Duration", "");
  assert_text (editor, "{\\\"DurationInSeconds\\\":2.5}");
  set (editor, "DurationInSeconds", "");
  set (editor, "PythonProfilingConfig", "on");
  set (editor, "PythonProfilingConfig.StartTimeInSecSinceEpoch", "1932984000");
  set (editor, "profile_default_steps", "on");
  assert_lines (loom_profiler_config_editor_dup_notes (editor), both);
  set (editor, "PythonProfilingConfig.StartTimeInSecSinceEpoch", "");
  set (editor, "ProfilerName", "2");
  assert_text (editor, "\\\"ProfilerName\\\":\\\"pyinstrument\\\"");
  set (editor, "ProfilingIntervalInMilliseconds", "1");
  assert_text (editor, "\"ProfilingIntervalInMilliseconds\" : 100");
  set (editor, "FrameworkProfile", "");
  set (editor, "PythonProfilingConfig", "");
  set (editor, "SageMakerProfiler", "on");
  assert_text (editor, "\"CPUProfilingDuration\" : \"3600\"");
  set (editor, "DisableProfiler", "on");
  assert_lines (loom_profiler_config_editor_dup_notes (editor), "The profiler is disabled");
  drop (editor);
  fixture_close (window);
}

/* Each form a file may have: its traps are told, its fields are filled in, what no field knows is written again. */
static void
test_opened (void)
{
  static const struct {
    const char *text, *key, *value;
    LoomProfilerPlanKind kind;
    const char *kept;
  } files[] = {
    { "{\"DisableProfiler\": false, \"Mine\": [1], \"ProfilingParameters\": {\"PythonProfilingConfig\": "
      "\"{\\\"StartTimeInSecSinceEpoch\\\": 1932984000, \\\"Duration\\\": 12.5, \\\"ProfilerName\\\": \\\"pyinstrument\\\", \\\"x\\\": 7, }\"}}",
      "PythonProfilingConfig.DurationInSeconds", "12.5", LOOM_PROFILER_PLAN_KIND_REQUEST, "\\\"x\\\":7" },
    { "{\"disableprofiler\": false, \"profilinginterval\": 1, \"profilingparameters\": {\"detailedprofilingconfig\": \"{'startstep': 3, 'numsteps': 2}\"}}",
      "DetailedProfilingConfig.NumSteps", "2", LOOM_PROFILER_PLAN_KIND_CONTAINER, "\"profilinginterval\" : 1" },
    { "{\"JobName\": \"x\", \"ProfilerConfig\": {\"ProfilingIntervalInMilliseconds\": 250, \"ProfilingParameters\": {\"LocalPath\": \"/Data\"}}}",
      "LocalPath", "/Data", LOOM_PROFILER_PLAN_KIND_REQUEST, NULL },
    { "{\"DisableProfiler\": \"false\"}", "DisableProfiler", NULL, LOOM_PROFILER_PLAN_KIND_REQUEST, NULL },
  };
  static const char *const traps[] = { "Duration", "", "The service accepts 100", "“false”" };
  g_autofree char *folder = fixture_folder ();
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    open_text (editor, folder, files[i].text);
    g_autofree char *said = g_strdelimit (loom_profiler_config_editor_dup_opened (editor), "\n", ' ');
    g_test_message ("file %u: %s", i, said);
    assert_lines (g_strdup (said), traps[i]);
    if (files[i].value != NULL)
      g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row_of (editor, files[i].key))), ==, files[i].value);
    g_assert_cmpint (loom_profiler_config_output_get_kind (loom_profiler_config_editor_get_text (editor)), ==,
                     files[i].kind);
    if (files[i].kept != NULL)
      assert_text (editor, files[i].kept);
  }
  open_text (editor, folder, files[2].text);
  assert_lines (loom_profiler_config_editor_dup_notes (editor), "The interval is one of 100");
  set (editor, "ProfilingIntervalInMilliseconds", "3");
  assert_text (editor, "\"JobName\" : \"x\"");
  assert_text (editor, "\"ProfilingIntervalInMilliseconds\" : 500");
  open_text (editor, folder, "[1]");
  assert_text (editor, "\"JobName\" : \"x\"");
  gtk_widget_activate_action (GTK_WIDGET (editor), "config.new", NULL);
  answer ("discard"); /* the interval */
  assert_text (editor, "\\\"StartStep\\\":9");
  drop (editor);
  fixture_close (window);
}

/* From the plan of a range to everything else. */
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
  LoomProfilerPlanRange range = { .has_start_step = TRUE, .has_n_steps = TRUE, .start_step = 41, .n_steps = 2 };
  g_signal_emit_by_name (find (LOOM_TYPE_NEXT_PROFILE_DIALOG), "edit", &range);
  LoomProfilerConfigEditor *editor = LOOM_PROFILER_CONFIG_EDITOR (find (LOOM_TYPE_PROFILER_CONFIG_EDITOR));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (row_of (editor, "StartStep"))), ==, "41");
  assert_text (editor, "\\\"StartStep\\\":41,\\\"NumSteps\\\":2");
  gtk_window_destroy (find (LOOM_TYPE_NEXT_PROFILE_DIALOG));
  drop (editor);
  fixture_close (window);
}

/* What was filled in and is not saved is not lost unasked. */
static void
test_kept (void)
{
  LoomWindow *window = fixture_window ();
  LoomProfilerConfigEditor *editor = open_editor (window);
  gtk_window_close (GTK_WINDOW (editor));
  g_assert_true (fixture_wait (is_gone, NULL)); /* nothing was */
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
  g_test_add_func ("/config-editor/defaults", test_defaults);
  g_test_add_func ("/config-editor/refused", test_refused);
  g_test_add_func ("/config-editor/exclusion", test_exclusion);
  g_test_add_func ("/config-editor/opened", test_opened);
  g_test_add_func ("/config-editor/kept", test_kept);
  g_test_add_func ("/config-editor/from-plan", test_from_plan);
  return fixture_run ();
}
