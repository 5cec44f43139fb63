/* SPDX-License-Identifier: Apache-2.0
 *
 * Appends numbers to a JSON text. Reports of runs of many ranks contain millions of numbers, so these functions are
 * several times faster than printf(), with the same results.
 */
#pragma once

#include <glib.h>

void loom_json_number_append_int (GString *out, gint64 value);
/* Appends a finite number with at most 9 decimals, without trailing zeros. From 10¹⁵ on, appends 17 significant digits
 * instead, because a double of this size has hardly any digits of precision left for a fraction. */
void loom_json_number_append_double (GString *out, double value);
