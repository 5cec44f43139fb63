/* SPDX-License-Identifier: Apache-2.0
 *
 * Provides the separator between the items of a list in a sentence, such as ", ". The interface is described in
 * loom-list-separator.h.
 */
#include "loom-list-separator.h"

#include <glib/gi18n.h>

const char *
loom_list_separator (void)
{
  /* Translators: between the items of a list, with the blank behind it where there is one */
  return C_ ("list", ", ");
}
