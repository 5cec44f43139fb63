/* SPDX-License-Identifier: Apache-2.0 */
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

/* Returns a copy without spaces of any width, which may group digits. Owned. */
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

static gboolean
unit_of (const char *word, gint64 *ns)
{
  *ns = 1;
  for (guint i = 0; i < G_N_ELEMENTS (units); i++) {
    if (strcmp (units[i].word, word) != 0)
      continue;
    *ns = units[i].ns;
    return TRUE;
  }
  return *word == '\0';
}

/* Reads digits up to `*end`; `power` is the power of ten for the digits after the point. Returns FALSE without digits
 * or with too many. */
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

gboolean
loom_time_parse_duration (const char *text, gint64 *ns)
{
  Wide digits, power;
  const char *end;
  gint64 unit_ns;
  if (!g_utf8_validate (text, -1, NULL))
    return FALSE;
  g_autofree char *squeezed = squeeze (text);
  gboolean negative = squeezed[0] == '-';
  if (!take_digits (squeezed + (negative || squeezed[0] == '+'), &digits, &power, &end) || !unit_of (end, &unit_ns))
    return FALSE;
  Wide value = (digits * unit_ns + power / 2) / power;
  if (value > G_MAXINT64)
    return FALSE;
  *ns = negative ? -(gint64) value : (gint64) value;
  return TRUE;
}
