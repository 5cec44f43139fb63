/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats numbers: with the decimal point of the user's locale for display, and with "." for files. The interface is
 * described in loom-locale-number.h.
 */
#include "loom-locale-number.h"

#include <langinfo.h>
#include <string.h>

char *
loom_locale_number_localize (char *text)
{
  const char *point = nl_langinfo (RADIXCHAR);
  char *at = strchr (text, '.');
  if (at != NULL && point[0] != '\0' && point[1] == '\0')
    *at = point[0];
  return text;
}

char *
loom_locale_number_typeset (const char *number)
{
  GString *text = g_string_new (NULL);
  for (const char *c = number; *c != '\0'; c++)
    if (*c == '-' && g_ascii_isdigit (c[1]))
      g_string_append (text, "−");
    else
      g_string_append_c (text, *c);
  return g_string_free (text, FALSE);
}

char *
loom_locale_number_group (guint64 n)
{
  g_autofree char *text = g_strdup_printf ("%'" G_GUINT64_FORMAT, n);
  if (nl_langinfo (THOUSEP)[0] != '\0')
    return g_steal_pointer (&text);
  GString *grouped = g_string_new (text);
  for (gssize at = (gssize) grouped->len - 3; at > 0; at -= 3)
    g_string_insert_c (grouped, at, ',');
  return g_string_free (grouped, FALSE);
}

LoomLocaleNumber
loom_locale_number_begin (void)
{
  locale_t own = duplocale (uselocale ((locale_t) 0));
  locale_t plain = newlocale (LC_NUMERIC_MASK | LC_TIME_MASK | LC_MESSAGES_MASK, "C", own);
  return uselocale (plain != (locale_t) 0 ? plain : own);
}

void
loom_locale_number_end (LoomLocaleNumber before)
{
  freelocale (uselocale (before));
}
