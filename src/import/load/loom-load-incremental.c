/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the traces of an open run that need not be read again. Each trace has a stamp, a text by which changes are
 * detected: it states how the files are read and, for each file, its name, location, inode (which remains the same if
 * the file is renamed when it is closed), size and time.
 */
#include "loom-load-incremental.h"

#include "loom-load-candidates.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_LINES 5

struct _LoomLoadIncremental {
  GPtrArray *traces;    /* LoomTrace *: the traces of the open run */
  GHashTable *by_stamp; /* stamp of the trace's files (const char *) → LoomTrace * */
};

LoomLoadIncremental *
loom_load_incremental_new (const LoomRun *run)
{
  LoomLoadIncremental *known = g_new0 (LoomLoadIncremental, 1);
  known->traces = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_trace_unref);
  known->by_stamp = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; run != NULL && i < loom_run_get_n_traces (run); i++) {
    LoomTrace *trace = loom_trace_ref (loom_run_get_trace (run, i));
    g_ptr_array_add (known->traces, trace);
    if (loom_trace_get_stamp (trace) != NULL)
      g_hash_table_insert (known->by_stamp, (gpointer) loom_trace_get_stamp (trace), trace);
  }
  return known;
}

void
loom_load_incremental_free (LoomLoadIncremental *known)
{
  if (known == NULL)
    return;
  g_hash_table_unref (known->by_stamp);
  g_ptr_array_unref (known->traces);
  g_free (known);
}

/* Returns a text of device and inode, "2049:1234", which identifies a file even after it was renamed. Owned by the
 * caller. */
static char *
dup_identity (guint64 device, guint64 inode)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, device, inode);
}

static char *
dup_identity_of (const LoomFoundFile *file)
{
  const LoomSourceLocation *origin = file->origin;
  return origin != NULL ? dup_identity (origin->status.st_dev, origin->status.st_ino)
                        : dup_identity (file->device, file->inode);
}

/* Appends to `stamp` the lines for a file in its current state. Returns FALSE if a later change of the file could
 * not be detected. */
static gboolean
append_file (GString *stamp, const LoomFoundFile *file)
{
  const LoomSourceLocation *origin = file->origin;
  const char *stands = origin != NULL ? origin->path : file->path;
  if (stands == NULL || (origin == NULL ? file->inode : origin->status.st_ino) == 0 ||
      strchr (file->path, '\n') != NULL || strchr (stands, '\n') != NULL)
    return FALSE;
  g_autofree char *identity = dup_identity_of (file);
  g_string_append_printf (stamp, "\n%s\n%s\n%s\n", file->path, stands, identity);
  if (origin == NULL)
    g_string_append_printf (stamp, "%" G_GUINT64_FORMAT "\n%" G_GINT64_FORMAT ".%06u", file->n_bytes, file->modified_s,
                            file->modified_us);
  else
    g_string_append_printf (stamp, "%" G_GINT64_FORMAT "+%" G_GUINT64_FORMAT "\n%" G_GINT64_FORMAT ".%09ld",
                            (gint64) origin->status.st_size, origin->offset, (gint64) origin->status.st_mtim.tv_sec,
                            (long) origin->status.st_mtim.tv_nsec);
  return TRUE;
}

char *
loom_load_incremental_stamp_new (const LoomLoadUnit *unit, const char *how)
{
  g_autoptr (GString) stamp = g_string_new (NULL);
  g_string_append_printf (stamp, "%s %d %s", loom_sniff_format_to_string (unit->kind), unit->lines,
                          how != NULL ? how : "");
  for (guint i = 0; i < unit->files->len; i++)
    if (!append_file (stamp, g_ptr_array_index (unit->files, i)))
      return NULL;
  return g_string_free (g_steal_pointer (&stamp), FALSE);
}

LoomTrace *
loom_load_incremental_find (const LoomLoadIncremental *known, const char *stamp)
{
  LoomTrace *trace = known != NULL && stamp != NULL ? g_hash_table_lookup (known->by_stamp, stamp) : NULL;
  return trace != NULL ? loom_trace_ref (trace) : NULL;
}

/* Returns a table of the candidates: identity (see dup_identity_of()) → size in bytes (guint64 *). Owned by the
 * caller. */
static GHashTable *
list_identities (const GPtrArray *candidates)
{
  GHashTable *identities = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < candidates->len; i++) {
    const LoomFoundFile *file = ((const LoomCandidate *) g_ptr_array_index (candidates, i))->file;
    guint64 size = file->origin != NULL ? (guint64) file->origin->status.st_size : file->n_bytes;
    g_hash_table_replace (identities, dup_identity_of (file), g_memdup2 (&size, sizeof size));
  }
  return identities;
}

/* Returns TRUE if the file with this identity still exists under another name, with at least its earlier size. If the
 * file with this identity is smaller than before, it is another file that got the same inode. */
static gboolean
has_moved (GHashTable *identities, const char *identity, const char *size)
{
  const guint64 *now = g_hash_table_lookup (identities, identity);
  return now != NULL && *now >= g_ascii_strtoull (size, NULL, 10);
}

/* Returns the set of the paths of the candidates whose format is known. Owned by the caller; the paths are borrowed. */
static GHashTable *
list_paths (const GPtrArray *candidates)
{
  GHashTable *paths = g_hash_table_new (g_str_hash, g_str_equal);
  for (guint i = 0; i < candidates->len; i++) {
    const LoomCandidate *candidate = g_ptr_array_index (candidates, i);
    if (candidate->sniff.kind != LOOM_FILE_FORMAT_NONE)
      g_hash_table_add (paths, candidate->file->path);
  }
  return paths;
}

/* Returns TRUE if all files of the trace have been compressed or unpacked since they were read. Other files then
 * contain the events of the trace. */
static gboolean
was_packed (const LoomTrace *trace, GHashTable *paths)
{
  for (guint i = 0; i < loom_trace_get_n_sources (trace); i++) {
    const char *path = loom_trace_get_source (trace, i)->path;
    g_autofree char *other = g_str_has_suffix (path, ".gz") ? g_strndup (path, strlen (path) - strlen (".gz"))
                                                            : g_strconcat (path, ".gz", NULL);
    if (!g_hash_table_contains (paths, other))
      return FALSE;
  }
  return TRUE;
}

/* Returns TRUE if no file of the trace exists any more. Returns FALSE for a trace without a stamp, because its files
 * cannot be identified. */
static gboolean
is_gone (const LoomTrace *trace, GHashTable *identities)
{
  const char *stamp = loom_trace_get_stamp (trace);
  g_auto (GStrv) lines = stamp != NULL ? g_strsplit (stamp, "\n", -1) : NULL;
  gboolean any = FALSE;
  for (guint i = 1; lines != NULL && lines[i] != NULL; i += FILE_LINES) {
    if (g_access (lines[i + 1], F_OK) == 0 || has_moved (identities, lines[i + 2], lines[i + 3]))
      return FALSE;
    any = TRUE;
  }
  return any;
}

GPtrArray *
loom_load_incremental_list_gone (const LoomLoadIncremental *known, const GPtrArray *candidates)
{
  GPtrArray *gone = g_ptr_array_new ();
  g_autoptr (GHashTable) identities = list_identities (candidates), paths = list_paths (candidates);
  for (guint i = 0; known != NULL && i < known->traces->len; i++)
    if (is_gone (known->traces->pdata[i], identities) && !was_packed (known->traces->pdata[i], paths))
      g_ptr_array_add (gone, known->traces->pdata[i]);
  return gone;
}
