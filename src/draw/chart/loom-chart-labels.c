/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens labels that are too wide. Names of C++ functions with arguments are first reduced to their short form
 * (loom-cxx-name.h); other names keep their namespace, because aten::mm and autograd::aten::mm differ only in it. Any
 * label that is still too wide is cut in the middle, because names of kernels, files and devices differ at both
 * ends.
 */
#include "loom-chart-private.h"
#include "loom-cxx-name.h"

#include <math.h>
#include <string.h>

#define HEAD_SHARE 0.6 /* share of the kept characters that are before the ellipsis */
#define MIN_KEPT 3
/* Maximum number of labels that are compared with each other; the time grows with the square of their number. */
#define MOST_COMPARED 64

/* Keeps `n_kept` characters of the label, from its start and its end, with an ellipsis between them. */
static char *
cut (const char *label, glong length, glong n_kept)
{
  glong head = MAX ((glong) ((double) n_kept * HEAD_SHARE + 0.5), 1);
  const char *tail = g_utf8_offset_to_pointer (label, length - (n_kept - head));
  while (*tail != '\0' && g_unichar_ismark (g_utf8_get_char (tail)))
    tail = g_utf8_next_char (tail);
  g_autofree char *begin = g_utf8_substring (label, 0, head);
  return g_strconcat (g_strchomp (begin), "…", tail, NULL);
}

char *
loom_chart_shorten (const char *full, double room, LoomTextStyle style, LoomTextCache *text)
{
  gboolean fits = strlen (full) < 200 && loom_text_cache_width (text, style, full) <= room;
  gboolean keeps = fits || strpbrk (full, "<(") == NULL;
  g_autofree char *label = keeps ? g_strdup (full) : loom_cxx_name_dup_short (full);
  glong length = g_utf8_validate (label, -1, NULL) ? g_utf8_strlen (label, -1) : 0;
  /* range of the number of characters to keep; at least `low` characters are kept even if they don't fit */
  glong low = MIN_KEPT, high = MIN (length - 1, 200);
  if (length <= MIN_KEPT || (strlen (label) < 200 && loom_text_cache_width (text, style, label) <= room))
    return g_strdup (label);
  while (low < high) {
    glong middle = (low + high + 1) / 2;
    g_autofree char *shorter = cut (label, length, middle);
    if (loom_text_cache_width (text, style, shorter) <= room)
      low = middle;
    else
      high = middle - 1;
  }
  return cut (label, length, low);
}

static gboolean
is_of_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guchar) c >= 0x80;
}

/* Returns the start of the word in which `labels[i]` differs from the label with which it shares the most characters,
 * of those that look the same in `shown`; 0: there is none. */
static gsize
find_difference (const char *const *labels, char *const *shown, guint n, guint i)
{
  gsize from = 0;
  for (guint k = 0; k < n; k++) {
    gsize same = 0;
    if (strcmp (labels[i], labels[k]) == 0 || strcmp (shown[i], shown[k]) != 0)
      continue;
    while (labels[i][same] != '\0' && labels[i][same] == labels[k][same])
      same++;
    from = MAX (from, same);
  }
  while (from > 0 && is_of_word (labels[i][from - 1]))
    from--;
  return from;
}

/* Returns the name of the function, and after an ellipsis as much as fits of the label from `from` on; NULL if `from` is
 * before its arguments. Owned by the caller. */
static char *
cut_before (const char *label, gsize from, double room, LoomTextStyle style, LoomTextCache *text)
{
  if (from <= strcspn (label, "<(") || !g_utf8_validate (label, -1, NULL))
    return NULL;
  g_autofree char *head = loom_cxx_name_dup_short (label), *best = NULL;
  head[strcspn (head, "<(")] = '\0';
  glong low = 0, high = g_utf8_strlen (label + from, 200);
  while (low < high) {
    glong middle = (low + high + 1) / 2;
    g_autofree char *part = g_utf8_substring (label + from, 0, middle);
    g_autofree char *whole = g_strconcat (head, "…", part, label[from + strlen (part)] != '\0' ? "…" : "", NULL);
    if (loom_text_cache_width (text, style, whole) <= room) {
      low = middle;
      g_free (best);
      best = g_steal_pointer (&whole);
    } else
      high = middle - 1;
  }
  return g_steal_pointer (&best);
}

char **
loom_chart_shorten_all (const char *const *labels, guint n, double room, LoomTextStyle style, LoomTextCache *text)
{
  g_auto (GStrv) first = g_new0 (char *, n + 1);
  char **shown = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    first[i] = loom_chart_shorten (labels[i], room, style, text);
  for (guint i = 0; i < n; i++) {
    gsize from = n <= MOST_COMPARED ? find_difference (labels, first, n, i) : 0;
    shown[i] = from > 0 ? cut_before (labels[i], from, room, style, text) : NULL;
    if (shown[i] == NULL)
      shown[i] = g_strdup (first[i]);
  }
  return shown;
}

gboolean
loom_chart_has_bar_values (const LoomChart *chart)
{
  const LoomChartBars *bars = &chart->bars;
  guint n = bars->series->len;
  for (guint first = 0; bars->stacked && !bars->shows_sums && first < bars->values->len; first += n) {
    guint n_parts = 0;
    for (guint i = first; i < first + n; i++)
      n_parts += fabs (g_array_index (bars->values, double, i)) > 0;
    if (n_parts > 1)
      return FALSE;
  }
  return TRUE;
}

gboolean
loom_chart_get_bar_value (const LoomChart *chart, guint element, double *value)
{
  const LoomChartBars *bars = &chart->bars;
  guint n = bars->series->len, first = element - element % n, last = first;
  *value = g_array_index (bars->values, double, element);
  if (!bars->stacked)
    return TRUE;
  double sum = 0;
  for (guint i = first; i < first + n; i++) {
    double part = g_array_index (bars->values, double, i);
    sum += isfinite (part) ? part : 0;
    last = fabs (part) > 0 ? i : last;
  }
  *value = sum;
  return element == last && fabs (sum) > 0;
}

char *
loom_chart_dup_mark (const LoomChart *chart, gboolean limit)
{
  const char *unit = chart->kind == LOOM_CHART_LINES ? chart->unit : chart->x_unit;
  g_autofree char *value = loom_chart_format (limit ? chart->limit : chart->median, unit);
  return g_strdup_printf ("%s %s", limit ? chart->limit_label : chart->median_label, value);
}
