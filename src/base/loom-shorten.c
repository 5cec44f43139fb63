/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-shorten.h"

char *
loom_shorten_head (const char *text, glong max_letters)
{
  g_return_val_if_fail (text != NULL && max_letters > 0, NULL);
  glong n = g_utf8_strlen (text, -1);
  return n <= max_letters ? g_strdup (text)
                          : g_strconcat ("…", g_utf8_offset_to_pointer (text, n - max_letters + 1), NULL);
}

char *
loom_shorten_middle (const char *text, glong max_letters)
{
  g_return_val_if_fail (text != NULL && max_letters > 0, NULL);
  glong n = g_utf8_strlen (text, -1), n_behind = max_letters / 2;
  if (n <= max_letters)
    return g_strdup (text);
  g_autofree char *head = g_utf8_substring (text, 0, max_letters - n_behind - 1);
  return g_strconcat (head, "…", g_utf8_offset_to_pointer (text, n - n_behind), NULL);
}
