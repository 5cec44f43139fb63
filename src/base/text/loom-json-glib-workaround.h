/* SPDX-License-Identifier: Apache-2.0
 *
 * Repairs JSON texts that json-glib 1.6 generated: it prints the real number 4e132 as 4e+132.0, which is not JSON and
 * which json-glib itself cannot parse. Any thread.
 */
#pragma once

#include <glib.h>

/* Removes the ".0" after every exponent and replaces "inf.0" by 1e999, in place. Returns `text`. O(length). */
char *loom_json_glib_workaround_reals (char *text);
