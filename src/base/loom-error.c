/* SPDX-License-Identifier: Apache-2.0
 *
 * The GError domain LOOM_ERROR, for failures that make a file, a request or an export unusable. The interface is
 * described in loom-error.h.
 */
#include "loom-error.h"

#include "loom-archive-path.h"

#include <glib/gi18n.h>

/* G_DEFINE_QUARK is not used: the function that it defines accesses a static variable without a lock, which is a data
 * race */
GQuark
loom_error_quark (void)
{
  static gsize quark;
  if (g_once_init_enter (&quark))
    g_once_init_leave (&quark, g_quark_from_static_string ("loom-error-quark"));
  return (GQuark) quark;
}

void
loom_error_set_from_errno (GError **error, LoomError code, int saved_errno, const char *format, const char *path)
{
  g_autofree char *shown = loom_archive_path_dup_shown (path);
  g_autoptr (GString) what = g_string_new (gettext (format));
  g_string_replace (what, "%s", shown, 1);
  /* Translators: the first %s is a failed operation, such as "Cannot read “x.json”"; the second is the reason from
   * the operating system */
  g_set_error (error, LOOM_ERROR, code, _ ("%s: %s"), what->str, g_strerror (saved_errno));
}
