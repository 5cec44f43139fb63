/* SPDX-License-Identifier: Apache-2.0
 *
 * Time is gint64 nanoseconds, everywhere. This is the one place that turns it into text.
 * All functions may be called from any thread; returned strings are owned by the caller.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LOOM_NS_PER_US G_GINT64_CONSTANT (1000)
#define LOOM_NS_PER_MS G_GINT64_CONSTANT (1000000)
#define LOOM_NS_PER_S G_GINT64_CONSTANT (1000000000)

/* No time; sorts before every time. */
#define LOOM_TIME_NONE G_MININT64

/* Instants of anchored sources outside 1990-01-01 … 2100-01-01 are kept but left out of extents. */
#define LOOM_TIME_PLAUSIBLE_MIN (G_GINT64_CONSTANT (631152000) * LOOM_NS_PER_S)
#define LOOM_TIME_PLAUSIBLE_MAX (G_GINT64_CONSTANT (4102444800) * LOOM_NS_PER_S)

/* A half-open range [begin_ns, end_ns); empty when end <= begin. */
typedef struct {
  gint64 begin_ns;
  gint64 end_ns;
} LoomRange;

/* Sums, differences and products that stop at the ends of gint64 instead of wrapping. */
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

/* TRUE when one of the above stopped at an end, which is the year 1677 or 2262 of an instant. */
static inline gboolean
loom_time_is_saturated (gint64 ns)
{
  return ns == G_MININT64 || ns == G_MAXINT64;
}

/* "12.4 ms": three significant digits and the largest unit (ns µs ms s min h) of which it is one or more,
 * once rounded; days from 100 h on. The same in every locale. */
char *loom_time_format_duration (gint64 ns);

/* "12.400 017 ms" without loss: the same unit up to seconds, every digit down to the ns, trailing zeros of the fraction
 * cut. */
char *loom_time_format_exact (gint64 ns);

/* "1.5 ms", "-300 us", "12.400 017 ms", "2": what the two above write, and what people type; digits below the ns are rounded,
 * without a unit it is ns. FALSE: no duration. */
gboolean loom_time_parse_duration (const char *text, gint64 *ns);

/* "+12.450 s": an instant relative to an origin, as precise as `step_ns` (the distance of ruler ticks: 1, 2 or 5 times a
 * power of ten, or a whole number of seconds) needs; digits beyond are cut. */
char *loom_time_format_offset (gint64 ns, gint64 step_ns);

/* "14:02:31.250 UTC"-style clock reading without the zone's name; `digits` 0…9 fraction digits. `local` takes the
 * machine's time zone. */
char *loom_time_format_clock (gint64 epoch_ns, guint digits, gboolean local);

/* "2025-03-04 14:02:31.250000000 UTC", the day as the locale writes it ("04.03.2025"); in the C locale as ISO 8601 does. */
char *loom_time_format_date (gint64 epoch_ns);

/* Writes `ns` as decimal microseconds with exactly 0 or 3 fraction digits ("1500", "0.250", "-0.001") into `buffer`
 * (at least LOOM_TIME_US_MAX bytes, no terminating NUL) and returns the length; what is behind it in these bytes may be
 * written over. No printf, no locale. */
#define LOOM_TIME_US_MAX 32
gsize loom_time_write_us (gint64 ns, char *buffer);

/* The same for any integer; at least 24 bytes. */
gsize loom_time_write_int (gint64 value, char *buffer);

G_END_DECLS
