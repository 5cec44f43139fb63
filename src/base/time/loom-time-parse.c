/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses durations and instants that a user types: loom_time_parse_duration() and loom_time_parse_instant() of
 * loom-time.h.
 */
#include "loom-time.h"

#include <string.h>

typedef __int128 Wide;

static const struct {
  const char *word;
  gint64 ns;
} units[] = {
  { "ns", 1 },
  { "µs", LOOM_NS_PER_US },
  { "μs", LOOM_NS_PER_US },
  { "us", LOOM_NS_PER_US },
  { "ms", LOOM_NS_PER_MS },
  { "s", LOOM_NS_PER_S },
  { "min", 60 * LOOM_NS_PER_S },
  { "h", 3600 * LOOM_NS_PER_S },
  { "d", 86400 * LOOM_NS_PER_S },
};

/* Returns a copy of the text without spaces, because groups of digits may be separated by spaces of any width. Owned
 * by the caller. */
static char *
squeeze (const char *text)
{
  GString *out = g_string_new (NULL);
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at)) {
    gunichar c = g_utf8_get_char (at);
    if (c == 0x2212)
      g_string_append_c (out, '-');
    else if (!g_unichar_isspace (c) && c != 0x200b)
      g_string_append_unichar (out, c);
  }
  return g_string_free (out, FALSE);
}

/* Reads the unit at `word`. Sets `ns` to the length of the unit in ns, or to 1 if there is no unit, and `end` to the
 * end of the unit. Returns FALSE if the letters are not a unit. */
static gboolean
take_unit (const char *word, gint64 *ns, const char **end)
{
  gsize length = strcspn (word, "0123456789.,+-");
  *ns = 1;
  *end = word + length;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    if (strlen (units[i].word) != length || strncmp (units[i].word, word, length) != 0)
      continue;
    *ns = units[i].ns;
    return TRUE;
  }
  return length == 0;
}

/* Reads digits, which may contain a decimal point, and sets `end` to their end. Sets `power` to 10^n, where n is the
 * number of digits after the point. Returns FALSE if there are no digits or too many. */
static gboolean
take_digits (const char *text, Wide *digits, Wide *power, const char **end)
{
  gboolean any = FALSE, fraction = FALSE;
  guint n = 0;
  *digits = 0;
  *power = 1;
  for (; g_ascii_isdigit (*text) || (!fraction && (*text == '.' || *text == ',')); text++) {
    if (!g_ascii_isdigit (*text)) {
      fraction = TRUE;
      continue;
    }
    any = TRUE;
    if (++n > 21)
      return FALSE;
    *digits = *digits * 10 + (*text - '0');
    *power *= fraction ? 10 : 1;
  }
  *end = text;
  return any;
}

/* Reads one or more numbers with units, such as "1min5s". Each unit must be smaller than the unit before it. */
static gboolean
take_parts (const char *text, Wide *ns)
{
  gint64 unit_ns, before_ns = G_MAXINT64;
  for (*ns = 0; *text != '\0'; before_ns = unit_ns) {
    Wide digits, power;
    const char *word;
    if (!take_digits (text, &digits, &power, &word) || !take_unit (word, &unit_ns, &text) || unit_ns >= before_ns ||
        (text == word && (*text != '\0' || before_ns != G_MAXINT64)))
      return FALSE;
    *ns += (digits * unit_ns + power / 2) / power;
    if (*ns > G_MAXINT64)
      return FALSE;
  }
  return before_ns != G_MAXINT64;
}

gboolean
loom_time_parse_duration (const char *text, gint64 *ns)
{
  Wide value;
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  g_autofree char *squeezed = squeeze (text);
  gboolean negative = squeezed[0] == '-';
  if (!take_parts (squeezed + (negative || squeezed[0] == '+'), &value))
    return FALSE;
  *ns = negative ? -(gint64) value : (gint64) value;
  return TRUE;
}

/* Parses "1:02.5" (minutes and seconds) or "2:01:02.5" (hours, minutes, seconds). All parts after the first must be
 * below 60. */
static gboolean
take_clock (const char *text, Wide *ns)
{
  guint n = 1;
  for (*ns = 0;; text++, n++) {
    Wide digits, power;
    const char *end;
    if (!take_digits (text, &digits, &power, &end) || (n > 1 && digits >= 60 * power))
      return FALSE;
    *ns = *ns * 60 + (digits * LOOM_NS_PER_S + power / 2) / power;
    if (*end == '\0')
      return n > 1 && n <= 3 && *ns <= G_MAXINT64;
    if (*end != ':' || power != 1 || *ns > G_MAXINT64)
      return FALSE;
    text = end;
  }
}

static gboolean
is_number (const char *text)
{
  return text[0] != '\0' && text[strspn (text, "0123456789.,")] == '\0';
}

gboolean
loom_time_parse_instant (const char *text, gint64 *ns)
{
  Wide value;
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  g_autofree char *squeezed = squeeze (text);
  gboolean negative = squeezed[0] == '-';
  const char *plain = squeezed + (negative || squeezed[0] == '+');
  g_autofree char *with_unit = g_strconcat (plain, is_number (plain) ? "s" : "", NULL);
  if (!take_parts (with_unit, &value) && !take_clock (plain, &value))
    return FALSE;
  *ns = negative ? -(gint64) value : (gint64) value;
  return TRUE;
}
