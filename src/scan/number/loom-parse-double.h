/* SPDX-License-Identifier: Apache-2.0
 *
 * Parses plain decimal literals into doubles with the same rounding as strtod(), but in less time. Does not depend on
 * the locale. The functions may be called on any thread.
 */
#pragma once

#include <glib.h>

/* Parses a literal of the form -?digits[.digits][e[±]digits] at `p`, and returns the position after it. Returns NULL if
 * there is no such literal. Also returns NULL if the caller must use strtod(): if there are more than 19 significant
 * digits, or if the exponent is large. */
const char *loom_parse_double_scan (const char *p, const char *end, double *value);
