/* SPDX-License-Identifier: Apache-2.0
 *
 * Every analysis in one document. smdebug's numbers come from the times the formats declare, as smdebug reads them.
 */
#include <string.h>

#include "loom-book.h"
#include "loom-cli.h"
#include "loom-output.h"
#include "loom-path.h"
#include "loom-report.h"

typedef enum { REPORT_TEXT, REPORT_JSON, REPORT_HTML, REPORT_PDF } ReportKind;

typedef struct {
  char *output;
  char *numbers_word;
  LoomNumbers numbers;
  ReportKind kind;
} ReportOptions;

static GBytes *
take_text (char *text)
{
  return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

static GBytes *
make_book (LoomReport *report, ReportKind kind, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomBook) book = loom_book_new (report, cancellable, error);
  if (book == NULL)
    return NULL;
  return kind == REPORT_PDF ? loom_book_to_pdf (book, cancellable, error) : loom_book_to_html (book, cancellable, error);
}

static GBytes *
make_report (LoomCliJob *job, ReportKind kind, const LoomReportOptions *wanted, GError **error)
{
  LoomProgress *progress = loom_cli_watch_begin (job->watch, "Analysing");
  GCancellable *cancellable = loom_progress_get_cancellable (progress);
  g_autoptr (LoomReport) report = loom_report_new (job->timeline, wanted, cancellable, error);
  if (report == NULL)
    return NULL;
  if (kind == REPORT_HTML || kind == REPORT_PDF)
    return make_book (report, kind, cancellable, error);
  if (kind == REPORT_TEXT)
    return take_text (loom_report_to_text (report, cancellable, error));
  g_autoptr (JsonNode) root = loom_report_to_json (report, cancellable, error);
  return root != NULL ? take_text (loom_report_print_json (root)) : NULL;
}

static gboolean
write_report (const char *path, GBytes *report, GError **error)
{
  LoomOutput *output = loom_output_new (path != NULL ? path : "-", error);
  if (output == NULL)
    return FALSE;
  gsize length;
  const char *bytes = g_bytes_get_data (report, &length);
  loom_output_append (output, bytes, length);
  return loom_output_commit (output, error);
}

static LoomExit
run_report (LoomCliJob *job, const ReportOptions *own)
{
  GError *error = NULL;
  LoomReportOptions wanted = { .numbers = own->numbers };
  if (!loom_cli_job_get_range (job, own->numbers == LOOM_NUMBERS_SMDEBUG, &wanted.has_range, &wanted.range, &error))
    return loom_cli_job_fail (job, error);
  if (wanted.has_range && !job->options->quiet)
    loom_cli_job_touches (job, &wanted.range);
  g_autoptr (GBytes) report = make_report (job, own->kind, &wanted, &error);
  if (report == NULL)
    return loom_cli_job_fail (job, error);
  loom_cli_watch_clear (job->watch);
  if (!write_report (own->output, report, &error))
    return loom_cli_job_fail (job, error);
  return loom_cli_job_finish (job);
}

static const struct {
  const char *ending;
  ReportKind kind;
} endings[] = { { ".json", REPORT_JSON }, { ".txt", REPORT_TEXT }, { ".html", REPORT_HTML }, { ".htm", REPORT_HTML }, { ".pdf", REPORT_PDF } };

/* The name of the file says what is written, unless --format does. */
static gboolean
check_output (ReportOptions *own, const LoomCliOptions *options)
{
  g_autofree char *lower = own->output != NULL ? g_ascii_strdown (own->output, -1) : NULL;
  own->kind = options->json ? REPORT_JSON : REPORT_TEXT;
  if (lower == NULL || options->format_word != NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending)) {
      own->kind = endings[i].kind;
      return TRUE;
    }
  g_autofree char *shown = loom_path_dup_printable (own->output);
  loom_cli_usage_error ("report", "“%s” names no kind of report: end it in .html, .pdf, .json or .txt, or say --format", shown);
  return FALSE;
}

static gboolean
check (ReportOptions *own, const LoomCliOptions *options)
{
  if (own->numbers_word == NULL || strcmp (own->numbers_word, "intended") == 0)
    own->numbers = LOOM_NUMBERS_INTENDED;
  else if (strcmp (own->numbers_word, "smdebug") == 0)
    own->numbers = LOOM_NUMBERS_SMDEBUG;
  else {
    loom_cli_usage_error ("report", "--numbers is “intended” or “smdebug”, not “%s”", own->numbers_word);
    return FALSE;
  }
  return check_output (own, options);
}

LoomExit
loom_cli_report (int argc, char **argv)
{
  LoomCliOptions options = LOOM_CLI_OPTIONS_INIT;
  LoomCliJob job = { 0 };
  ReportOptions own = { 0 };
  const GOptionEntry entries[] = {
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &own.output, "The report to write: .html, .pdf, .json or .txt (default: standard output)", "FILE" },
    { "numbers", 0, 0, G_OPTION_ARG_STRING, &own.numbers_word,
      "intended (default), or smdebug: as SageMaker's library computes them", "WORD" },
    { NULL }
  };
  LoomExit status = LOOM_EXIT_USAGE;
  options.has_format = TRUE;
  if (loom_cli_options_parse (&options, entries, NULL, "Where the time went: every analysis of the run.", argc, argv) &&
      check (&own, &options)) {
    status = loom_cli_job_load (&job, &options, own.numbers == LOOM_NUMBERS_SMDEBUG ? LOOM_ALIGN_DECLARED : LOOM_ALIGN_AUTO);
    if (status == LOOM_EXIT_DONE)
      status = run_report (&job, &own);
    loom_cli_job_clear (&job);
  }
  loom_cli_options_clear (&options);
  g_free (own.output);
  g_free (own.numbers_word);
  return status;
}
