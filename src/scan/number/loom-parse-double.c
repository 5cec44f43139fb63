/* SPDX-License-Identifier: Apache-2.0
 *
 * Computes a double as digits × 10^exponent, where `digits` is an integer of at most 64 bits. In the simple case, this
 * integer and the power of ten can both be represented exactly as doubles. A single multiplication or division then
 * rounds only once, so its result is correct (Clinger).
 *
 * In all other cases, the integer is multiplied or divided by a power of five. A product is computed with all its bits.
 * A quotient is computed with 64 bits and a flag that tells whether the remaining bits are zero. Both are enough to
 * round correctly to the 53 bits of a double.
 */
#include "loom-parse-double.h"

#include <float.h>
#include <string.h>

#define MAX_DIGITS 19
#define MAX_POWER 26
#define DOUBLE_BITS 53

#if FLT_EVAL_METHOD == 0
#define MAX_EXACT_POWER 22
static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                               1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
#endif

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Wide;

/* Returns a power of five. `power`: at most MAX_POWER. 5¹³ is the last power of five below 2³². */
static guint64
power_of_five (guint power)
{
  static const guint32 fives[] = { 1,     5,      25,      125,     625,      3125,      15625,
                                   78125, 390625, 1953125, 9765625, 48828125, 244140625, 1220703125 };
  return power <= 13 ? fives[power] : (guint64) fives[13] * fives[power - 13];
}

/* Returns bits × 2^power, rounded half to even. The top bit of `bits` must be set. `rest`: TRUE if the exact value is
 * larger than `bits`, by less than one unit of the lowest bit. */
static double
round_bits (guint64 bits, gint power, gboolean rest)
{
  const guint n_low = 64 - DOUBLE_BITS;
  const guint64 half = G_GUINT64_CONSTANT (1) << (n_low - 1);
  guint64 low = bits & ((half << 1) - 1), mantissa = bits >> n_low;
  if (low > half || (low == half && (rest || (mantissa & 1) != 0)))
    mantissa++;
  /* If rounding carries the mantissa to 2⁵³, the addition below increments the exponent, which is correct. */
  guint64 exponent = (guint64) (power + (gint) n_low + DOUBLE_BITS - 1 + 1023);
  guint64 form = (exponent << (DOUBLE_BITS - 1)) + (mantissa - (G_GUINT64_CONSTANT (1) << (DOUBLE_BITS - 1)));
  double value;
  memcpy (&value, &form, sizeof value);
  return value;
}

static double
multiply (guint64 digits, guint power)
{
  Wide product = (Wide) digits * power_of_five (power);
  guint64 high = (guint64) (product >> 64), low = (guint64) product;
  guint shift = high != 0 ? (guint) __builtin_clzll (high) : 64 + (guint) __builtin_clzll (low);
  product <<= shift;
  return round_bits ((guint64) (product >> 64), (gint) power + 64 - (gint) shift, (guint64) product != 0);
}

static double
divide (guint64 digits, guint power)
{
  guint64 divisor = power_of_five (power);
  guint up = (guint) __builtin_clzll (digits), by = (guint) __builtin_clzll (divisor);
  divisor <<= by;
  Wide dividend =
    /* the upper 64 bits of the dividend are less than the divisor, so the quotient has at most 64 bits */
    (Wide) (digits << up) << 63;
  guint64 quotient = (guint64) (dividend / divisor);
  gboolean rest = (Wide) quotient * divisor != dividend;
  /* Number of leading zero bits of the quotient: 0 or 1. If it is 1, one more bit of the quotient is computed, so that
   * the top bit is set. */
  guint top = (guint) __builtin_clzll (quotient);
  if (top > 0) {
    guint64 left = (guint64) (dividend - (Wide) quotient * divisor);
    gboolean bit = left >= divisor - left;
    quotient = quotient << 1 | bit;
    rest = bit ? left != divisor - left : left != 0;
  }
  return round_bits (quotient, (gint) by - (gint) up - 63 - (gint) top - (gint) power, rest);
}
#endif

static gboolean
scale (guint64 digits, gint power, double *value)
{
#if FLT_EVAL_METHOD == 0
  if (digits <= G_GUINT64_CONSTANT (1) << DOUBLE_BITS && power >= -MAX_EXACT_POWER && power <= MAX_EXACT_POWER) {
    *value = power < 0 ? (double) digits / tens[-power] : (double) digits * tens[power];
    return TRUE;
  }
#endif
#ifdef __SIZEOF_INT128__
  if (digits != 0 && power >= -MAX_POWER && power <= MAX_POWER) {
    *value = power < 0 ? divide (digits, (guint) -power) : multiply (digits, (guint) power);
    return TRUE;
  }
#endif
  return FALSE;
}

static inline const char *
take_digits (const char *p, const char *end, guint64 *digits)
{
  for (; p < end && (guint) (*p - '0') < 10; p++)
    *digits = *digits * 10 + (guint) (*p - '0');
  return p;
}

static const char *
take_exponent (const char *p, const char *end, gint *power)
{
  guint64 exponent = 0;
  gboolean negative = p < end && *p == '-';
  if (p < end && (*p == '+' || *p == '-'))
    p++;
  const char *behind = take_digits (p, end, &exponent);
  if (behind == p || behind - p > 4)
    return NULL;
  *power += negative ? -(gint) exponent : (gint) exponent;
  return behind;
}

static gsize
leading_zeros (const char *p, const char *end)
{
  gsize n = 0;
  for (; p < end && (*p == '0' || *p == '.'); p++)
    n += *p == '0';
  return n;
}

const char *
loom_parse_double_scan (const char *p, const char *end, double *value)
{
  gboolean negative = p < end && *p == '-';
  const char *first = p + negative, *point;
  guint64 digits = 0;
  gint power = 0;
  p = point = take_digits (first, end, &digits);
  gsize n = (gsize) (p - first);
  if (n == 0)
    return NULL;
  if (p < end && *p == '.') {
    p = take_digits (point + 1, end, &digits);
    power = -(gint) MIN (p - point - 1, G_MAXINT / 2);
    n += (gsize) (p - point - 1);
    if (p == point + 1)
      return NULL;
  }
  if (n > MAX_DIGITS && n - leading_zeros (first, p) > MAX_DIGITS)
    return NULL;
  if (p < end && (*p == 'e' || *p == 'E') && (p = take_exponent (p + 1, end, &power)) == NULL)
    return NULL;
  if (!scale (digits, power, value))
    return NULL;
  *value = negative ? -*value : *value;
  return p;
}
