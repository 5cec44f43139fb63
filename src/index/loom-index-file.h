/* SPDX-License-Identifier: Apache-2.0
 *
 * The container of an index: packs and unpacks the header, the table of sections, and the sections of an index file
 * (README.md describes every byte). The functions may be called on any thread.
 */
#pragma once

#include <gio/gio.h>

/* Version of the format. Must be increased with each change that makes older versions of Traceloom misread a file. */
#define LOOM_INDEX_FILE_VERSION 9

/* The first bytes of an index. A program that converts line ends or the character set changes them, so that such
 * damage is detected. */
#define LOOM_INDEX_FILE_MAGIC "\x93LOOMIX\n"
#define LOOM_INDEX_FILE_MAGIC_BYTES 8

#define LOOM_INDEX_FILE_SUFFIX ".loomidx"

/* Suffix of a zip archive with several indexes, and name of the folder in it that contains them. The archive also
 * contains results of analyses, which Traceloom does not read. */
#define LOOM_INDEX_FILE_RUN_SUFFIX ".loomrun"
#define LOOM_INDEX_FILE_FOLDER "indexes/"

typedef enum {
  LOOM_INDEX_FILE_ABOUT = 1, /* the files from which the index was made: loom-index-about.h */
  LOOM_INDEX_FILE_TEXTS,
  LOOM_INDEX_FILE_CLOCKS,
  LOOM_INDEX_FILE_SOURCES,
  LOOM_INDEX_FILE_NAMES,
  LOOM_INDEX_FILE_TRACKS,
  LOOM_INDEX_FILE_STARTS,
  LOOM_INDEX_FILE_DURATIONS,
  LOOM_INDEX_FILE_SPAN_NAMES,
  LOOM_INDEX_FILE_SPAN_FLAGS,
  LOOM_INDEX_FILE_MEETINGS,
  LOOM_INDEX_FILE_SERIES,
  LOOM_INDEX_FILE_SAMPLE_TIMES,
  LOOM_INDEX_FILE_SAMPLE_VALUES,
  LOOM_INDEX_FILE_SUMS,
  LOOM_INDEX_FILE_PLACES, /* offsets of events in the trace files: loom-index-places.h */
  LOOM_INDEX_FILE_LONG_SPANS,
  LOOM_INDEX_FILE_RESTARTS,  /* positions from which a gzip file can be unpacked: loom-gzip-restarts.h */
  LOOM_INDEX_FILE_RECORDERS, /* the files in which the tracks of a merged file were recorded */
  LOOM_INDEX_FILE_STEP_NUMBERS,
  LOOM_INDEX_FILE_KEPT_TEXTS, /* the parts of the trace files' text that every time range needs: loom-index-places.h */
  LOOM_INDEX_FILE_FLIGHTS,    /* dumps of flight recorders: loom-index-flights.h */
  LOOM_INDEX_FILE_N_SECTIONS,
} LoomIndexFileSection;

/* The index stores the kind of a sync event and the axis of its group as one number: the kind in the lowest
 * LOOM_INDEX_FILE_AXIS_SHIFT bits, and the axis in the bits above them. */
#define LOOM_INDEX_FILE_AXIS_SHIFT 4

/* From this version on, the times of sync events are written relative to their spans. */
#define LOOM_INDEX_FILE_VERSION_OF_RELATIVE_TIMES 5
/* From this version on, names and sums are written column by column, and the duration of a span may be written relative
 * to that of an earlier span that followed the same names (loom-index-contexts.h). */
#define LOOM_INDEX_FILE_VERSION_OF_COLUMNS 7
/* Version from which on a file may contain dumps of flight recorders. */
#define LOOM_INDEX_FILE_VERSION_OF_FLIGHTS 8
/* Version from which on the table of sections does not state offsets, sections may be compressed with LZMA, and sums of
 * names on devices are omitted. */
#define LOOM_INDEX_FILE_VERSION_OF_SHORT_TABLE 9

/* Number of texts of a name: text, category and color name. */
#define LOOM_INDEX_FILE_NAME_TEXTS 3u

/* --- writing ------------------------------------------------------------------------------------------------------ */

typedef struct _LoomIndexPack LoomIndexPack;

LoomIndexPack *loom_index_file_pack_new (void);
/* Adds a section, compressed if that makes it smaller. Each section may be added once. Keeps a reference to the
 * content, which must not change any more. */
void loom_index_file_pack_add (LoomIndexPack *pack, LoomIndexFileSection section, GByteArray *content);
/* Returns about how many bytes a section with this content takes in the file, to compare two forms of a section. This
 * function is five times as fast as loom_index_file_pack_add(), because it compresses less well. */
gsize loom_index_file_measure (const GByteArray *content);
/* Compresses the sections, on several threads if they are long. If they then have more than `n_wanted` bytes together,
 * compresses long sections further, which takes five times as long. Returns the bytes of the index file, and frees the
 * pack. Two calls with equal sections and equal `n_wanted` return equal bytes. */
GBytes *loom_index_file_pack_finish (LoomIndexPack *pack, guint64 n_wanted);

/* --- reading ------------------------------------------------------------------------------------------------------ */

typedef struct _LoomIndexFile LoomIndexFile;

/* Reads the header and the table of sections. Returns NULL with `error` on failure: LOOM_ERROR_FORMAT if the file is
 * damaged or truncated, LOOM_ERROR_UNSUPPORTED if another version of the program wrote the file. Keeps a reference to
 * the bytes. */
LoomIndexFile *loom_index_file_new (GBytes *bytes, GError **error);
void loom_index_file_free (LoomIndexFile *file);

guint32 loom_index_file_get_version (const LoomIndexFile *file);

/* Returns the content of a section; no bytes if the file does not have the section. Returns NULL with LOOM_ERROR_FORMAT
 * if the section is damaged. The contents of all sections together are at most some hundred times as long as the
 * file. */
GBytes *loom_index_file_unpack (LoomIndexFile *file, LoomIndexFileSection section, GError **error);
/* Checks the checksum of a section without decompressing it. Returns FALSE with LOOM_ERROR_FORMAT if the section is
 * damaged. Returns TRUE if the file does not have the section. */
gboolean loom_index_file_check (const LoomIndexFile *file, LoomIndexFileSection section, GError **error);

/* Sets `error` to LOOM_ERROR_FORMAT, with a message that the index is damaged. `what` names the damaged part. Returns
 * FALSE. */
gboolean loom_index_file_set_damage (GError **error, const char *what);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LoomIndexFile, loom_index_file_free)
