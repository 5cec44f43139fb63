/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats a list of whole numbers, such as ranks, in a short form: "0–7, 12". The interface is described in
 * loom-number-runs.h.
 */
#include "loom-number-runs.h"

#define LEAST_RUN 3 /* minimum length of a run that is written as a range; "0–1" would not be shorter than "0, 1" */

/* Returns the index of the first number after the run of consecutive numbers that begins at index `first`. If the
 * run has fewer than LEAST_RUN numbers, returns `first` + 1. */
static gsize
find_end (const gint *numbers, gsize n, gsize first)
{
  gsize end = first + 1;
  while (end < n && numbers[end - 1] < G_MAXINT && numbers[end] == numbers[end - 1] + 1)
    end++;
  return end - first >= LEAST_RUN ? end : first + 1;
}

char *
loom_number_runs_dup (const gint *numbers, gsize n, const char *separator, guint most)
{
  GString *text = g_string_new (NULL);
  guint n_parts = 0;
  for (gsize i = 0; i < n; n_parts++) {
    gsize end = find_end (numbers, n, i);
    g_string_append (text, n_parts > 0 ? separator : "");
    if (n_parts >= most) {
      g_string_append (text, "…");
      break;
    }
    g_string_append_printf (text, "%d", numbers[i]);
    if (end > i + 1)
      g_string_append_printf (text, "–%d", numbers[end - 1]);
    i = end;
  }
  return g_string_free (text, FALSE);
}
