/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets the locale of the program, and the folder of its translations. The interface is described in loom-locale.h.
 */
#include "loom-locale.h"

#include <langinfo.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>

#include "loom-installed.h"

/* Returns the folder of the translations: the value of the environment variable LOOM_LOCALE_DIR, which tests set; if it
 * is not set, `build_dir`/po if the program runs from its build folder; otherwise the installed folder. Owned by the
 * caller. */
static char *
dup_locale_dir (const char *build_dir)
{
  const char *given = g_getenv ("LOOM_LOCALE_DIR");
  if (given != NULL)
    return g_strdup (given);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL),
                  *inside = g_strconcat (build_dir, G_DIR_SEPARATOR_S, NULL);
  if (program != NULL && g_str_has_prefix (program, inside))
    return g_build_filename (build_dir, "po", NULL);
  return g_strdup (LOOM_LOCALE_DIR);
}

void
loom_locale_bind (const char *build_dir)
{
  g_autofree char *locale_dir = dup_locale_dir (build_dir);
  setlocale (LC_ALL, "");
  if (strcmp (nl_langinfo (CODESET), "ANSI_X3.4-1968") == 0)
    setlocale (LC_CTYPE,
               /* if the locale has the character set ASCII, as the C locale of many containers, use C.UTF-8: otherwise,
                * all non-ASCII characters would be printed as “?” */
               "C.UTF-8");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
}

/* Switches only messages to English; the character set, numbers and times stay in the current locale. */
locale_t
loom_locale_begin_english (void)
{
  locale_t own = uselocale ((locale_t) 0), english = newlocale (LC_MESSAGES_MASK, "C", duplocale (own));
  return uselocale (english);
}

void
loom_locale_end_english (locale_t own)
{
  freelocale (uselocale (own));
}
