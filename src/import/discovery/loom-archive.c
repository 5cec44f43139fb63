/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists the members of an archive. libarchive finds the members and the offsets of their bytes; it reads through a
 * LoomByteSource, which stores checkpoints of a compressed tar for later reads. Only members that cannot be read in
 * place are unpacked by libarchive.
 */
#include "loom-archive.h"

#include "loom-gzip-index.h"
#include "loom-limits.h"
#include "loom-temp-file.h"
#include "loom-zip-header.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

G_STATIC_ASSERT (LOOM_LIMIT_GZIP_RATIO == 200); /* translated messages in this program state this limit as the number
                                                 * 200; change them together with the limit */

#define INPUT_BYTES (64u * 1024)
/* Maximum number of reads (of INPUT_BYTES each) of the padding that follows the last file of a tar in gzip. */
#define MOST_PADDING_READS 16
/* When unpacked text is skipped, the code checks for cancellation each time it has skipped this number of bytes. */
#define SKIP_BYTES (4u * 1024 * 1024)
#define TAR_BYTES 512

typedef struct {
  const char *path;
  LoomArchiveKind kind;
  const LoomArchiveHandler *handler;
  gpointer user_data;
  GCancellable *cancellable;
  struct archive *archive;
  struct stat status;
  guint64 n_bytes;      /* size of the archive on disk */
  LoomByteSource *text; /* text of the archive, which libarchive reads; unpacked if the archive is a tar inside gzip */
  gboolean is_gzip;     /* TRUE if `text` is unpacked from gzip */
  guint64 position;     /* position of libarchive in `text` */
  const char *stopped;  /* reason why the listing must end early; NULL: it continues */
  gboolean is_complete; /* TRUE if the end of the archive was reached */
  GPtrArray *origins;   /* LoomSourceLocation *: the locations of the members, in the order of the archive */
  LoomTempFile *spill;
  guint most_members, n_members, n_rooted, n_climbing;
  guint8 input[INPUT_BYTES];
} Listing;

/* --- recognition -------------------------------------------------------------------------------------------------- */

/* Returns TRUE if the bytes are the header of a tar. The old form of tar has no magic, but a checksum: the sum of the
 * header's bytes with spaces in place of the checksum. */
static gboolean
is_tar (const char *bytes, gsize n_bytes)
{
  if (n_bytes < TAR_BYTES)
    return FALSE;
  if (memcmp (bytes + 257, "ustar", 5) == 0)
    return TRUE;
  guint sum = 0;
  for (guint i = 0; i < TAR_BYTES; i++)
    sum += i >= 148 && i < 156 ? ' ' : (guchar) bytes[i];
  gsize lead = strspn (bytes + 148, " ");
  return bytes[0] != '\0' && lead < 8 && bytes[148 + lead] >= '0' && bytes[148 + lead] <= '7' &&
         g_ascii_strtoull (bytes + 148 + lead, NULL, 8) == sum;
}

LoomArchiveKind
loom_archive_recognise (const char *bytes, gsize n_bytes)
{
  static const struct {
    const char *magic;
    gsize length;
    LoomArchiveKind kind;
  } table[] = {
    { "PK\003\004", 4, LOOM_ARCHIVE_ZIP },
    { "PK\005\006", 4, LOOM_ARCHIVE_ZIP },
    { "\x28\xB5\x2F\xFD", 4, LOOM_ARCHIVE_PACKED },
    { "\xFD"
      "7zXZ\0",
      6, LOOM_ARCHIVE_PACKED },
    { "BZh", 3, LOOM_ARCHIVE_PACKED },
  };
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (n_bytes >= table[i].length && memcmp (bytes, table[i].magic, table[i].length) == 0)
      return table[i].kind;
  return is_tar (bytes, n_bytes) ? LOOM_ARCHIVE_TAR : LOOM_ARCHIVE_NONE;
}

gboolean
loom_archive_is_name (const char *path)
{
  static const char *const endings[] = { ".zip",  ".tar", ".tgz", ".tar.gz", ".zst",
                                         ".tzst", ".xz",  ".txz", ".bz2",    ".tbz2" };
  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (path, endings[i]))
      return TRUE;
  return FALSE;
}

/* --- reading bytes for libarchive --------------------------------------------------------------------------------- */

static gboolean
is_bomb (const Listing *listing, guint64 n_unpacked)
{
  return n_unpacked > LOOM_ARCHIVE_RATIO_FROM_BYTES && n_unpacked / LOOM_LIMIT_GZIP_RATIO > listing->n_bytes;
}

/* Returns FALSE if the listing must end; sets the error that libarchive expects in this case. */
static gboolean
may_go_on (Listing *listing)
{
  if (listing->stopped == NULL && g_cancellable_is_cancelled (listing->cancellable))
    listing->stopped = "cancelled";
  if (listing->stopped == NULL && listing->is_gzip && is_bomb (listing, listing->position))
    listing->stopped = _ ("the archive decompresses to more than 200 times its size");
  if (listing->stopped != NULL)
    archive_set_error (listing->archive, EIO, "%s", listing->stopped);
  return listing->stopped == NULL;
}

static la_ssize_t
on_read (struct archive *archive, void *data, const void **bytes)
{
  Listing *listing = data;
  g_autoptr (GError) error = NULL;
  if (!may_go_on (listing))
    return -1;
  gssize n = loom_byte_source_read (listing->text, listing->position, listing->input, sizeof listing->input, &error);
  if (n < 0) {
    archive_set_error (archive, EIO, "%s", error->message);
    return -1;
  }
  *bytes = listing->input;
  listing->position += (guint64) n;
  return n;
}

/* Skips a part of the text for libarchive. Compressed text must be unpacked up to the new position; this is done in
 * steps, between which the listing can be cancelled. */
static la_int64_t
on_skip (struct archive *archive, void *data, la_int64_t n_wanted)
{
  Listing *listing = data;
  guint64 from = listing->position, to = from + (guint64) MAX (n_wanted, 0);
  char byte;
  if (!listing->is_gzip) {
    listing->position = MIN (to, MAX (from, listing->n_bytes));
    return (la_int64_t) (listing->position - from);
  }
  while (listing->position < to && may_go_on (listing)) {
    guint64 next = MIN (to, listing->position + SKIP_BYTES);
    if (loom_byte_source_read (listing->text, next - 1, &byte, 1, NULL) != 1)
      break; /* the next read reports the error */
    listing->position = next;
  }
  return (la_int64_t) (listing->position - from);
}

static la_int64_t
on_seek (struct archive *archive, void *data, la_int64_t offset, int whence)
{
  Listing *listing = data;
  gint64 base = whence == SEEK_SET ? 0 : (gint64) (whence == SEEK_CUR ? listing->position : listing->n_bytes);
  gint64 to;
  if (__builtin_add_overflow (base, offset, &to))
    to = 0;
  listing->position = (guint64) CLAMP (to, 0, (gint64) listing->n_bytes);
  return (la_int64_t) listing->position;
}

static gboolean
open_archive (Listing *listing)
{
  struct archive *archive = listing->archive = archive_read_new ();
  if (listing->kind == LOOM_ARCHIVE_ZIP) {
    archive_read_support_format_zip (archive);
    archive_read_set_seek_callback (archive, on_seek);
  } else {
    archive_read_support_format_tar (archive);
  }
  if (listing->kind == LOOM_ARCHIVE_PACKED) {
    archive_read_support_filter_zstd (archive);
    archive_read_support_filter_xz (archive);
    archive_read_support_filter_bzip2 (archive);
    archive_read_support_format_raw (archive);
  }
  archive_read_set_read_callback (archive, on_read);
  archive_read_set_skip_callback (archive, on_skip);
  archive_read_set_callback_data (archive, listing);
  return archive_read_open1 (archive) == ARCHIVE_OK;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void
skip (Listing *listing, const char *name, const char *reason, gboolean failed)
{
  listing->handler->skipped (name, reason, failed, listing->user_data);
}

/* Returns the name of the only file in an archive that is a single compressed file: the name of the archive without its
 * extension. Owned by the caller. */
static char *
dup_raw_name (const Listing *listing)
{
  char *name = g_path_get_basename (listing->path), *dot = strrchr (name, '.');
  if (dot != NULL && dot != name)
    *dot = '\0';
  return name;
}

/* Returns a relative name without empty components, "." and ".."; NULL: no component is left. Owned by the caller. */
static char *
clean_name (Listing *listing, const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  g_autofree char *absolute = g_canonicalize_filename (name + strspn (name, "/"), "/");
  listing->n_rooted += name[0] == '/';
  listing->n_climbing += g_strv_contains ((const char *const *) parts, "..");
  return absolute[1] != '\0' ? g_strdup (absolute + 1) : NULL;
}

/* Returns TRUE for hidden files, which are skipped in archives as they are in folders. */
static gboolean
is_hidden (const char *name)
{
  return name[0] == '.' || strstr (name, "/.") != NULL;
}

static guint
count_folders (const char *name)
{
  guint n = 0;
  for (; *name != '\0'; name++)
    n += *name == '/';
  return n;
}

static char *
dup_name (Listing *listing, struct archive_entry *entry)
{
  if (archive_format (listing->archive) == ARCHIVE_FORMAT_RAW)
    return dup_raw_name (listing);
  const char *name = archive_entry_pathname_utf8 (entry);
  if (name == NULL)
    name = archive_entry_pathname (entry);
  if (name == NULL || strlen (name) > LOOM_ARCHIVE_MAX_NAME_BYTES || count_folders (name) > LOOM_LIMIT_FOLDER_DEPTH) {
    skip (listing, NULL,
          name == NULL ? _ ("a member whose name cannot be read is skipped")
                       : _ ("a member whose name is too long, or that is nested too deeply in folders, is skipped"),
          TRUE);
    return NULL;
  }
  return clean_name (listing, name);
}

/* --- members ------------------------------------------------------------------------------------------------------ */

/* Returns why an entry of the archive is not read: it is not a regular file, or it is encrypted. NULL: it can be read;
 * "": it is skipped without a report. `failed` is set to TRUE if the reason counts as a failure. */
static const char *
reason_against (struct archive_entry *entry, gboolean *failed)
{
  *failed = FALSE;
  if (archive_entry_hardlink (entry) != NULL || archive_entry_filetype (entry) == AE_IFLNK)
    return _ ("a link in an archive; such links are not followed");
  if (archive_entry_filetype (entry) == AE_IFDIR)
    return "";
  if (archive_entry_filetype (entry) != AE_IFREG && archive_entry_filetype (entry) != 0)
    return _ ("a device node in an archive, not a regular file");
  *failed = TRUE;
  return archive_entry_is_encrypted (entry) ? _ ("encrypted: unpack the archive with its password and open the folder")
                                            : NULL;
}

static LoomSourceLocation *
new_origin (Listing *listing, LoomByteSource *text)
{
  LoomSourceLocation *origin = loom_source_location_new (text == NULL ? listing->path : NULL, &listing->status, text);
  origin->is_member = TRUE;
  g_ptr_array_add (listing->origins, origin);
  return origin;
}

static LoomSourceLocation *
place_in_tar (Listing *listing, struct archive_entry *entry)
{
  LoomSourceLocation *origin = new_origin (listing, listing->is_gzip ? listing->text : NULL);
  origin->offset = (guint64) archive_filter_bytes (listing->archive, 0);
  origin->n_bytes = (guint64) MAX (archive_entry_size (entry), 0);
  return origin;
}

/* Returns the location of a zip member in the archive. NULL if the member cannot be read in place and must be
 * unpacked to a temporary file. */
static LoomSourceLocation *
place_in_zip (Listing *listing, struct archive_entry *entry)
{
  LoomZipHeader header;
  guint64 offset = (guint64) archive_filter_bytes (listing->archive, 0),
          rest = listing->n_bytes - MIN (offset, listing->n_bytes);
  gboolean sized = archive_entry_size_is_set (entry);
  if (!loom_zip_header_read (listing->text, offset, &header))
    return NULL;
  if (header.method != LOOM_ZIP_DEFLATED && (header.method != LOOM_ZIP_STORED || !sized))
    return NULL;
  LoomSourceLocation *origin = new_origin (listing, NULL);
  origin->offset = offset;
  origin->is_deflated = header.method == LOOM_ZIP_DEFLATED;
  origin->n_unpacked = sized ? (guint64) MAX (archive_entry_size (entry), 0) : G_MAXUINT64;
  origin->n_bytes = !origin->is_deflated ? origin->n_unpacked : header.sizes_follow ? rest : header.n_packed;
  origin->checksum = header.checksum;
  origin->has_checksum = !header.sizes_follow;
  return origin;
}

static gboolean
unpack_blocks (Listing *listing, guint64 from, GError **error)
{
  const void *bytes;
  size_t n_bytes;
  la_int64_t offset;
  int result;
  while ((result = archive_read_data_block (listing->archive, &bytes, &n_bytes, &offset)) == ARCHIVE_OK ||
         result == ARCHIVE_WARN) {
    guint64 n_more = from + (guint64) offset + n_bytes -
                     MIN (from + (guint64) offset + n_bytes, loom_temp_file_get_length (listing->spill));
    if (is_bomb (listing, loom_temp_file_get_length (listing->spill) + n_more)) {
      listing->stopped = _ ("the archive decompresses to more than 200 times its size");
      return FALSE;
    }
    if (!may_go_on (listing) || !loom_temp_file_reserve (listing->spill, n_more, error) ||
        !loom_temp_file_extend (listing->spill, from + (guint64) offset, error) ||
        !loom_temp_file_append (listing->spill, bytes, n_bytes, error))
      return FALSE;
  }
  return result == ARCHIVE_EOF;
}

/* Unpacks a member to the temporary file and returns its location there. Of a damaged member, unpacks as much as
 * possible. Returns NULL if the disk has not enough room. */
static LoomSourceLocation *
place_in_spill (Listing *listing, struct archive_entry *entry, const char *name)
{
  g_autoptr (GError) error = NULL;
  guint64 claimed = archive_entry_size_is_set (entry) ? (guint64) MAX (archive_entry_size (entry), 0) : 0;
  gboolean ready = listing->spill != NULL ? loom_temp_file_reserve (listing->spill, claimed, &error)
                                          : (listing->spill = loom_temp_file_new (claimed, &error)) != NULL;
  if (!ready) {
    skip (listing, name, error->message, TRUE);
    return NULL;
  }
  g_autoptr (LoomByteSource) text = loom_temp_file_dup_text (listing->spill);
  LoomSourceLocation *origin = new_origin (listing, text);
  origin->offset = loom_temp_file_get_length (listing->spill);
  origin->is_cut = !unpack_blocks (listing, origin->offset, &error);
  origin->n_bytes = loom_temp_file_get_length (listing->spill) - origin->offset;
  if (error != NULL)
    skip (listing, name, error->message, TRUE);
  return origin;
}

static LoomSourceLocation *
place (Listing *listing, struct archive_entry *entry, const char *name)
{
  LoomSourceLocation *origin = NULL;
  if (listing->kind == LOOM_ARCHIVE_TAR && archive_entry_sparse_count (entry) == 0)
    origin = place_in_tar (listing, entry);
  if (listing->kind == LOOM_ARCHIVE_ZIP)
    origin = place_in_zip (listing, entry);
  return origin != NULL ? origin : place_in_spill (listing, entry, name);
}

static void
take_entry (Listing *listing, struct archive_entry *entry)
{
  gboolean failed;
  const char *reason = reason_against (entry, &failed);
  if (reason != NULL && reason[0] == '\0')
    return;
  g_autofree char *name = dup_name (listing, entry);
  if (name == NULL || is_hidden (name) || !listing->handler->wants (name, listing->user_data))
    return;
  if (reason != NULL) {
    skip (listing, name, reason, failed);
    return;
  }
  LoomSourceLocation *origin = place (listing, entry, name);
  gint64 modified_s =
    archive_entry_mtime_is_set (entry) ? (gint64) archive_entry_mtime (entry) : (gint64) listing->status.st_mtime;
  if (origin != NULL)
    listing->handler->found (name, origin, modified_s, listing->user_data);
}

/* Returns TRUE if the list of entries ended because the compressed data is damaged. clip() reports this damage
 * later. */
static gboolean
is_reported_later (const Listing *listing)
{
  gboolean is_damaged = FALSE;
  if (listing->is_gzip)
    loom_gzip_index_get_end (listing->text, &is_damaged);
  return is_damaged && !loom_gzip_index_is_checksum_wrong (listing->text) && listing->stopped == NULL;
}

/* Reports why the list of entries ended before the end of the archive. */
static void
tell_end (Listing *listing)
{
  const char *why = listing->stopped != NULL ? listing->stopped : archive_error_string (listing->archive);
  gboolean is_packed = listing->is_gzip || archive_filter_code (listing->archive, 0) != ARCHIVE_FILTER_NONE;
  g_autofree char *reason = g_strdup_printf (
    is_packed ? _ ("the archive is damaged or inconsistent (%s, at decompressed byte %" PRIu64
                   "): the file at that place may be wrong, and later files were not found")
              : _ ("the archive is damaged or inconsistent (%s, at byte %" PRIu64
                   "): the file at that place may be wrong, and later files were not found"),
    why != NULL ? why : C_ ("archive", "unreadable"), (guint64) MAX (archive_filter_bytes (listing->archive, 0), 0));
  skip (listing, NULL, reason, TRUE);
}

static void
take_entries (Listing *listing)
{
  struct archive_entry *entry;
  int result;
  while ((result = archive_read_next_header (listing->archive, &entry)) == ARCHIVE_OK || result == ARCHIVE_WARN ||
         result == ARCHIVE_RETRY) {
    if (listing->kind == LOOM_ARCHIVE_PACKED && archive_filter_code (listing->archive, 0) == ARCHIVE_FILTER_NONE)
      listing->stopped = _ ("the content does not match the file type given by the first bytes");
    if (!may_go_on (listing))
      break;
    if (++listing->n_members > listing->most_members) {
      g_autofree char *full =
        g_strdup_printf (_ ("more than %u files in the archive: later files are not read"), listing->most_members);
      skip (listing, NULL, full, TRUE);
      return;
    }
    if (result != ARCHIVE_RETRY)
      take_entry (listing, entry);
  }
  listing->is_complete = result == ARCHIVE_EOF && listing->stopped == NULL;
  if (!listing->is_complete && !is_reported_later (listing))
    tell_end (listing);
}

/* --- checks after all members were listed ------------------------------------------------------------------------- */

/* Reads the padding at the end of a tar inside gzip. The checksum of gzip follows the padding, and is verified only if
 * the padding is read; libarchive does not read it. */
static void
look_at_end (Listing *listing)
{
  gssize n = 1;
  for (guint i = 0; i < MOST_PADDING_READS && n > 0 && listing->is_gzip && listing->is_complete; i++) {
    n = loom_byte_source_read (listing->text, listing->position, listing->input, sizeof listing->input, NULL);
    listing->position += (guint64) MAX (n, 0);
  }
}

/* Reports that the compressed data is damaged and can be unpacked only up to the byte `end` of the text. */
static void
tell_damage (Listing *listing, guint64 end)
{
  if (loom_gzip_index_is_checksum_wrong (listing->text)) {
    skip (
      listing, NULL,
      listing->is_complete
        ? _ (
            "the checksum of the compressed data does not match: all files were found, and at least one of them contains errors")
        : _ ("the checksum of the compressed data does not match: the files that were found may contain errors"),
      TRUE);
    return;
  }
  g_autofree char *reason =
    g_strdup_printf (_ ("the compressed data is damaged or truncated at decompressed byte %" PRIu64
                        ": the file at that place is incomplete, and later files were not found"),
                     end);
  skip (listing, NULL, reason, TRUE);
}

/* Reports damage of the compressed data, and truncates members that extend beyond the end of the text that can be
 * read. */
static void
clip (Listing *listing)
{
  gboolean is_damaged = FALSE;
  guint64 end = listing->is_gzip ? loom_gzip_index_get_end (listing->text, &is_damaged) : listing->n_bytes;
  if (is_damaged)
    tell_damage (listing, end);
  for (guint i = 0; i < listing->origins->len; i++) {
    LoomSourceLocation *origin = g_ptr_array_index (listing->origins, i);
    guint64 rest = end - MIN (end, origin->offset);
    /* members in the temporary file are not truncated, because they were copied completely */
    if (origin->text != NULL && origin->text != listing->text)
      continue;
    if (origin->n_bytes <= rest)
      continue;
    origin->n_bytes = rest;
    origin->is_cut = TRUE;
  }
}

static gint
compare_offsets (gconstpointer a, gconstpointer b)
{
  const LoomSourceLocation *first = *(LoomSourceLocation *const *) a, *second = *(LoomSourceLocation *const *) b;
  return (first->offset > second->offset) - (first->offset < second->offset);
}

/* Limits each member of a zip to the bytes before the next member. Otherwise a small zip with overlapping members could
 * be unpacked to any size. If the zip does not state the length of a member, the limit serves as the length; this
 * length is only slightly too great. */
static void
part (Listing *listing)
{
  g_autoptr (GPtrArray) sorted = g_ptr_array_new ();
  for (guint i = 0; i < listing->origins->len; i++)
    if (((LoomSourceLocation *) g_ptr_array_index (listing->origins, i))->text == NULL)
      g_ptr_array_add (sorted, g_ptr_array_index (listing->origins, i));
  g_ptr_array_sort (sorted, compare_offsets);
  for (guint i = 0; i + 1 < sorted->len; i++) {
    LoomSourceLocation *origin = g_ptr_array_index (sorted, i), *next = g_ptr_array_index (sorted, i + 1);
    origin->n_bytes = MIN (origin->n_bytes, next->offset - origin->offset);
  }
}

static void
tell_names (Listing *listing)
{
  if (listing->n_rooted > 0)
    skip (listing, NULL, _ ("contains names that begin with “/”; they are treated as names inside the archive"), FALSE);
  if (listing->n_climbing > 0)
    skip (listing, NULL, _ ("contains names with “..”; they are treated as names inside the archive"), TRUE);
}

static void
list (Listing *listing)
{
  if (open_archive (listing))
    take_entries (listing);
  else
    skip (listing, NULL,
          archive_error_string (listing->archive) != NULL ? archive_error_string (listing->archive) : "unreadable",
          TRUE);
  look_at_end (listing);
  clip (listing);
  if (listing->kind == LOOM_ARCHIVE_ZIP)
    part (listing);
  tell_names (listing);
}

void
loom_archive_list (const char *path, LoomArchiveKind kind, LoomByteSource *gzip, const LoomArchiveHandler *handler,
                   gpointer user_data, GCancellable *cancellable)
{
  g_autofree Listing *listing = g_new0 (Listing, 1);
  g_autoptr (GPtrArray) origins = g_ptr_array_new_with_free_func ((GDestroyNotify) loom_source_location_unref);
  *listing = (Listing) { .path = path,
                         .kind = kind,
                         .handler = handler,
                         .user_data = user_data,
                         .cancellable = cancellable,
                         .is_gzip = gzip != NULL,
                         .origins = origins,
                         .most_members = (guint) loom_limit (LOOM_LIMIT_FILES) };
  if (stat (path, &listing->status) != 0) {
    skip (listing, NULL, _ ("the file no longer exists"), TRUE);
    return;
  }
  listing->n_bytes = (guint64) listing->status.st_size;
  g_autoptr (LoomSourceLocation) whole = loom_source_location_new (path, &listing->status, NULL);
  listing->text = gzip != NULL ? loom_byte_source_ref (gzip) : loom_source_location_dup_text (whole);
  if (kind == LOOM_ARCHIVE_ZIP && !loom_zip_header_has_directory (listing->text, listing->n_bytes))
    skip (listing, NULL, _ ("truncated: the archive’s list of files is missing; the readable files are read"), TRUE);
  list (listing);
  archive_read_free (listing->archive);
  loom_temp_file_free (listing->spill);
  loom_byte_source_unref (listing->text);
}
