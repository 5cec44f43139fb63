/* SPDX-License-Identifier: Apache-2.0
 *
 * The separator between the items of a list in a sentence, such as ", ", and functions to join names with it. The
 * interface is described in loom-list-separator.h.
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
                        /* Translators: %s is a list of names, %u the number of other names */
                        ngettext ("%s and %u more", "%s and %u more", n_more), text->str, n_more)
                    : g_strdup (text->str);
}

char *
loom_list_separator_join_all (const GPtrArray *names)
{
  g_autoptr (GString) text = g_string_new (names->pdata[0]);
  for (guint i = 1; i + 1 < names->len; i++)
    g_string_append_printf (text, "%s%s", loom_list_separator (), (const char *) names->pdata[i]);
  return names->len > 1
           /* Translators: the first %s is a list of names with commas between them, the second the last name */
           ? g_strdup_printf (C_ ("list", "%s and %s"), text->str, (const char *) names->pdata[names->len - 1])
           : g_strdup (text->str);
}

char *
loom_list_separator_join_most (const GPtrArray *names, guint n_most)
{
  return names->len > n_most ? loom_list_separator_join (names, n_most) : loom_list_separator_join_all (names);
}
