/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens labels that are too wide. Names of C++ functions with arguments are first reduced to their short form
 * (loom-cxx-name.h); other names keep their namespace, because names such as aten::mm and autograd::aten::mm differ
 * only in the namespace. Any label that is still too wide is cut in the middle, because names of kernels, files and
 * devices differ at both ends.
 */
#include "loom-chart-private.h"
#include "loom-cxx-name.h"
#include "loom-kernel-label.h"

#include <math.h>
#include <string.h>

#define HEAD_SHARE 0.6 /* share of the kept characters that are before the ellipsis */
#define MIN_KEPT 3
#define MOST_LETTERS 200 /* maximum number of characters of the label of a kernel */
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

/* Returns the longest label of a kernel (loom-kernel-label.h) that fits into `room` px; NULL: none fits. Owned by the
 * caller. */
static char *
fit_kernel (const char *name, const char *word, double room, LoomTextStyle style, LoomTextCache *text)
{
  g_autofree char *best = NULL;
  glong low = 0, high = MOST_LETTERS;
  while (low < high) {
    glong middle = (low + high + 1) / 2;
    g_autofree char *label = loom_kernel_label_dup (name, word, middle);
    if (label != NULL && loom_text_cache_width (text, style, label) > room) {
      high = middle - 1;
      continue;
    }
    low = middle;
    if (label != NULL)
      g_free (best), best = g_steal_pointer (&label);
  }
  return g_steal_pointer (&best);
}

/* Returns a text for a name; it is at most `room` px wide if possible. Tries three texts in order, and returns the
 * first one that fits: the name itself; its short form (loom-cxx-name.h); and, only for a kernel with a functor (the
 * template argument that describes what the kernel computes), a label with this functor (loom-kernel-label.h), which is
 * made as long as `room` allows. If none of them fits, returns the short form with an ellipsis in its middle. Owned by
 * the caller. */
static char *
shorten_kernel (const char *name, double room, LoomTextStyle style, LoomTextCache *text)
{
  g_autofree char *shorter = loom_chart_shorten (name, room, style, text), *label = NULL;
  if (strstr (shorter, "…") != NULL && strchr (name, '<') != NULL)
    label = fit_kernel (name, NULL, room, style, text);
  return label != NULL ? g_steal_pointer (&label) : g_steal_pointer (&shorter);
}

char **
loom_chart_shorten_all (const char *const *labels, guint n, double room, LoomTextStyle style, LoomTextCache *text)
{
  g_auto (GStrv) first = g_new0 (char *, n + 1);
  char **shown = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    first[i] = shorten_kernel (labels[i], room, style, text);
  for (guint i = 0; i < n; i++) {
    g_autofree char *word =
      n <= MOST_COMPARED ? loom_kernel_label_dup_difference (labels, (const char *const *) (gconstpointer) first, n, i)
                         : NULL;
    shown[i] = word != NULL ? fit_kernel (labels[i], word, room, style, text) : NULL;
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
