/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-json-number.h"

#include <float.h>
#include <math.h>

#define N_DECIMALS 9
#define ONE 1000000000u   /* 10 to the power of N_DECIMALS */
#define MAX_FRACTION 1e15 /* from this absolute value on, numbers are printed without decimals */
#define MOST_DIGITS 20    /* maximum number of decimal digits of a 64-bit integer */

typedef unsigned __int128 Wide;

/* A number that is printed as `whole`, a point and N_DECIMALS digits. */
typedef struct {
  guint64 whole, decimals;
} Fixed;

static void
append_digits (GString *out, guint64 value)
{
  char digits[MOST_DIGITS];
  guint at = MOST_DIGITS;
  do {
    digits[--at] = (char) ('0' + value % 10);
    value /= 10;
  } while (value > 0);
  g_string_append_len (out, digits + at, MOST_DIGITS - at);
}

void
loom_json_number_append_int (GString *out, gint64 value)
{
  if (value < 0)
    g_string_append_c (out, '-');
  append_digits (out, value < 0 ? -(guint64) value : (guint64) value);
}

static void
append_decimals (GString *out, guint64 decimals)
{
  char digits[N_DECIMALS];
  gssize n = N_DECIMALS;
  for (guint i = N_DECIMALS; i > 0; i--, decimals /= 10)
    digits[i - 1] = (char) ('0' + decimals % 10);
  while (digits[n - 1] == '0')
    n--;
  g_string_append_c (out, '.');
  g_string_append_len (out, digits, n);
}

/* Rounds a number from 0 to MAX_FRACTION to N_DECIMALS decimals, halves to even, as printf() does. The number is
 * mantissa / 2^shift, which integers represent exactly. */
static Fixed
round_decimals (double value)
{
  int exponent;
  guint64 mantissa = (guint64) ldexp (frexp (value, &exponent), DBL_MANT_DIG);
  guint shift = (guint) (DBL_MANT_DIG - exponent); /* at least 3, because MAX_FRACTION is less than 2^50 */
  Fixed fixed = { shift < 64 ? mantissa >> shift : 0, 0 };
  Wide scaled = (Wide) (mantissa - (shift < 64 ? fixed.whole << shift : 0)) * ONE;
  if (shift > 2 * DBL_MANT_DIG) /* the fraction is less than half of the last decimal */
    return fixed;
  Wide half = (Wide) 1 << (shift - 1), rest = scaled & (2 * half - 1);
  fixed.decimals = (guint64) (scaled >> shift);
  fixed.decimals += rest > half || (rest == half && fixed.decimals % 2 == 1);
  return fixed.decimals < ONE ? fixed : (Fixed) { fixed.whole + 1, 0 };
}

void
loom_json_number_append_double (GString *out, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  if (fabs (value) >= MAX_FRACTION) {
    g_string_append (out, g_ascii_formatd (digits, sizeof digits, "%.17g", value));
    return;
  }
  Fixed fixed = round_decimals (fabs (value));
  if (value < 0 && (fixed.whole > 0 || fixed.decimals > 0))
    g_string_append_c (out, '-');
  append_digits (out, fixed.whole);
  if (fixed.decimals > 0)
    append_decimals (out, fixed.decimals);
}
