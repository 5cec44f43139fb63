/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of what is open at once: where two are called the same, the folders they lie in tell them apart. Any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `name` of what lies at `place`, with the folder in front that none of the others has there: "may/run" beside "june/run". Others
 * are the places of what has the same name; NULL and `place` itself are left out. Owned by the caller. */
char *loom_disambiguate_dup (const char *name, const char *place, const char *const *others, guint n_others);

G_END_DECLS
