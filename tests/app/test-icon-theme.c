/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the icon theme is loaded before an icon is looked up.
 */
#include "groups.h"
#include "loom-icon-theme-preload.h"

#include <glib/gstdio.h>

static void
set_done (GObject *theme, GAsyncResult *result, gpointer done)
{
  *(gboolean *) done = TRUE;
}

static gboolean
is_done (gpointer done)
{
  return *(gboolean *) done;
}

/* The file of an icon is removed after the theme was loaded: GTK still finds the icon, because it doesn't read the
 * folder again for some seconds. */
static void
test_preload (void)
{
  static const char description[] = "[Icon Theme]\nName=Test\nDirectories=16x16\n[16x16]\nSize=16\nType=Fixed\n";
  g_autofree char *folder = g_dir_make_tmp ("loom-icons-XXXXXX", NULL),
                  *named = g_build_filename (folder, "hicolor", NULL), *icons = g_build_filename (named, "16x16", NULL),
                  *index = g_build_filename (named, "index.theme", NULL),
                  *icon = g_build_filename (icons, "loom-test-icon.png", NULL);
  /* the theme of the display: GTK does not free a theme without a display that was loaded on a thread */
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gdk_display_get_default ());
  g_auto (GStrv) path = gtk_icon_theme_get_search_path (theme);
  gboolean done = FALSE;
  g_assert_cmpint (g_mkdir_with_parents (icons, 0700), ==, 0);
  g_assert_true (g_file_set_contents (index, description, -1, NULL) && g_file_set_contents (icon, "", 0, NULL));
  gtk_icon_theme_set_search_path (theme, (const char *const[]) { folder, NULL });
  loom_icon_theme_preload_start (theme, set_done, &done);
  g_assert_true (fixture_wait (is_done, &done));
  g_assert_true (g_unlink (icon) == 0 && g_unlink (index) == 0);
  g_assert_true (gtk_icon_theme_has_icon (theme, "loom-test-icon"));
  gtk_icon_theme_set_search_path (theme, (const char *const *) path);
  g_assert_true (g_rmdir (icons) == 0 && g_rmdir (named) == 0 && g_rmdir (folder) == 0);
}

void
groups_add_icon_theme (void)
{
  g_test_add_func ("/window/icon-theme-preload", test_preload);
}
