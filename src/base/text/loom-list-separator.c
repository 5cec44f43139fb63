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

char *
loom_list_separator_join (const GPtrArray *names, guint n_most)
{
  g_autoptr (GString) text = g_string_new (NULL);
  for (guint i = 0; i < MIN (names->len, n_most); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? loom_list_separator () : "", (const char *) names->pdata[i]);
  guint n_more = names->len - MIN (names->len, n_most);
  return n_more > 0 ? g_strdup_printf (
                        /* Translators: the names of the first of several things, and the number of the others */
                        ngettext ("%s and %u more", "%s and %u more", n_more), text->str, n_more)
                    : g_strdup (text->str);
}
