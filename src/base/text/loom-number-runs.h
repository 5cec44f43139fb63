/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a list of whole numbers, such as ranks, so that it stays short: "0–7, 12".
 */
#pragma once

#include <glib.h>

/* Returns the numbers in their order, as text. Three or more consecutive numbers become one part, "0–7"; two are
 * written as separate parts. After `most` parts, "…" replaces the rest. `separator`: text between two parts, with its
 * spaces. Owned by the caller. O(n), any thread. */
char *loom_number_runs_dup (const gint *numbers, gsize n, const char *separator, guint most);
