/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-profiler-config-form.h"

#include "loom-bounded-text.h"
#include "loom-idle-queue.h"
#include "loom-profiler-config-effect.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* Rows of a range to profile, in steps or in time. Their order is that of the arguments in the SageMaker Python SDK. */
enum { START_STEP, N_STEPS, START_S, DURATION, N_RANGE_ROWS };
static const char *const range_keys[N_RANGE_ROWS] = { "StartStep", "NumSteps", "StartTimeInSecSinceEpoch",
                                                      "DurationInSeconds" };

/* Rows with a text entry for one setting. The rows of the range to profile are in the enum with START_STEP. */
enum { S3_PATH, LOCAL_PATH, ROTATE_BYTES, ROTATE_S, FAIL_THRESHOLD, CPU_DURATION, ROTATION, REGEX, N_ENTRIES };
static const struct {
  const char *key, *title;
} entries[N_ENTRIES] = {
  [S3_PATH] = { "S3OutputPath", N_ ("S3 Output") },
  [LOCAL_PATH] = { "LocalPath", N_ ("Output folder in the container (default: /opt/ml/output/profiler)") },
  [ROTATE_BYTES] = { "RotateMaxFileSizeInBytes", N_ ("Maximum file size in bytes (default: 10485760)") },
  [ROTATE_S] = { "RotateFileCloseIntervalInSeconds", N_ ("Maximum time per file in seconds (default: 60)") },
  [FAIL_THRESHOLD] = { "FileOpenFailThreshold", N_ ("Failed attempts to open a file before giving up (default: 50)") },
  [CPU_DURATION] = { "CPUProfilingDuration", N_ ("CPU profiling duration in seconds (default: 3600)") },
  [ROTATION] = { "SMPFileRotationSecs", N_ ("Maximum time per file in seconds (default: 600)") },
  [REGEX] = { "MetricsRegex", N_ ("Event name pattern, a regular expression (default: .*)") },
};

static const struct {
  const char *title, *class_name;
} metric_words[LOOM_N_PROFILER_METRICS] = {
  [LOOM_PROFILER_METRIC_DETAILED] = { N_ ("Detailed profiling"), "DetailedProfilingConfig" },
  [LOOM_PROFILER_METRIC_DATALOADER] = { N_ ("Data loader"), "DataloaderProfilingConfig" },
  [LOOM_PROFILER_METRIC_PYTHON] = { N_ ("Python"), "PythonProfilingConfig" },
  [LOOM_PROFILER_METRIC_HOROVOD] = { N_ ("Horovod"), "HorovodProfilingConfig" },
  [LOOM_PROFILER_METRIC_SMDATAPARALLEL] = { N_ ("SMDataParallel"), "SMDataParallelProfilingConfig" },
};

/* Values of the combo rows, in the order of the items. NULL means that the setting is not given. */
static const char *const profilers[] = { NULL, "cprofile", "pyinstrument" };
static const char *const timers[] = { NULL, "total_time", "cpu_time", "off_cpu_time", "default" };

struct _LoomProfilerConfigForm {
  GtkBox parent;
  AdwPreferencesGroup *request_group, *framework_group, *metrics_group, *files_group, *smprofiler_group;
  GtkSwitch *disable, *framework, *default_steps, *two_keys;
  AdwComboRow *interval, *profiler, *timer;
  AdwEntryRow *entry[N_ENTRIES];
  /* range[metric][row of the range]; after the metrics, the last element is the range that applies to all metrics */
  AdwEntryRow *range[LOOM_N_PROFILER_METRICS + 1][N_RANGE_ROWS];
  AdwExpanderRow *metric[LOOM_N_PROFILER_METRICS], *smprofiler;
  GHashTable *rows; /* key: key of a setting (char *); value: its row (GtkWidget) */
  /* 0 if the profiler allows the interval of the loaded plan. Otherwise, this interval in ms, which is then the last
   * item of the list. */
  gint64 odd_interval;
  gboolean is_set; /* TRUE while the program changes the rows, so that no signal is emitted */
  /* number of parts of the form that have been made; a few parts are made per iteration of the main loop */
  guint n_made;
  LoomIdleQueue turns;
};

G_DEFINE_FINAL_TYPE (LoomProfilerConfigForm, loom_profiler_config_form, GTK_TYPE_BOX)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
changed (LoomProfilerConfigForm *self)
{
  if (!self->is_set)
    g_signal_emit (self, signals[CHANGED], 0);
}

/* --- rows and numbers --------------------------------------------------------------------------------------------- */

static const char *
text_of (AdwEntryRow *row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

static char *
dup_text_of (AdwEntryRow *row)
{
  g_autofree char *text = g_strstrip (g_strdup (text_of (row)));
  return text[0] != '\0' ? g_steal_pointer (&text) : NULL;
}

/* Reads the number in a row. Returns FALSE if the row is empty, otherwise TRUE. If the text is not a number, sets
 * `value` to `refused`, a number that the SageMaker Python SDK does not accept. */
static gboolean
real_of (AdwEntryRow *row, double refused, double *value)
{
  g_autofree char *text = dup_text_of (row);
  char *end;
  *value = 0;
  if (text == NULL)
    return FALSE;
  *value = g_ascii_strtod (text, &end);
  if (*end != '\0' || !isfinite (*value))
    *value = refused;
  return TRUE;
}

static gboolean
whole_of (AdwEntryRow *row, gint64 refused, gint64 *value)
{
  g_autofree char *text = dup_text_of (row);
  *value = 0;
  if (text == NULL)
    return FALSE;
  if (!g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, value, NULL))
    *value = refused;
  return TRUE;
}

/* Reads a positive number. If the user types 0, returns a value that the SageMaker Python SDK refuses, because 0
 * means "not given" in a LoomProfilerPlan. */
static gint64
positive_of (AdwEntryRow *row)
{
  gint64 value;
  return whole_of (row, -1, &value) && value <= 0 ? -1 : value;
}

static void
put (AdwEntryRow *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
}

static void
put_whole (AdwEntryRow *row, gboolean given, gint64 value)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, value);
  put (row, given ? text : "");
}

static void
put_real (AdwEntryRow *row, gboolean given, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  put (row, given ? g_ascii_formatd (text, sizeof text, "%.15g", value) : "");
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

static LoomProfilerPlanRange
get_range (AdwEntryRow *const *rows)
{
  LoomProfilerPlanRange range = { 0 };
  range.has_start_step = whole_of (rows[START_STEP], -1, &range.start_step);
  range.has_n_steps = whole_of (rows[N_STEPS], 0, &range.n_steps);
  range.has_start_s = whole_of (rows[START_S], -1, &range.start_s);
  range.has_duration = real_of (rows[DURATION], 0, &range.duration_s);
  return range;
}

static void
put_range (AdwEntryRow *const *rows, const LoomProfilerPlanRange *range)
{
  put_whole (rows[START_STEP], range->has_start_step, range->start_step);
  put_whole (rows[N_STEPS], range->has_n_steps, range->n_steps);
  put_whole (rows[START_S], range->has_start_s, range->start_s);
  put_real (rows[DURATION], range->has_duration, range->duration_s);
}

/* --- combo rows --------------------------------------------------------------------------------------------------- */

static guint
place_of (const char *const *words, guint n, const char *word)
{
  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (words[i], word) == 0)
      return i;
  return 0;
}

static gint64
get_interval (LoomProfilerConfigForm *self)
{
  guint at = adw_combo_row_get_selected (self->interval), n = G_N_ELEMENTS (loom_profiler_config_effect_intervals_ms);
  return at == 0 ? 0 : at <= n ? loom_profiler_config_effect_intervals_ms[at - 1] : self->odd_interval;
}

/* Shows the sampling interval of the plan. If the profiler does not allow this interval, adds it to the list, so
 * that the user sees the interval and the error about it. */
static void
put_interval (LoomProfilerConfigForm *self, gint64 interval_ms)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint at = 0;
  g_autofree char *initial = g_strdup_printf (_ ("Default (%u ms)"), LOOM_CONFIG_INTERVAL_DEFAULT_MS);
  gtk_string_list_append (list, initial);
  for (guint i = 0; i < G_N_ELEMENTS (loom_profiler_config_effect_intervals_ms); i++) {
    g_autofree char *text = g_strdup_printf (_ ("%u ms"), loom_profiler_config_effect_intervals_ms[i]);
    gtk_string_list_append (list, text);
    at = loom_profiler_config_effect_intervals_ms[i] == interval_ms ? i + 1 : at;
  }
  self->odd_interval = interval_ms != 0 && at == 0 ? interval_ms : 0;
  if (self->odd_interval != 0) {
    g_autofree char *ms = g_strdup_printf ("%" G_GINT64_FORMAT, interval_ms),
                    *text = g_strdup_printf (_ ("%s ms (not allowed)"), ms);
    gtk_string_list_append (list, text);
    at = G_N_ELEMENTS (loom_profiler_config_effect_intervals_ms) + 1;
  }
  adw_combo_row_set_model (self->interval, G_LIST_MODEL (list));
  adw_combo_row_set_selected (self->interval, at);
}

/* --- reading the plan from the rows, and showing a plan ----------------------------------------------------------- */

void
loom_profiler_config_form_get_plan (LoomProfilerConfigForm *self, LoomProfilerPlan *plan)
{
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_FORM (self) && plan != NULL);
  double seconds;
  loom_idle_queue_finish (&self->turns);
  *plan = (LoomProfilerPlan) { .disable = gtk_switch_get_active (self->disable), .interval_ms = get_interval (self) };
  plan->no_framework = !gtk_switch_get_active (self->framework);
  plan->default_steps = gtk_switch_get_active (self->default_steps);
  plan->one_duration_key = !gtk_switch_get_active (self->two_keys);
  plan->smprofiler = adw_expander_row_get_enable_expansion (self->smprofiler);
  plan->s3_output_path = dup_text_of (self->entry[S3_PATH]);
  plan->local_path = dup_text_of (self->entry[LOCAL_PATH]);
  plan->regex = dup_text_of (self->entry[REGEX]);
  plan->rotate_bytes = positive_of (self->entry[ROTATE_BYTES]);
  plan->rotate_s = real_of (self->entry[ROTATE_S], -1, &seconds) && seconds <= 0 ? -1 : seconds;
  plan->fail_threshold = positive_of (self->entry[FAIL_THRESHOLD]);
  plan->cpu_duration_s = positive_of (self->entry[CPU_DURATION]);
  plan->rotation_s = positive_of (self->entry[ROTATION]);
  plan->python_profiler = g_strdup (profilers[adw_combo_row_get_selected (self->profiler)]);
  plan->timer = g_strdup (timers[adw_combo_row_get_selected (self->timer)]);
  plan->range = get_range (self->range[LOOM_N_PROFILER_METRICS]);
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++) {
    plan->chosen |= adw_expander_row_get_enable_expansion (self->metric[i]) ? 1u << i : 0;
    plan->ranges[i] = get_range (self->range[i]);
  }
}

static void
put_files (LoomProfilerConfigForm *self, const LoomProfilerPlan *plan)
{
  put (self->entry[S3_PATH], plan->s3_output_path);
  put (self->entry[LOCAL_PATH], plan->local_path);
  put (self->entry[REGEX], plan->regex);
  put_whole (self->entry[ROTATE_BYTES], plan->rotate_bytes != 0, plan->rotate_bytes);
  put_real (self->entry[ROTATE_S], plan->rotate_s < 0 || plan->rotate_s > 0, plan->rotate_s);
  put_whole (self->entry[FAIL_THRESHOLD], plan->fail_threshold != 0, plan->fail_threshold);
  put_whole (self->entry[CPU_DURATION], plan->cpu_duration_s != 0, plan->cpu_duration_s);
  put_whole (self->entry[ROTATION], plan->rotation_s != 0, plan->rotation_s);
}

static void
put_plan (LoomProfilerConfigForm *self, const LoomProfilerPlan *plan)
{
  self->is_set = TRUE;
  gtk_switch_set_active (self->disable, plan->disable);
  gtk_switch_set_active (self->framework, !plan->no_framework);
  gtk_switch_set_active (self->default_steps, plan->default_steps);
  gtk_switch_set_active (self->two_keys, !plan->one_duration_key);
  adw_expander_row_set_enable_expansion (self->smprofiler, plan->smprofiler);
  put_interval (self, plan->interval_ms);
  put_files (self, plan);
  adw_combo_row_set_selected (self->profiler, place_of (profilers, G_N_ELEMENTS (profilers), plan->python_profiler));
  adw_combo_row_set_selected (self->timer, place_of (timers, G_N_ELEMENTS (timers), plan->timer));
  put_range (self->range[LOOM_N_PROFILER_METRICS], &plan->range);
  for (guint i = 0; i < LOOM_N_PROFILER_METRICS; i++) {
    put_range (self->range[i], &plan->ranges[i]);
    adw_expander_row_set_enable_expansion (self->metric[i], (plan->chosen >> i & 1) != 0);
  }
  self->is_set = FALSE;
}

void
loom_profiler_config_form_set_plan (LoomProfilerConfigForm *self, const LoomProfilerPlan *plan)
{
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_FORM (self) && plan != NULL);
  loom_idle_queue_finish (&self->turns);
  put_plan (self, plan);
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

GtkWidget *
loom_profiler_config_form_find_row (LoomProfilerConfigForm *self, const char *key)
{
  loom_idle_queue_finish (&self->turns);
  return g_hash_table_lookup (self->rows, key);
}

static void
mark (GtkWidget *row, LoomProfilerNoteSeverity severity, const char *message)
{
  gtk_widget_add_css_class (row, severity == LOOM_NOTE_ERROR ? "error" : "warning");
  loom_bounded_text_set_tip (row, message);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, message, -1);
  if (ADW_IS_EXPANDER_ROW (row))
    adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), message);
}

static void
unmark (GtkWidget *row)
{
  gtk_widget_remove_css_class (row, "error");
  gtk_widget_remove_css_class (row, "warning");
  gtk_widget_set_tooltip_text (row, NULL);
  gtk_accessible_reset_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
  if (ADW_IS_EXPANDER_ROW (row))
    adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), g_object_get_data (G_OBJECT (row), "subtitle"));
}

void
loom_profiler_config_form_show_notes (LoomProfilerConfigForm *self, GPtrArray *notes)
{
  GHashTableIter iter;
  gpointer row;
  g_return_if_fail (LOOM_IS_PROFILER_CONFIG_FORM (self) && notes != NULL);
  loom_idle_queue_finish (&self->turns);
  g_hash_table_iter_init (&iter, self->rows);
  while (g_hash_table_iter_next (&iter, NULL, &row))
    unmark (row);
  for (guint i = notes->len; i > 0; i--) {
    const LoomProfilerConfigNote *note = notes->pdata[i - 1];
    GtkWidget *about = g_hash_table_lookup (self->rows, note->where[0] != '\0' ? note->where : "StartStep");
    if (about != NULL && note->severity != LOOM_NOTE_HINT)
      mark (about, note->severity, note->message);
  }
}

/* --- building ----------------------------------------------------------------------------------------------------- */

static void
remember (LoomProfilerConfigForm *self, char *key, GtkWidget *row)
{
  g_hash_table_replace (self->rows, key, row);
}

static AdwEntryRow *
new_entry (LoomProfilerConfigForm *self, const char *title)
{
  GtkWidget *row = adw_entry_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  g_signal_connect_swapped (row, "changed", G_CALLBACK (changed), self);
  return ADW_ENTRY_ROW (row);
}

static GtkWidget *
new_known (LoomProfilerConfigForm *self, guint entry)
{
  self->entry[entry] = new_entry (self, _ (entries[entry].title));
  remember (self, g_strdup (entries[entry].key), GTK_WIDGET (self->entry[entry]));
  return GTK_WIDGET (self->entry[entry]);
}

static GtkSwitch *
add_switch (LoomProfilerConfigForm *self, AdwPreferencesGroup *group, const char *title, const char *subtitle,
            const char *key)
{
  GtkWidget *row = adw_action_row_new (), *toggle = gtk_switch_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), toggle);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), toggle);
  gtk_widget_set_valign (toggle, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_connect_swapped (toggle, "notify::active", G_CALLBACK (changed), self);
  adw_preferences_group_add (group, row);
  remember (self, g_strdup (key), row);
  return GTK_SWITCH (toggle);
}

static AdwComboRow *
new_combo (LoomProfilerConfigForm *self, const char *title, const char *none, const char *const *words, guint n,
           const char *key)
{
  GtkWidget *row = adw_combo_row_new ();
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  for (guint i = 0; i < n; i++)
    gtk_string_list_append (list, i == 0 ? none : words[i]);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_combo_row_set_model (ADW_COMBO_ROW (row), G_LIST_MODEL (list));
  g_signal_connect_swapped (row, "notify::selected", G_CALLBACK (changed), self);
  remember (self, g_strdup (key), row);
  return ADW_COMBO_ROW (row);
}

/* Makes a row of the range of a metric; if `metric` is LOOM_N_PROFILER_METRICS, makes a row of the range for all
 * metrics. The title of the row states the default, which applies if the row is empty. */
static GtkWidget *
new_range_row (LoomProfilerConfigForm *self, guint metric, guint which)
{
  static const char *const titles[N_RANGE_ROWS] = { N_ ("First step"), N_ ("Number of steps"),
                                                    N_ ("Start time (Unix seconds)"), N_ ("Duration (seconds)") };
  g_autofree char *title = g_strdup (_ (titles[which]));
  if (metric < LOOM_N_PROFILER_METRICS && which <= N_STEPS) {
    LoomProfilerPlanRange initial = loom_profiler_plan_default_range ((LoomProfilerMetric) metric);
    g_free (title);
    title = g_strdup_printf ("%s (%" G_GINT64_FORMAT ")", _ (titles[which]),
                             which == START_STEP ? initial.start_step : initial.n_steps);
  }
  self->range[metric][which] = new_entry (self, title);
  remember (self,
            metric < LOOM_N_PROFILER_METRICS
              ? g_strdup_printf ("%s.%s", metric_words[metric].class_name, range_keys[which])
              : g_strdup (range_keys[which]),
            GTK_WIDGET (self->range[metric][which]));
  return GTK_WIDGET (self->range[metric][which]);
}

static AdwExpanderRow *
new_expander (LoomProfilerConfigForm *self, const char *title, const char *subtitle, const char *key)
{
  GtkWidget *row = adw_expander_row_new ();
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row), subtitle);
  adw_expander_row_set_show_enable_switch (ADW_EXPANDER_ROW (row), TRUE);
  adw_expander_row_set_enable_expansion (ADW_EXPANDER_ROW (row), FALSE);
  g_object_set_data_full (G_OBJECT (row), "subtitle", g_strdup (subtitle), g_free);
  g_signal_connect_swapped (row, "notify::enable-expansion", G_CALLBACK (changed), self);
  remember (self, g_strdup (key), row);
  return ADW_EXPANDER_ROW (row);
}

static GtkWidget *
new_metric (LoomProfilerConfigForm *self, guint metric)
{
  self->metric[metric] = new_expander (self, _ (metric_words[metric].title), metric_words[metric].class_name,
                                       loom_profiler_config_metric_to_key ((LoomProfilerMetric) metric));
  for (guint i = 0; i < N_RANGE_ROWS; i++)
    adw_expander_row_add_row (self->metric[metric], new_range_row (self, metric, i));
  if (metric == LOOM_PROFILER_METRIC_DATALOADER)
    adw_expander_row_add_row (self->metric[metric], new_known (self, REGEX));
  if (metric == LOOM_PROFILER_METRIC_PYTHON) {
    self->profiler =
      new_combo (self, _ ("Profiler"), _ ("Default (cprofile)"), profilers, G_N_ELEMENTS (profilers), "ProfilerName");
    self->timer = new_combo (self, _ ("cProfile timer"), _ ("Default (total_time)"), timers, G_N_ELEMENTS (timers),
                             "cProfileTimer");
    adw_expander_row_add_row (self->metric[metric], GTK_WIDGET (self->profiler));
    adw_expander_row_add_row (self->metric[metric], GTK_WIDGET (self->timer));
  }
  return GTK_WIDGET (self->metric[metric]);
}

static void
add_request (LoomProfilerConfigForm *self)
{
  self->disable = add_switch (self, self->request_group, _ ("Disable Profiler"), "DisableProfiler", "DisableProfiler");
  self->interval = new_combo (self, _ ("System Metrics Interval"), "", NULL, 0, "ProfilingIntervalInMilliseconds");
  adw_preferences_group_add (self->request_group, GTK_WIDGET (self->interval));
  adw_preferences_group_add (self->request_group, new_known (self, S3_PATH));
}

static void
add_framework (LoomProfilerConfigForm *self)
{
  self->framework =
    add_switch (self, self->framework_group, _ ("Framework metrics"), "FrameworkProfile", "FrameworkProfile");
  for (guint i = 0; i < N_RANGE_ROWS; i++)
    adw_preferences_group_add (self->framework_group, new_range_row (self, LOOM_N_PROFILER_METRICS, i));
}

static void
add_files (LoomProfilerConfigForm *self)
{
  self->default_steps = add_switch (self, self->metrics_group, _ ("Use the default steps"), "profile_default_steps",
                                    "profile_default_steps");
  for (guint i = LOCAL_PATH; i <= FAIL_THRESHOLD; i++)
    adw_preferences_group_add (self->files_group, new_known (self, i));
  self->two_keys = add_switch (self, self->files_group, _ ("Also Write “Duration”"),
                               _ ("The SDK writes Duration; the container reads DurationInSeconds"), "Duration");
}

static void
add_smprofiler (LoomProfilerConfigForm *self)
{
  self->smprofiler =
    new_expander (self, _ ("Use the newer SageMaker Profiler instead"), "Profiler", "SageMakerProfiler");
  adw_expander_row_add_row (self->smprofiler, new_known (self, CPU_DURATION));
  adw_expander_row_add_row (self->smprofiler, new_known (self, ROTATION));
  adw_preferences_group_add (self->smprofiler_group, GTK_WIDGET (self->smprofiler));
}

/* Completes the form: fills it with an empty plan and allows input. */
static void
end (LoomProfilerConfigForm *self)
{
  static const LoomProfilerPlan nothing = { 0 };
  loom_idle_queue_stop (&self->turns);
  put_plan (self, &nothing);
  /* allow input only now: earlier input would have been overwritten by the empty plan */
  gtk_widget_set_can_target (GTK_WIDGET (self), TRUE);
  gtk_widget_set_can_focus (GTK_WIDGET (self), TRUE);
  changed (self);
}

/* Makes the next part of the form. The parts are: the settings of the profiling request, those of the framework
 * profiler, one part for each metric, the settings of files, and those of smprofiler. Returns FALSE if all parts are
 * made. */
static gboolean
advance (gpointer form)
{
  static void (*const before[]) (LoomProfilerConfigForm *) = { add_request, add_framework };
  static void (*const behind[]) (LoomProfilerConfigForm *) = { add_files, add_smprofiler, end };
  LoomProfilerConfigForm *self = form;
  guint at = self->n_made++, n_before = G_N_ELEMENTS (before) + LOOM_N_PROFILER_METRICS;
  if (at < G_N_ELEMENTS (before))
    before[at](self);
  else if (at < n_before)
    adw_preferences_group_add (self->metrics_group, new_metric (self, at - G_N_ELEMENTS (before)));
  else
    behind[at - n_before](self);
  return self->n_made < n_before + G_N_ELEMENTS (behind);
}

static void
dispose (GObject *object)
{
  LoomProfilerConfigForm *self = LOOM_PROFILER_CONFIG_FORM (object);
  loom_idle_queue_stop (&self->turns);
  self->is_set = TRUE; /* ignore signals of rows, which they emit while they are being destroyed */
  g_clear_pointer (&self->rows, g_hash_table_unref);
  G_OBJECT_CLASS (loom_profiler_config_form_parent_class)->dispose (object);
}

static void
loom_profiler_config_form_class_init (LoomProfilerConfigFormClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = dispose;
  signals[CHANGED] =
    g_signal_new ("changed", LOOM_TYPE_PROFILER_CONFIG_FORM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/traceloom/Traceloom/loom-profiler-config-form.ui");
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigForm, files_group);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigForm, framework_group);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigForm, metrics_group);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigForm, request_group);
  gtk_widget_class_bind_template_child (widget_class, LoomProfilerConfigForm, smprofiler_group);
}

static void
loom_profiler_config_form_init (LoomProfilerConfigForm *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->rows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->is_set = TRUE; /* ignore the signals of rows while the rows are made */
  loom_idle_queue_init (&self->turns, advance, self);
  loom_idle_queue_begin (&self->turns);
}
