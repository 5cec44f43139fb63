/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures the minimum time for reading a Perfetto trace: walks over all keys, numbers and lengths, including those in
 * the messages of packets and events, but uses none of them. Prints one line of JSON. Usage: ref-protobuf PATH
 */
#include <glib.h>
#include <stdio.h>

static guint64
read_number (const guint8 **p, const guint8 *end)
{
  guint64 value = 0;
  for (guint shift = 0; *p < end && shift < 64; shift += 7) {
    guint8 byte = *(*p)++;
    value |= (guint64) (byte & 0x7F) << shift;
    if (byte < 0x80)
      break;
  }
  return value;
}

/* Returns whether the field is a message that contains further messages to count: a packet, a track event or a debug
 * annotation. */
static gboolean
is_entered (guint depth, guint64 field)
{
  return depth == 0 ? field == 1 : depth == 1 ? field == 11 : depth == 2 && field == 4;
}

/* Returns the number of fields. `sum` uses every number, so that the compiler cannot remove the reads. */
static guint64
walk (const guint8 *p, const guint8 *end, guint depth, guint64 *sum)
{
  guint64 n = 0;
  for (; p < end; n++) {
    guint64 key = read_number (&p, end);
    switch (key & 7) {
    case 0: *sum ^= read_number (&p, end); break;
    case 1: p += 8; break;
    case 5: p += 4; break;
    default: {
      guint64 length = read_number (&p, end);
      const guint8 *content = p;
      if (length > (guint64) (end - p))
        return n;
      p += length;
      if (is_entered (depth, key >> 3))
        n += walk (content, p, depth + 1, sum);
    }
    }
  }
  return n;
}

int
main (int argc, char **argv)
{
  gint64 begin_us = g_get_monotonic_time ();
  guint64 sum = 0;
  GMappedFile *file = argc == 2 ? g_mapped_file_new (argv[1], FALSE, NULL) : NULL;
  if (file == NULL) {
    fprintf (stderr, "Usage: ref-protobuf PATH\n");
    return 1;
  }
  const guint8 *bytes = (const guint8 *) g_mapped_file_get_contents (file);
  guint64 n = walk (bytes, bytes + g_mapped_file_get_length (file), 0, &sum);
  printf ("{\"wall\": %.6f, \"fields\": %" G_GUINT64_FORMAT ", \"sum\": %" G_GUINT64_FORMAT "}\n",
          (double) (g_get_monotonic_time () - begin_us) / 1e6, n, sum);
  g_mapped_file_unref (file);
  return 0;
}
