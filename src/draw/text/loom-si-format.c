/* SPDX-License-Identifier: Apache-2.0
 *
 * Chooses the prefix and the number of digits of a value.
 */
#include "loom-si-format.h"

#include "loom-locale-number.h"

#include <math.h>
#include <string.h>

#define DIGITS_SIZE 64
#define TINY 0.0001 /* smaller values are written as powers of ten, because most of their digits would be zeros */

static void
cut_zeros (char *text)
{
  gsize length = strlen (text);
  if (strchr (text, '.') == NULL)
    return;
  while (length > 0 && text[length - 1] == '0')
    text[--length] = '\0';
  if (length > 0 && text[length - 1] == '.')
    text[length - 1] = '\0';
}

/* Writes a small number, such as a learning rate, as "3e−5" instead of "0". */
static void
write_power (double magnitude, char *buffer)
{
  char digits[DIGITS_SIZE];
  g_ascii_formatd (digits, sizeof digits, "%.2e", magnitude);
  char *e = strchr (digits, 'e');
  *e = '\0';
  int power = (int) g_ascii_strtoll (e + 1, NULL, 10);
  cut_zeros (digits);
  g_snprintf (buffer, DIGITS_SIZE, "%se−%d", digits, -power);
  loom_locale_number_localize (buffer);
}

/* Returns TRUE if a percentage with one decimal is not whole, such as 73.98. It is written as "74.0", as in tables;
 * "74" would look like a number with another precision than "73.9". */
static gboolean
keeps_zero (double percentage, int digits)
{
  return digits == 1 && fabs (percentage - round (percentage)) > 1e-6;
}

/* Writes a number with three significant digits; a percentage has at most three decimals and, in a column, always two.
 * Zeros at the end of the fraction are removed, except in a column and those of keeps_zero(). */
static void
write_digits (double magnitude, gboolean percent, gboolean is_column, char *buffer)
{
  int digits = is_column && percent                    ? 2
               : magnitude >= 99.95                    ? 0
               : magnitude >= 9.995                    ? 1
               : magnitude >= 0.9995 || magnitude == 0 ? 2
                                                       : 3;
  char format[8];
  if (magnitude > 0 && magnitude < TINY && !percent) {
    write_power (magnitude, buffer);
    return;
  }
  if (magnitude > 0 && magnitude < 0.09995 && !percent)
    digits = 2 - (int) floor (log10 (magnitude));
  g_snprintf (format, sizeof format, "%%.%df", digits);
  g_ascii_formatd (buffer, DIGITS_SIZE, format, magnitude);
  if (!is_column && !(percent && keeps_zero (magnitude, digits)))
    cut_zeros (buffer);
  loom_locale_number_localize (buffer);
}

static char *
format (double value, const char *unit, gboolean is_column)
{
  static const char *const decimal[] = { "", "k", "M", "G", "T", "P", "E" };
  static const char *const binary[] = { "", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" };
  if (!isfinite (value))
    return g_strdup ("–");
  gboolean percent = strcmp (unit, "%") == 0, bytes = strcmp (unit, "B") == 0;
  double base = bytes ? 1024 : 1000;
  guint power = 0;
  while (!percent && fabs (value) >= base * 0.9995 && power + 1 < G_N_ELEMENTS (decimal)) {
    value /= base;
    power++;
  }
  char digits[DIGITS_SIZE];
  write_digits (fabs (value), percent, is_column, digits);
  const char *sign = value < 0 && strcmp (digits, "0") != 0 ? "−" : "",
             *prefix = bytes ? binary[power] : decimal[power];
  if (unit[0] == '\0' && power == 0)
    return g_strconcat (sign, digits, NULL);
  /* writes "12.4 k/s" instead of "12.4 k1/s" */
  return g_strdup_printf (g_str_has_prefix (unit, "1/") && power == 0 ? "%s%s%s%s" : "%s%s %s%s", sign, digits, prefix,
                          g_str_has_prefix (unit, "1/") ? unit + 1 : unit);
}

char *
loom_si_format_value (double value, const char *unit)
{
  return format (value, unit, FALSE);
}

char *
loom_si_format_in_column (double value, const char *unit)
{
  return format (value, unit, TRUE);
}

double
loom_si_format_nice_above (double value)
{
  static const double steps[] = { 1, 2, 2.5, 5, 10 };
  if (!(value > 0) || !isfinite (value))
    return 1;
  double base = pow (10, floor (log10 (value)));
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (steps[i] * base >= value * (1 - 1e-9))
      return steps[i] * base;
  return 10 * base;
}
