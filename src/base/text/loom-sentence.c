/* SPDX-License-Identifier: Apache-2.0
 *
 * Joins and completes sentences with the punctuation of the user's language: either a full stop and a space, or a
 * full-width full stop without a space. The interface is described in loom-sentence.h.
 */
#include "loom-sentence.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *
full_stop (void)
{
  /* Translators: the punctuation mark at the end of a sentence */
  return C_ ("sentence", ".");
}

static gboolean
has_stop (const char *text)
{
  static const char *const others[] = { ".", "!", "?", "…", "。", "！", "？" };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (g_str_has_suffix (text, others[i]))
      return TRUE;
  return text[0] == '\0' || g_str_has_suffix (text, full_stop ());
}

char *
loom_sentence_dup (const char *text)
{
  return g_strconcat (text, has_stop (text) ? "" : full_stop (), NULL);
}

/* Returns TRUE for the full-width full stop; no space is written after it. */
static gboolean
is_full_width (const char *stop)
{
  return g_str_equal (stop, "。");
}

static const char *
blank_between (void)
{
  return is_full_width (full_stop ()) ? "" : " ";
}

char *
loom_sentence_dup_capital (const char *text)
{
  g_autofree char *first =
    g_utf8_substring (text, 0, is_full_width (full_stop ()) ? 0 : MIN (g_utf8_strlen (text, -1), 1));
  g_autofree char *upper = g_utf8_strup (first, -1);
  return g_strconcat (upper, text + strlen (first), NULL);
}

char *
loom_sentence_join (const char *first, const char *next)
{
  gboolean two = next != NULL && next[0] != '\0';
  return g_strconcat (first, two ? blank_between () : "", two ? next : "", NULL);
}

char *
loom_sentence_dup_advised (const char *text, const char *advice)
{
  g_autofree char *sentence = loom_sentence_dup (text);
  return loom_sentence_join (sentence, advice);
}

void
loom_sentence_append (GString *text, const char *next)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? blank_between () : "", next);
}

#define BOUND_BLANK "\u00a0"

/* Returns TRUE for a space between a number and its unit, or between a multiplication sign and a number. `before`,
 * `after`: the characters before and after the space. */
static gboolean
is_of_number (gunichar before, gunichar after)
{
  if (before == 0x00d7)
    return g_unichar_isdigit (after);
  return g_unichar_isdigit (before) && (g_unichar_isalpha (after) || after == '%');
}

/* if the number at the end of a text has at most this number of digits, a no-break space joins it to the word before
 * it */
#define SHORT_END 4

/* Returns TRUE if the text is only a short number and a full stop, such as "6." at the end of "in step 6.". */
static gboolean
is_last_number (const char *text)
{
  gsize n = strspn (text, "0123456789");
  return n > 0 && n <= SHORT_END && strcmp (text + n, ".") == 0;
}

char *
loom_sentence_dup_bound (const char *text)
{
  GString *bound = g_string_new (NULL);
  gunichar before = 0;
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    gboolean binds = *at == ' ' && (is_of_number (before, g_utf8_get_char (at + 1)) || is_last_number (at + 1));
    before = g_utf8_get_char (at);
    if (binds)
      g_string_append (bound, BOUND_BLANK);
    else
      g_string_append_unichar (bound, before);
  }
  return g_string_free (bound, FALSE);
}
