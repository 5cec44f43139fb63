/* SPDX-License-Identifier: Apache-2.0
 *
 * Doubles of plain decimal literals, exactly as strtod rounds them, without its price. No locale. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reads -?digits[.digits][e[±]digits] at `p` and returns the place behind it. NULL when there is none, or one that takes
 * more than 19 significant digits or a large exponent: strtod knows those. */
const char *loom_parse_double_scan (const char *p, const char *end, double *value);

G_END_DECLS
