/* SPDX-License-Identifier: Apache-2.0
 *
 * Converts times and durations, which are gint64 nanoseconds in the whole program, to text. The interface is described
 * in loom-time.h.
 */
#include "loom-time.h"

#include "loom-locale-number.h"

#include <langinfo.h>
#include <string.h>

#define HOUR_NS (G_GINT64_CONSTANT (3600) * LOOM_NS_PER_S)

typedef struct {
  gint64 ns;
  const char *name;
  guint digits;   /* number of digits after the decimal point that are needed to represent single ns in this unit */
  gint64 from_ns; /* minimum time, in ns, that is formatted in this unit */
} TimeUnit;

/* Units, longest first. Days are used only from 100 hours on: durations of up to about four days are usually stated in
 * hours. */
static const TimeUnit units[] = {
  { 24 * HOUR_NS, "d", 0, 100 * HOUR_NS },
  { HOUR_NS, "h", 0, HOUR_NS },
  { 60 * LOOM_NS_PER_S, "min", 0, 60 * LOOM_NS_PER_S },
  { LOOM_NS_PER_S, "s", 9, LOOM_NS_PER_S },
  { LOOM_NS_PER_MS, "ms", 6, LOOM_NS_PER_MS },
  { LOOM_NS_PER_US, "µs", 3, LOOM_NS_PER_US },
  { 1, "ns", 0, 1 },
};

/* Longest unit of exact times and of labels of the time ruler, because only seconds and shorter units are formatted
 * with decimals. */
static const TimeUnit *const second = &units[3];

static const TimeUnit *
unit_for (guint64 magnitude)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (magnitude >= (guint64) units[i].from_ns)
      return &units[i];
  return &units[G_N_ELEMENTS (units) - 1];
}

static guint64
magnitude_of (gint64 ns)
{
  return ns < 0 ? (guint64) 0 - (guint64) ns : (guint64) ns;
}

/* Returns the number of decimals needed to format the value with three significant digits. */
static guint
fraction_digits (double value)
{
  return value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

/* Formats a time of at least a minute in a unit and the next smaller unit: "2 min 50 s". The second number is
 * omitted if it is 0. */
static char *
format_in_two_units (guint64 magnitude, gboolean negative, const TimeUnit *unit)
{
  const TimeUnit *minor = unit + 1;
  guint64 minor_ns = (guint64) minor->ns, rounded = (magnitude + minor_ns / 2) / minor_ns;
  if (unit > units && rounded * minor_ns >= (guint64) unit[-1].from_ns)
    return format_in_two_units (magnitude, negative, unit - 1);
  guint64 per_unit = (guint64) unit->ns / minor_ns, whole = rounded / per_unit, rest = rounded % per_unit;
  const char *sign = negative ? "−" : "";
  if (rest == 0)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT " %s", sign, whole, unit->name);
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT " %s %" G_GUINT64_FORMAT " %s", sign, whole, unit->name, rest,
                          minor->name);
}

static char *
format_in_unit (guint64 magnitude, gboolean negative, const TimeUnit *unit, guint digits)
{
  static const char *const formats[] = { "%.0f", "%.1f", "%.2f" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (number, sizeof number, formats[digits], (double) magnitude / unit->ns);
  return g_strdup_printf ("%s%s %s", negative ? "−" : "", loom_locale_number_localize (number), unit->name);
}

char *
loom_time_format_duration (gint64 ns)
{
  static const double half_ulp[] = { 0.5, 0.05, 0.005 };
  guint64 magnitude = magnitude_of (ns);
  const TimeUnit *unit = unit_for (magnitude);
  double value = (double) magnitude / unit->ns;
  /* Rounding to three digits may give a value for which the next larger unit is used: 999.96 µs becomes 1.00 ms, and
   * 59.97 s becomes 1 min. */
  if (unit > units && unit->ns > 1 && unit->ns <= LOOM_NS_PER_S &&
      (value + half_ulp[fraction_digits (value)]) * unit->ns >= unit[-1].from_ns)
    value = (double) magnitude / (--unit)->ns;
  if (unit->ns > LOOM_NS_PER_S)
    return format_in_two_units (magnitude, ns < 0, unit);
  return format_in_unit (magnitude, ns < 0, unit, unit->ns == 1 ? 0 : fraction_digits (value));
}

gboolean
loom_time_column_init (LoomTimeColumn *column, gint64 least_ns, gint64 greatest_ns)
{
  guint64 least = magnitude_of (least_ns), greatest = magnitude_of (greatest_ns);
  const TimeUnit *unit = unit_for (greatest);
  if (least == 0 || least > greatest || unit->ns > LOOM_NS_PER_S)
    return FALSE;
  double low = (double) least / unit->ns;
  guint digits = unit->ns == 1 ? 0 : fraction_digits ((double) greatest / unit->ns);
  /* compute `scale`, the smallest value that has two significant digits when it is written with `digits` decimals */
  double scale = 10;
  for (guint i = 0; i < digits; i++)
    scale /= 10;
  *column = (LoomTimeColumn) { unit->ns, digits };
  return low >= scale || unit->ns == 1;
}

char *
loom_time_column_format (const LoomTimeColumn *column, gint64 ns)
{
  const TimeUnit *unit = unit_for ((guint64) column->unit_ns);
  return format_in_unit (magnitude_of (ns), ns < 0, unit, ns == 0 ? 0 : column->digits);
}

static void
append_fraction (GString *text, const char *digits, gsize n)
{
  g_string_append_c (text, '.');
  for (gsize i = 0; i < n; i++) {
    if (i > 0 && i % 3 == 0)
      g_string_append (text, "\u202f"); /* U+202F is a narrow no-break space; it separates groups of digits */
    g_string_append_c (text, digits[i]);
  }
}

char *
loom_time_format_exact (gint64 ns)
{
  guint64 magnitude = magnitude_of (ns);
  const TimeUnit *unit = unit_for (magnitude);
  if (unit->ns > LOOM_NS_PER_S)
    unit = second;
  GString *text = g_string_new (ns < 0 ? "−" : "");
  g_string_append_printf (text, "%" G_GUINT64_FORMAT, magnitude / (guint64) unit->ns);
  guint64 rest = magnitude % (guint64) unit->ns;
  if (rest != 0) {
    char fraction[16];
    g_snprintf (fraction, sizeof fraction, "%0*" G_GUINT64_FORMAT, (int) unit->digits, rest);
    gsize length = strlen (fraction);
    while (length > 0 && fraction[length - 1] == '0')
      length--;
    append_fraction (text, fraction, length);
  }
  g_string_append_printf (text, " %s", unit->name);
  return loom_locale_number_localize (g_string_free (text, FALSE));
}

static guint
digits_for_step (gint64 unit_ns, gint64 step_ns)
{
  guint digits = 0;
  for (gint64 quantum = unit_ns; quantum > step_ns && quantum % 10 == 0 && digits < 9; quantum /= 10)
    digits++;
  return digits;
}

static char *
format_offset_in (gint64 ns, gint64 step_ns, const TimeUnit *unit)
{
  guint64 magnitude = magnitude_of (ns);
  guint digits = digits_for_step (unit->ns, MAX (step_ns, 1));
  guint64 whole = magnitude / (guint64) unit->ns, rest = magnitude % (guint64) unit->ns;
  for (guint i = digits; i < unit->digits; i++)
    rest /= 10;
  const char *sign = ns < 0 ? "−" : "+";
  if (ns == 0)
    return g_strdup_printf ("0 %s", unit->name);
  if (digits == 0)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT " %s", sign, whole, unit->name);
  return loom_locale_number_localize (g_strdup_printf ("%s%" G_GUINT64_FORMAT ".%0*" G_GUINT64_FORMAT " %s", sign,
                                                       whole, (int) digits, rest, unit->name));
}

char *
loom_time_format_offset (gint64 ns, gint64 step_ns)
{
  return loom_time_format_offset_like (ns, step_ns, ns);
}

char *
loom_time_format_offset_like (gint64 ns, gint64 step_ns, gint64 like_ns)
{
  const TimeUnit *unit = unit_for (MAX (magnitude_of (like_ns), (guint64) MAX (step_ns, 1)));
  return format_offset_in (ns, step_ns, unit->ns > LOOM_NS_PER_S ? second : unit);
}

char *
loom_time_format_instant_in_column (gint64 ns, guint digits, gint64 extent_ns)
{
  guint64 magnitude = magnitude_of (ns);
  const TimeUnit *unit = unit_for (magnitude_of (extent_ns));
  if (unit->ns > LOOM_NS_PER_S)
    unit = second;
  char fraction[16];
  g_snprintf (fraction, sizeof fraction, "%0*" G_GUINT64_FORMAT, (int) unit->digits, magnitude % (guint64) unit->ns);
  GString *text = g_string_new (ns < 0 ? "−" : "+");
  g_string_append_printf (text, "%" G_GUINT64_FORMAT, magnitude / (guint64) unit->ns);
  guint n = unit->digits + MIN (digits, 9) > 9 ? unit->digits + MIN (digits, 9) - 9 : 0;
  if (n > 0)
    append_fraction (text, fraction, n);
  g_string_append_printf (text, " %s", unit->name);
  return loom_locale_number_localize (g_string_free (text, FALSE));
}

static GDateTime *
date_time_for (gint64 epoch_ns, gint64 *fraction_ns, gboolean local)
{
  gint64 seconds = epoch_ns / LOOM_NS_PER_S;
  *fraction_ns = epoch_ns % LOOM_NS_PER_S;
  if (*fraction_ns < 0) {
    *fraction_ns += LOOM_NS_PER_S;
    seconds--;
  }
  return local ? g_date_time_new_from_unix_local (seconds) : g_date_time_new_from_unix_utc (seconds);
}

static char *
format_with_fraction (gint64 epoch_ns, const char *format, guint digits, gboolean local)
{
  gint64 fraction_ns;
  g_autoptr (GDateTime) when = date_time_for (epoch_ns, &fraction_ns, local);
  g_autofree char *whole = g_date_time_format (when, format);
  if (digits == 0)
    return g_steal_pointer (&whole);
  for (guint i = digits; i < 9; i++)
    fraction_ns /= 10;
  g_autofree char *fraction =
    loom_locale_number_localize (g_strdup_printf (".%0*" G_GINT64_FORMAT, (int) MIN (digits, 9), fraction_ns));
  return g_strconcat (whole, fraction, NULL);
}

char *
loom_time_format_clock (gint64 epoch_ns, guint digits, gboolean local)
{
  return format_with_fraction (epoch_ns, "%H:%M:%S", digits, local);
}

char *
loom_time_format_date (gint64 epoch_ns)
{
  /* in the C locale, use the date format of ISO 8601, because the format of this locale (%m/%d/%y) is ambiguous */
  gboolean plain = strcmp (nl_langinfo (D_FMT), "%m/%d/%y") == 0;
  g_autofree char *text = format_with_fraction (epoch_ns, plain ? "%Y-%m-%d %H:%M:%S" : "%x %H:%M:%S", 9, FALSE);
  return g_strconcat (text, " UTC", NULL);
}

/* Returns the eight digits of a number below 10^8, one digit per byte, the first digit in the lowest byte. Splits
 * the number into two groups of four digits, then into groups of two, then into single digits. All groups are
 * processed side by side in one word. To divide all groups by 100 (or 10) at once, multiplies by slightly more than
 * 2^20 / 100 (or 2^10 / 10), and shifts. */
static inline guint64
digits_of (guint32 value)
{
  guint64 fours = value / 10000 | (guint64) (value % 10000) << 32;
  guint64 hundreds = fours * 10486 >> 20 & G_GUINT64_CONSTANT (0x0000007F0000007F);
  guint64 twos = hundreds | (fours - hundreds * 100) << 16;
  guint64 tens = twos * 103 >> 10 & G_GUINT64_CONSTANT (0x000F000F000F000F);
  return tens | (twos - tens * 10) << 8;
}

#define ZEROS G_GUINT64_CONSTANT (0x3030303030303030)

static inline void
store (char *buffer, guint64 letters)
{
  letters = GUINT64_TO_LE (letters);
  memcpy (buffer, &letters, sizeof letters);
}

/* Writes `value` in decimal without leading zeros, and returns the number of digits. Always overwrites eight bytes
 * of `buffer`. */
static inline gsize
write_short (guint32 value, char *buffer)
{
  guint64 digits = digits_of (value);
  guint n_zeros = (guint) __builtin_ctzll (digits | G_GUINT64_CONSTANT (1) << 56) / 8;
  store (buffer, (digits | ZEROS) >> 8 * n_zeros);
  return 8 - n_zeros;
}

#define SHORT_LIMIT 100000000u

static gsize
write_unsigned (guint64 value, char *buffer)
{
  if (value < SHORT_LIMIT)
    return write_short ((guint32) value, buffer);
  gsize n = write_unsigned (value / SHORT_LIMIT, buffer);
  store (buffer + n, digits_of ((guint32) (value % SHORT_LIMIT)) | ZEROS);
  return n + 8;
}

gsize
loom_time_write_int (gint64 value, char *buffer)
{
  gsize sign = 0;
  if (value < 0)
    buffer[sign++] = '-';
  return sign + write_unsigned (magnitude_of (value), buffer + sign);
}

/* Writes the number in two parts. The first part is all digits except the last eight. The second part is the last
 * eight digits: five before the decimal point, three after it. */
gsize
loom_time_write_us (gint64 ns, char *buffer)
{
  guint64 magnitude = magnitude_of (ns), first = magnitude / SHORT_LIMIT,
          digits = digits_of ((guint32) (magnitude % SHORT_LIMIT));
  gsize n = 0, n_zeros = 0;
  if (ns < 0)
    buffer[n++] = '-';
  if (first > 0)
    n += write_unsigned (first, buffer + n);
  else
    n_zeros =
      /* keep at least one digit before the decimal point */
      (gsize) __builtin_ctzll (digits | G_GUINT64_CONSTANT (1) << 32) / 8;
  store (buffer + n, (digits | ZEROS) >> 8 * n_zeros);
  n += 5 - n_zeros;
  if (digits >> 40 == 0)
    return n;
  store (buffer + n, (digits | ZEROS) >> 40 << 8 | '.');
  return n + 4;
}
