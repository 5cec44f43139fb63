/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli config`: shows how the SageMaker profiler in the training container interprets a profiler
 * configuration, checks configurations, and writes them.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-cli.h"
#include "loom-json-util.h"
#include "loom-output-file.h"
#include "loom-parse-time.h"
#include "loom-profiler-config-report.h"
#include "loom-profiler-plan-write.h"
#include "loom-run-info.h"

enum {
  START_STEP,
  NUM_STEPS,
  START_TIME,
  DURATION,
  INTERVAL,
  ROTATE_BYTES,
  ROTATE_SECONDS,
  FAIL_THRESHOLD,
  CPU_DURATION,
  ROTATION,
  N_NUMBERS,
};

typedef struct {
  char **files;
  char *format, *kind, *output, *from;
  char *numbers[N_NUMBERS];
  char **metrics;
  LoomProfilerPlan plan;
} Words;

static LoomExitStatus
fail (GError *error, const char *path)
{
  g_autofree char *message = g_strdup_printf ("%s: %s", path, error->message);
  loom_cli_message_failure (error, message);
  g_error_free (error);
  return LOOM_EXIT_STATUS_FAILED;
}

static LoomExitStatus
fail_file (GError *error, const char *path)
{
  loom_cli_set_failed_file (path);
  return fail (error, path);
}

static void
clear (Words *words)
{
  g_free (words->format);
  g_free (words->kind);
  g_free (words->output);
  g_free (words->from);
  for (guint i = 0; i < N_NUMBERS; i++)
    g_free (words->numbers[i]);
  g_strfreev (words->files);
  g_strfreev (words->metrics);
  loom_profiler_plan_clear (&words->plan);
}

/* --- the verbs “config show” and “config check” ------------------------------------------------------------------- */

static gboolean
parse_file (Words *words, const char *summary, gboolean *json, int argc, char **argv)
{
  g_autofree char *verb = g_strconcat ("config ", argv[0], NULL);
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &words->format,
      N_ ("Output format: json or text (default: text on a terminal, json otherwise)"), "WORD" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->files, NULL, "FILE" },
    { NULL }
  };
  if (!loom_cli_options_parse_entries (verb, NULL, summary, entries, NULL, argc, argv))
    return FALSE;
  if (words->files == NULL || words->files[0] == NULL || words->files[1] != NULL)
    return loom_cli_usage_error (verb, "one file is wanted");
  return loom_cli_options_parse_format (verb, words->format, json);
}

static LoomExitStatus
show (Words *words, int argc, char **argv)
{
  GError *error = NULL;
  gboolean json;
  if (!parse_file (words, N_ ("Explains what a profiler configuration does."), &json, argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (LoomProfilerConfig) config = loom_profiler_config_read (words->files[0], &error);
  if (config == NULL)
    return fail_file (error, words->files[0]);
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  g_autofree char *text = NULL;
  if (json) {
    g_autoptr (JsonNode) root = loom_profiler_config_report_to_json (config, effect);
    text = loom_run_info_print_json (root);
  } else {
    text = loom_profiler_config_report_to_text (config, effect);
  }
  return loom_cli_print (text, &error) ? LOOM_EXIT_STATUS_DONE : fail (error, "standard output");
}

static char *
notes_to_text (GPtrArray *first, GPtrArray *second)
{
  GString *out = g_string_new (NULL);
  loom_profiler_config_report_append_notes (out, first);
  loom_profiler_config_report_append_notes (out, second);
  return g_string_free (out, FALSE);
}

static char *
notes_to_json (GPtrArray *first, GPtrArray *second, gboolean bad)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  json_builder_begin_object (builder);
  loom_json_util_add_bool (builder, "usable", !bad);
  loom_profiler_config_report_add_notes (builder, first, second);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  return loom_run_info_print_json (root);
}

static LoomExitStatus
check (Words *words, int argc, char **argv)
{
  GError *error = NULL;
  gboolean json;
  if (!parse_file (words, N_ ("Checks a profiler configuration; the exit status is 1 if something is wrong."), &json,
                   argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (LoomProfilerConfig) config = loom_profiler_config_read (words->files[0], &error);
  if (config == NULL)
    return fail_file (error, words->files[0]);
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  gboolean bad =
    loom_profiler_config_notes_have_error (config->notes) || loom_profiler_config_notes_have_error (effect->notes);
  g_autofree char *text = json && words->format != NULL ? notes_to_json (config->notes, effect->notes, bad)
                                                        : notes_to_text (config->notes, effect->notes);
  if (!loom_cli_print (text, &error))
    return fail (error, "standard output");
  return bad ? LOOM_EXIT_STATUS_FAILED : LOOM_EXIT_STATUS_DONE;
}

/* --- write -------------------------------------------------------------------------------------------------------- */

/* Where to store a number from the command line: in `whole` if it must be an integer, otherwise in `real`. The pointer
 * that is not used is NULL. */
typedef struct {
  const char *option;
  gint64 *whole;
  double *real;
  /* set to TRUE if the option is given. If this pointer is NULL, the number must be greater than 0, because 0 means
   * "not given" in a plan. */
  gboolean *given;
} Number;

static gboolean
take_number (const Number *number, const char *text)
{
  if (number->given != NULL)
    *number->given = TRUE;
  if (number->whole != NULL)
    return (text[0] != '"' && loom_parse_time_parse_int (text, strlen (text), number->whole)) ||
           loom_cli_usage_error ("config write", "%s is a whole number, not “%s”", number->option, text);
  return loom_parse_time_parse_double (text, strlen (text), number->real) ||
         loom_cli_usage_error ("config write", "%s is a number, not “%s”", number->option, text);
}

static gboolean
is_zero (const Number *number)
{
  return number->whole != NULL ? *number->whole == 0 : !(*number->real < 0 || *number->real > 0);
}

static gboolean
take_numbers (Words *words)
{
  LoomProfilerPlan *plan = &words->plan;
  LoomProfilerPlanRange *range = &plan->range;
  const Number numbers[N_NUMBERS] = {
    [START_STEP] = { "--start-step", &range->start_step, NULL, &range->has_start_step },
    [NUM_STEPS] = { "--num-steps", &range->n_steps, NULL, &range->has_n_steps },
    [START_TIME] = { "--start-time", &range->start_s, NULL, &range->has_start_s },
    [DURATION] = { "--duration", NULL, &range->duration_s, &range->has_duration },
    [INTERVAL] = { "--interval", &plan->interval_ms, NULL, NULL },
    [ROTATE_BYTES] = { "--rotate-bytes", &plan->rotate_bytes, NULL, NULL },
    [ROTATE_SECONDS] = { "--rotate-seconds", NULL, &plan->rotate_s, NULL },
    [FAIL_THRESHOLD] = { "--fail-threshold", &plan->fail_threshold, NULL, NULL },
    [CPU_DURATION] = { "--cpu-duration", &plan->cpu_duration_s, NULL, NULL },
    [ROTATION] = { "--rotation", &plan->rotation_s, NULL, NULL },
  };
  for (guint i = 0; i < N_NUMBERS; i++)
    if (words->numbers[i] != NULL && !take_number (&numbers[i], words->numbers[i]))
      return FALSE;
  for (guint i = 0; i < N_NUMBERS; i++)
    if (words->numbers[i] != NULL && numbers[i].given == NULL && is_zero (&numbers[i]))
      return loom_cli_usage_error ("config write", "%s has to be above 0", numbers[i].option);
  return TRUE;
}

static gboolean
take_metrics (Words *words)
{
  static const char *const names[LOOM_N_PROFILER_METRICS] = { "detailed", "dataloader", "python", "horovod",
                                                              "smdataparallel" };
  for (guint i = 0; words->metrics != NULL && words->metrics[i] != NULL; i++) {
    guint metric = 0;
    while (metric < LOOM_N_PROFILER_METRICS && strcmp (names[metric], words->metrics[i]) != 0)
      metric++;
    if (metric == LOOM_N_PROFILER_METRICS)
      return loom_cli_usage_error ("config write",
                                   "--metric is one of detailed, dataloader, python, horovod, smdataparallel, not “%s”",
                                   words->metrics[i]);
    words->plan.chosen |= 1u << metric;
  }
  return TRUE;
}

static gboolean
take_kind (const Words *words, LoomProfilerPlanKind *kind)
{
  if (words->kind == NULL)
    return loom_cli_usage_error ("config write", "--kind is missing");
  if (!loom_profiler_plan_write_kind_from_string (words->kind, kind))
    return loom_cli_usage_error ("config write", "--kind is request, container, python, pytorch or composer, not “%s”",
                                 words->kind);
  if (words->output == NULL || words->output[0] == '\0')
    return loom_cli_usage_error ("config write", "-o FILE is missing");
  return TRUE;
}

static gboolean
parse_write (Words *words, LoomProfilerPlanKind *kind, int argc, char **argv)
{
  LoomProfilerPlan *plan = &words->plan;
  const GOptionEntry entries[] = {
    { "kind", 0, 0, G_OPTION_ARG_STRING, &words->kind,
      N_ (
        "What to write: request (ProfilerConfig of a training job), container (profilerconfig.json), python (for the SageMaker SDK), pytorch or composer (a schedule for the same steps)"),
      "WORD" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &words->output, N_ ("File to write; “-” is standard output"), "FILE" },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &words->from,
      N_ (
        "Start from the configuration in FILE and keep what the options do not set (with --kind request or container)"),
      "FILE" },
    { "start-step", 0, 0, G_OPTION_ARG_STRING, &words->numbers[START_STEP], N_ ("First step to profile"), "N" },
    { "num-steps", 0, 0, G_OPTION_ARG_STRING, &words->numbers[NUM_STEPS], N_ ("Number of steps"), "N" },
    { "start-time", 0, 0, G_OPTION_ARG_STRING, &words->numbers[START_TIME], N_ ("When to begin, in seconds since 1970"),
      "S" },
    { "duration", 0, 0, G_OPTION_ARG_STRING, &words->numbers[DURATION], N_ ("Duration in seconds"), "S" },
    { "metric", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words->metrics,
      N_ ("Only this metric (repeatable): detailed, dataloader, python, horovod or smdataparallel"), "NAME" },
    { "default-steps", 0, 0, G_OPTION_ARG_NONE, &plan->default_steps,
      N_ ("Use the default steps for the metrics given with --metric"), NULL },
    { "regex", 0, 0, G_OPTION_ARG_STRING, &plan->regex,
      N_ ("Regular expression for the names of data loader events to profile"), "R" },
    { "profiler", 0, 0, G_OPTION_ARG_STRING, &plan->python_profiler, N_ ("Python profiler: cprofile or pyinstrument"),
      "WORD" },
    { "timer", 0, 0, G_OPTION_ARG_STRING, &plan->timer,
      N_ ("Timer of cProfile: total_time, cpu_time, off_cpu_time or default"), "WORD" },
    { "interval", 0, 0, G_OPTION_ARG_STRING, &words->numbers[INTERVAL],
      N_ ("Interval of system metrics in ms: 100, 200, 500, 1000, 5000 or 60000"), "MS" },
    { "local-path", 0, 0, G_OPTION_ARG_STRING, &plan->local_path, N_ ("Output folder in the container"), "PATH" },
    { "rotate-bytes", 0, 0, G_OPTION_ARG_STRING, &words->numbers[ROTATE_BYTES], N_ ("Start a new file after N bytes"),
      "N" },
    { "rotate-seconds", 0, 0, G_OPTION_ARG_STRING, &words->numbers[ROTATE_SECONDS],
      N_ ("Start a new file after S seconds"), "S" },
    { "fail-threshold", 0, 0, G_OPTION_ARG_STRING, &words->numbers[FAIL_THRESHOLD],
      N_ ("Give up after N failures to open a file"), "N" },
    { "s3-output-path", 0, 0, G_OPTION_ARG_STRING, &plan->s3_output_path, N_ ("S3 location for the output"), "URI" },
    { "system-only", 0, 0, G_OPTION_ARG_NONE, &plan->no_framework, N_ ("Do not collect framework metrics"), NULL },
    { "sagemaker-profiler", 0, 0, G_OPTION_ARG_NONE, &plan->smprofiler,
      N_ ("Configure the newer SageMaker Profiler instead"), NULL },
    { "cpu-duration", 0, 0, G_OPTION_ARG_STRING, &words->numbers[CPU_DURATION],
      N_ ("SageMaker Profiler: seconds of CPU profiling"), "S" },
    { "rotation", 0, 0, G_OPTION_ARG_STRING, &words->numbers[ROTATION],
      N_ ("SageMaker Profiler: start a new file after S seconds"), "S" },
    { "disable", 0, 0, G_OPTION_ARG_NONE, &plan->disable, N_ ("Turn the profiler off"), NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &words->format,
      N_ ("Output format: json prints what was written, and failures as JSON (default: print nothing)"), "WORD" },
    { "one-duration-key", 0, 0, G_OPTION_ARG_NONE, &plan->one_duration_key,
      N_ ("Write only DurationInSeconds, which the container reads, and not Duration, which the SDK writes"), NULL },
    { NULL }
  };
  if (!loom_cli_options_parse_entries ("config write", "-o FILE", N_ ("Writes a profiler configuration."), entries,
                                       NULL, argc, argv))
    return FALSE;
  return take_kind (words, kind) && take_numbers (words) && take_metrics (words);
}

static void
say (GPtrArray *notes)
{
  for (guint i = 0; i < notes->len; i++) {
    const LoomProfilerConfigNote *note = notes->pdata[i];
    loom_cli_message ("%s%s%s", note->where, *note->where != '\0' ? ": " : "", note->message);
  }
}

static LoomExitStatus
print_written (const Words *words, GPtrArray *notes)
{
  GError *error = NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GPtrArray) none = loom_profiler_config_notes_new ();
  json_builder_begin_object (builder);
  loom_json_util_add_path (builder, "path", words->output);
  loom_profiler_config_report_add_notes (builder, notes, none);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = loom_run_info_print_json (root);
  return loom_cli_print (text, &error) ? LOOM_EXIT_STATUS_DONE : fail (error, "standard output");
}

static LoomExitStatus
write_config (Words *words, int argc, char **argv)
{
  LoomProfilerPlanKind kind;
  GError *error = NULL;
  gboolean json = FALSE;
  if (!parse_write (words, &kind, argc, argv) || !loom_cli_options_parse_format ("config write", words->format, &json))
    return LOOM_EXIT_STATUS_USAGE;
  gboolean wants_result = json && words->format != NULL && strcmp (words->output, "-") != 0;
  g_autoptr (GPtrArray) notes = loom_profiler_plan_check (&words->plan);
  say (notes);
  if (loom_profiler_config_notes_have_error (notes))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (LoomProfilerConfig) base = words->from != NULL ? loom_profiler_config_read (words->from, &error) : NULL;
  if (error != NULL)
    return fail_file (error, words->from);
  g_autofree char *text = loom_profiler_plan_write_print (&words->plan, kind, base, &error);
  if (text == NULL)
    return fail (error, "config write");
  g_autoptr (LoomInputFiles) from = words->from != NULL ? loom_input_files_new (words->from) : NULL;
  LoomOutputFile *output = loom_output_file_new (words->output, &error);
  if (output == NULL)
    return fail (error, "config write");
  loom_output_file_append (output, text, strlen (text));
  if (!loom_output_file_commit (output, &error))
    return fail_file (error, words->output);
  return wants_result ? print_written (words, notes) : LOOM_EXIT_STATUS_DONE;
}

/* --- choosing the verb after “config” ----------------------------------------------------------------------------- */

LoomExitStatus
loom_cli_config (int argc, char **argv)
{
  static const struct {
    const char *word;
    LoomExitStatus (*run) (Words *words, int argc, char **argv);
    const char *summary;
  } verbs[] = {
    { "show", show, N_ ("explain what a configuration does in the training container") },
    { "check", check, N_ ("check a configuration for errors") },
    { "write", write_config, N_ ("write a configuration") },
  };
  Words words = { 0 };
  for (guint i = 0; argc > 1 && i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[1], verbs[i].word) == 0) {
      LoomExitStatus status = verbs[i].run (&words, argc - 1, argv + 1);
      clear (&words);
      return status;
    }
  if (argc < 2 || (strcmp (argv[1], "--help") != 0 && strcmp (argv[1], "-h") != 0)) {
    if (argc < 2)
      loom_cli_usage_error ("config", "“show”, “check” or “write” is missing");
    else
      loom_cli_usage_error ("config", "“%s” is not “show”, “check” or “write”", argv[1]);
    return LOOM_EXIT_STATUS_USAGE;
  }
  g_autoptr (GString) help = g_string_new (NULL);
  g_string_append_printf (help, "%s\n  traceloom-cli config %s\n\n%s\n", loom_cli_word (N_ ("Usage:")),
                          loom_cli_word (N_ ("VERB [OPTION…] [FILE]")),
                          loom_cli_word (N_ ("Profiler configurations. Verbs:")));
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_string_append_printf (help, "  %-6s %s\n", verbs[i].word, loom_cli_word (verbs[i].summary));
  return loom_cli_print (help->str, NULL) ? LOOM_EXIT_STATUS_DONE : LOOM_EXIT_STATUS_FAILED;
}
