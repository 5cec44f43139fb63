/* SPDX-License-Identifier: Apache-2.0
 *
 * Provides the separator between the items of a list in a sentence, such as ", ".
 */
#pragma once

#include <glib.h>

/* Returns the separator in the user's language, including its space. Static. Any thread. */
const char *loom_list_separator (void);
