/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-chrome-split.h"

#include <stdatomic.h>
#include <string.h>

typedef struct {
  LoomChrome chrome;
  LoomScanner *scanner;
  LoomReader *reader;
  guint64 begin, end;   /* where it looks for its first event, and where it stops */
  GError *error;
} Piece;

typedef struct {
  LoomChrome *whole;
  LoomReader *reader;   /* of the whole */
  LoomScanner *scanner;
  GPtrArray *pieces;    /* Piece * */
  _Atomic guint next;
} Split;

/* --- members met while reading ahead ----------------------------------------------------------------------------- */

void
loom_chrome_defer_member (LoomChrome *chrome, LoomSlice key, LoomSlice value, guint64 offset)
{
  g_ptr_array_add (chrome->deferred, g_strndup (key.text, key.length));
  g_ptr_array_add (chrome->deferred, g_strndup (value.text, value.length));
  g_ptr_array_add (chrome->deferred, g_strdup_printf ("%" G_GUINT64_FORMAT, offset));
}

static void
take_deferred (LoomChrome *whole, const LoomChrome *piece)
{
  for (guint i = 0; i + 2 < piece->deferred->len; i += 3) {
    const char *key = piece->deferred->pdata[i], *value = piece->deferred->pdata[i + 1];
    loom_chrome_on_member ((LoomSlice) { key, strlen (key) }, (LoomSlice) { value, strlen (value) },
                           g_ascii_strtoull (piece->deferred->pdata[i + 2], NULL, 10), whole);
  }
}

/* --- pieces ------------------------------------------------------------------------------------------------------ */

static Piece *
piece_new (const LoomChrome *whole, LoomForm form, guint64 begin, guint64 end)
{
  Piece *piece = g_new0 (Piece, 1);
  LoomSource *info = loom_source_new (whole->info->path);
  LoomBuilder *builder = loom_builder_new ();
  piece->begin = begin;
  piece->end = end;
  piece->chrome = (LoomChrome) {
    .import = whole->import, .builder = builder, .info = info, .hooks = whole->hooks, .data = whole->data,
    .base_ns = whole->base_ns, .open_x_is_point = whole->open_x_is_point,
  };
  info->format = whole->info->format;
  info->clock = loom_builder_add_clock (builder);
  piece->chrome.source = loom_builder_add_source (builder, info, info->clock);
  loom_chrome_init (&piece->chrome);
  piece->chrome.deferred = g_ptr_array_new_with_free_func (g_free);
  piece->scanner = loom_scanner_new_inside (&loom_chrome_handler, &piece->chrome, form);
  loom_scanner_set_limit (piece->scanner, end);
  return piece;
}

static void
piece_free (gpointer data)
{
  Piece *piece = data;
  loom_chrome_clear (&piece->chrome);
  loom_scanner_free (piece->scanner);
  loom_reader_free (piece->reader);
  loom_builder_free (piece->chrome.builder);
  g_clear_error (&piece->error);
  g_free (piece);
}

static void
read_piece (Piece *piece, guint64 from)
{
  LoomImport *import = piece->chrome.import;
  if (piece->reader == NULL)
    piece->reader = loom_reader_new (piece->chrome.info->path, import->progress, &piece->error);
  if (piece->reader != NULL)
    loom_reader_scan_from (piece->reader, piece->scanner, from, &piece->error);
}

static gpointer
read_pieces (gpointer data)
{
  Split *split = data;
  for (;;) {
    guint i = atomic_fetch_add (&split->next, 1);
    if (i >= split->pieces->len)
      return NULL;
    Piece *piece = g_ptr_array_index (split->pieces, i);
    read_piece (piece, piece->begin);
  }
}

static void
read_in_parallel (Split *split, guint n_threads)
{
  g_autofree GThread **threads = g_new0 (GThread *, n_threads);
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_try_new ("loom-scan", read_pieces, split, NULL);
  read_pieces (split);
  for (guint i = 1; i < n_threads; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
}

/* --- putting them together ---------------------------------------------------------------------------------------- */

static void
take_piece (LoomChrome *whole, Piece *piece)
{
  whole->n_timed += piece->chrome.n_timed;
  whole->n_absolute += piece->chrome.n_absolute;
  whole->max_end_ns = MAX (whole->max_end_ns, piece->chrome.max_end_ns);
  whole->stopped_early |= piece->chrome.stopped_early;
  loom_chrome_apply_labels (&piece->chrome);
  loom_builder_absorb (whole->builder, g_steal_pointer (&piece->chrome.builder));
  take_deferred (whole, &piece->chrome);
}

/* Whoever reads at the front: the whole's own scanner, or the piece that counted last. */
static gboolean
go_on (Split *split, Piece *last, guint64 from, guint64 limit, GError **error)
{
  if (last == NULL) {
    loom_scanner_set_limit (split->scanner, limit);
    return loom_reader_scan_from (split->reader, split->scanner, from, error);
  }
  loom_scanner_set_limit (last->scanner, limit);
  read_piece (last, from);
  if (last->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&last->error));
  return FALSE;
}

/* Goes along the pieces: whether one counts is decided by where the one before it arrived. */
static gboolean
join (Split *split, guint64 arrived, GError **error)
{
  Piece *last = NULL;
  gboolean good = TRUE;
  for (guint i = 0; i < split->pieces->len && arrived != LOOM_SCAN_NOWHERE && good; i++) {
    Piece *piece = g_ptr_array_index (split->pieces, i);
    if (piece->error == NULL && loom_scanner_get_first (piece->scanner) == arrived) {
      if (last != NULL)
        take_piece (split->whole, last);
      last = piece;
    } else {
      good = go_on (split, last, arrived, piece->end, error);
    }
    arrived = loom_scanner_get_reached (last != NULL ? last->scanner : split->scanner);
  }
  if (last != NULL)
    take_piece (split->whole, last);
  return good;
}

static guint64
piece_bytes (void)
{
  const char *text = g_getenv ("LOOM_SPLIT_BYTES");
  guint64 n_bytes = text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;
  return n_bytes > 0 ? n_bytes : LOOM_CHROME_PIECE_BYTES;
}

gboolean
loom_chrome_scan_split (LoomChrome *chrome, LoomReader *reader, LoomScanner *scanner, GError **error)
{
  guint64 size = loom_reader_get_size (reader), step = piece_bytes ();
  guint n_threads = chrome->import->n_threads;
  gboolean forced = step != LOOM_CHROME_PIECE_BYTES;
  if (loom_reader_is_compressed (reader) || size <= 2 * step || (n_threads < 2 && !forced) || chrome->import->n_files != 1)
    return loom_reader_scan (reader, scanner, error);
  /* The beginning tells the form and the base of the times; the pieces start from there. */
  loom_scanner_set_limit (scanner, MIN (step, 1024 * 1024));
  if (!loom_reader_scan (reader, scanner, error))
    return FALSE;
  guint64 arrived = loom_scanner_get_reached (scanner);
  if (arrived == LOOM_SCAN_NOWHERE)
    return TRUE;
  Split split = { .whole = chrome, .reader = reader, .scanner = scanner, .pieces = g_ptr_array_new_with_free_func (piece_free) };
  for (guint64 begin = arrived; begin < size; begin += step)
    g_ptr_array_add (split.pieces, piece_new (chrome, loom_scanner_get_form (scanner), begin, begin + step < size ? begin + step : LOOM_SCAN_NOWHERE));
  read_in_parallel (&split, MAX (n_threads, 1));
  gboolean good = join (&split, arrived, error);
  g_ptr_array_unref (split.pieces);
  return good;
}
