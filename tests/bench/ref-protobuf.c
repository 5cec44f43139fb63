/* SPDX-License-Identifier: Apache-2.0
 *
 * Lower bound for the time of reading a Perfetto trace or an XSpace (a profile of XLA): walks over all keys, numbers
 * and lengths of the protobuf messages, including nested messages of packets and events, without using their values.
 * Prints one line of JSON.
 *
 * Usage: ref-protobuf [--xspace] PATH
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

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

/* For each depth of nesting: the number of the protobuf field whose message contains further fields to count; 0: none.
 * In a Perfetto trace these messages are a packet, a track event and a debug annotation; in an XSpace a plane, a line,
 * an event and a statistic. */
static const guint8 trace_fields[] = { 1, 11, 4, 0, 0 }, space_fields[] = { 1, 3, 4, 4, 0 };

/* Returns the number of fields. `sum` uses every number, so that the compiler cannot remove the reads. */
static guint64
walk (const guint8 *p, const guint8 *end, const guint8 *entered, guint64 *sum)
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
      if (key >> 3 == entered[0])
        n += walk (content, p, entered + 1, sum);
    }
    }
  }
  return n;
}

/* Returns the processor time of the program in seconds. */
static double
count_seconds (void)
{
  struct rusage usage;
  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int
main (int argc, char **argv)
{
  gboolean is_space = argc == 3 && strcmp (argv[1], "--xspace") == 0;
  gint64 begin_us = g_get_monotonic_time ();
  guint64 sum = 0;
  GMappedFile *file = argc == 2 + is_space ? g_mapped_file_new (argv[argc - 1], FALSE, NULL) : NULL;
  if (file == NULL) {
    fprintf (stderr, "Usage: ref-protobuf [--xspace] PATH\n");
    return 1;
  }
  const guint8 *bytes = (const guint8 *) g_mapped_file_get_contents (file);
  guint64 n = walk (bytes, bytes + g_mapped_file_get_length (file), is_space ? space_fields : trace_fields, &sum);
  printf ("{\"wall\": %.6f, \"cpu\": %.6f, \"fields\": %" G_GUINT64_FORMAT ", \"sum\": %" G_GUINT64_FORMAT "}\n",
          (double) (g_get_monotonic_time () - begin_us) / 1e6, count_seconds (), n, sum);
  g_mapped_file_unref (file);
  return 0;
}
