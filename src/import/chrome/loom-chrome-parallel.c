/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a large file as several pieces (parts) in parallel. The interface is described in loom-chrome-parallel.h.
 */
#include "loom-chrome-parallel.h"

#include "loom-chrome-track-cache.h"
#include "loom-inflate-chunks.h"
#include "loom-parallel.h"

/* Minimum and maximum number of bytes in the head of a file. One thread reads the head before the file is divided into
 * pieces. This thread determines the form of the JSON text (LoomJsonForm), the base of the times, and usually all
 * names. */
#define LEAST_HEAD_BYTES (64u * 1024)
#define MOST_HEAD_BYTES (1024u * 1024)

#define END_BYTES (1024u * 1024)

/* Maximum number of times that the rest of a file is divided into pieces again. Each piece is read with an assumed
 * state at its start. If the state at the end of the text before a piece proves to be different, this piece and all
 * later ones are made again. When this has been done MAX_SPREADS times, a piece with a wrong state is instead read
 * again by one thread. */
#define MAX_SPREADS 8

/* Minimum size in bytes on disk of a compressed file that several threads read; for smaller files, threads cost more
 * time than they save. The unpacked text is about TYPICAL_RATIO times as long as the file. */
#define LEAST_PACKED_BYTES (512u * 1024)
#define TYPICAL_RATIO 8

typedef struct {
  LoomChromeImporter chrome;
  LoomEventScanner *scanner; /* the scanner that has read this part of the file; NULL: the part has not been read */
  gint64 base_ns;            /* base of the times that is assumed at the start of this part of the file */
  /* `begin`: offset from which the first event of the piece is searched; `end`: offset at which the piece ends */
  guint64 begin, end;
  gboolean is_cut; /* TRUE if reading stopped before the end of this part of the file */
  GError *error;
} Piece;

typedef struct {
  LoomChromeImporter *whole;
  LoomStreamReader *reader; /* reader of the whole file */
  LoomEventScanner *scanner;
  guint64 step; /* size in bytes of a piece, a part of the file that one thread reads */
  guint n_threads;
  guint n_spreads;
  GPtrArray *pieces; /* Piece *: the pieces, in the order of the file */
  /* the chunks of a compressed file; each chunk is read as one piece. `lock` guards `portions` and `pieces`. */
  LoomInflateChunks *portions;
  GMutex lock;
  _Atomic gboolean is_full;
} Split;

/* --- top-level members found while reading ahead ----------------------------------------------------------------- */

typedef struct {
  GBytes *key, *value;
  /* number of elements in LoomSource.facts of this part of the file when the top-level member was read */
  guint n_facts;
} Deferred;

static void
clear_deferred (gpointer data)
{
  Deferred *member = data;
  g_bytes_unref (member->key);
  g_bytes_unref (member->value);
}

void
loom_chrome_parallel_defer_member (LoomChromeImporter *chrome, LoomJsonSlice key, LoomJsonSlice value)
{
  Deferred member = { g_bytes_new (key.text, key.length), g_bytes_new (value.text, value.length),
                      chrome->info->facts->len };
  g_array_append_val (chrome->deferred, member);
}

static LoomJsonSlice
slice_of (GBytes *bytes)
{
  LoomJsonSlice slice;
  slice.text = g_bytes_get_data (bytes, &slice.length);
  return slice;
}

/* Adds the facts `from` … `end` − 1 of a piece (a part of the file) to LoomSource.facts of the whole file, up to the
 * limit that applies to every file. */
static void
take_facts (LoomChromeImporter *whole, const GPtrArray *facts, guint from, guint end)
{
  for (guint i = from; i + 1 < end && whole->info->facts->len < LOOM_CHROME_IMPORTER_MAX_FACTS; i += 2)
    loom_source_add_fact (whole->info, facts->pdata[i], facts->pdata[i + 1]);
}

/* Handles the top-level members that were found in a piece (a part of the file), and adds those facts of the piece that
 * come from metadata events. Keeps the order that the members and facts have in the file: in a damaged file, top-level
 * members may be between events. */
static void
take_deferred (LoomChromeImporter *whole, const GArray *deferred, const GPtrArray *facts)
{
  guint taken = 0;
  for (guint i = 0; i < deferred->len; i++) {
    const Deferred *member = &g_array_index (deferred, Deferred, i);
    take_facts (whole, facts, taken, member->n_facts);
    taken = member->n_facts;
    loom_chrome_parallel_parse_member (whole, slice_of (member->key), slice_of (member->value));
  }
  take_facts (whole, facts, taken, facts->len);
}

/* --- pieces ------------------------------------------------------------------------------------------------------ */

/* Adds a source to the builder of a piece. loom_trace_builder_absorb() matches sources and clocks by index, so the
 * builder of the piece must use the same indices as the builder of the whole file. Therefore first adds empty sources
 * and clocks as placeholders for those that the builder of the whole file already has. */
static void
add_source (LoomChromeImporter *chrome, const LoomChromeImporter *whole)
{
  for (guint i = 0; i <= whole->info->clock; i++)
    loom_trace_builder_add_clock (chrome->builder);
  for (guint i = 0; i < whole->source; i++)
    loom_trace_builder_add_source (chrome->builder, loom_source_new (""), 0);
  chrome->info = loom_source_new (whole->info->path);
  chrome->info->format = whole->info->format;
  chrome->source = loom_trace_builder_add_source (chrome->builder, chrome->info, whole->info->clock);
}

static void
open_piece (Piece *piece, const LoomChromeImporter *whole, LoomJsonForm form)
{
  LoomChromeImporter *chrome = &piece->chrome;
  *chrome = (LoomChromeImporter) {
    .import = whole->import,
    .file = whole->file,
    .builder = loom_trace_builder_new (),
    .hooks = whole->hooks,
    .data = whole->data,
    .base_ns = whole->base_ns,
    .open_x_is_point = whole->open_x_is_point,
  };
  piece->base_ns = whole->base_ns;
  /* the limits are checked when this part of the file is joined to the whole file */
  loom_trace_builder_lift_limits (chrome->builder);
  add_source (chrome, whole);
  loom_chrome_parallel_init (chrome);
  chrome->deferred = g_array_new (FALSE, FALSE, sizeof (Deferred));
  g_array_set_clear_func (chrome->deferred, clear_deferred);
  if (whole->bytes != NULL)
    chrome->bytes = loom_byte_index_new ();
  if (whole->carry != NULL)
    chrome->carry = loom_chrome_carry_over_new (whole->carry);
  if (chrome->hooks->fork != NULL)
    chrome->data = chrome->hooks->fork (whole);
  piece->scanner = loom_event_scanner_new_inside (&loom_chrome_parallel_handler, chrome, form);
  loom_event_scanner_set_limit (piece->scanner, piece->end);
}

static void
close_piece (Piece *piece)
{
  LoomChromeImporter *chrome = &piece->chrome;
  if (piece->scanner == NULL)
    return;
  if (chrome->hooks->fork != NULL)
    chrome->hooks->drop (chrome->data);
  /* this part of the file was not joined, so the memory that was reserved for its events is released */
  if (chrome->builder != NULL)
    loom_importer_reserve (chrome->import, -(gint64) chrome->n_reserved, -(gint64) chrome->n_reserved_flows);
  loom_chrome_carry_over_free (chrome->carry);
  loom_byte_index_free (chrome->bytes);
  loom_chrome_parallel_clear (chrome);
  loom_trace_builder_free (chrome->builder);
  g_clear_pointer (&piece->scanner, loom_event_scanner_free);
}

static void
piece_free (gpointer data)
{
  Piece *piece = data;
  close_piece (piece);
  g_clear_error (&piece->error);
  g_free (piece);
}

static void
read_piece (Piece *piece, const Split *split)
{
  const LoomChromeImporter *whole = split->whole;
  open_piece (piece, whole, loom_event_scanner_get_form (split->scanner));
  g_autoptr (LoomStreamReader) reader =
    loom_stream_reader_new_from (whole->info->path, whole->file->origin, whole->import->progress, &piece->error);
  if (reader != NULL && loom_stream_reader_is_same_file (reader, split->reader))
    loom_stream_reader_scan (reader, piece->scanner, piece->begin, &piece->error);
}

static void
read_one_piece (guint item, guint worker, gpointer user_data)
{
  const Split *split = user_data;
  read_piece (g_ptr_array_index (split->pieces, item), split);
}

/* Returns a new piece (a part of the file) for the next chunk; NULL after the last chunk, if the memory budget is used
 * up, or if reading fails. The error is reported later, by the reader of the whole file. */
static Piece *
take_portion (Split *split, LoomInflateChunk *portion)
{
  Piece *piece = NULL;
  g_mutex_lock (&split->lock);
  if (!split->is_full && loom_inflate_chunks_take (split->portions, portion, NULL)) {
    piece = g_new0 (Piece, 1);
    piece->begin = portion->begin;
    piece->end = portion->end;
    g_ptr_array_add (split->pieces, piece);
  }
  g_mutex_unlock (&split->lock);
  return piece;
}

/* Run by each thread: reads chunks of a compressed file, each as a piece, until none is left. */
static void
read_portions (guint item, guint worker, gpointer user_data)
{
  Split *split = user_data;
  g_autoptr (LoomInflateChunk) portion = loom_inflate_chunk_new (split->portions);
  for (Piece *piece; (piece = take_portion (split, portion)) != NULL;) {
    open_piece (piece, split->whole, loom_event_scanner_get_form (split->scanner));
    piece->is_cut = !loom_inflate_chunk_scan (portion, piece->scanner);
    if (piece->chrome.full)
      split->is_full = TRUE;
  }
}

static void
spread_packed (Split *split, guint64 from)
{
  g_autoptr (LoomInflateChunks) portions = loom_inflate_chunks_new (split->reader, from, (gsize) split->step);
  split->portions = portions;
  loom_parallel_for (split->n_threads, split->n_threads, read_portions, split, NULL);
}

static void
spread_plain (Split *split, guint64 from)
{
  guint64 size = loom_stream_reader_get_size (split->reader);
  for (guint64 begin = from; begin < size; begin += split->step) {
    Piece *piece = g_new0 (Piece, 1);
    piece->begin = begin;
    piece->end = begin + split->step < size ? begin + split->step : LOOM_SCAN_NOWHERE;
    g_ptr_array_add (split->pieces, piece);
  }
  if (split->n_spreads > 0)
    loom_progress_add_total (split->whole->import->progress, size - from);
  loom_parallel_for (split->pieces->len, split->n_threads, read_one_piece, split, NULL);
}

/* Divides the text from offset `from` on into pieces and reads them with several threads. */
static void
spread (Split *split, guint64 from)
{
  g_ptr_array_set_size (split->pieces, 0);
  if (loom_stream_reader_is_compressed (split->reader))
    spread_packed (split, from);
  else
    spread_plain (split, from);
  split->n_spreads++;
}

/* --- joining the pieces ------------------------------------------------------------------------------------------- */

static void
take_piece (LoomChromeImporter *whole, LoomChromeImporter *piece)
{
  g_autoptr (GPtrArray) facts =
    /* these facts are added later, between the deferred members; loom_trace_builder_absorb() would add all of them
     * before the members */
    g_steal_pointer (&piece->info->facts);
  piece->info->facts = g_ptr_array_new_with_free_func (g_free);
  whole->n_timed += piece->n_timed;
  whole->n_absolute += piece->n_absolute;
  whole->max_end_ns = MAX (whole->max_end_ns, piece->max_end_ns);
  whole->stopped_early |= piece->stopped_early;
  whole->full |= piece->full;
  whole->n_reserved += piece->n_reserved;
  whole->n_reserved_flows += piece->n_reserved_flows;
  whole->base_ns = piece->base_ns;
  if (piece->carry != NULL)
    loom_chrome_carry_over_pass_on (piece->carry, whole->carry);
  if (piece->bytes != NULL)
    loom_byte_index_absorb (whole->bytes, g_steal_pointer (&piece->bytes));
  if (piece->hooks->pass_on != NULL)
    piece->hooks->pass_on (piece, whole);
  loom_trace_builder_absorb (whole->builder, g_steal_pointer (&piece->builder));
  take_deferred (whole, piece->deferred, facts);
}

/* Returns TRUE if the piece (a part of the file) was read without error and its first event begins at `arrived`, the
 * offset at which the text before the piece ended. */
static gboolean
fits_text (const Piece *piece, guint64 arrived)
{
  return piece->scanner != NULL && piece->error == NULL && !piece->is_cut &&
         loom_event_scanner_get_first (piece->scanner) == arrived;
}

/* Returns TRUE if the state that was assumed at the start of a piece (a part of the file) equals the state of `whole`,
 * which has read all text before the piece. */
static gboolean
fits_state (const LoomChromeImporter *whole, const Piece *piece)
{
  const LoomChromeImporter *chrome = &piece->chrome;
  return piece->base_ns == whole->base_ns &&
         (chrome->carry == NULL || loom_chrome_carry_over_fits (chrome->carry, whole->carry)) &&
         (whole->hooks->fits == NULL || whole->hooks->fits (whole, chrome));
}

/* Reads the text from `from` to `limit` with the reader of the whole file. Resets this reader's cache of tracks, which
 * joining the parts of the file may have made invalid. */
static gboolean
go_on (Split *split, guint64 from, guint64 limit, GError **error)
{
  guint64 size = loom_stream_reader_get_size (split->reader);
  /* The bytes from `from` to `limit` are read for the second time. If the file is not compressed, the progress counts
   * these bytes again, so the total of the progress is increased by their number. */
  if (!loom_stream_reader_is_compressed (split->reader))
    loom_progress_add_total (split->whole->import->progress, MIN (limit, size) - MIN (from, size));
  loom_chrome_track_cache_reset (split->whole->lanes);
  loom_event_scanner_set_limit (split->scanner, limit);
  return loom_stream_reader_scan (split->reader, split->scanner, from, error);
}

/* Joins the pieces (parts of the file) to the whole file, in order. A piece is used if fits_text() and fits_state()
 * return TRUE for it; otherwise its text is read again. `arrived`: offset of the first event that has not been added to
 * the whole file. */
static gboolean
join (Split *split, guint64 arrived, GError **error)
{
  for (guint i = 0; i < split->pieces->len && arrived != LOOM_SCAN_NOWHERE && !split->whole->full; i++) {
    Piece *piece = g_ptr_array_index (split->pieces, i);
    if (arrived >= piece->end)
      continue;
    gboolean fits = fits_text (piece, arrived) && !piece->chrome.refused;
    if (fits && fits_state (split->whole, piece)) {
      take_piece (split->whole, &piece->chrome);
      arrived = loom_event_scanner_get_reached (piece->scanner);
      loom_event_scanner_follow (split->scanner, piece->scanner);
      close_piece (piece);
    } else if (fits && split->n_spreads < MAX_SPREADS) {
      spread (split, arrived);
      i = G_MAXUINT; /* the loop continues with the first of the new pieces */
    } else {
      if (!go_on (split, arrived, piece->end, error))
        return FALSE;
      arrived = loom_event_scanner_get_reached (split->scanner);
    }
  }
  /* reads the end of the text, if it was not divided into pieces because reading failed or the memory budget was used
   * up */
  return arrived == LOOM_SCAN_NOWHERE || split->whole->full || go_on (split, arrived, LOOM_SCAN_NOWHERE, error);
}

/* Reads the top-level members at the end of a file whose events were not all read, because such members may describe
 * all events of the file. */
static void
read_end (LoomChromeImporter *whole, LoomStreamReader *reader)
{
  guint64 size = loom_stream_reader_get_size (reader);
  Piece *piece = g_new0 (Piece, 1);
  piece->begin = size - MIN (size, END_BYTES);
  piece->end = LOOM_SCAN_NOWHERE;
  open_piece (piece, whole, LOOM_JSON_FORM_OBJECT);
  piece->chrome.only_members = TRUE;
  if (loom_stream_reader_scan (reader, piece->scanner, piece->begin, NULL))
    take_deferred (whole, piece->chrome.deferred, piece->chrome.info->facts);
  piece_free (piece);
}

/* Returns the size in bytes of the pieces into which a file is divided to be read in parallel; 0 if the file should be
 * read by one thread. */
static guint64
piece_bytes (const LoomChromeImporter *chrome, const LoomStreamReader *reader)
{
  guint64 forced = chrome->import->piece_bytes, size = loom_stream_reader_get_size (reader);
  guint n_threads = chrome->import->n_threads;
  gboolean packed = loom_stream_reader_is_gzip (reader), large;
  guint64 step = (packed ? size * TYPICAL_RATIO : size) / (2 * MAX (n_threads, 1));
  step = forced > 0 ? forced : CLAMP (step, LOOM_CHROME_LEAST_PIECE_BYTES, LOOM_CHROME_MOST_PIECE_BYTES);
  if (packed && forced > 0)
    large = forced <= LOOM_CHROME_MOST_PIECE_BYTES;
  else
    large = packed ? size >= LEAST_PACKED_BYTES : size > 2 * step;
  return large && (n_threads > 1 || forced > 0) && !chrome->import->lines ? step : 0;
}

static gboolean
scan (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner, GError **error)
{
  guint64 step = piece_bytes (chrome, reader),
          head = CLAMP (loom_stream_reader_get_size (reader) / 64, LEAST_HEAD_BYTES, MOST_HEAD_BYTES);
  if (step == 0)
    return loom_stream_reader_scan (reader, scanner, 0, error);
  loom_event_scanner_set_limit (scanner, MIN (step, head));
  if (!loom_stream_reader_scan (reader, scanner, 0, error))
    return FALSE;
  guint64 arrived = loom_event_scanner_get_reached (scanner);
  if (arrived == LOOM_SCAN_NOWHERE)
    return TRUE;
  g_autoptr (GPtrArray) pieces = g_ptr_array_new_with_free_func (piece_free);
  Split split = { .whole = chrome,
                  .reader = reader,
                  .scanner = scanner,
                  .step = step,
                  .n_threads = MAX (chrome->import->n_threads, 1),
                  .pieces = pieces };
  g_mutex_init (&split.lock);
  spread (&split, arrived);
  gboolean good = join (&split, arrived, error);
  g_mutex_clear (&split.lock);
  return good;
}

gboolean
loom_chrome_parallel_scan_split (LoomChromeImporter *chrome, LoomStreamReader *reader, LoomEventScanner *scanner,
                                 GError **error)
{
  gboolean good = scan (chrome, reader, scanner, error);
  if (chrome->full && loom_event_scanner_get_form (scanner) == LOOM_JSON_FORM_OBJECT &&
      !loom_stream_reader_is_compressed (reader))
    read_end (chrome, reader);
  return good;
}
