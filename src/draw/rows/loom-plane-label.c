/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-plane-label.h"

#include <glib/gi18n.h>
#include <string.h>

#include "loom-device-label.h"

#define STREAM "Stream #"
#define DIGITS "0123456789"

/* The largest id of a thread, because kernel.pid_max of Linux is at most this. A larger number after the last "/" of a
 * thread's name is a hash. Other numbers may be ids, which distinguish threads with the same name. */
#define MAX_THREAD_ID 4194304
/* A negative number is a hash if it has at least this many digits. */
#define MIN_HASH_DIGITS 6

char *
loom_plane_label_dup_process (const LoomTrack *track)
{
  g_autofree char *label = loom_device_label_dup (track->process);
  return strcmp (label, track->process) != 0 ? g_steal_pointer (&label) : NULL;
}

/* Returns the number of a stream and what it does, "16 (Kernel)" for "Stream #16(Kernel)"; NULL for other names. */
static char *
dup_stream (const char *thread)
{
  if (!g_str_has_prefix (thread, STREAM))
    return NULL;
  const char *number = thread + strlen (STREAM), *rest = number + strspn (number, DIGITS);
  if (rest == number || (*rest != '\0' && *rest != '('))
    return NULL;
  return g_strdup_printf ("%.*s%s%s", (int) (rest - number), number, *rest != '\0' ? " " : "", rest);
}

/* Returns TRUE if a text is a number that is a hash and not the id of a thread. */
static gboolean
is_hash (const char *text)
{
  const char *digits = text[0] == '-' ? text + 1 : text;
  gsize n = strspn (digits, DIGITS);
  if (n < MIN_HASH_DIGITS || digits[n] != '\0')
    return FALSE;
  return digits != text || g_ascii_strtoull (digits, NULL, 10) > MAX_THREAD_ID;
}

char *
loom_plane_label_dup_thread (const LoomTrack *track)
{
  if (strcmp (track->format, "xplane") != 0)
    return NULL;
  g_autofree char *stream = dup_stream (track->thread);
  if (stream != NULL)
    return g_strdup_printf (
      /* Translators: a stream of a GPU; %s is the number of the stream */ C_ ("track", "stream %s"), stream);
  const char *slash = strrchr (track->thread, '/');
  if (slash == NULL || slash == track->thread)
    return NULL;
  if (!is_hash (slash + 1))
    return NULL;
  return g_strndup (track->thread, (gsize) (slash - track->thread));
}
