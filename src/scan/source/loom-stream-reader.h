/* SPDX-License-Identifier: Apache-2.0
 *
 * Sequential reading of a source's unpacked text, plain or gzip (told by the first bytes, not by the name). Of compressed
 * files it is remembered how to get back to places on the way, so that events can be read again later. One thread at a
 * time.
 */
#pragma once

#include "loom-byte-source.h"
#include "loom-event-scanner.h"
#include "loom-memory-budget.h"
#include "loom-progress.h"
#include "loom-source-location.h"
#include "loom-stream-error.h"

G_BEGIN_DECLS

typedef struct _LoomStreamReader LoomStreamReader;

/* NULL with LOOM_ERROR_READ. `progress` (may be NULL) gets the bytes read from disk. */
LoomStreamReader *loom_stream_reader_new (const char *path, LoomProgress *progress, GError **error);
/* The same of a file that stands elsewhere; `origin` NULL: at `path`, which is else only what messages call it. Of a zip
 * member the text is what it unpacks to, and when that is gzip, what this unpacks to. */
LoomStreamReader *loom_stream_reader_new_from (const char *path, LoomSourceLocation *origin, LoomProgress *progress,
                                               GError **error);
void loom_stream_reader_free (LoomStreamReader *reader);

/* TRUE when the text is no stretch of a file that can be mapped, and so is read in order. */
gboolean loom_stream_reader_is_compressed (const LoomStreamReader *reader);
/* TRUE when the text is what gzip unpacks to. */
gboolean loom_stream_reader_is_gzip (const LoomStreamReader *reader);

/* Up to `n_bytes` of unpacked text; 0 at the end; −1 with `error` (also G_IO_ERROR_CANCELLED). A compressed file that
 * ends early or is damaged ends the text there: see loom_stream_reader_get_damage(). */
gssize loom_stream_reader_read (LoomStreamReader *reader, char *buffer, gsize n_bytes, GError **error);

/* The same from a place in the text of a compressed file: quick where the reading before it stopped, else unpacked again. */
gssize loom_stream_reader_read_at (LoomStreamReader *reader, guint64 offset, char *buffer, gsize n_bytes,
                                   GError **error);

/* What was wrong with the compressed stream, NULL when nothing; borrowed. */
const LoomStreamError *loom_stream_reader_get_damage (const LoomStreamReader *reader);
/* The text was not read to its end, because of LOOM_LIMIT_GZIP_RATIO: it unpacked to so many bytes until then. */
gboolean loom_stream_reader_is_too_dense (const LoomStreamReader *reader, guint64 *n_unpacked);
/* Bytes behind the compressed stream that are no further member. */
gboolean loom_stream_reader_has_trailing_garbage (const LoomStreamReader *reader);
/* The first of these, counted in the compressed bytes. */
guint64 loom_stream_reader_get_garbage_offset (const LoomStreamReader *reader);
/* Modification time in the gzip header, 0 unknown; seconds since the epoch. */
guint32 loom_stream_reader_get_gzip_time (const LoomStreamReader *reader);

/* Random access to what was (or will be) read. A new reference; valid after the reader is gone. */
LoomByteSource *loom_stream_reader_dup_text (LoomStreamReader *reader);

/* The memory that an event may take which has to be held whole; NULL (as before this call): LOOM_LIMIT_EVENT_BYTES counts
 * alone. Borrowed. */
void loom_stream_reader_set_budget (LoomStreamReader *reader, const LoomMemoryBudget *budget);

/* How large a window may become in which `n_bytes` stand already. */
guint64 loom_stream_reader_get_most_window (const LoomStreamReader *reader, gsize n_bytes);

/* Feeds the text to a scanner until it is done, at its limit, or at the end. FALSE with `error` when reading failed or
 * was cancelled. */
gboolean loom_stream_reader_scan (LoomStreamReader *reader, LoomEventScanner *scanner, GError **error);

/* The same from a place in the text, on this thread alone. Of a compressed file what lies behind a scanner's limit is
 * still to be read afterwards. */
gboolean loom_stream_reader_scan_from (LoomStreamReader *reader, LoomEventScanner *scanner, guint64 offset,
                                       GError **error);

/* Whether both read one file, and not one that took its name. */
gboolean loom_stream_reader_is_same_file (const LoomStreamReader *reader, const LoomStreamReader *other);

/* Bytes of the file as it stands on disk when it was opened; of a member of an archive what that says. */
guint64 loom_stream_reader_get_size (const LoomStreamReader *reader);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomStreamReader, loom_stream_reader_free)

G_END_DECLS
