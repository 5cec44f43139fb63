/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts decimal literals to integers of ns without rounding: computes the value of each digit from its distance from
 * the decimal point, without doubles.
 */
#include "loom-parse-time.h"

#include "loom-parse-double.h"

#include <string.h>

#define ATTO_DIGITS 18
#define ATTO_PER_NS G_GUINT64_CONSTANT (1000000000000000000)
#define MAX_EXPONENT 100000

typedef struct {
  const char *digits; /* first digit of the literal */
  const char *end;    /* end of the digits; an exponent may follow */
  const char *point;  /* the decimal point; `end` if the literal has none */
  gint exponent;
  gboolean negative;
} Literal;

static void
trim (const char **text, const char **end)
{
  while (*text < *end && g_ascii_isspace (**text))
    (*text)++;
  while (*end > *text && g_ascii_isspace ((*end)[-1]))
    (*end)--;
}

static void
unwrap (const char **text, const char **end)
{
  trim (text, end);
  if (*end - *text >= 2 && **text == '"' && (*end)[-1] == '"') {
    (*text)++, (*end)--;
    trim (text, end);
  }
}

static gboolean
parse_exponent (const char *p, const char *end, gint *exponent)
{
  gboolean negative = FALSE;
  if (p < end && (*p == '+' || *p == '-'))
    negative = *p++ == '-';
  if (p == end)
    return FALSE;
  gint value = 0;
  for (; p < end; p++) {
    if (!g_ascii_isdigit (*p))
      return FALSE;
    value = MIN (value * 10 + (*p - '0'), MAX_EXPONENT);
  }
  *exponent = negative ? -value : value;
  return TRUE;
}

static gboolean
split_literal (const char *text, gsize length, Literal *literal)
{
  if (length == 0)
    return FALSE;
  const char *p = text, *end = text + length;
  unwrap (&p, &end);
  *literal = (Literal) { 0 };
  if (p < end && (*p == '-' || *p == '+'))
    literal->negative = *p++ == '-';
  literal->digits = p;
  gsize n_digits = 0;
  for (; p < end && (g_ascii_isdigit (*p) || (*p == '.' && literal->point == NULL)); p++) {
    if (*p == '.')
      literal->point = p;
    else
      n_digits++;
  }
  literal->end = p;
  if (literal->point == NULL)
    literal->point = p;
  if (n_digits == 0)
    return FALSE;
  if (p == end)
    return TRUE;
  return (*p == 'e' || *p == 'E') && parse_exponent (p + 1, end, &literal->exponent);
}

/* Splits literal × 10^shift into a whole number and a fraction in units of 10⁻¹⁸. Returns FALSE if the whole number
 * does not fit. */
static gboolean
place_digits (const Literal *literal, gint shift, guint64 *whole, guint64 *atto)
{
  gint64 position =
    /* number of digits before the decimal point, after the exponent and `shift` have moved the point */
    (literal->point - literal->digits) + (gint64) literal->exponent + shift;
  guint64 high = 0, low = 0;
  gint64 n_low = 0;
  gboolean seen = FALSE;
  for (const char *p = literal->digits; p < literal->end; p++) {
    if (*p == '.')
      continue;
    guint digit = (guint) (*p - '0');
    seen |= digit != 0;
    if (position > 0) {
      if (__builtin_mul_overflow (high, 10, &high) || __builtin_add_overflow (high, digit, &high))
        return FALSE;
    } else if (position > -ATTO_DIGITS) {
      for (; n_low < -position; n_low++)
        low *= 10;
      low = low * 10 + digit;
      n_low++;
    }
    position--;
  }
  for (; seen && position > 0; position--)
    if (__builtin_mul_overflow (high, 10, &high))
      return FALSE;
  for (; n_low < ATTO_DIGITS; n_low++)
    low *= 10;
  *whole = high;
  *atto = low;
  return TRUE;
}

static gboolean
parse_time (const char *text, gsize length, gint shift, LoomExactTime *time)
{
  Literal literal;
  guint64 whole, atto;
  if (!split_literal (text, length, &literal) || !place_digits (&literal, shift, &whole, &atto))
    return FALSE;
  if (whole >= (guint64) G_MAXINT64)
    return FALSE;
  time->ns = literal.negative ? -(gint64) whole : (gint64) whole;
  time->atto = atto;
  if (literal.negative && atto != 0) {
    time->ns--;
    time->atto = ATTO_PER_NS - atto;
  }
  return TRUE;
}

#define ZEROS G_GUINT64_CONSTANT (0x3030303030303030)

static inline guint64
read_four (const char *text)
{
  guint32 word;
  memcpy (&word, text, sizeof word);
  return GUINT32_FROM_LE (word);
}

static inline guint64
read_eight (const char *text)
{
  guint64 word;
  memcpy (&word, text, sizeof word);
  return GUINT64_FROM_LE (word);
}

/* Parses the `n` (1 to 8) lowest bytes of `text` as a decimal number; the first digit is in the lowest byte. Combines
 * digits to pairs, pairs to groups of four, and the two groups to the result. Returns FALSE if a byte is not a
 * digit. */
static inline gboolean
take_digits (guint64 text, guint n, guint64 *value)
{
  guint64 digits = (text ^ ZEROS) << (64 - 8 * n);
  if (((digits | (digits + G_GUINT64_CONSTANT (0x0606060606060606))) & G_GUINT64_CONSTANT (0xF0F0F0F0F0F0F0F0)) != 0)
    return FALSE;
  digits = digits * 10 + (digits >> 8);
  guint64 first = (digits & G_GUINT64_CONSTANT (0x000000FF000000FF)) * G_GUINT64_CONSTANT (0x000F424000000064);
  guint64 second = (digits >> 16 & G_GUINT64_CONSTANT (0x000000FF000000FF)) * G_GUINT64_CONSTANT (0x0000271000000001);
  *value = (first + second) >> 32;
  return TRUE;
}

/* Parses times as Kineto writes them, such as "17.131" and "2504177.131": exactly three digits after the point and at
 * most 16 before it. Reads words of 8 bytes instead of single digits, because the processor cannot predict the branches
 * of a loop over digits whose number varies. */
static inline gboolean
parse_thousandths (const char *text, gsize length, gint64 *ns)
{
  guint64 upper = 0, whole, thousandths;
  if (length < 5 || length > 16 + 4 || text[length - 4] != '.')
    return FALSE;
  guint n = (guint) length - 4;
  if (n <= 4) { /* n ≤ 4 means at most 7 digits in total: parses the digits before and after the point together as one
                 * number */
    guint64 digits = (read_four (text) & ((G_GUINT64_CONSTANT (1) << 8 * n) - 1)) | read_four (text + n) >> 8 << 8 * n;
    *ns = take_digits (digits, n + 3, &whole) ? (gint64) whole : -1;
    return *ns >= 0;
  }
  if (n > 8 && !take_digits (read_eight (text), n - 8, &upper))
    return FALSE;
  const char *lower = n > 8 ? text + n - 8 : text;
  if (!take_digits (read_eight (lower), MIN (n, 8), &whole) ||
      !take_digits (read_four (text + n) >> 8, 3, &thousandths))
    return FALSE;
  whole += upper * 100000000;
  if (whole >= G_MAXINT64 / 1000)
    return FALSE;
  *ns = (gint64) (whole * 1000 + thousandths);
  return TRUE;
}

/* Parses times of the common form "2504177.131": at most 16 digits before the point (as many as µs since 1970 have) and
 * at most nine after it. */
static inline gboolean
parse_plain_us (const char *text, gsize length, LoomExactTime *time)
{
  static const guint32 tens[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
  const char *p = text, *end = text + length;
  guint64 value = 0;
  if (parse_thousandths (text, length, &time->ns)) {
    time->atto = 0;
    return TRUE;
  }
  if (length == 0 || length > 16 + 1 + 9)
    return FALSE;
  for (; p < end && (guint) (*p - '0') < 10; p++)
    value = value * 10 + (guint) (*p - '0');
  if (p - text > 16 || p == text || value >= G_MAXINT64 / 1000)
    return FALSE;
  time->ns = (gint64) (value * 1000);
  time->atto = 0;
  if (p == end)
    return TRUE;
  guint n = (guint) (end - p - 1), fraction = 0;
  if (*p != '.' || n < 1 || n > 9)
    return FALSE;
  for (p++; p < end; p++) {
    if ((guint) (*p - '0') >= 10)
      return FALSE;
    fraction = fraction * 10 + (guint) (*p - '0');
  }
  if (n <= 3) {
    time->ns += fraction * tens[3 - n];
    return TRUE;
  }
  time->ns += fraction / tens[n - 3];
  time->atto = (guint64) (fraction % tens[n - 3]) * tens[9 - n] * G_GUINT64_CONSTANT (1000000000000);
  return TRUE;
}

gboolean
loom_parse_time_parse_us (const char *text, gsize length, LoomExactTime *time)
{
  return parse_plain_us (text, length, time) || parse_time (text, length, 3, time);
}

gboolean
loom_parse_time_parse_s (const char *text, gsize length, LoomExactTime *time)
{
  return parse_time (text, length, 9, time);
}

LoomExactTime
loom_parse_time_add_exact (LoomExactTime a, LoomExactTime b)
{
  guint64 atto = a.atto + b.atto;
  gint64 carry = atto >= ATTO_PER_NS;
  LoomExactTime sum = { 0, carry ? atto - ATTO_PER_NS : atto };
  if (__builtin_add_overflow (a.ns, b.ns, &sum.ns) || __builtin_add_overflow (sum.ns, carry, &sum.ns))
    sum = (LoomExactTime) { a.ns < 0 ? G_MININT64 : G_MAXINT64, 0 };
  return sum;
}

/* Parses an integer of at most 18 digits. Returns FALSE if the text is something else. */
static gboolean
parse_plain_int (const char *text, gsize length, gint64 *value)
{
  gboolean is_negative = length > 0 && text[0] == '-';
  const char *p = text + is_negative, *end = text + length;
  gint64 sum = 0;
  if (p == end || end - p > 18)
    return FALSE;
  for (; p < end; p++) {
    if ((guint) (*p - '0') >= 10)
      return FALSE;
    sum = sum * 10 + (*p - '0');
  }
  *value = is_negative ? -sum : sum;
  return TRUE;
}

gboolean
loom_parse_time_parse_int (const char *text, gsize length, gint64 *value)
{
  Literal literal;
  guint64 whole, atto;
  if (parse_plain_int (text, length, value))
    return TRUE;
  if (!split_literal (text, length, &literal) || !place_digits (&literal, 0, &whole, &atto) || atto != 0)
    return FALSE;
  if (whole > (guint64) G_MAXINT64 + (literal.negative ? 1 : 0))
    return FALSE;
  *value = literal.negative ? (gint64) (0 - whole) : (gint64) whole;
  return TRUE;
}

gboolean
loom_parse_time_parse_double (const char *text, gsize length, double *value)
{
  Literal literal;
  char small[64];
  if (loom_parse_double_scan (text, text + length, value) == text + length && length > 0)
    return TRUE;
  if (!split_literal (text, length, &literal))
    return FALSE;
  const char *p = text, *end = text + length;
  unwrap (&p, &end);
  gsize n = (gsize) (end - p);
  g_autofree char *large = n < sizeof small ? NULL : g_malloc (n + 1);
  char *copy = large != NULL ? large : small;
  memcpy (copy, p, n);
  copy[n] = '\0';
  *value = g_ascii_strtod (copy, NULL);
  /* if the value is infinite or NaN, the difference is NaN, and the comparison is FALSE */
  return *value - *value == 0;
}
