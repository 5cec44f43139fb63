/* SPDX-License-Identifier: Apache-2.0
 *
 * Recognises the format of a file by its path and the beginning of its content. The interface is described in
 * loom-sniff.h.
 */
#include "loom-sniff.h"

#include "loom-database-sniff.h"
#include "loom-index-file.h"
#include "loom-json-sniff.h"
#include "loom-nsight-report.h"
#include "loom-pickle-sniff.h"
#include "loom-protobuf-sniff.h"
#include "loom-pyinstrument.h"
#include "loom-python-marshal.h"
#include "loom-regex.h"
#include "loom-sniff-private.h"
#include "loom-unsupported-formats.h"

#include <glib/gi18n.h>
#include <string.h>

static const char *
translated (const char *reason)
{
  return reason != NULL ? gettext (reason) : NULL;
}

static const char *const words[] = {
  [LOOM_FILE_FORMAT_NONE] = "",
  [LOOM_FILE_FORMAT_TRACELOOM] = "traceloom",
  [LOOM_FILE_FORMAT_SMDEBUG] = "smdebug",
  [LOOM_FILE_FORMAT_SMDEBUG_SYSTEM] = "smdebug-system",
  [LOOM_FILE_FORMAT_SMDEBUG_MERGED] = "smdebug-merged",
  [LOOM_FILE_FORMAT_TENSORFLOW] = "tensorflow",
  [LOOM_FILE_FORMAT_KINETO] = "kineto",
  [LOOM_FILE_FORMAT_COMPOSER] = "composer",
  [LOOM_FILE_FORMAT_HOROVOD] = "horovod",
  [LOOM_FILE_FORMAT_CHROME] = "chrome",
  [LOOM_FILE_FORMAT_NSIGHT] = "nsight",
  [LOOM_FILE_FORMAT_ROCM] = "rocm",
  [LOOM_FILE_FORMAT_XPLANE] = "xplane",
  [LOOM_FILE_FORMAT_PERFETTO] = "perfetto",
  [LOOM_FILE_FORMAT_FLIGHT_RECORDER] = "flight-recorder",
  [LOOM_FILE_FORMAT_MEMORY_SNAPSHOT] = "memory-snapshot",
  [LOOM_FILE_FORMAT_CPROFILE] = "cprofile",
  [LOOM_FILE_FORMAT_PYINSTRUMENT] = "pyinstrument",
  [LOOM_FILE_FORMAT_INDEX] = "index",
};

const char *
loom_sniff_format_to_string (LoomFileFormat kind)
{
  return words[CLAMP ((int) kind, 0, (int) G_N_ELEMENTS (words) - 1)];
}

void
loom_sniff_clear (LoomSniff *sniff)
{
  g_clear_pointer (&sniff->reason, g_free);
  g_clear_pointer (&sniff->gzip, loom_byte_source_unref);
}

/* --- recognition by name --------------------------------------------------------------------------------------- */

static const char *const timeline_kinds[] = { "pythontimeline", "model_timeline", "horovod_timeline",
                                              "smdataparallel_timeline" };

/* Parses the name of an smdebug file that is still being written: "<node>_<kind>.tmp" or "<node>_<kind>.json.tmp". Sets
 * `time_us` to G_MAXINT64, which is later than the time of any complete file. */
static gboolean
parse_open_name (const char *name, gint64 *time_us, char **node, const char **suffix)
{
  for (guint i = 0; i < G_N_ELEMENTS (timeline_kinds); i++) {
    g_autofree char *kind = g_strconcat ("_", timeline_kinds[i], NULL);
    const char *at = g_strrstr (name, kind);
    if (at == NULL || at == name || !g_str_has_suffix (name, ".tmp"))
      continue;
    g_autofree char *closed = g_strconcat (timeline_kinds[i], ".json", NULL);
    *time_us = G_MAXINT64;
    *node = g_strndup (name, (gsize) (at - name));
    *suffix = g_intern_string (closed);
    return TRUE;
  }
  return FALSE;
}

gboolean
loom_sniff_smdebug_parse_name (const char *name, gint64 *time_us, char **node, const char **suffix)
{
  gsize n_digits = strspn (name, "0123456789");
  if ((n_digits != 16 && n_digits != 19) || name[n_digits] != '_')
    return parse_open_name (name, time_us, node, suffix);
  for (guint i = 0; i < G_N_ELEMENTS (timeline_kinds); i++) {
    g_autofree char *kind = g_strconcat ("_", timeline_kinds[i], ".json", NULL);
    const char *at = g_strrstr (name, kind);
    if (at == NULL || at <= name + n_digits || (at[strlen (kind)] != '\0' && strcmp (at + strlen (kind), ".gz") != 0))
      continue;
    gint64 value = g_ascii_strtoll (name, NULL, 10);
    *time_us = n_digits == 19 ? value / 1000 : value;
    *node = g_strndup (name + n_digits + 1, (gsize) (at - name) - n_digits - 1);
    *suffix = g_intern_string (kind + 1);
    return TRUE;
  }
  return FALSE;
}

void
loom_sniff_smdebug_split_node (const char *id, gint *number, char **host)
{
  gsize n_digits = strspn (id, "0123456789");
  gboolean fits = n_digits > 0 && n_digits < 10 && id[n_digits] == '-' && id[n_digits + 1] != '\0';
  *number = fits ? (gint) g_ascii_strtoll (id, NULL, 10) : -1;
  *host = g_strdup (fits ? id + n_digits + 1 : id);
}

/* The rank in the name of a file, which may contain other words: "trace_rank_3.json". */
#define FILE_RANK "(?<![A-Za-z])rank[-_]?([0-9]{1,6})(?![0-9])"
/* The rank in the name of a folder. Only a few words may stand before it, because folders are also named after the
 * parameters of a run: "lora_rank_8" is not the folder of rank 8. Any text may follow the rank: "rank0_hostA". */
#define FOLDER_RANK                                                                                             \
  "^(?:(?:node|host|worker)[-_]?[0-9]*[-_.]|(?:traces?|profiles?|profiler|logs?|output|global)[-_.])?rank[-_]?" \
  "([0-9]{1,6})(?![0-9])"

static gint
find_rank (gsize *kept, const char *pattern, const char *text)
{
  const GRegex *regex = loom_regex_get (kept, pattern, G_REGEX_CASELESS);
  g_autoptr (GMatchInfo) match = NULL;
  if (!g_regex_match (regex, text, 0, &match))
    return -1;
  g_autofree char *digits = g_match_info_fetch (match, 1);
  return (gint) g_ascii_strtoll (digits, NULL, 10);
}

gint
loom_sniff_rank_from_path (const char *path)
{
  static gsize kept_file, kept_folder;
  g_auto (GStrv) parts = g_strsplit (path, G_DIR_SEPARATOR_S, -1);
  guint n = g_strv_length (parts);
  gint rank = n > 0 ? find_rank (&kept_file, FILE_RANK, parts[n - 1]) : -1;
  for (guint i = n; rank < 0 && i-- > 1;)
    rank = find_rank (&kept_folder, FOLDER_RANK, parts[i - 1]);
  return rank;
}

/* --- recognition by content ------------------------------------------------------------------------------------ */

gsize
loom_sniff_read_start (LoomStreamReader *reader, char **bytes, gsize filled, gsize n_bytes, GError **error)
{
  *bytes = g_realloc (*bytes, n_bytes + 1);
  while (filled < n_bytes) {
    gssize n = loom_stream_reader_read (reader, *bytes + filled, n_bytes - filled, error);
    if (n <= 0)
      break;
    filled += (gsize) n;
  }
  (*bytes)[filled] = '\0';
  return filled;
}

static LoomFileFormat
python_profile (const char *text, gsize n)
{
  if (loom_python_marshal_looks_like_profile (text, n))
    return LOOM_FILE_FORMAT_CPROFILE;
  return loom_pyinstrument_looks_like (text, n) ? LOOM_FILE_FORMAT_PYINSTRUMENT : LOOM_FILE_FORMAT_NONE;
}

/* Recognises an archive and fills in `sniff`. Rejects an archive inside an archive. */
static gboolean
is_archive (const char *bytes, gsize n, const LoomSourceLocation *origin, LoomStreamReader *reader, LoomSniff *sniff)
{
  LoomArchiveKind kind = loom_archive_recognise (bytes, n);
  gboolean is_gzip = loom_stream_reader_is_gzip (reader);
  if (kind == LOOM_ARCHIVE_NONE)
    return FALSE;
  sniff->reason = g_strdup (kind == LOOM_ARCHIVE_TAR || kind == LOOM_ARCHIVE_ZIP
                              ? _ ("an archive inside an archive: unpack the outer one and open the folder")
                              : _ ("compressed twice: decompress it once and open the result"));
  sniff->lost = (origin != NULL && origin->is_member) || (is_gzip && kind != LOOM_ARCHIVE_TAR);
  if (sniff->lost)
    return TRUE;
  sniff->archive = kind;
  sniff->gzip = is_gzip ? loom_stream_reader_dup_text (reader) : NULL;
  return TRUE;
}

gboolean
loom_sniff_is_trace_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *node = NULL;
  const char *suffix;
  gint64 time_us;
  if (loom_sniff_smdebug_parse_name (base, &time_us, &node, &suffix))
    return time_us != G_MAXINT64;
  static gsize kept;
  const GRegex *regex =
    loom_regex_get (&kept, "(\\.trace|(?<![A-Za-z])rank[-_]?[0-9].*)\\.json(\\.gz)?$", G_REGEX_CASELESS);
  return g_regex_match (regex, base, 0, NULL);
}

/* Returns TRUE if a file has the name of a Perfetto trace and is not JSON (some traces with such names are JSON).
 * Called only for a file whose content was not recognised. If the result is TRUE, the file must be a damaged Perfetto
 * trace. */
static gboolean
is_damaged_perfetto (const char *base, const char *text)
{
  gsize lead = strspn (text, " \t\r\n");
  return loom_protobuf_sniff_is_perfetto_name (base) && text[lead] != '[' && text[lead] != '{';
}

/* Sets `sniff->reason` for a file from which nothing could be read: an error, damage, or no content. */
static void
refuse_unread (const LoomStreamReader *reader, const GError *error, LoomSniff *sniff)
{
  const LoomStreamError *damage = loom_stream_reader_get_damage (reader);
  if (error == NULL && damage != NULL)
    sniff->reason = loom_stream_error_describe (damage);
  else
    sniff->reason = g_strdup (error != NULL ? error->message : C_ ("file", "empty"));
}

/* Returns the format of a file that is recognised by its first bytes, or by its first bytes together with its name.
 * Returns LOOM_FILE_FORMAT_NONE for any other file. */
static LoomFileFormat
recognise_bytes (const char *base, const char *bytes, gsize n)
{
  if (n >= LOOM_INDEX_FILE_MAGIC_BYTES && memcmp (bytes, LOOM_INDEX_FILE_MAGIC, LOOM_INDEX_FILE_MAGIC_BYTES) == 0)
    return LOOM_FILE_FORMAT_INDEX;
  if (loom_protobuf_sniff_is_perfetto (base, bytes, n))
    return LOOM_FILE_FORMAT_PERFETTO;
  return loom_protobuf_sniff_is_xspace (bytes, n) ? LOOM_FILE_FORMAT_XPLANE : LOOM_FILE_FORMAT_NONE;
}

static LoomFileFormat
recognise_python (const char *bytes, gsize n)
{
  if (loom_pickle_sniff_is_flight_recorder (bytes, n))
    return LOOM_FILE_FORMAT_FLIGHT_RECORDER;
  if (loom_pickle_sniff_is_memory_snapshot (bytes, n))
    return LOOM_FILE_FORMAT_MEMORY_SNAPSHOT;
  return python_profile (bytes, n);
}

/* Sets `sniff->reason` to the reason why the file cannot be read, if the file is certainly not JSON; otherwise leaves
 * the reason NULL. */
static void
refuse_other (const char *base, const char *bytes, gsize n, LoomSniff *sniff)
{
  sniff->reason =
    g_strdup (strcmp (base, "python_stats") == 0 ? _ ("not a profile")
                                                 : translated (loom_unsupported_formats_by_content (bytes, n)));
  if (sniff->reason == NULL && is_damaged_perfetto (base, bytes)) {
    sniff->reason = g_strdup (_ ("named like a Perfetto trace, but not a valid one: damaged at its beginning"));
    sniff->elsewhere = TRUE;
  }
}

static void
classify_bytes (const char *path, LoomStreamReader *reader, char **bytes, gsize n, LoomSniff *sniff)
{
  g_autofree char *base = g_path_get_basename (path);
  sniff->kind = recognise_bytes (base, *bytes, n);
  if (sniff->kind != LOOM_FILE_FORMAT_NONE)
    return;
  if (g_str_has_suffix (base, ".xplane.pb") || g_str_has_suffix (base, ".xplane.pb.gz")) {
    sniff->reason = g_strdup (_ ("named like an XSpace file, but not a valid one: damaged at its beginning"));
    sniff->elsewhere = TRUE;
    return;
  }
  sniff->kind = recognise_python (*bytes, n);
  if (sniff->kind == LOOM_FILE_FORMAT_NONE)
    refuse_other (base, *bytes, n, sniff);
  if (sniff->kind == LOOM_FILE_FORMAT_NONE && sniff->reason == NULL)
    loom_json_sniff (path, reader, bytes, n, sniff);
}

static void
classify (const char *path, LoomSourceLocation *origin, LoomStreamReader *reader, LoomSniff *sniff)
{
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize n = loom_sniff_read_start (reader, &bytes, 0, LOOM_SNIFF_FIRST_BYTES, &error);
  if (n == 0)
    refuse_unread (reader, error, sniff);
  else if (is_archive (bytes, n, origin, reader, sniff))
    return;
  else if (loom_database_recognise (bytes, n)) {
    gboolean is_own = origin == NULL && !loom_stream_reader_is_compressed (reader);
    loom_database_sniff (is_own ? path : NULL, bytes, n, sniff);
  } else
    classify_bytes (path, reader, &bytes, n, sniff);
}

/* Returns TRUE, with `sniff` filled in, if the path or the size of a file suffices to reject it without opening it. */
static gboolean
sniff_outside (const char *path, guint64 n_bytes, LoomSniff *sniff)
{
  const char *company = loom_unsupported_formats_by_name (path, &sniff->elsewhere);
  if (company == NULL && n_bytes > 0)
    return FALSE;
  sniff->reason = g_strdup (company != NULL                            ? _ (company)
                            : g_str_has_suffix (path, "/python_stats") ? _ ("not a profile: empty")
                                                                       : C_ ("file", "empty"));
  sniff->silent = TRUE;
  sniff->elsewhere |= company == NULL && loom_sniff_is_trace_name (path);
  return TRUE;
}

/* Handles a file with the name of an Nsight Systems report. The report can be read only if it is a file of its own
 * (`is_file`) and nsys, which exports reports, is installed. */
static void
sniff_report (const char *path, gboolean is_file, LoomSniff *sniff)
{
  sniff->reason = loom_nsight_report_dup_refusal (path, is_file);
  sniff->silent = sniff->elsewhere = sniff->reason != NULL;
  sniff->precious = TRUE;
  if (sniff->reason == NULL)
    sniff->kind = LOOM_FILE_FORMAT_NSIGHT;
}

void
loom_sniff (const char *path, LoomSourceLocation *origin, guint64 n_bytes, LoomSniff *sniff)
{
  *sniff = (LoomSniff) { 0 };
  if (n_bytes > 0 && loom_nsight_report_recognise (path)) {
    sniff_report (path, origin == NULL, sniff);
    return;
  }
  if (sniff_outside (path, n_bytes, sniff)) {
    sniff->precious = sniff->elsewhere && n_bytes > 0;
    return;
  }
  g_autoptr (GError) error = NULL;
  g_autoptr (LoomStreamReader) reader = loom_stream_reader_new_from (path, origin, NULL, &error);
  if (reader == NULL)
    sniff->reason = g_strdup (error->message);
  else
    classify (path, origin, reader, sniff);
  sniff->precious |= sniff->lost || sniff->archive != LOOM_ARCHIVE_NONE || loom_sniff_is_trace_name (path);
}
