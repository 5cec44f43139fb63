/* SPDX-License-Identifier: Apache-2.0
 *
 * Passes the text of a file to an event scanner. Large uncompressed files are mapped if mapping is fast on this
 * machine; all other files are read into a buffer that grows as needed.
 */
#include "loom-stream-reader-private.h"

#include "loom-error.h"
#include "loom-limits.h"
#include "loom-mapped-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#define FIRST_WINDOW (512u * 1024)
/* size in bytes to which a window may grow without a check of the memory budget */
#define FREE_WINDOW (16u * 1024 * 1024)
#define MAPPED_FROM_BYTES (1024u * 1024) /* minimum size in bytes of files that are mapped; smaller files are copied */
#define MAPPED_BYTES (16u * 1024 * 1024) /* number of bytes of a file that are mapped at a time */

static gssize
read_window (LoomStreamReader *reader, guint64 offset, char *window, gsize n_bytes, GError **error)
{
  return loom_stream_reader_is_compressed (reader) ? loom_stream_reader_read_at (reader, offset, window, n_bytes, error)
                                                   : loom_stream_reader_read_packed (reader, window, n_bytes, error);
}

/* Returns the size in bytes to which a window of `n_bytes` may grow now. Returns `n_bytes` if any growth would exceed
 * the memory budget. */
static guint64
most_window (const LoomStreamReader *reader, gsize n_bytes)
{
  guint64 most = loom_limit (LOOM_LIMIT_EVENT_BYTES);
  if (n_bytes >= FREE_WINDOW && n_bytes < most && loom_memory_budget_get_room (reader->budget) < n_bytes)
    return n_bytes;
  return most;
}

static gboolean
scan_windows (LoomStreamReader *reader, LoomEventScanner *scanner, guint64 offset, GError **error)
{
  gsize capacity = FIRST_WINDOW, filled = 0;
  g_autofree char *window = g_malloc (capacity);
  if (!loom_stream_reader_is_compressed (reader))
    reader->position = offset;
  while (!loom_event_scanner_is_done (scanner)) {
    gssize n = read_window (reader, offset + filled, window + filled, capacity - filled, error);
    if (n < 0)
      return FALSE;
    filled += (gsize) n;
    guint64 most = most_window (reader, filled);
    gsize used = loom_event_scanner_scan_window (scanner, window, filled, offset, n == 0, most);
    offset += used;
    filled -= used;
    memmove (window, window + used, filled);
    if (n == 0 || loom_event_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE)
      break;
    if (filled == capacity)
      window = g_realloc (window, capacity = (gsize) MIN (capacity * 2, MAX (most, capacity + 1)));
  }
  if (loom_stream_reader_is_compressed (reader) && filled > 0 &&
      offset + filled == loom_stream_reader_get_position (reader))
    loom_stream_reader_give_back (reader, g_steal_pointer (&window), filled);
  return TRUE;
}

/* Returns the number of bytes to map at a time; 0: files are not mapped. Tests set a lower number with the environment
 * variable LOOM_MAP_BYTES. */
static gsize
mapped_bytes (void)
{
  const char *wish = g_getenv ("LOOM_MAP_BYTES");
  return wish != NULL ? (gsize) g_ascii_strtoull (wish, NULL, 10) : MAPPED_BYTES;
}

static gboolean
is_mapped (const LoomStreamReader *reader)
{
  gsize n_bytes = mapped_bytes ();
  return n_bytes > 0 && loom_stream_reader_get_size (reader) >= MIN (n_bytes, MAPPED_FROM_BYTES) &&
         !loom_mapped_file_is_slow (reader->fd);
}

/* Returns the end of the range to read or, if the file ends before, the current end of the file. Returns −1 with
 * `error` on failure or when cancelled. */
static goffset
find_end (LoomStreamReader *reader, GError **error)
{
  struct stat status;
  if (loom_progress_is_cancelled (reader->progress)) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "Cancelled");
    return -1;
  }
  if (fstat (reader->fd, &status) == 0)
    return (goffset) MIN ((guint64) status.st_size - MIN ((guint64) status.st_size, reader->base), reader->length);
  loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read “%s”", reader->path);
  return -1;
}

/* Maps a range of the file and scans it. Returns the number of bytes consumed; −1 with `error`; −2 if the range cannot
 * be mapped. */
static gssize
scan_stretch (LoomStreamReader *reader, LoomEventScanner *scanner, guint64 offset, gsize length, gboolean final,
              GError **error)
{
  LoomMappedFile mapped;
  if (length == 0)
    return (gssize) loom_event_scanner_scan (scanner, "", 0, offset, final);
  if (!loom_mapped_file_open (&mapped, reader->fd, reader->base + offset, length))
    return -2;
  gsize used =
    loom_event_scanner_scan_window (scanner, mapped.text, length, offset, final, loom_limit (LOOM_LIMIT_EVENT_BYTES));
  struct stat status;
  /* Check the size of the file: if the file was truncated within the last page, the mapping contains zeros there, and
   * no error is raised. */
  gboolean whole = fstat (reader->fd, &status) == 0 && (guint64) status.st_size >= reader->base + offset + length;
  if (loom_mapped_file_close (&mapped) && whole)
    return (gssize) used;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” changed, or its disk failed, while it was read"),
               reader->path);
  return -1;
}

/* Scans the file through one mapping after another. Without mappings, the bytes would have to be copied from the page
 * cache, which takes a tenth of the loading time on machines where mapping is fast. */
static gboolean
scan_mapped (LoomStreamReader *reader, LoomEventScanner *scanner, guint64 offset, GError **error)
{
  guint64 seen = offset;
  for (gsize room = mapped_bytes (); !loom_event_scanner_is_done (scanner);) {
    goffset end = find_end (reader, error);
    if (end < 0)
      return FALSE;
    gsize length = (gsize) MIN (room, (guint64) end - MIN ((guint64) end, offset));
    gboolean final = offset + length >= (guint64) end;
    gssize used = scan_stretch (reader, scanner, offset, length, final, error);
    if (used == -2)
      return scan_windows (reader, scanner, offset, error);
    if (used < 0)
      return FALSE;
    if (offset + length > seen)
      loom_progress_add_done (reader->progress, offset + length - seen);
    seen = MAX (seen, offset + length);
    offset += (guint64) used;
    if (final || loom_event_scanner_get_reached (scanner) != LOOM_SCAN_NOWHERE)
      return TRUE;
    room =
      used > 0 ? mapped_bytes () : (gsize) MIN (room * 2, MAX (loom_limit (LOOM_LIMIT_EVENT_BYTES), mapped_bytes ()));
  }
  return TRUE;
}

gboolean
loom_stream_reader_scan (LoomStreamReader *reader, LoomEventScanner *scanner, guint64 offset, GError **error)
{
  gboolean mapped = !loom_stream_reader_is_compressed (reader) && is_mapped (reader);
  return mapped ? scan_mapped (reader, scanner, offset, error) : scan_windows (reader, scanner, offset, error);
}
