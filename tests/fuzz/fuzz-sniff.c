/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes the recognition of file formats: the first line of the input is a file name, the rest is the content of the
 * file. The result is a format, or the reason why none was recognised.
 */
#include "fuzz.h"

#include "loom-sniff.h"

#include <string.h>

static void
check_name (const char *name)
{
  gint64 time_us = 0;
  g_autofree char *node = NULL;
  const char *suffix = NULL;
  if (loom_sniff_smdebug_parse_name (name, &time_us, &node, &suffix))
    fuzz_check (node != NULL && suffix != NULL && time_us >= 0, "%s: time %" G_GINT64_FORMAT, name, time_us);
  gint rank = loom_sniff_rank_from_path (name);
  fuzz_check (rank >= -1 && rank <= 999999, "%s: rank %d", name, rank);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const guint8 *end = size > 0 ? memchr (data, '\n', size) : NULL;
  gsize n_name = end != NULL ? (gsize) (end - data) : 0;
  if (end == NULL || n_name == 0 || n_name > 120 || memchr (data, '\0', n_name) != NULL)
    return 0;
  g_autofree char *name = g_strndup ((const char *) data, n_name), *base = g_path_get_basename (name);
  check_name (name);
  if (strchr (name, '/') != NULL || strcmp (base, ".") == 0 || strcmp (base, "..") == 0)
    return 0;
  LoomSniff sniff;
  fuzz_clear_folder ();
  g_autofree char *path = fuzz_put (name, end + 1, size - n_name - 1);
  loom_sniff (path, NULL, size - n_name - 1, &sniff);
  fuzz_check (sniff.kind == LOOM_FILE_FORMAT_NONE ? sniff.reason != NULL || sniff.archive != LOOM_ARCHIVE_NONE
                                                  : sniff.reason == NULL,
              "kind %d and reason %s", sniff.kind, sniff.reason);
  fuzz_check (sniff.reason == NULL || (sniff.reason[0] != '\0' && g_utf8_validate (sniff.reason, -1, NULL)),
              "a reason of no words");
  loom_sniff_clear (&sniff);
  return 0;
}
