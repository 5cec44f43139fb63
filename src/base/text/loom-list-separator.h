/* SPDX-License-Identifier: Apache-2.0
 *
 * What stands between the items of a list in a sentence.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* In the language of the person, with its blank; static. Any thread. */
const char *loom_list_separator (void);

G_END_DECLS
