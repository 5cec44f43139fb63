/* SPDX-License-Identifier: Apache-2.0
 *
 * Shortens long names for a narrow column: removes the prefix and the suffix that all names share, to keep the part
 * that differs. The interface is described in loom-common-affixes.h.
 */
#include "loom-common-affixes.h"

#include <string.h>

static gsize
count_head (const char *a, const char *b)
{
  gsize n = 0;
  while (a[n] != '\0' && a[n] == b[n])
    n++;
  return n;
}

static gsize
count_tail (const char *a, const char *b)
{
  gsize n_a = strlen (a), n_b = strlen (b), n = 0;
  while (n < n_a && n < n_b && a[n_a - 1 - n] == b[n_b - 1 - n])
    n++;
  return n;
}

/* Returns TRUE for a word separator. All separators are ASCII characters, so cutting a text at a separator never
 * splits a UTF-8 character. */
static gboolean
is_between (char c)
{
  return (guchar) c < 0x80 && !g_ascii_isalnum (c);
}

LoomCommonAffixes
loom_common_affixes_find (const char *const *names, guint n)
{
  LoomCommonAffixes ends = { 0, 0 };
  if (n < 2)
    return ends;
  ends.head = ends.tail = strlen (names[0]);
  for (guint i = 1; i < n; i++) {
    ends.head = MIN (ends.head, count_head (names[0], names[i]));
    ends.tail = MIN (ends.tail, count_tail (names[0], names[i]));
  }
  while (ends.head > 0 && !is_between (names[0][ends.head - 1]))
    ends.head--;
  while (ends.tail > 0 && !is_between (names[0][strlen (names[0]) - ends.tail]))
    ends.tail--;
  return ends;
}

/* Returns the first position at which a word begins and that is at most `room` bytes before `at`. */
static gsize
find_begin (const char *name, gsize at, gsize room)
{
  gsize begin = at > room ? at - room : 0;
  while (begin > 0 && begin < at && !is_between (name[begin - 1]))
    begin++;
  return begin;
}

/* Returns the last position at which a word ends and that is at most `room` bytes after `at`. */
static gsize
find_end (const char *name, gsize at, gsize room)
{
  gsize n = strlen (name), end = MIN (n, at + room);
  while (end < n && end > at && !is_between (name[end]))
    end--;
  return end;
}

char *
loom_common_affixes_cut (LoomCommonAffixes ends, const char *name, glong most_letters)
{
  gsize n = strlen (name);
  if (g_utf8_strlen (name, -1) <= most_letters || ends.head + ends.tail == 0 || ends.head + ends.tail >= n)
    return g_strdup (name);
  glong n_own = g_utf8_strlen (name + ends.head, (gssize) (n - ends.head - ends.tail));
  gsize room = (gsize) MAX (most_letters - n_own - 2, 0);
  gsize begin = find_begin (name, ends.head, room / 2),
        end = find_end (name, n - ends.tail, room - (ends.head - begin));
  g_autofree char *kept = g_strndup (name + begin, end - begin);
  return g_strconcat (begin > 0 ? "…" : "", kept, end < n ? "…" : "", NULL);
}
