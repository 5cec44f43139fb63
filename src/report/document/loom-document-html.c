/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a report document as one HTML file. Charts are SVG elements that share the outlines of letters
 * (loom-inline-svg.h); a chart for which this is not possible is embedded as an image in a data: URL. A content
 * security policy prevents browsers from loading anything, even if a name in a trace contains HTML.
 */
#include "loom-document-private.h"

#include "loom-archive-path.h"
#include "loom-chart-layout.h"
#include "loom-inline-svg.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define WIDE_PX 1060.0
#define NARROW_PX 520.0
#define MAX_UNBROKEN 20 /* names of nodes and phases with at most this many bytes are never broken into two lines */

typedef struct {
  GString *out;
  LoomTextCache *text;
  LoomInlineSvg *drawings;
  gint64 origin_ns; /* date of the report's time 0, in ns since 1970; LOOM_TIME_NONE: unknown */
} Page;

static const char style[] =
  ":root{color-scheme:light dark;--text:#1d1d20;--dim:#5e5e66;--page:#fafafb;--card:#fff;--line:#dcdce0;--link:#1a5fb4;--warn:#8a4b00;--warnbg:#fdf3e1;--more:#d95f00;--less:#3584e4}"
  "@media (prefers-color-scheme:dark){:root{--text:#f0f0f2;--dim:#a8a8b0;--page:#1d1d20;--card:#26262a;--line:#3d3d43;--link:#8ab8f0;--warn:#f5c87a;--warnbg:#3a301e;--more:#ff9e57;--less:#62a0ea}}"
  "*{box-sizing:border-box}"
  "body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}"
  "header,nav,main,footer{max-width:1140px;margin:0 auto;padding:0 24px}"
  "header{padding-top:36px}h1{font-size:28px;margin:0;line-height:1.2}header p,.from,footer{color:var(--dim);margin:6px 0 0}"
  "nav ol{list-style:none;display:flex;flex-wrap:wrap;gap:4px 20px;padding:12px 0;margin:20px 0 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}"
  "a{color:var(--link)}a:focus-visible,summary:focus-visible,.scroll:focus-visible{outline:2px solid var(--link);outline-offset:2px}"
  "section{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:16px;align-items:start;padding-top:36px}"
  "section>*{grid-column:1/-1;min-width:0;margin:0}section>.narrow{grid-column:auto}"
  "h2{font-size:21px;line-height:1.3}h2+.from{margin-top:-12px}h3{font-size:15px;margin:0 0 8px}"
  ".answer{font-size:17px;font-weight:600}"
  ".missing{padding:8px 12px;border-left:3px solid var(--warn);background:var(--warnbg);color:var(--warn)}"
  ".card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:14px 16px}"
  "figure img,figure svg{display:block;max-width:100%;height:auto}"
  "summary{color:var(--dim);font-size:13px;cursor:pointer;margin-top:8px}"
  ".scroll{overflow:auto;max-height:640px}table{border-collapse:collapse;width:100%;font-size:13px;font-variant-numeric:tabular-nums}"
  "th,td{text-align:left;vertical-align:top;padding:4px 14px 4px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere;unicode-bidi:isolate}"
  "th{color:var(--dim);font-weight:600;vertical-align:bottom;overflow-wrap:normal;position:sticky;top:0;background:var(--card)}"
  "td:first-child:not(.n){min-width:9em}td.s{white-space:nowrap}"
  ".n{text-align:right;white-space:nowrap;padding:4px 0 4px 14px}.n+:not(.n){padding-left:24px}th.n{white-space:normal}.rest{color:var(--dim);font-size:13px;margin:8px 0 0}"
  ".more{--bar:var(--more);--axis:50px}.less{--bar:var(--less);--axis:50px}.share{--bar:var(--less);--axis:18px;--from:0%}"
  "td.bar{padding-left:90px;background:linear-gradient(var(--dim),var(--dim)) var(--axis) 50%/1px 16px no-repeat,"
  "linear-gradient(90deg,transparent var(--from),var(--bar) var(--from) var(--to),transparent var(--to)) 18px 50%/64px 10px no-repeat;"
  "print-color-adjust:exact}"
  "dl{display:grid;grid-template-columns:max-content 1fr;gap:4px 24px;margin:0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}"
  "footer{padding-top:36px;padding-bottom:36px;font-size:13px}"
  "@media (max-width:860px){section>.narrow{grid-column:1/-1}header,nav,main,footer{padding-left:14px;padding-right:14px}}"
  "@media screen and (max-width:860px){.wide .plot{overflow-x:auto}.wide .plot img,.wide .plot svg{width:860px;max-width:none}}"
  "@media print{:root{color-scheme:light;--text:#000;--dim:#444;--page:#fff;--card:#fff;--line:#bbb;--link:#000;--warn:#000;--warnbg:#fff}"
  "@page{size:A4;margin:16mm}body{font-size:10pt}header,nav,main,footer{max-width:none;padding-left:0;padding-right:0}"
  "section{display:block}section>*{margin:0 0 12px}figure,dl,tr,.missing{break-inside:avoid}h2,h3,.from{break-after:avoid}details:not([open]){display:none}"
  ".scroll{overflow:visible;max-height:none}th{position:static}thead{display:table-header-group}table{font-size:8pt}}";

static void
append_text (GString *out, const char *text)
{
  g_autofree char *printable = loom_archive_path_dup_printable (text);
  g_autofree char *escaped = g_markup_escape_text (printable, -1);
  g_string_append (out, escaped);
}

static void
append_element (GString *out, const char *open, const char *text, const char *close)
{
  g_string_append (out, open);
  append_text (out, text);
  g_string_append (out, close);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

static void
append_head (GString *out, const LoomResultTable *table)
{
  g_string_append (out, "<thead><tr>");
  for (guint i = 0; i < table->columns->len; i++) {
    const LoomResultTableColumn *column = loom_result_table_get_column (table, i);
    if (loom_result_table_is_empty_column (table, i))
      continue;
    g_string_append (out,
                     loom_result_table_is_number (table, i) ? "<th scope=\"col\" class=\"n\"" : "<th scope=\"col\"");
    if (column->words != NULL && column->words[0] != '\0')
      append_element (out, " title=\"", column->words, "\"");
    append_element (out, ">", column->title, "</th>");
  }
  g_string_append (out, "</tr></thead>\n");
}

/* Returns the date of the point in time in a cell, for the tooltip of the cell; the cell itself shows the time relative
 * to the zero of the table. NULL if the cell does not contain a point in time, or if the date of the run is unknown.
 * Owned by the caller. */
static char *
dup_cell_date (const Page *page, const LoomResultTable *table, guint row, guint column)
{
  double value = loom_result_table_get_number (table, row, column);
  if (page->origin_ns == LOOM_TIME_NONE ||
      g_strcmp0 (loom_result_table_get_column (table, column)->unit, "time") != 0 || !isfinite (value))
    return NULL;
  return loom_time_format_date (loom_time_add (page->origin_ns, (gint64) llround (value)));
}

/* Appends the bar of a cell; lengths are percentages of the width of the widest possible bar. If `share` is TRUE, the
 * bar begins at the start of the cell; otherwise it shows a change, and begins in the middle. */
static void
append_bar (GString *out, double value, gboolean share)
{
  char from[G_ASCII_DTOSTR_BUF_SIZE], to[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (from, sizeof from, "%.1f", 50 + 50 * fmin (value, 0));
  g_ascii_formatd (to, sizeof to, "%.1f", share ? 100 * value : 50 + 50 * fmax (value, 0));
  if (share)
    g_string_append_printf (out, " bar share\" style=\"--to:%s%%\"", to);
  else
    g_string_append_printf (out, " bar %s\" style=\"--from:%s%%;--to:%s%%\"", value < 0 ? "less" : "more", from, to);
}

static void
append_number (const Page *page, const LoomResultTable *table, guint row, guint column, const char *cell)
{
  g_autofree char *date = dup_cell_date (page, table, row, column);
  double bar = loom_result_table_get_bar (table, row, column);
  g_string_append (page->out, "<td class=\"n");
  if (isnan (bar))
    g_string_append_c (page->out, '"');
  else
    append_bar (page->out, bar, loom_result_table_get_column (table, column)->bars == LOOM_RESULT_BARS_OF_SHARES);
  if (date != NULL)
    append_element (page->out, " title=\"", date, "\"");
  append_element (page->out, ">", cell, "</td>");
}

static void
append_row (const Page *page, const LoomResultTable *table, guint row)
{
  GString *out = page->out;
  g_string_append (out, "<tr>");
  for (guint i = 0; i < table->columns->len; i++) {
    if (loom_result_table_is_empty_column (table, i))
      continue;
    g_autofree char *cell = loom_result_table_dup_cell (table, row, i);
    if (loom_result_table_is_number (table, i))
      append_number (page, table, row, i, cell);
    else
      append_element (out, strlen (cell) <= MAX_UNBROKEN ? "<td class=\"s\">" : "<td>", cell, "</td>");
  }
  g_string_append (out, "</tr>\n");
}

static void
append_table (const Page *page, const LoomResultTable *table)
{
  GString *out = page->out;
  g_autofree guint *order = loom_document_dup_order (table);
  guint n = MIN (table->n_rows, LOOM_REPORT_DOCUMENT_HTML_ROWS);
  g_autofree char *rest = loom_document_dup_rest (table, n);
  append_element (out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"", table->title,
                  "\"><table>\n");
  append_head (out, table);
  g_string_append (out, "<tbody>\n");
  for (guint i = 0; i < n; i++)
    append_row (page, table, order[i]);
  g_string_append (out, "</tbody></table></div>\n");
  if (rest != NULL)
    append_element (out, "<p class=\"rest\">", rest, "</p>\n");
}

/* --- charts ------------------------------------------------------------------------------------------------------- */

static void
append_address (GString *out, GBytes *svg)
{
  g_autofree char *encoded = g_base64_encode (g_bytes_get_data (svg, NULL), g_bytes_get_size (svg));
  g_string_append_printf (out, "data:image/svg+xml;base64,%s", encoded);
}

static void
append_picture (GString *out, GBytes *light, GBytes *dark, const char *title)
{
  g_string_append (out, "<picture><source media=\"screen and (prefers-color-scheme: dark)\" srcset=\"");
  append_address (out, dark);
  g_string_append (out, "\"><img src=\"");
  append_address (out, light);
  append_element (out, "\" alt=\"", title, "\"></picture>");
}

static void
append_drawing (Page *page, LoomChart *chart, double width)
{
  double height = loom_chart_layout_natural_height (chart, width, page->text);
  g_autoptr (GBytes) light = loom_chart_layout_to_svg (chart, width, height, LOOM_THEME_LIGHT, page->text);
  g_autoptr (GBytes) dark = loom_chart_layout_to_svg (chart, width, height, LOOM_THEME_DARK, page->text);
  if (light != NULL && dark != NULL && !loom_inline_svg_append (page->drawings, page->out, light, dark, chart->title))
    append_picture (page->out, light, dark, chart->title);
}

static void
append_chart (Page *page, LoomChart *chart, gboolean wide)
{
  GString *out = page->out;
  g_autoptr (LoomResultTable) figures = loom_document_new_figures (chart);
  g_string_append_printf (out, "<figure class=\"card %s\"><div class=\"plot\">", wide ? "wide" : "narrow");
  append_drawing (page, chart, wide ? WIDE_PX : NARROW_PX);
  append_element (out, "</div>\n<figcaption><details><summary>", _ ("Numbers"), "</summary>\n");
  append_table (page, figures);
  g_string_append (out, "</details></figcaption></figure>\n");
}

/* --- chapters ----------------------------------------------------------------------------------------------------- */

static void
append_facts (GString *out, const LoomBlock *block)
{
  if (block->text[0] != '\0')
    append_element (out, "<div class=\"card narrow\"><h3>", block->text, "</h3><dl>\n");
  else
    g_string_append (out, "<div class=\"card\"><dl>\n");
  for (guint i = 0; i < block->facts->len; i++) {
    const LoomKeyValue *fact = &g_array_index (block->facts, LoomKeyValue, i);
    append_element (out, "<dt>", fact->name, "</dt>");
    append_element (out, "<dd>", fact->value, "");
    if (fact->note[0] != '\0')
      append_element (out, " <small>", fact->note, "</small>");
    g_string_append (out, "</dd>\n");
  }
  g_string_append (out, "</dl></div>\n");
}

static void
append_block (Page *page, const LoomBlock *block)
{
  switch (block->kind) {
  case LOOM_BLOCK_NOTE:
    append_element (page->out, block->large ? "<p class=\"answer\">" : "<p>", block->text, "</p>\n");
    break;
  case LOOM_BLOCK_MISSING: append_element (page->out, "<p class=\"missing\">", block->text, "</p>\n"); break;
  case LOOM_BLOCK_FACTS: append_facts (page->out, block); break;
  case LOOM_BLOCK_CHART: append_chart (page, block->chart, block->wide); break;
  case LOOM_BLOCK_TABLE:
    append_element (page->out, "<div class=\"card\"><h3>", block->text, "</h3>\n");
    append_table (page, block->table);
    g_string_append (page->out, "</div>\n");
    break;
  }
}

static gboolean
append_chapter (Page *page, const LoomReportChapter *chapter, GCancellable *cancellable, GError **error)
{
  const char *sources = chapter->sheet->sources;
  g_string_append_printf (page->out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n<h2 id=\"%s-title\">",
                          chapter->id, chapter->id, chapter->id);
  append_element (page->out, "", chapter->title, "</h2>\n");
  if (sources[0] != '\0')
    append_element (page->out, "<p class=\"from\">", sources, "</p>\n");
  for (guint i = 0; i < chapter->sheet->blocks->len; i++) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
    append_block (page, loom_page_content_get_block (chapter->sheet, i));
  }
  g_string_append (page->out, "</section>\n");
  return TRUE;
}

static void
append_contents (GString *out, const GArray *chapters)
{
  append_element (out, "<nav aria-label=\"", _ ("Contents"), "\"><ol>\n");
  for (guint i = 0; i < chapters->len; i++) {
    const LoomReportChapter *chapter = &g_array_index (chapters, LoomReportChapter, i);
    g_string_append_printf (out, "<li><a href=\"#%s\">", chapter->id);
    append_element (out, "", chapter->title, "</a></li>\n");
  }
  g_string_append (out, "</ol></nav>\n");
}

static void
append_head_of_page (GString *out, const char *title, const LoomInlineSvg *drawings)
{
  g_string_append (
    out,
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  append_element (out, "<title>", title, "</title>\n<style>");
  g_string_append (out, style);
  loom_inline_svg_append_style (drawings, out);
  g_string_append (out, "</style>\n</head>\n");
}

/* Prints the document. Makes the chapters first, although they are at the end of the file. The charts of the chapters
 * determine the styles in the head of the file, and the outlines of letters at the beginning of its body. */
GBytes *
loom_report_document_to_html (const LoomReportDocument *book, GCancellable *cancellable, GError **error)
{
  g_autoptr (LoomTextCache) text = loom_text_cache_new (NULL);
  g_autoptr (LoomInlineSvg) drawings = loom_inline_svg_new ();
  g_autoptr (GString) main = g_string_new ("<main>\n"), out = g_string_new (NULL);
  Page page = { main, text, drawings, book->origin_ns };
  for (guint i = 0; i < book->chapters->len; i++)
    if (!append_chapter (&page, &g_array_index (book->chapters, LoomReportChapter, i), cancellable, error))
      return NULL;
  append_head_of_page (out, book->title, drawings);
  append_element (out, "<body>\n<header><h1>", book->title, "</h1>\n");
  append_element (out, "<p>", book->summary, "</p></header>\n");
  append_contents (out, book->chapters);
  loom_inline_svg_append_outlines (drawings, out);
  g_string_append_len (out, main->str, (gssize) main->len);
  append_element (out, "</main>\n<footer>", _ ("Written by Traceloom"), "</footer>\n</body>\n</html>\n");
  return g_string_free_to_bytes (g_steal_pointer (&out));
}
