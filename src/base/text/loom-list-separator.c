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
  /* Translators: the separator between the items of a list in a sentence; include the space after it if your language
   * writes one */
  return C_ ("list", ", ");
}
