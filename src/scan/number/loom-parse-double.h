/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses plain decimal literals into doubles with the same rounding as strtod(), but faster. Does not depend on the
 * locale. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

/* Parses -?digits[.digits][e[±]digits] at `p` and returns the position after it. Returns NULL if there is no such
 * literal, or if it has more than 19 significant digits or a large exponent, which are left to strtod(). */
const char *loom_parse_double_scan (const char *p, const char *end, double *value);
