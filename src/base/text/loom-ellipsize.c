/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens texts for display: an ellipsis replaces the removed part. The interface is described in loom-ellipsize.h.
 */
#include "loom-ellipsize.h"

#include <string.h>

char *
loom_ellipsize_head (const char *text, glong max_letters)
{
  g_return_val_if_fail (text != NULL && max_letters > 0, NULL);
  glong n = g_utf8_strlen (text, -1);
  return n <= max_letters ? g_strdup (text)
                          : g_strconcat ("…", g_utf8_offset_to_pointer (text, n - max_letters + 1), NULL);
}

char *
loom_ellipsize_middle (const char *text, glong max_letters)
{
  g_return_val_if_fail (text != NULL && max_letters > 0, NULL);
  glong n = g_utf8_strlen (text, -1), n_behind = max_letters / 2;
  if (n <= max_letters)
    return g_strdup (text);
  g_autofree char *head = g_utf8_substring (text, 0, max_letters - n_behind - 1);
  return g_strconcat (head, "…", g_utf8_offset_to_pointer (text, n - n_behind), NULL);
}

/* Appends the line from `line` to `end`. If it is too long, appends only its first and its last characters, with an
 * ellipsis between them. Does not iterate over the characters in the middle. */
static void
append_line (GString *out, const char *line, const char *end)
{
  const char *head = line, *tail = end;
  for (guint i = 0; i < LOOM_SHOWN_LETTERS / 2 && head < end; i++)
    head = g_utf8_next_char (head);
  for (guint i = 0; i < LOOM_SHOWN_LETTERS / 2 && tail != NULL && tail > head; i++)
    tail = g_utf8_find_prev_char (head, tail);
  if (head >= end || tail == NULL || tail <= head) {
    g_string_append_len (out, line, end - line);
    return;
  }
  g_string_append_len (out, line, head - line);
  tail = g_utf8_next_char (tail); /* skip one more character, because the ellipsis takes the place of one character */
  g_string_append (out, "…");
  g_string_append_len (out, tail, end - tail);
}

static guint
count_lines (const char *text)
{
  guint n = 1;
  while ((text = strchr (text, '\n')) != NULL) {
    text++;
    n++;
  }
  return n;
}

char *
loom_ellipsize_shown (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);
  guint n_lines = count_lines (text), first_cut = LOOM_SHOWN_LINES / 2, behind_cut = n_lines - LOOM_SHOWN_LINES / 2 + 1;
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < n_lines; i++) {
    const char *end = text + strcspn (text, "\n");
    gboolean cut = n_lines > LOOM_SHOWN_LINES && i >= first_cut && i < behind_cut;
    if (out->len > 0 || i > 0)
      g_string_append (out, cut && i > first_cut ? "" : "\n");
    if (!cut)
      append_line (out, text, end);
    else if (i == first_cut)
      g_string_append (out, "…");
    text = end + 1;
  }
  return g_string_free (out, FALSE);
}

char *
loom_ellipsize_markup (const char *text)
{
  g_autofree char *shown = strlen (text) > LOOM_SHOWN_LETTERS ? loom_ellipsize_shown (text) : NULL;
  return g_markup_escape_text (shown != NULL ? shown : text, -1);
}
