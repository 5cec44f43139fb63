/* SPDX-License-Identifier: Apache-2.0
 *
 * Times and durations are gint64 nanoseconds in the whole program. This header has all functions that convert them to
 * text for the user, and parse such text. All functions may be called from any thread; returned strings are owned by
 * the caller.
 */
#pragma once

#include <glib.h>

#define LOOM_NS_PER_US G_GINT64_CONSTANT (1000)
#define LOOM_NS_PER_MS G_GINT64_CONSTANT (1000000)
#define LOOM_NS_PER_S G_GINT64_CONSTANT (1000000000)

/* The value of a time that is unknown or does not exist. Sorts before all times. */
#define LOOM_TIME_NONE G_MININT64

/* Times of sources whose clock states UTC (anchored sources) are implausible outside 1990-01-01 … 2100-01-01. Such
 * events are kept, but do not extend the time range of the run. */
#define LOOM_TIME_PLAUSIBLE_MIN (G_GINT64_CONSTANT (631152000) * LOOM_NS_PER_S)
#define LOOM_TIME_PLAUSIBLE_MAX (G_GINT64_CONSTANT (4102444800) * LOOM_NS_PER_S)

/* Smallest time that counts as a time since 1970; it is in the year 2001. If a time in a file is smaller, it counts
 * from an event at which the recording began. */
#define LOOM_TIME_EPOCH_MIN (G_GINT64_CONSTANT (1000000000) * LOOM_NS_PER_S)

/* A half-open range [begin_ns, end_ns); empty when end <= begin. */
typedef struct {
  gint64 begin_ns;
  gint64 end_ns;
} LoomRange;

/* The next functions return sums, differences and products. Results outside of gint64 become the nearest limit of
 * gint64; they don't wrap. */
static inline gint64
loom_time_add (gint64 a_ns, gint64 b_ns)
{
  gint64 sum;
  if (!__builtin_add_overflow (a_ns, b_ns, &sum))
    return sum;
  return a_ns < 0 ? G_MININT64 : G_MAXINT64;
}

static inline gint64
loom_time_sub (gint64 a_ns, gint64 b_ns)
{
  gint64 difference;
  if (!__builtin_sub_overflow (a_ns, b_ns, &difference))
    return difference;
  return a_ns < 0 ? G_MININT64 : G_MAXINT64;
}

/* Converts a count of seconds, milliseconds or microseconds (`unit_ns`: LOOM_NS_PER_S …, above 0) to nanoseconds. */
static inline gint64
loom_time_from (gint64 count, gint64 unit_ns)
{
  gint64 ns;
  if (!__builtin_mul_overflow (count, unit_ns, &ns))
    return ns;
  return count < 0 ? G_MININT64 : G_MAXINT64;
}

/* Returns TRUE if `ns` is the smallest or the largest gint64, which is the result of the functions above if the exact
 * result does not fit into gint64. As times since 1970, these limits are in the years 1677 and 2262. */
static inline gboolean
loom_time_is_saturated (gint64 ns)
{
  return ns == G_MININT64 || ns == G_MAXINT64;
}

/* Formats a duration as "12.4 ms": with three significant digits, in the largest unit (ns, µs, ms, s) in which the
 * rounded value is at least 1. A duration of at least a minute has two units: "1 min 5 s", "2 h 10 min"; from 100 h on,
 * "4 d 5 h". The same in every locale, except for the decimal point. */
char *loom_time_format_duration (gint64 ns);

/* Format of a column of durations, in which all numbers have the same unit and aligned decimal points. */
typedef struct {
  gint64 unit_ns;
  guint digits; /* number of digits after the decimal point */
} LoomTimeColumn;

/* Finds the format for a column of durations from `least_ns` (not 0) to `greatest_ns`. Chooses the unit that suits
 * `greatest_ns`, and so many decimals that `greatest_ns` has three significant digits. Returns FALSE if `least_ns`
 * would have fewer than two significant digits, or if `greatest_ns` is a minute or more: such columns use
 * loom_time_format_duration(). */
gboolean loom_time_column_init (LoomTimeColumn *column, gint64 least_ns, gint64 greatest_ns);
char *loom_time_column_format (const LoomTimeColumn *column, gint64 ns); /* returns the duration as text, owned */

/* Formats a duration exactly, as "12.400 017 ms": in the units of loom_time_format_duration() up to seconds, with all
 * digits down to the ns, except trailing zeros after the decimal point. */
char *loom_time_format_exact (gint64 ns);

/* Parses a duration such as "1.5 ms", "-300 us", "12.400 017 ms" or "2": the output of loom_time_format_duration() and
 * loom_time_format_exact(), and typed input. A number without a unit is in ns; fractions of a ns are rounded. Returns
 * FALSE if the text is not a duration. */
gboolean loom_time_parse_duration (const char *text, gint64 *ns);

/* Parses an instant that the user types, relative to an origin: a duration as loom_time_parse_duration() accepts it,
 * "1:02.5" (minutes and seconds), "2:01:02.5" (hours, minutes, seconds), or a number without a unit, which is in
 * seconds. Returns FALSE if the text is not an instant. */
gboolean loom_time_parse_instant (const char *text, gint64 *ns);

/* Formats an instant relative to an origin as "+12.450 s". `step_ns`: the distance between two ticks of a ruler, which
 * is 1, 2 or 5 times a power of ten, or a whole number of seconds. The text has as many digits as are needed to
 * distinguish ticks; further digits are cut. */
char *loom_time_format_offset (gint64 ns, gint64 step_ns);
/* Like loom_time_format_offset(), but in the unit that suits `like_ns`. If `like_ns` is the same for all times of a
 * column, all of them have the same unit. */
char *loom_time_format_offset_like (gint64 ns, gint64 step_ns, gint64 like_ns);

/* Formats an instant relative to an origin for a column of instants, for example "+12.450 017 s". All instants of the
 * column have the same unit, which suits the greatest of them, `extent_ns`. `digits` (0 … 9): number of decimals of a
 * second; further digits are cut. */
char *loom_time_format_instant_in_column (gint64 ns, guint digits, gint64 extent_ns);

/* Formats a clock reading such as "14:02:31.250", with `digits` (0…9) fraction digits and without the name of the time
 * zone: UTC, or the machine's zone if `local`. */
char *loom_time_format_clock (gint64 epoch_ns, guint digits, gboolean local);

/* Formats an instant as "2025-03-04 14:02:31.250000000 UTC". The day follows the locale ("04.03.2025"); in the C locale
 * it follows ISO 8601. */
char *loom_time_format_date (gint64 epoch_ns);

/* Writes `ns` as decimal microseconds with exactly 0 or 3 decimals ("1500", "0.250", "-0.001") into `buffer`, which
 * must have at least LOOM_TIME_US_MAX bytes and gets no terminating 0. Returns the length; the rest of these bytes may
 * be overwritten. Independent of the locale. */
#define LOOM_TIME_US_MAX 32
gsize loom_time_write_us (gint64 ns, char *buffer);

/* Writes an integer in decimal into `buffer`, which has at least 24 bytes and gets no terminating 0. Returns the
 * length; the rest of these bytes may be overwritten. */
gsize loom_time_write_int (gint64 value, char *buffer);
