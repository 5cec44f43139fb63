/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature (name)
#else
#define HAS_FEATURE(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define LEAKS_ARE_SEEN 1
#endif

void
fuzz_fail (const char *place, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("%s: %s\n", place, message);
  abort ();
}

void
fuzz_check_same (const char *got, const char *wanted, const char *place, const char *what)
{
  if (strcmp (got, wanted) == 0)
    return;
  g_auto (GStrv) ours = g_strsplit (got, "\n", -1), theirs = g_strsplit (wanted, "\n", -1);
  guint i = 0;
  while (ours[i] != NULL && theirs[i] != NULL && strcmp (ours[i], theirs[i]) == 0)
    i++;
  fuzz_fail (place, "%s, line %u:\n%s\n--- instead of\n%s", what, i + 1, ours[i], theirs[i]);
}

/* --- random numbers --- */

FuzzDice
fuzz_dice (const guint8 *data, gsize size)
{
  FuzzDice dice = { G_GUINT64_CONSTANT (0xcbf29ce484222325) };
  for (gsize i = 0; i < size; i++)
    dice.state = (dice.state ^ data[i]) * G_GUINT64_CONSTANT (0x100000001b3);
  return dice;
}

guint
fuzz_below (FuzzDice *dice, guint n)
{
  dice->state = dice->state * G_GUINT64_CONSTANT (6364136223846793005) + G_GUINT64_CONSTANT (1442695040888963407);
  return (guint) (dice->state >> 33) % n;
}

char *
fuzz_exact (const void *bytes, gsize size)
{
  char *copy = g_malloc (MAX (size, 1));
  if (size > 0)
    memcpy (copy, bytes, size);
  return copy;
}

void
fuzz_leaks_are_known (gboolean known)
{
#ifdef LEAKS_ARE_SEEN
  if (known)
    __lsan_disable ();
  else
    __lsan_enable ();
#endif
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

typedef struct {
  const char *p, *end;
  guint depth, max_depth;
} Json;

static gboolean read_value (Json *json);

static void
skip_blanks (Json *json)
{
  while (json->p < json->end && memchr (" \t\r\n", *json->p, 4) != NULL)
    json->p++;
}

static gboolean
take (Json *json, char c)
{
  if (json->p >= json->end || *json->p != c)
    return FALSE;
  json->p++;
  return TRUE;
}

static gboolean
take_word (Json *json, const char *word)
{
  gsize n = strlen (word);
  if ((gsize) (json->end - json->p) < n || memcmp (json->p, word, n) != 0)
    return FALSE;
  json->p += n;
  return TRUE;
}

static gboolean
take_digits (Json *json)
{
  const char *first = json->p;
  while (json->p < json->end && *json->p >= '0' && *json->p <= '9')
    json->p++;
  return json->p > first;
}

static gboolean
read_number (Json *json)
{
  take (json, '-');
  if (!take (json, '0') && !take_digits (json))
    return FALSE;
  if (take (json, '.') && !take_digits (json))
    return FALSE;
  if (!take (json, 'e') && !take (json, 'E'))
    return TRUE;
  if (!take (json, '+'))
    take (json, '-');
  return take_digits (json);
}

/* Reads a \u escape, whose backslash was already read. Returns its code unit; −1: the text is not a \u escape. */
static gint
read_unit (Json *json)
{
  gint unit = 0;
  if (!take (json, 'u'))
    return -1;
  for (guint i = 0; i < 4; i++, json->p++) {
    if (json->p >= json->end || !g_ascii_isxdigit (*json->p))
      return -1;
    unit = 16 * unit + g_ascii_xdigit_value (*json->p);
  }
  return unit;
}

/* Reads an escape, whose backslash was already read. A surrogate must be the first of a pair. */
static gboolean
read_escape (Json *json)
{
  if (json->p >= json->end)
    return FALSE;
  if (*json->p != 'u')
    return *json->p != '\0' && strchr ("\"\\/bfnrt", *json->p++) != NULL;
  gint unit = read_unit (json);
  if (unit < 0xD800 || unit > 0xDFFF)
    return unit >= 0;
  if (unit > 0xDBFF || !take (json, '\\'))
    return FALSE;
  gint low = read_unit (json);
  return low >= 0xDC00 && low <= 0xDFFF;
}

static gboolean
read_string (Json *json)
{
  const char *first = json->p + 1;
  if (!take (json, '"'))
    return FALSE;
  while (json->p < json->end && *json->p != '"') {
    if ((guchar) *json->p < 0x20)
      return FALSE;
    if (*json->p++ == '\\' && !read_escape (json))
      return FALSE;
  }
  return take (json, '"') && g_utf8_validate (first, json->p - 1 - first, NULL);
}

static gboolean
read_nested (Json *json, gboolean object)
{
  const char close = object ? '}' : ']';
  json->p++;
  skip_blanks (json);
  if (take (json, close))
    return TRUE;
  for (;;) {
    if (object) {
      if (!read_string (json))
        return FALSE;
      skip_blanks (json);
      if (!take (json, ':'))
        return FALSE;
    }
    skip_blanks (json);
    if (!read_value (json))
      return FALSE;
    skip_blanks (json);
    if (take (json, close))
      return TRUE;
    if (!take (json, ','))
      return FALSE;
    skip_blanks (json);
  }
}

static gboolean
read_value (Json *json)
{
  if (json->p >= json->end)
    return FALSE;
  switch (*json->p) {
  case '"': return read_string (json);
  case '{':
  case '[':
    if (++json->depth > json->max_depth || !read_nested (json, *json->p == '{'))
      return FALSE;
    json->depth--;
    return TRUE;
  case 't': return take_word (json, "true");
  case 'f': return take_word (json, "false");
  case 'n': return take_word (json, "null");
  default: return read_number (json);
  }
}

gboolean
fuzz_is_json (const char *text, gsize length, guint max_depth)
{
  Json json = { text, text + length, 0, max_depth };
  skip_blanks (&json);
  if (!read_value (&json))
    return FALSE;
  skip_blanks (&json);
  return json.p == json.end;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static char *folder;

static void
remove_below (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_unlink (child) == 0)
      continue;
    remove_below (child);
    g_rmdir (child);
  }
}

void
fuzz_clear_folder (void)
{
  if (folder != NULL)
    remove_below (folder);
}

static void
remove_folder (void)
{
  remove_below (folder);
  g_rmdir (folder);
  g_clear_pointer (&folder, g_free);
}

const char *
fuzz_folder (void)
{
  if (folder != NULL)
    return folder;
  const char *parent = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ();
  folder = g_build_filename (parent, "traceloom-fuzz-XXXXXX", NULL);
  if (g_mkdtemp (folder) == NULL)
    g_error ("No folder for files below %s", parent);
  atexit (remove_folder);
  return folder;
}

/* Writes a file in place, because writing another file and renaming it takes longer than the rest of a run of the
 * target. g_file_set_contents_full() without atomic replacement is not used, because it leaves the end of a longer old
 * file. */
char *
fuzz_put (const char *name, const void *bytes, gsize size)
{
  char *path = g_build_filename (fuzz_folder (), name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);
  g_mkdir_with_parents (parent, 0700);
  FILE *file = g_fopen (path, "wb");
  if (file == NULL || fwrite (bytes, 1, size, file) != size || fclose (file) != 0)
    g_error ("Cannot write %s", path);
  return path;
}
