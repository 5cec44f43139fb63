/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinguishes open files that have the same name: puts the name of a parent folder before the name. Any thread.
 */
#pragma once

#include <glib.h>

/* Returns `name`, preceded by the nearest parent folder of `place` that differs from the corresponding folders of all
 * other places: "may/run" as opposed to "june/run". `place`: path of the file or folder with this name; NULL: `name` is
 * returned as it is. `others`: paths of all open files and folders with this name, of which NULL and `place` itself are
 * skipped. Owned by the caller. */
char *loom_disambiguate_dup (const char *name, const char *place, const char *const *others, guint n_others);
