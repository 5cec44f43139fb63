/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes the first chapter of the report as text: the main numbers and answers from the top of each analysis page. The
 * window and the reports in other formats show the same numbers and answers.
 */
#include "loom-findings.h"
#include "loom-page-clocks.h"
#include "loom-report-private.h"

static void
write_line (GString *out, const char *title, const char *text)
{
  if (text[0] != '\0')
    g_string_append_printf (out, "  %s: %s\n", title, text);
}

/* Writes each main number on a line of its own, with the remark that says what it is. */
static void
write_figures (GString *out, const char *title, const LoomBlock *block)
{
  for (guint i = 0; i < block->facts->len; i++) {
    const LoomKeyValue *fact = &g_array_index (block->facts, LoomKeyValue, i);
    g_autofree char *text = fact->note[0] != '\0' ? g_strdup_printf ("%s: %s (%s)", fact->name, fact->value, fact->note)
                                                  : g_strdup_printf ("%s: %s", fact->name, fact->value);
    write_line (out, title, text);
  }
}

/* Writes the top of a page: its main numbers, the sentences that answer the question of the page, and the notes that
 * immediately follow these sentences. */
static void
write_page (GString *out, const char *title, const LoomPageContent *sheet)
{
  gboolean is_answered = FALSE;
  for (guint i = 0; i < sheet->blocks->len; i++) {
    const LoomBlock *block = loom_page_content_get_block (sheet, i);
    is_answered = block->kind == LOOM_BLOCK_NOTE && (block->large || is_answered);
    if (!block->large && !is_answered)
      continue;
    if (block->kind == LOOM_BLOCK_FACTS)
      write_figures (out, title, block);
    else
      write_line (out, title, block->text);
  }
}

static void
write_clocks (const LoomReport *report, GString *out)
{
  g_autoptr (GArray) clocks = loom_page_clocks_list (report->timeline);
  g_autofree char *answer = loom_page_clocks_dup_answer (report->timeline, clocks);
  write_line (out, "Clocks", answer);
}

gboolean
loom_report_write_answers (const LoomReport *report, GString *out, GCancellable *cancellable)
{
  LoomPageInput input;
  if (report->options.numbers != LOOM_NUMBER_CONVENTION_INTENDED || !loom_report_get_input (report, &input))
    return TRUE;
  g_string_append (out, "Answers\n");
  g_autoptr (GPtrArray) pages = loom_findings_list_pages (report->findings);
  for (guint i = 0; i < pages->len; i++) {
    const LoomPage *page = pages->pdata[i];
    if (page->find_lack != NULL && page->find_lack (&input) != NULL)
      continue;
    g_autoptr (LoomPageContent) sheet = loom_page_make (page, &input, cancellable);
    if (sheet == NULL)
      return FALSE;
    write_page (out, page->title, sheet);
  }
  write_clocks (report, out);
  g_string_append_c (out, '\n');
  return TRUE;
}
