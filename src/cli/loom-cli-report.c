/* SPDX-License-Identifier: Apache-2.0
 *
 * The command `traceloom-cli report`: writes the results of all analyses to one document. Results that are computed as
 * smdebug does use the clocks that the file formats declare, without alignment, because smdebug does not align clocks.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-output-file.h"

typedef struct {
  char *output;
  char *numbers_word;
  gboolean as_smdebug;
  LoomReportKind kind;
  LoomAnalysisThresholds thresholds;
} ReportOptions;

static LoomExitStatus
run_report (LoomCliJob *job, gpointer data)
{
  const ReportOptions *own = data;
  GError *error = NULL;
  LoomReportOptions wanted = { .numbers =
                                 own->as_smdebug ? LOOM_NUMBER_CONVENTION_SMDEBUG : LOOM_NUMBER_CONVENTION_INTENDED,
                               .thresholds = own->thresholds,
                               .names = job->edits };
  if (!loom_cli_job_get_range (job, own->as_smdebug, &wanted.has_range, &wanted.range, &error))
    return loom_cli_job_fail (job, error);
  wanted.has_steps = job->has_steps;
  wanted.steps = job->steps;
  if (wanted.has_range && !loom_cli_job_touches (job, &wanted.range))
    return LOOM_EXIT_STATUS_FAILED;
  GCancellable *cancellable = loom_progress_get_cancellable (loom_cli_watch_begin (job->watch, "Analysing"));
  g_autoptr (GBytes) report = loom_report_file_make (job->timeline, &wanted, own->kind, cancellable, &error);
  if (report == NULL)
    return loom_cli_job_fail (job, error);
  loom_cli_watch_clear (job->watch);
  if (!loom_output_file_write (own->output != NULL ? own->output : "-", report, &error))
    return loom_cli_job_fail (job, error);
  loom_cli_job_tell_output (job, "report", own->output);
  return loom_cli_job_finish (job);
}

/* Checks the thresholds. Limits must be percentages. The factor for outliers must be at least 1, because an outlier
 * is a step that is longer than the median. */
static gboolean
check_thresholds (const LoomAnalysisThresholds *thresholds)
{
  const LoomBottleneckLimits *limits = &thresholds->bottleneck;
  if (!(limits->high_cpu >= 0 && limits->high_cpu <= 100 && limits->low_gpu >= 0 && limits->low_gpu <= 100))
    return loom_cli_usage_error ("report", "--high-cpu and --low-gpu are percentages, from 0 to 100");
  if (!(thresholds->outlier_factor >= 1 && thresholds->outlier_factor <= 1000))
    return loom_cli_usage_error ("report", "--outlier-factor is a number of medians, from 1 to 1000");
  if (!(thresholds->balance_distance >= 0 && thresholds->balance_distance <= 1))
    return loom_cli_usage_error ("report", "--balance-distance is a distance, from 0 to 1");
  const LoomPeakSettings *peaks = &thresholds->peaks;
  return (peaks->tflops >= 0 && peaks->tflops <= LOOM_DEVICE_PEAKS_MOST && peaks->tb_per_s >= 0 &&
          peaks->tb_per_s <= LOOM_DEVICE_PEAKS_MOST) ||
         loom_cli_usage_error ("report",
                               "--peak-tflops and --peak-bandwidth are from 0 (known from the GPU) to 1000000");
}

static LoomExitStatus
check (LoomCliJob *job, gpointer data)
{
  ReportOptions *own = data;
  if (!loom_cli_options_parse_word ("report", "--numbers", own->numbers_word, "intended", "smdebug",
                                    &own->as_smdebug) ||
      !check_thresholds (&own->thresholds) ||
      !loom_cli_options_choose_kind ("report", &job->options, own->output, &own->kind))
    return LOOM_EXIT_STATUS_USAGE;
  job->output = own->output;
  job->clock = own->as_smdebug ? LOOM_ALIGN_DECLARED : LOOM_ALIGN_AUTO;
  return LOOM_EXIT_STATUS_DONE;
}

LoomExitStatus
loom_cli_report (int argc, char **argv)
{
  static const LoomCliVerb verb = { NULL, N_ ("Reports where the time went, with every analysis of the run."), TRUE,
                                    check, run_report };
  LoomCliJob job = { .options.allows_html = TRUE };
  ReportOptions own = { .thresholds = LOOM_THRESHOLDS };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output,
      N_ ("The report to write: a file name that ends in .html, .pdf, .json or .txt; - is standard output (default)"),
      "FILE" },
    { "numbers", 0, 0, G_OPTION_ARG_STRING, &own.numbers_word,
      N_ ("How to compute the numbers: intended (default), or smdebug, as SageMaker’s library does"), "WORD" },
    { "high-cpu", 0, 0, G_OPTION_ARG_DOUBLE, &own.thresholds.bottleneck.high_cpu,
      N_ ("Utilization in percent above which a CPU core counts as saturated (default: 90)"), "PERCENT" },
    { "low-gpu", 0, 0, G_OPTION_ARG_DOUBLE, &own.thresholds.bottleneck.low_gpu,
      N_ ("Utilization in percent at or below which a GPU counts as starved (default: 10)"), "PERCENT" },
    { "outlier-factor", 0, 0, G_OPTION_ARG_DOUBLE, &own.thresholds.outlier_factor,
      N_ ("A step that takes more than this many times the median is an outlier (default: 2)"), "N" },
    { "balance-distance", 0, 0, G_OPTION_ARG_DOUBLE, &own.thresholds.balance_distance,
      N_ ("Report two GPUs as imbalanced if the distance between their usage histograms exceeds this (default: 0.5)"),
      "D" },
    { "peak-tflops", 0, 0, G_OPTION_ARG_DOUBLE, &own.thresholds.peaks.tflops,
      N_ ("The peak of one GPU in TFLOP/s, for all data types (default: known from the name of the GPU)"), "N" },
    { "peak-bandwidth", 0, 0, G_OPTION_ARG_DOUBLE, &own.thresholds.peaks.tb_per_s,
      N_ ("The memory bandwidth of one GPU in TB/s (default: known from the name of the GPU)"), "N" },
    { NULL }
  };
  LoomExitStatus status = loom_cli_job_run (&job, &verb, entries, &own, argc, argv);
  g_free (own.output);
  g_free (own.numbers_word);
  return status;
}
