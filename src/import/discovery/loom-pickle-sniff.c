/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises those Python pickles that PyTorch writes (dumps of the flight recorder, memory snapshots) by their first
 * bytes. At least 2 KB are needed. The interface is described in loom-pickle-sniff.h.
 */
#define _GNU_SOURCE /* makes <string.h> declare memmem() */
#include "loom-pickle-sniff.h"

#include <glib/gi18n.h>
#include <string.h>

static gboolean
has (const char *text, gsize n_bytes, const char *word)
{
  return memmem (text, n_bytes, word, strlen (word)) != NULL;
}

/* Returns TRUE if the text is a pickle: it then begins with the opcode PROTO and the number of the protocol; from
 * protocol 4 on, the opcode FRAME follows. */
static gboolean
is_pickle (const char *text, gsize n)
{
  return n >= 3 && text[0] == '\x80' &&
         ((text[1] >= 4 && text[1] <= 5 && text[2] == '\x95') ||
          (text[1] >= 2 && text[1] <= 3 && strchr ("}](cXK", text[2]) != NULL && text[2] != '\0'));
}

/* Searches for keys of the outermost dictionary, which all known dumps have in their first 2 KB. */
gboolean
loom_pickle_sniff_is_flight_recorder (const char *text, gsize n)
{
  return is_pickle (text, n) && has (text, n, "version") && (has (text, n, "pg_config") || has (text, n, "entries"));
}

/* Searches for keys of the first memory segment. In newer snapshots, the segments follow the key "segments"; an
 * older snapshot is a list of segments. */
gboolean
loom_pickle_sniff_is_memory_snapshot (const char *text, gsize n)
{
  return is_pickle (text, n) &&
         ((has (text, n, "segments") && has (text, n, "device")) ||
          (has (text, n, "segment_type") && has (text, n, "total_size")) || has (text, n, "device_traces"));
}

const char *
loom_pickle_sniff_explain (const char *text, gsize n)
{
  return is_pickle (text, n) ? N_ ("a Python pickle, not a trace") : NULL;
}
