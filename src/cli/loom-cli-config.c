/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiler configurations: shows how the reader in the container interprets them, checks them, writes them.
 */
#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

#include "loom-cli.h"
#include "loom-output-file.h"
#include "loom-parse-time.h"
#include "loom-profiler-config-report.h"
#include "loom-profiler-plan-write.h"
#include "loom-run-info.h"

typedef struct {
  char **files;
  char *format, *kind, *output, *from;
  char *start_step, *num_steps, *start_time, *duration;
  char *interval, *rotate_bytes, *rotate_s, *fail_threshold, *cpu_duration, *rotation;
  char **metrics;
  gboolean only_system;
  LoomProfilerPlan plan;
} Words;

static LoomExitStatus
fail (GError *error, const char *path)
{
  loom_cli_message ("%s: %s", path, error->message);
  g_error_free (error);
  return LOOM_EXIT_STATUS_FAILED;
}

static gboolean
parse (Words *words, const GOptionEntry *entries, const char *usage, const char *summary, int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (usage);
  g_autofree char *program = g_strconcat ("traceloom-cli config ", argv[0], NULL),
                  *verb = g_strconcat ("config ", argv[0], NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_set_summary (context, loom_cli_word (summary));
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_set_prgname (program);
  gboolean good = g_option_context_parse (context, &argc, &argv, &error);
  g_set_prgname ("traceloom-cli");
  if (!good)
    loom_cli_usage_error (verb, "%s", error->message);
  return good;
}

static void
clear (Words *words)
{
  char **texts[] = { &words->format,       &words->kind,         &words->output,     &words->from,
                     &words->start_step,   &words->num_steps,    &words->start_time, &words->duration,
                     &words->interval,     &words->rotate_bytes, &words->rotate_s,   &words->fail_threshold,
                     &words->cpu_duration, &words->rotation };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
  g_clear_pointer (&words->files, g_strfreev);
  g_clear_pointer (&words->metrics, g_strfreev);
  loom_profiler_plan_clear (&words->plan);
}

/* --- show and check -------------------------------------------------------------------------------------------------- */

static gboolean
parse_file (Words *words, const char *summary, gboolean has_format, int argc, char **argv)
{
  g_autofree char *verb = g_strconcat ("config ", argv[0], NULL);
  const GOptionEntry entries[] = {
    { "format", 0, has_format ? 0 : G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_STRING, &words->format,
      N_ ("json or text (default: text on a terminal, json otherwise)"), "WORD" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words->files, NULL, "FILE" },
    { NULL }
  };
  if (!parse (words, entries, NULL, summary, argc, argv))
    return FALSE;
  if (words->files == NULL || words->files[0] == NULL || words->files[1] != NULL)
    loom_cli_usage_error (verb, "one file is wanted");
  else if (words->format != NULL && strcmp (words->format, "json") != 0 && strcmp (words->format, "text") != 0)
    loom_cli_usage_error (verb, "--format is “json” or “text”, not “%s”", words->format);
  else
    return TRUE;
  return FALSE;
}

static LoomExitStatus
show (Words *words, int argc, char **argv)
{
  GError *error = NULL;
  if (!parse_file (words, N_ ("What a profiler configuration does."), TRUE, argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (LoomProfilerConfig) config = loom_profiler_config_read (words->files[0], &error);
  if (config == NULL)
    return fail (error, words->files[0]);
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  g_autofree char *text = NULL;
  if (words->format != NULL ? strcmp (words->format, "json") == 0 : !isatty (STDOUT_FILENO)) {
    g_autoptr (JsonNode) root = loom_profiler_config_report_to_json (config, effect);
    text = loom_run_info_print_json (root);
  } else {
    text = loom_profiler_config_report_to_text (config, effect);
  }
  return loom_cli_print (text, &error) ? LOOM_EXIT_STATUS_DONE : fail (error, "standard output");
}

static LoomExitStatus
check (Words *words, int argc, char **argv)
{
  GError *error = NULL;
  if (!parse_file (words, N_ ("What is wrong with a profiler configuration; exit status 1 when something is."), FALSE,
                   argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (LoomProfilerConfig) config = loom_profiler_config_read (words->files[0], &error);
  if (config == NULL)
    return fail (error, words->files[0]);
  g_autoptr (LoomProfilerConfigEffect) effect = loom_profiler_config_effect_new (config);
  g_autoptr (GString) out = g_string_new (NULL);
  loom_profiler_config_report_append_notes (out, config->notes);
  loom_profiler_config_report_append_notes (out, effect->notes);
  if (!loom_cli_print (out->str, &error))
    return fail (error, "standard output");
  gboolean bad =
    loom_profiler_config_notes_have_error (config->notes) || loom_profiler_config_notes_have_error (effect->notes);
  return bad ? LOOM_EXIT_STATUS_FAILED : LOOM_EXIT_STATUS_DONE;
}

/* --- write ----------------------------------------------------------------------------------------------------------- */

static gboolean
take_int (const char *text, const char *option, gboolean *given, gint64 *value)
{
  if (text == NULL)
    return TRUE;
  if (given != NULL)
    *given = TRUE;
  if (text[0] != '"' && loom_parse_time_parse_int (text, strlen (text), value))
    return TRUE;
  loom_cli_usage_error ("config write", "%s is a whole number, not “%s”", option, text);
  return FALSE;
}

static gboolean
take_real (const char *text, const char *option, gboolean *given, double *value)
{
  if (text == NULL)
    return TRUE;
  if (given != NULL)
    *given = TRUE;
  if (loom_parse_time_parse_double (text, strlen (text), value))
    return TRUE;
  loom_cli_usage_error ("config write", "%s is a number, not “%s”", option, text);
  return FALSE;
}

static gboolean
take_numbers (Words *words)
{
  LoomProfilerPlan *plan = &words->plan;
  LoomProfilerPlanRange *range = &plan->range;
  return take_int (words->start_step, "--start-step", &range->has_start_step, &range->start_step) &&
         take_int (words->num_steps, "--num-steps", &range->has_n_steps, &range->n_steps) &&
         take_int (words->start_time, "--start-time", &range->has_start_s, &range->start_s) &&
         take_real (words->duration, "--duration", &range->has_duration, &range->duration_s) &&
         take_int (words->interval, "--interval", NULL, &plan->interval_ms) &&
         take_int (words->rotate_bytes, "--rotate-bytes", NULL, &plan->rotate_bytes) &&
         take_real (words->rotate_s, "--rotate-seconds", NULL, &plan->rotate_s) &&
         take_int (words->fail_threshold, "--fail-threshold", NULL, &plan->fail_threshold) &&
         take_int (words->cpu_duration, "--cpu-duration", NULL, &plan->cpu_duration_s) &&
         take_int (words->rotation, "--rotation", NULL, &plan->rotation_s);
}

/* Rejects an explicit 0: these options must be above 0, and a plan's 0 means "not given". */
static gboolean
no_zeros (Words *words)
{
  const LoomProfilerPlan *plan = &words->plan;
  const struct {
    const char *text, *option;
    gboolean zero;
  } all[] = {
    { words->interval, "--interval", plan->interval_ms == 0 },
    { words->rotate_bytes, "--rotate-bytes", plan->rotate_bytes == 0 },
    { words->rotate_s, "--rotate-seconds", !(plan->rotate_s < 0 || plan->rotate_s > 0) },
    { words->fail_threshold, "--fail-threshold", plan->fail_threshold == 0 },
    { words->cpu_duration, "--cpu-duration", plan->cpu_duration_s == 0 },
    { words->rotation, "--rotation", plan->rotation_s == 0 },
  };
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (all[i].text != NULL && all[i].zero) {
      loom_cli_usage_error ("config write", "%s has to be above 0", all[i].option);
      return FALSE;
    }
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
    if (metric == LOOM_N_PROFILER_METRICS) {
      loom_cli_usage_error ("config write",
                            "--metric is one of detailed, dataloader, python, horovod, smdataparallel, not “%s”",
                            words->metrics[i]);
      return FALSE;
    }
    words->plan.chosen |= 1u << metric;
  }
  return TRUE;
}

static gboolean
parse_write (Words *words, LoomProfilerPlanKind *kind, int argc, char **argv)
{
  LoomProfilerPlan *plan = &words->plan;
  const GOptionEntry entries[] = {
    { "kind", 0, 0, G_OPTION_ARG_STRING, &words->kind,
      N_ (
        "request (ProfilerConfig of a training job), container (profilerconfig.json), python (for the SageMaker SDK), "
        "pytorch or composer (a schedule for the same steps)"),
      "WORD" },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &words->output, N_ ("Where to write it; “-” is standard output"),
      "FILE" },
    { "from", 0, 0, G_OPTION_ARG_FILENAME, &words->from, N_ ("Keep what FILE has besides (request and container)"),
      "FILE" },
    { "start-step", 0, 0, G_OPTION_ARG_STRING, &words->start_step, N_ ("First step to profile"), "N" },
    { "num-steps", 0, 0, G_OPTION_ARG_STRING, &words->num_steps, N_ ("How many steps"), "N" },
    { "start-time", 0, 0, G_OPTION_ARG_STRING, &words->start_time, N_ ("When to begin, in seconds since 1970"), "S" },
    { "duration", 0, 0, G_OPTION_ARG_STRING, &words->duration, N_ ("How long, in seconds"), "S" },
    { "metric", 0, 0, G_OPTION_ARG_STRING_ARRAY, &words->metrics,
      N_ ("Only this metric (repeatable): detailed, dataloader, python, horovod, smdataparallel"), "NAME" },
    { "default-steps", 0, 0, G_OPTION_ARG_NONE, &plan->default_steps,
      N_ ("The default steps of the metrics that are named"), NULL },
    { "regex", 0, 0, G_OPTION_ARG_STRING, &plan->regex, N_ ("Names of data loader events"), "R" },
    { "profiler", 0, 0, G_OPTION_ARG_STRING, &plan->python_profiler, N_ ("cprofile or pyinstrument"), "WORD" },
    { "timer", 0, 0, G_OPTION_ARG_STRING, &plan->timer, N_ ("total_time, cpu_time, off_cpu_time or default"), "WORD" },
    { "interval", 0, 0, G_OPTION_ARG_STRING, &words->interval,
      N_ ("Of system metrics: 100, 200, 500, 1000, 5000 or 60000"), "MS" },
    { "local-path", 0, 0, G_OPTION_ARG_STRING, &plan->local_path, N_ ("Where the container writes"), "PATH" },
    { "rotate-bytes", 0, 0, G_OPTION_ARG_STRING, &words->rotate_bytes, N_ ("A new file after N bytes"), "N" },
    { "rotate-seconds", 0, 0, G_OPTION_ARG_STRING, &words->rotate_s, N_ ("A new file after S seconds"), "S" },
    { "fail-threshold", 0, 0, G_OPTION_ARG_STRING, &words->fail_threshold,
      N_ ("Give up after N failures to open a file"), "N" },
    { "s3-output-path", 0, 0, G_OPTION_ARG_STRING, &plan->s3_output_path, N_ ("Where the service puts the output"),
      "URI" },
    { "system-only", 0, 0, G_OPTION_ARG_NONE, &plan->no_framework, N_ ("No framework metrics"), NULL },
    { "sagemaker-profiler", 0, 0, G_OPTION_ARG_NONE, &plan->smprofiler, N_ ("The newer SageMaker Profiler instead"),
      NULL },
    { "cpu-duration", 0, 0, G_OPTION_ARG_STRING, &words->cpu_duration,
      N_ ("SageMaker Profiler: seconds of CPU profiling"), "S" },
    { "rotation", 0, 0, G_OPTION_ARG_STRING, &words->rotation, N_ ("SageMaker Profiler: a new file after S seconds"),
      "S" },
    { "disable", 0, 0, G_OPTION_ARG_NONE, &plan->disable, N_ ("Turn the profiler off"), NULL },
    { "one-duration-key", 0, 0, G_OPTION_ARG_NONE, &plan->one_duration_key,
      N_ ("Only DurationInSeconds, which the container reads, and not Duration as the SDK writes it"), NULL },
    { NULL }
  };
  if (!parse (words, entries, "-o FILE", N_ ("Write a profiler configuration."), argc, argv))
    return FALSE;
  if (words->kind == NULL)
    loom_cli_usage_error ("config write", "--kind is missing");
  else if (!loom_profiler_plan_write_kind_from_string (words->kind, kind))
    loom_cli_usage_error ("config write", "--kind is request, container, python, pytorch or composer, not “%s”",
                          words->kind);
  else if (words->output == NULL || words->output[0] == '\0')
    loom_cli_usage_error ("config write", "-o FILE is missing");
  else
    return take_numbers (words) && no_zeros (words) && take_metrics (words);
  return FALSE;
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
write_config (Words *words, int argc, char **argv)
{
  LoomProfilerPlanKind kind;
  GError *error = NULL;
  if (!parse_write (words, &kind, argc, argv))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (GPtrArray) notes = loom_profiler_plan_check (&words->plan);
  say (notes);
  if (loom_profiler_config_notes_have_error (notes))
    return LOOM_EXIT_STATUS_USAGE;
  g_autoptr (LoomProfilerConfig) base = words->from != NULL ? loom_profiler_config_read (words->from, &error) : NULL;
  if (error != NULL)
    return fail (error, words->from);
  g_autofree char *text = loom_profiler_plan_write_print (&words->plan, kind, base, &error);
  if (text == NULL)
    return fail (error, "config write");
  g_autoptr (LoomInputFiles) from = words->from != NULL ? loom_input_files_new (words->from) : NULL;
  LoomOutputFile *output = loom_output_file_new (words->output, &error);
  if (output == NULL)
    return fail (error, "config write");
  loom_output_file_append (output, text, strlen (text));
  return loom_output_file_commit (output, &error) ? LOOM_EXIT_STATUS_DONE : fail (error, "config write");
}

/* --- the verb -------------------------------------------------------------------------------------------------------- */

LoomExitStatus
loom_cli_config (int argc, char **argv)
{
  static const struct {
    const char *word;
    LoomExitStatus (*run) (Words *words, int argc, char **argv);
    const char *summary;
  } verbs[] = {
    { "show", show, N_ ("what it does, as the reader in the container understands it") },
    { "check", check, N_ ("what is wrong with it") },
    { "write", write_config, N_ ("write one") },
  };
  Words words = { 0 };
  for (guint i = 0; argc > 1 && i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (argv[1], verbs[i].word) == 0) {
      LoomExitStatus status = verbs[i].run (&words, argc - 1, argv + 1);
      clear (&words);
      return status;
    }
  if (argc < 2 || (strcmp (argv[1], "--help") != 0 && strcmp (argv[1], "-h") != 0))
    return argc < 2 ? loom_cli_usage_error ("config", "“show”, “check” or “write” is missing")
                    : loom_cli_usage_error ("config", "“%s” is not “show”, “check” or “write”", argv[1]);
  g_autoptr (GString) help = g_string_new (NULL);
  g_string_append_printf (help, "%s\n  traceloom-cli config %s\n\n%s\n", loom_cli_word (N_ ("Usage:")),
                          loom_cli_word (N_ ("VERB [OPTION…] [FILE]")),
                          loom_cli_word (N_ ("Profiler configurations. Verbs:")));
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_string_append_printf (help, "  %-6s %s\n", verbs[i].word, loom_cli_word (verbs[i].summary));
  return loom_cli_print (help->str, NULL) ? LOOM_EXIT_STATUS_DONE : LOOM_EXIT_STATUS_FAILED;
}
