/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the format by the extension of the file name, and prints the report or the comparison in this format.
 */
#include "loom-report-file.h"

#include <string.h>

#include "loom-comparison-report.h"
#include "loom-json-util.h"
#include "loom-locale-number.h"
#include "loom-report-document.h"

static const struct {
  const char *ending;
  LoomReportKind kind;
} endings[] = { { ".html", LOOM_REPORT_HTML },
                { ".htm", LOOM_REPORT_HTML },
                { ".pdf", LOOM_REPORT_PDF },
                { ".txt", LOOM_REPORT_TEXT },
                { ".json", LOOM_REPORT_JSON } };

gboolean
loom_report_file_kind_from_path (const char *path, LoomReportKind *kind)
{
  g_autofree char *lower = g_ascii_strdown (path, -1);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i].ending)) {
      *kind = endings[i].kind;
      return TRUE;
    }
  return FALSE;
}

static GBytes *
take_text (char *text)
{
  return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

/* Prints the document as a file of the given kind. Takes ownership of `taken`, the document. If `taken` is NULL,
 * because the document could not be made, returns NULL. */
static GBytes *
print_book (LoomReportDocument *taken, LoomReportKind kind, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomReportDocument) book = taken;
  if (book == NULL)
    return NULL;
  return kind == LOOM_REPORT_PDF ? loom_report_document_to_pdf (book, cancellable, error)
                                 : loom_report_document_to_html (book, cancellable, error);
}

static GBytes *
make (LoomTimeline *timeline, const LoomReportOptions *options, LoomReportKind kind, GCancellable *cancellable,
      GError **error)
{
  g_autoptr (LoomReport) report = loom_report_new (timeline, options, cancellable, error);
  if (report == NULL)
    return NULL;
  if (kind == LOOM_REPORT_HTML || kind == LOOM_REPORT_PDF)
    return print_book (loom_report_document_new (report, cancellable, error), kind, cancellable, error);
  if (kind == LOOM_REPORT_TEXT)
    return take_text (loom_report_to_text (report, cancellable, error));
  char *text = loom_report_dup_json (report, cancellable, error);
  return text != NULL ? take_text (text) : NULL;
}

/* Makes the report in English, with numbers that do not depend on the locale, so that the window and the command line
 * make the same report. */
GBytes *
loom_report_file_make (LoomTimeline *timeline, const LoomReportOptions *options, LoomReportKind kind,
                       GCancellable *cancellable, GError **error)
{
  LoomLocaleNumber before = loom_locale_number_begin ();
  GBytes *bytes = make (timeline, options, kind, cancellable, error);
  loom_locale_number_end (before);
  return bytes;
}

static GBytes *
make_comparison (const LoomRunComparison *comparison, const char *const names[2], LoomReportKind kind,
                 GCancellable *cancellable, GError **error)
{
  if (kind == LOOM_REPORT_HTML || kind == LOOM_REPORT_PDF)
    return print_book (loom_report_document_new_comparison (comparison, names), kind, cancellable, error);
  if (kind == LOOM_REPORT_TEXT)
    return take_text (loom_comparison_report_to_text (comparison, names));
  g_autoptr (JsonNode) root = loom_comparison_report_to_json (comparison, names);
  return take_text (loom_json_util_print (root));
}

GBytes *
loom_report_file_make_comparison (const LoomRunComparison *comparison, const char *const names[2], LoomReportKind kind,
                                  GCancellable *cancellable, GError **error)
{
  LoomLocaleNumber before = loom_locale_number_begin ();
  GBytes *bytes = make_comparison (comparison, names, kind, cancellable, error);
  loom_locale_number_end (before);
  return bytes;
}
