/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-remote-files.h"

#include "loom-limits.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#define PART ".part"
#define HEX "0123456789abcdef"
/* A partial file that is younger than this number of seconds is not deleted, because its writer may not have locked it
 * yet */
#define PART_AGE_S 60

/* Called for each path below a folder, with the status of the file or folder. If the path is a link, the status is that
 * of the link. */
typedef void (*Visit) (const char *path, const GStatBuf *status, gpointer user_data);

/* Calls `visit` for all files and folders below `folder`. Calls it for a folder after the content of the folder, so
 * that `visit` can delete the folder. */
static void
walk (const char *folder, guint depth, Visit visit, gpointer user_data)
{
  g_autoptr (GDir) dir = depth <= LOOM_LIMIT_FOLDER_DEPTH + 2 ? g_dir_open (folder, 0, NULL) : NULL;
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    GStatBuf status;
    if (g_lstat (path, &status) != 0)
      continue;
    if (S_ISDIR (status.st_mode))
      walk (path, depth + 1, visit, user_data);
    visit (path, &status, user_data);
  }
}

static void
remove_one (const char *path, const GStatBuf *status, gpointer user_data)
{
  if (S_ISDIR (status->st_mode))
    g_rmdir (path);
  else
    g_unlink (path);
}

void
loom_remote_files_clear_way (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  GStatBuf status;
  for (char *slash = strchr (path + strlen (folder) + 1, '/'); slash != NULL; slash = strchr (slash + 1, '/')) {
    *slash = '\0';
    if (g_lstat (path, &status) == 0 && !S_ISDIR (status.st_mode))
      g_unlink (path);
    *slash = '/';
  }
  if (g_lstat (path, &status) != 0 || !S_ISDIR (status.st_mode))
    return;
  loom_remote_files_remove (path);
}

void
loom_remote_files_remove (const char *folder)
{
  walk (folder, 0, remove_one, NULL);
  g_rmdir (folder);
}

static void
add_bytes (const char *path, const GStatBuf *status, gpointer user_data)
{
  guint64 *n_bytes = user_data;
  if (S_ISREG (status->st_mode))
    *n_bytes += (guint64) status->st_size;
}

guint64
loom_remote_files_measure (const char *folder)
{
  guint64 n_bytes = 0;
  walk (folder, 0, add_bytes, &n_bytes);
  return n_bytes;
}

/* --- parts -------------------------------------------------------------------------------------------------------- */

char *
loom_remote_files_dup_part (const char *path)
{
  static gint n_parts;
  return g_strdup_printf ("%s.%x-%x" PART, path, (guint) getpid (), (guint) g_atomic_int_add (&n_parts, 1));
}

int
loom_remote_files_open_part (const char *part)
{
  g_unlink (part);
  int fd = open (part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0)
    /* Errors are ignored. If the file system does not support locks, loom_remote_files_remove_parts() cannot lock the
     * file either, so it does not delete the file. */
    flock (fd, LOCK_EX | LOCK_NB);
  return fd;
}

/* Returns TRUE if the path ends like the name of a partial file, for example "….1f-0.part". */
static gboolean
is_part_name (const char *path)
{
  if (!g_str_has_suffix (path, PART))
    return FALSE;
  const char *dot = path + strlen (path) - strlen (PART);
  const char *begin = dot;
  while (begin > path && begin[-1] != '.' && begin[-1] != '/')
    begin--;
  gsize n_first = strspn (begin, HEX);
  gsize n_second = begin[n_first] == '-' ? strspn (begin + n_first + 1, HEX) : 0;
  return begin > path && begin[-1] == '.' && n_first > 0 && n_second > 0 && begin + n_first + 1 + n_second == dot;
}

static void
remove_stale_part (const char *path, const GStatBuf *status, gpointer user_data)
{
  if (!S_ISREG (status->st_mode) || !is_part_name (path) || status->st_mtime > time (NULL) - PART_AGE_S)
    return;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0)
    return;
  if (flock (fd, LOCK_EX | LOCK_NB) == 0)
    g_unlink (path);
  close (fd);
}

void
loom_remote_files_remove_parts (const char *folder)
{
  walk (folder, 0, remove_stale_part, NULL);
}
