/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes report documents: computes the pages of the analysis, and adds them and the other chapters in order.
 */
#include "loom-document-private.h"

#include "loom-comparison-words.h"
#include "loom-ellipsize.h"
#include "loom-findings.h"
#include "loom-module-report.h"
#include "loom-page.h"
#include "loom-report-private.h"
#include "loom-run-info.h"

#include <glib/gi18n.h>
#include <string.h>

#define TITLE_LETTERS 60 /* maximum length of a run's name in the title of a document, in characters */

static void
chapter_clear (gpointer data)
{
  LoomReportChapter *chapter = data;
  loom_page_content_unref (chapter->sheet);
}

static LoomReportDocument *
new_book (void)
{
  LoomReportDocument *book = g_new0 (LoomReportDocument, 1);
  book->origin_ns = LOOM_TIME_NONE;
  book->chapters = g_array_new (FALSE, FALSE, sizeof (LoomReportChapter));
  g_array_set_clear_func (book->chapters, chapter_clear);
  return book;
}

static void
take_chapter (LoomReportDocument *book, const char *id, const char *title, LoomPageContent *sheet)
{
  LoomReportChapter chapter = { id, title, sheet };
  g_array_append_val (book->chapters, chapter);
}

/* Collects the sentences about missing data from all chapters, and adds each of them once to the front page. */
static void
gather_missing (LoomReportDocument *book, LoomPageContent *front)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 1; i < book->chapters->len; i++) {
    const LoomPageContent *sheet = g_array_index (book->chapters, LoomReportChapter, i).sheet;
    for (guint k = 0; k < sheet->blocks->len; k++) {
      const LoomBlock *block = loom_page_content_get_block (sheet, k);
      if (block->kind == LOOM_BLOCK_MISSING && g_hash_table_add (seen, (gpointer) block->text))
        loom_page_content_add_missing (front, block->text);
    }
  }
}

static void
add_answers_of (LoomPageContent *sheet, const LoomReportChapter *chapter)
{
  for (guint i = 0; i < chapter->sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (chapter->sheet, i);
    if (block->kind == LOOM_BLOCK_NOTE && block->large)
      loom_page_content_add_fact (sheet, chapter->title, block->text);
  }
}

/* Adds the first chapter: the sentences that answer the questions of the pages, for pages with such a sentence. Pages
 * about what costs most time come first. `findings`: NULL if there are no pages. */
static void
add_answers (LoomReportDocument *book, const LoomFindings *findings)
{
  LoomPageContent *sheet = loom_page_content_new ((LoomRange) { 0, 0 });
  g_autoptr (GPtrArray) pages = findings != NULL ? loom_findings_list_pages (findings) : g_ptr_array_new ();
  loom_page_content_add_facts (sheet, "");
  for (guint i = 0; i < pages->len; i++)
    for (guint k = 0; k < book->chapters->len; k++) {
      const LoomReportChapter *chapter = &g_array_index (book->chapters, LoomReportChapter, k);
      if (strcmp (chapter->id, ((const LoomPage *) pages->pdata[i])->id) == 0)
        add_answers_of (sheet, chapter);
    }
  LoomReportChapter first = { "answers", _ ("At a Glance"), sheet };
  if (loom_page_content_get_block (sheet, 0)->facts->len > 0)
    g_array_prepend_val (book->chapters, first);
  else
    loom_page_content_unref (sheet);
}

static gboolean
add_pages (LoomReportDocument *book, LoomReport *report, GCancellable *cancellable)
{
  guint n;
  const LoomPage *pages = loom_pages_get (&n);
  LoomPageInput input;
  loom_report_get_input (report, &input);
  if (!loom_report_find (report, cancellable))
    return FALSE;
  if (report->findings != NULL)
    take_chapter (book, "findings", _ ("Findings"),
                  loom_document_new_findings_page (report->timeline, report->findings));
  for (guint i = 0; i < n; i++) {
    LoomPageContent *sheet =
      g_cancellable_is_cancelled (cancellable) ? NULL : loom_page_make (&pages[i], &input, cancellable);
    if (sheet == NULL)
      return FALSE;
    take_chapter (book, pages[i].id, _ (pages[i].title), sheet);
  }
  return TRUE;
}

LoomReportDocument *
loom_report_document_new (LoomReport *report, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (report != NULL, NULL);
  g_autoptr (LoomReportDocument) book = new_book ();
  LoomRange range = { 0, 0 };
  gboolean has_events = loom_timeline_get_extent (report->timeline, &range);
  if (report->options.has_range)
    range = report->options.range;
  book->title = g_strdup (_ ("Where the time went"));
  book->summary = loom_run_info_summarise (report->timeline);
  book->origin_ns =
    loom_timeline_is_anchored (report->timeline) ? loom_timeline_get_origin (report->timeline) : LOOM_TIME_NONE;
  LoomPageContent *front = loom_document_new_run_page (report->timeline, &report->options, range);
  take_chapter (book, "run", _ ("The run"), front);
  if (!has_events)
    loom_page_content_add_missing (
      front, _ ("There are no events with times in these files, so there is nothing to analyze."));
  else if (!add_pages (book, report, cancellable)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return NULL;
  }
  gather_missing (book, front);
  add_answers (book, report->findings);
  take_chapter (book, "sources", _ ("Sources"),
                loom_document_new_sources_page (report->timeline, report->options.names, range));
  return g_steal_pointer (&book);
}

static void
add_module_notes (LoomPageContent *sheet, const LoomRunComparison *comparison, const char *const names[2])
{
  g_autofree char *sentence = loom_module_report_dup_sentence (comparison, names);
  g_auto (GStrv) notes = loom_module_report_dup_notes (comparison, names);
  if (sentence != NULL)
    loom_page_content_add_note (sheet, sentence);
  for (guint i = 0; notes[i] != NULL; i++)
    loom_page_content_add_note (sheet, notes[i]);
}

LoomReportDocument *
loom_report_document_new_comparison (const LoomRunComparison *comparison, const char *const names[2])
{
  static const struct {
    const char *id, *title;
  } chapters[] = {
    [LOOM_COMPARISON_PARTS] = { "parts", NC_ ("comparison", "Parts of a Step") },
    [LOOM_COMPARISON_RANKS] = { "ranks", NC_ ("comparison", "Ranks") },
    [LOOM_COMPARISON_MODULES] = { "modules", NC_ ("comparison", "Modules") },
    [LOOM_COMPARISON_NAMES] = { "names", NC_ ("comparison", "Names") },
  };
  LoomReportDocument *book = new_book ();
  g_autofree char *before = loom_ellipsize_middle (names[0], TITLE_LETTERS),
                  *after = loom_ellipsize_middle (names[1], TITLE_LETTERS);
  book->title = g_strdup_printf (
    /* Translators: names of two runs; the title of a report */
    _ ("%s and %s"), before, after);
  book->summary = loom_comparison_words_dup_headline (comparison, names);
  take_chapter (book, "runs", _ ("The runs"), loom_comparison_report_new_front (comparison, names));
  for (guint i = 0; i < G_N_ELEMENTS (chapters); i++) {
    g_autoptr (LoomResultTable) table = loom_comparison_report_new_table (comparison, names, i, TITLE_LETTERS);
    if (table == NULL)
      continue;
    LoomPageContent *sheet = loom_page_content_new ((LoomRange) { 0, 0 });
    if (i == LOOM_COMPARISON_MODULES)
      add_module_notes (sheet, comparison, (const char *const[]) { before, after });
    if (i == LOOM_COMPARISON_NAMES)
      loom_page_content_add_note (sheet, loom_comparison_report_get_names_note (comparison));
    loom_page_content_take_table (sheet, g_steal_pointer (&table));
    take_chapter (book, chapters[i].id, g_dpgettext2 (NULL, "comparison", chapters[i].title), sheet);
  }
  return book;
}

void
loom_report_document_free (LoomReportDocument *book)
{
  if (book == NULL)
    return;
  g_clear_pointer (&book->chapters, g_array_unref);
  g_free (book->title);
  g_free (book->summary);
  g_free (book);
}
