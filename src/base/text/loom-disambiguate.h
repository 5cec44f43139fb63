/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinguishes open files that have the same name by the name of a parent folder, which precedes the file name. Any
 * thread.
 */
#pragma once

#include <glib.h>

/* Returns `name`, preceded by one of the parent folders of `place`, as in "may/run" and "june/run". This is the nearest
 * parent folder that differs from the corresponding folder of every other path. `place`: path of the file or folder; if
 * NULL, returns `name` alone. `others`: paths of all open files and folders with the same name; elements that are NULL
 * or equal to `place` are ignored. Owned by the caller. */
char *loom_disambiguate_dup (const char *name, const char *place, const char *const *others, guint n_others);
