/* SPDX-License-Identifier: Apache-2.0
 *
 * Paths of files inside archives, such as "job.zip//rank0/trace.json": two slashes separate the path of the archive and
 * the name of the member. The interface is described in loom-archive-path.h.
 */
#include "loom-archive-path.h"

#include "loom-ellipsize.h"

#include <string.h>

#define MOST_LETTERS 4096 /* maximum length of a path, in characters; the operating system cannot open longer paths */
#define SHORT_LETTERS 512

char *
loom_archive_path_dup_member (const char *archive, const char *name)
{
  return g_strconcat (archive, "//", name, NULL);
}

char *
loom_archive_path_dup_archive (const char *path)
{
  for (const char *c = strstr (path, "//"); c != NULL; c = strstr (c + 2, "//"))
    if (c > path && c[-1] != ':') /* keep two slashes after ":", because they belong to the "://" of a URI */
      return g_strndup (path, (gsize) (c - path));
  return NULL;
}

/* Replaces each sequence of slashes: by a single slash at the beginning of the path, and by `between` elsewhere. */
static char *
replace_slashes (const char *path, const char *between)
{
  GString *text = g_string_new (NULL);
  for (const char *c = path; *c != '\0'; c++) {
    gboolean doubled = c[0] == '/' && c[1] == '/';
    if (doubled && c > path && c[-1] == ':') { /* keep the "://" of a URI */
      g_string_append (text, "//");
      c++;
    } else if (doubled) {
      g_string_append (text, c == path ? "/" : between);
      c += strspn (c, "/") - 1;
    } else {
      g_string_append_c (text, *c);
    }
  }
  return g_string_free (text, FALSE);
}

char *
loom_archive_path_dup_plain (const char *path)
{
  return replace_slashes (path, "/");
}

/* Returns TRUE for the Unicode control characters that change the direction of text: embeddings, overrides and
 * isolates. Such a character affects the text up to the next one; if there is no other, it may reorder the rest of the
 * line. */
static gboolean
is_direction (gunichar letter)
{
  return (letter >= 0x202A && letter <= 0x202E) || (letter >= 0x2066 && letter <= 0x2069);
}

char *
loom_archive_path_dup_printable (const char *name)
{
  g_autofree char *shown = g_filename_display_name (name);
  GString *text = g_string_new (NULL);
  for (const char *c = shown; *c != '\0'; c = g_utf8_next_char (c)) {
    gunichar letter = g_utf8_get_char (c);
    if (letter == '\n')
      g_string_append (text, "\\n");
    else if (g_unichar_iscntrl (letter))
      g_string_append_printf (text, "\\x%02x", letter);
    else if (is_direction (letter))
      g_string_append_printf (text, "\\u%04x", letter);
    else
      g_string_append_unichar (text, letter);
  }
  return g_string_free (text, FALSE);
}

char *
loom_archive_path_dup_short (const char *text)
{
  return g_utf8_strlen (text, -1) > MOST_LETTERS ? loom_ellipsize_middle (text, SHORT_LETTERS) : g_strdup (text);
}

char *
loom_archive_path_dup_shown (const char *path)
{
  g_autofree char *printable = loom_archive_path_dup_printable (path);
  g_autofree char *shown = loom_archive_path_dup_short (printable);
  return replace_slashes (shown, " › ");
}

char *
loom_archive_path_dup_stem (const char *name)
{
  static const char *const endings[] = {
    ".json", ".trace", ".pt", ".gz", ".zip", ".tar", ".tgz", ".zst", ".xz", ".bz2"
  };
  char *stem = g_strdup (name);
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (stem, endings[i]) && strlen (stem) > strlen (endings[i])) {
      stem[strlen (stem) - strlen (endings[i])] = '\0';
      i = (guint) -1; /* after removing an ending, try all endings again, because a name may have several endings */
    }
  return stem;
}

char *
loom_archive_path_dup_place (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);
  if (g_str_has_prefix (folder, home) && (folder[length] == '\0' || folder[length] == G_DIR_SEPARATOR)) {
    g_autofree char *shown = g_strconcat ("~", folder + length, NULL);
    return loom_archive_path_dup_printable (shown);
  }
  return loom_archive_path_dup_printable (folder);
}
