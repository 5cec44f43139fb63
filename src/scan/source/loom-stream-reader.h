/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads the text of a source from its beginning to its end. The file may be compressed with gzip; this is recognized by
 * the first bytes of the file, not by its name. While a compressed file is unpacked, the reader records checkpoints,
 * from which events can be read again later (loom-gzip-index.h). Only one thread at a time may use a reader.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-event-scanner.h"
#include "loom-memory-budget.h"
#include "loom-progress.h"
#include "loom-source-location.h"
#include "loom-stream-error.h"

typedef struct _LoomStreamReader LoomStreamReader;

/* Opens a file, which may be compressed with gzip. Returns NULL with LOOM_ERROR_READ if it cannot be read. `progress`
 * (may be NULL) counts the bytes read from disk. */
LoomStreamReader *loom_stream_reader_new (const char *path, LoomProgress *progress, GError **error);
/* Does the same as loom_stream_reader_new() for the bytes at the location `origin`; `path` is then only used in
 * messages. If `origin` is NULL, reads the file at `path`. The text of a zip member is its unpacked content; if this is
 * a gzip stream, the text is the content of the gzip stream. */
LoomStreamReader *loom_stream_reader_new_from (const char *path, LoomSourceLocation *origin, LoomProgress *progress,
                                               GError **error);
void loom_stream_reader_free (LoomStreamReader *reader);

/* Returns TRUE if the text is unpacked from a stream. It must then be read in order, and cannot be mapped as a range of
 * a file. */
gboolean loom_stream_reader_is_compressed (const LoomStreamReader *reader);
/* Returns TRUE if the text is unpacked from a gzip file. */
gboolean loom_stream_reader_is_gzip (const LoomStreamReader *reader);

/* Reads up to `n_bytes` of unpacked text. Returns their number; 0 at the end; −1 with `error` (also
 * G_IO_ERROR_CANCELLED). If a compressed file is incomplete or damaged, the text ends before the damage: see
 * loom_stream_reader_get_damage(). */
gssize loom_stream_reader_read (LoomStreamReader *reader, char *buffer, gsize n_bytes, GError **error);

/* Does the same as loom_stream_reader_read(), but reads from `offset` in the text of a compressed file. Fast if the
 * previous read ended at this offset; otherwise text before the offset is unpacked again. */
gssize loom_stream_reader_read_at (LoomStreamReader *reader, guint64 offset, char *buffer, gsize n_bytes,
                                   GError **error);

/* Returns a description of the damage of the compressed stream; NULL if it is not damaged. Borrowed. */
const LoomStreamError *loom_stream_reader_get_damage (const LoomStreamReader *reader);
/* The way in which reading the text ended. */
typedef struct {
  LoomStreamError damage; /* description of the damage; valid only if is_damaged is TRUE */
  gboolean is_damaged;
  gboolean is_too_dense; /* reading stopped early because of LOOM_LIMIT_GZIP_RATIO */
  guint64 n_unpacked;    /* number of bytes unpacked */
} LoomStreamEnd;

/* If the text is an archive member that is stored without compression, compares the checksum of the text with the one
 * in the archive. If they differ, records damage. Reads the whole member once more for this. Does nothing for other
 * texts, and does nothing when called again. */
void loom_stream_reader_check_stored (LoomStreamReader *reader);
/* Calls loom_stream_reader_check_stored(), and returns the way in which reading the text ended. Must be called after
 * the last read. */
LoomStreamEnd loom_stream_reader_get_end (LoomStreamReader *reader);
/* Returns TRUE if the compressed stream is followed by bytes that are not a gzip member. */
gboolean loom_stream_reader_has_trailing_garbage (const LoomStreamReader *reader);
/* Returns the offset in the compressed data of the first byte after the compressed stream. */
guint64 loom_stream_reader_get_garbage_offset (const LoomStreamReader *reader);
/* Returns the modification time in the gzip header, in seconds since 1970; 0 if the header contains none. */
guint32 loom_stream_reader_get_gzip_time (const LoomStreamReader *reader);

/* Returns an object for random access to the text, including parts that were not read yet. A new reference; it can
 * still be used after the reader is freed. */
LoomByteSource *loom_stream_reader_dup_text (LoomStreamReader *reader);

/* Sets the memory budget. It limits the windows for long events, because a window must contain a whole event. NULL, the
 * default: windows are limited only by LOOM_LIMIT_EVENT_BYTES. Borrowed. */
void loom_stream_reader_set_budget (LoomStreamReader *reader, const LoomMemoryBudget *budget);

/* Passes the text from `offset` on to a scanner, until the scanner is done, is at its limit, or the text ends. The text
 * of a compressed file after the limit can still be read later. Returns FALSE with `error` if reading failed or was
 * cancelled. */
gboolean loom_stream_reader_scan (LoomStreamReader *reader, LoomEventScanner *scanner, guint64 offset, GError **error);

/* Returns TRUE if both readers opened the same file. Returns FALSE if another file with the same name replaced it after
 * the first reader was opened. */
gboolean loom_stream_reader_is_same_file (const LoomStreamReader *reader, const LoomStreamReader *other);

/* Returns the size in bytes that the file on disk had when it was opened; for a member of an archive, its stored size
 * in the archive. */
guint64 loom_stream_reader_get_size (const LoomStreamReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStreamReader, loom_stream_reader_free)
