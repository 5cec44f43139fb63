/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the number parsers: compares integers and times with decimal arithmetic on the digits of the text, and doubles
 * with strtod().
 */
#include "fuzz.h"

#include "loom-parse-double.h"
#include "loom-parse-time.h"

#include <math.h>
#include <string.h>

#define MOST_BYTES 400

/* The digits of a number's text and the position of its decimal point. */
typedef struct {
  GString *digits;
  gint64 point;
  gboolean negative;
} Decimal;

static gboolean
split (char *text, Decimal *decimal)
{
  static const char pattern[] = "^([-+]?)([0-9]*)(?:\\.([0-9]*))?(?:[eE]([-+]?[0-9]+))?$";
  static GRegex *regex;
  g_autoptr (GMatchInfo) match = NULL;
  if (regex == NULL)
    regex = g_regex_new (pattern, G_REGEX_RAW | G_REGEX_DOLLAR_ENDONLY, 0, NULL);
  if (!g_regex_match (regex, text, 0, &match))
    return FALSE;
  g_autofree char *sign = g_match_info_fetch (match, 1), *whole = g_match_info_fetch (match, 2),
                  *part = g_match_info_fetch (match, 3), *exponent = g_match_info_fetch (match, 4);
  decimal->digits = g_string_new (whole);
  decimal->point =
    (gint64) strlen (whole) +
    (exponent != NULL && *exponent != '\0' ? CLAMP (g_ascii_strtoll (exponent, NULL, 10), -100000, 100000) : 0);
  decimal->negative = sign[0] == '-';
  g_string_append (decimal->digits, part != NULL ? part : "");
  return TRUE;
}

/* Returns the digit at position `n` to the left of the decimal point (from 0), or to the right of it (from −1). */
static gint
digit_at (const Decimal *decimal, gint64 n)
{
  gint64 i = decimal->point - 1 - n;
  return i >= 0 && i < (gint64) decimal->digits->len ? decimal->digits->str[i] - '0' : 0;
}

/* Computes the value times 10^`shift`: its integer part and its fraction in units of 10⁻¹⁸. Returns FALSE if the
 * integer part has more than 19 digits or exceeds `most`. */
static gboolean
value_of (const Decimal *decimal, gint shift, guint64 most, guint64 *whole, guint64 *atto)
{
  *whole = *atto = 0;
  for (gint64 i = 0; i < (gint64) decimal->digits->len; i++)
    if (decimal->digits->str[i] != '0' && decimal->point - 1 - i + shift >= 19)
      return FALSE;
  for (gint n = 18; n >= 0; n--)
    *whole = *whole * 10 + (guint64) digit_at (decimal, n - shift);
  for (gint n = 1; n <= 18; n++)
    *atto = *atto * 10 + (guint64) digit_at (decimal, -n - shift);
  return *whole <= most;
}

/* Removes blanks and quotes around the text, which the parsers accept. The caller owns the result; NULL if the text
 * contains NUL. */
static char *
bare (const char *text, gsize size)
{
  g_autofree char *copy = g_strndup (text, size);
  if (strlen (copy) != size)
    return NULL;
  gsize from = 0, to = size;
  for (guint round = 0; round < 2; round++) {
    while (from < to && g_ascii_isspace (copy[from]))
      from++;
    while (to > from && g_ascii_isspace (copy[to - 1]))
      to--;
    if (round > 0 || to - from < 2 || copy[from] != '"' || copy[to - 1] != '"')
      break;
    from++, to--;
  }
  return g_strndup (copy + from, to - from);
}

static void
check_time (const Decimal *decimal, const char *text, gsize size, gint shift)
{
  LoomExactTime time = { 0, 0 };
  guint64 whole = 0, atto = 0;
  gboolean got =
    shift == 3 ? loom_parse_time_parse_us (text, size, &time) : loom_parse_time_parse_s (text, size, &time);
  gboolean wanted = decimal != NULL && value_of (decimal, shift, G_MAXINT64 - 1, &whole, &atto);
  fuzz_check (got == wanted, "%.*s: %d instead of %d", (int) size, text, got, wanted);
  if (!got)
    return;
  fuzz_check (time.atto < G_GUINT64_CONSTANT (1000000000000000000), "too many attoseconds");
  gint64 ns = decimal->negative ? -(gint64) whole - (atto != 0) : (gint64) whole;
  if (decimal->negative && atto != 0)
    atto = G_GUINT64_CONSTANT (1000000000000000000) - atto;
  fuzz_check (time.ns == ns && time.atto == atto,
              "%.*s: %" G_GINT64_FORMAT ".%018" G_GUINT64_FORMAT " instead of %" G_GINT64_FORMAT
              ".%018" G_GUINT64_FORMAT,
              (int) size, text, time.ns, time.atto, ns, atto);
}

static void
check_int (const Decimal *decimal, const char *text, gsize size)
{
  gint64 value = 0;
  guint64 whole = 0, atto = 0;
  gboolean got = loom_parse_time_parse_int (text, size, &value);
  gboolean wanted =
    decimal != NULL && value_of (decimal, 0, (guint64) G_MAXINT64 + decimal->negative, &whole, &atto) && atto == 0;
  fuzz_check (got == wanted, "%.*s: %d instead of %d", (int) size, text, got, wanted);
  if (got)
    fuzz_check ((guint64) value == (decimal->negative ? 0 - whole : whole), "%.*s: %" G_GINT64_FORMAT, (int) size, text,
                value);
}

static void
check_double (const Decimal *decimal, const char *plain, const char *text, gsize size)
{
  double value = 0, quick = 0;
  gboolean got = loom_parse_time_parse_double (text, size, &value);
  double wanted = decimal != NULL ? g_ascii_strtod (plain, NULL) : 0;
  fuzz_check (got == (decimal != NULL && isfinite (wanted)), "%.*s: %d", (int) size, text, got);
  if (got)
    fuzz_check (memcmp (&value, &wanted, sizeof value) == 0, "%.*s: %.17g instead of %.17g", (int) size, text, value,
                wanted);
  const char *end = loom_parse_double_scan (text, text + size, &quick);
  if (end == NULL)
    return;
  g_autofree char *part = g_strndup (text, (gsize) (end - text));
  wanted = g_ascii_strtod (part, NULL);
  fuzz_check (memcmp (&quick, &wanted, sizeof quick) == 0, "%s: %.17g instead of %.17g", part, quick, wanted);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  if (size > MOST_BYTES)
    return 0;
  g_autofree char *text = fuzz_exact (data, size), *plain = bare (text, size);
  Decimal decimal = { NULL, 0, FALSE };
  gboolean known = plain != NULL && split (plain, &decimal) && decimal.digits->len > 0;
  const Decimal *wanted = known ? &decimal : NULL;
  check_time (wanted, text, size, 3);
  check_time (wanted, text, size, 9);
  check_int (wanted, text, size);
  check_double (wanted, plain, text, size);
  if (decimal.digits != NULL)
    g_string_free (decimal.digits, TRUE);
  return 0;
}
