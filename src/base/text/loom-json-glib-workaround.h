/* SPDX-License-Identifier: Apache-2.0
 *
 * Repairs JSON texts that json-glib 1.6 generated. json-glib writes the number 4e132 as 4e+132.0, which is not valid
 * JSON, and which it cannot parse itself. Any thread.
 */
#pragma once

#include <glib.h>

/* Removes ".0" after each exponent, and replaces "inf.0" by 1e999. Changes the text in place. Returns `text`.
 * O(length). */
char *loom_json_glib_workaround_reals (char *text);
