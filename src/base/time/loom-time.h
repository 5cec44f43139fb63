/* SPDX-License-Identifier: Apache-2.0
 *
 * Times and durations are gint64 nanoseconds in the whole program. This header has all functions that convert them to
 * text for the user, and that parse such text. Any thread; returned texts are owned by the caller.
 */
#pragma once

#include <glib.h>

#define LOOM_NS_PER_US G_GINT64_CONSTANT (1000)
#define LOOM_NS_PER_MS G_GINT64_CONSTANT (1000000)
#define LOOM_NS_PER_S G_GINT64_CONSTANT (1000000000)

/* The value of an unknown or missing time. It is less than all times. */
#define LOOM_TIME_NONE G_MININT64

/* Bounds of plausible times: 1990-01-01 and 2100-01-01. They apply to anchored sources, which are sources whose clock
 * states UTC. Events with times outside these bounds are kept, but do not extend the time range of the run. */
#define LOOM_TIME_PLAUSIBLE_MIN (G_GINT64_CONSTANT (631152000) * LOOM_NS_PER_S)
#define LOOM_TIME_PLAUSIBLE_MAX (G_GINT64_CONSTANT (4102444800) * LOOM_NS_PER_S)

/* A time in a file that is at least this value counts as a time since 1970; the value is in the year 2001. A smaller
 * time counts from another instant, such as the start of the recording. */
#define LOOM_TIME_EPOCH_MIN (G_GINT64_CONSTANT (1000000000) * LOOM_NS_PER_S)

/* A half-open range [begin_ns, end_ns); empty when end <= begin. */
typedef struct {
  gint64 begin_ns;
  gint64 end_ns;
} LoomRange;

/* The next functions return sums, differences and products. If a result does not fit in a gint64, they return the
 * nearest limit of gint64 instead of wrapping around. */
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

/* Converts a number of seconds, milliseconds or microseconds to nanoseconds. `unit_ns`: length of the unit in ns,
 * greater than 0, such as LOOM_NS_PER_S. */
static inline gint64
loom_time_from (gint64 count, gint64 unit_ns)
{
  gint64 ns;
  if (!__builtin_mul_overflow (count, unit_ns, &ns))
    return ns;
  return count < 0 ? G_MININT64 : G_MAXINT64;
}

/* Returns TRUE if `ns` is the smallest or the largest gint64. The functions above return these values if the exact
 * result does not fit in a gint64. (As times since 1970, they are in the years 1677 and 2262.) */
static inline gboolean
loom_time_is_saturated (gint64 ns)
{
  return ns == G_MININT64 || ns == G_MAXINT64;
}

/* Formats a duration as "12.4 ms": with three significant digits, in the largest unit (ns, µs, ms, s) in which the
 * rounded value is at least 1. A duration of a minute or more has two units: "1 min 5 s", "2 h 10 min"; from 100 h
 * on, "4 d 5 h". Only the decimal point depends on the locale. */
char *loom_time_format_duration (gint64 ns);

/* Format of a column of durations, in which all numbers have the same unit and aligned decimal points. */
typedef struct {
  gint64 unit_ns;
  guint digits; /* number of digits after the decimal point */
} LoomTimeColumn;

/* Finds the format for a column of durations from `least_ns` (not 0) to `greatest_ns`. Chooses the unit of
 * `greatest_ns`, and as many decimals as `greatest_ns` needs for three significant digits. Returns FALSE if
 * `least_ns` would have fewer than two significant digits, or if `greatest_ns` is a minute or more;
 * loom_time_format_duration() must be used for such columns. */
gboolean loom_time_column_init (LoomTimeColumn *column, gint64 least_ns, gint64 greatest_ns);
/* returns the duration as text, owned by the caller */
char *loom_time_column_format (const LoomTimeColumn *column, gint64 ns);

/* Formats a duration exactly: "12.400 017 ms". The unit is that of loom_time_format_duration(), at most seconds. All
 * digits down to the ns are written, except zeros at the end of the decimals. */
char *loom_time_format_exact (gint64 ns);

/* Parses a duration such as "1.5 ms", "-300 us", "12.400 017 ms" or "2". Accepts the output of
 * loom_time_format_duration() and loom_time_format_exact(), and input of the user. A number without a unit is in ns;
 * fractions of a ns are rounded. Returns FALSE if the text is not a duration. */
gboolean loom_time_parse_duration (const char *text, gint64 *ns);

/* Parses an instant that the user types, relative to an origin. It is a duration with a unit (see
 * loom_time_parse_duration()), "1:02.5" (minutes and seconds), "2:01:02.5" (hours, minutes, seconds), or a number of
 * seconds without a unit. Returns FALSE if the text is not an instant. */
gboolean loom_time_parse_instant (const char *text, gint64 *ns);

/* Formats an instant relative to an origin: "+12.450 s". `step_ns`: the distance between two ticks of the time ruler:
 * 1, 2 or 5 times a power of ten, or a whole number of seconds. The text has as many digits as are needed to
 * distinguish ticks; further digits are truncated, not rounded. */
char *loom_time_format_offset (gint64 ns, gint64 step_ns);
/* Like loom_time_format_offset(), but in the unit that `like_ns` would have. If a caller passes the same `like_ns` for
 * all times of a column, all of them have the same unit. */
char *loom_time_format_offset_like (gint64 ns, gint64 step_ns, gint64 like_ns);

/* Formats an instant relative to an origin for a column of instants: "+12.450 017 s". `extent_ns`: the greatest instant
 * of the column; all instants of the column have its unit. `digits` (0 … 9): number of decimals of a second; further
 * digits are truncated, not rounded. */
char *loom_time_format_instant_in_column (gint64 ns, guint digits, gint64 extent_ns);

/* Formats a time of day: "14:02:31.250", without the name of the time zone. `digits` (0 … 9): number of decimals of
 * a second. `local`: TRUE for the time zone of this machine, FALSE for UTC. */
char *loom_time_format_clock (gint64 epoch_ns, guint digits, gboolean local);

/* Formats an instant with its date: "2025-03-04 14:02:31.250000000 UTC". The format of the date is that of the
 * locale ("04.03.2025"); in the C locale, it is that of ISO 8601. */
char *loom_time_format_date (gint64 epoch_ns);

/* Writes `ns` in microseconds, as a decimal number with 0 or 3 decimals ("1500", "0.250", "-0.001"). `buffer`: at
 * least LOOM_TIME_US_MAX bytes; bytes after the number may be overwritten, and no NUL byte is written. Returns the
 * length of the number. Independent of the locale. */
#define LOOM_TIME_US_MAX 32
gsize loom_time_write_us (gint64 ns, char *buffer);

/* Writes an integer in decimal. `buffer`: at least 24 bytes; bytes after the number may be overwritten, and no NUL
 * byte is written. Returns the length of the number. */
gsize loom_time_write_int (gint64 value, char *buffer);
