/* SPDX-License-Identifier: Apache-2.0
 *
 * json-glib 1.6 prints the real number 4e132 as 4e+132.0, which is no JSON and which it does not read again. For the texts
 * that its generator makes. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Takes the ".0" away behind every exponent, and writes what was beyond all reals ("inf.0") as 1e999; in place. Returns `text`. O(length). */
char *loom_json_glib_workaround_reals (char *text);

G_END_DECLS
