/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats a list of whole numbers, such as ranks, in a short form: "0–7, 12".
 */
#pragma once

#include <glib.h>

/* Returns the numbers as text, in their order. Three or more consecutive numbers become one part, "0–7"; other
 * numbers are separate parts. If there are more than `most` parts, "…" replaces the rest. `separator`: text between
 * two parts, including spaces. Owned by the caller. O(n), any thread. */
char *loom_number_runs_dup (const gint *numbers, gsize n, const char *separator, guint most);
