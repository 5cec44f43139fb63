/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads from the kernel how much memory is available and how much this process uses. The interface is described in
 * loom-memory-info.h.
 */
#include "loom-memory-info.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Reads the number that follows `key` at the beginning of a line of `text`. Returns FALSE if no line begins with `key`
 * and a number. */
static gboolean
number_of (const char *text, const char *key, guint64 *value)
{
  gsize length = strlen (key);
  for (const char *line = text; line != NULL && *line != '\0'; line = strchr (line, '\n')) {
    line += *line == '\n';
    if (strncmp (line, key, length) != 0)
      continue;
    const char *digits = line + length + strspn (line + length, " \t");
    *value = g_ascii_strtoull (digits, NULL, 10);
    return g_ascii_isdigit (*digits);
  }
  return FALSE;
}

static char *
read_in (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  char *text = NULL;
  return g_file_get_contents (path, &text, NULL, NULL) ? text : NULL;
}

/* Returns the number of bytes that a cgroup can still allocate within its limit. Inactive file pages count as free:
 * when memory is short, the kernel first drops them, and only then kills a process. */
static guint64
room_in_group (const char *folder)
{
  guint64 most, used, idle = 0;
  g_autofree char *limit = read_in (folder, "memory.max"), *current = read_in (folder, "memory.current"),
                  *parts = read_in (folder, "memory.stat");
  if (limit == NULL || current == NULL || !number_of (limit, "", &most) || !number_of (current, "", &used))
    return G_MAXUINT64; /* no limit: the file then contains the word "max" instead of a number */
  if (parts != NULL)
    number_of (parts, "inactive_file", &idle);
  used -= MIN (idle, used);
  return most > used ? most - used : 0;
}

/* Returns the number of bytes that this process can still allocate within the limits of its cgroup and of all cgroups
 * that enclose it. This is the smallest result of room_in_group() for these groups. */
static guint64
room_in_groups (const char *proc, const char *cgroups)
{
  g_autofree char *text = read_in (proc, "self/cgroup");
  const char *line = text != NULL ? (g_str_has_prefix (text, "0::") ? text : strstr (text, "\n0::")) : NULL;
  guint64 room = G_MAXUINT64;
  if (line == NULL)
    return room;
  line += *line == '\n' ? 4 : 3;
  g_autofree char *group = g_strndup (line, strcspn (line, "\n"));
  for (;;) {
    g_autofree char *folder = g_build_filename (cgroups, group, NULL);
    room = MIN (room, room_in_group (folder));
    char *last = strrchr (group, '/');
    if (last == NULL)
      return room;
    *last = '\0';
  }
}

guint64
loom_memory_info_get_available_in (const char *proc, const char *cgroups)
{
  guint64 kib, available = G_MAXUINT64;
  g_autofree char *text = read_in (proc, "meminfo");
  if (text != NULL && number_of (text, "MemAvailable:", &kib))
    available = kib * 1024;
  return MIN (available, room_in_groups (proc, cgroups));
}

guint64
loom_memory_info_get_available (void)
{
  return loom_memory_info_get_available_in ("/proc", "/sys/fs/cgroup");
}

static int
open_statm (void)
{
  static gsize opened = 0;
  static int fd;
  if (g_once_init_enter (&opened)) {
    fd = open ("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    g_once_init_leave (&opened, 1);
  }
  return fd;
}

guint64
loom_memory_info_get_anonymous (void)
{
  char text[128];
  int fd = open_statm ();
  gssize n = fd >= 0 ? pread (fd, text, sizeof text - 1, 0) : -1;
  if (n <= 0)
    return 0;
  text[n] = '\0';
  char *p = text;
  g_ascii_strtoull (p, &p, 10); /* skip the field "size" of /proc/self/statm */
  guint64 resident = g_ascii_strtoull (p, &p, 10), shared = g_ascii_strtoull (p, &p, 10);
  return resident > shared ? (resident - shared) * (guint64) sysconf (_SC_PAGESIZE) : 0;
}
