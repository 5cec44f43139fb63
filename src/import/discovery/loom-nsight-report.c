/* SPDX-License-Identifier: Apache-2.0
 *
 * Exports the reports of Nsight Systems (.nsys-rep), whose format is not public, to files that can be read. The
 * interface is described in loom-nsight-report.h.
 */
#include "loom-nsight-report.h"

#include "loom-archive-path.h"
#include "loom-error.h"
#include "loom-time.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#define ENDING ".nsys-rep"
/* Maximum number of exported databases in the cache. If there are more, those that have not been used for the
 * longest time are deleted. */
#define MOST_EXPORTS 16
#define MOST_SAID_BYTES (64 * 1024)
#define MOST_MESSAGE_BYTES 500
/* Part of the name of an export while nsys writes it. */
#define PART ".part."
/* Age in seconds from which an unfinished export is deleted: the program that wrote it has probably crashed. */
#define LONGEST_EXPORT_S (24 * 3600)

gboolean
loom_nsight_report_recognise (const char *path)
{
  return g_str_has_suffix (path, ENDING);
}

/* Returns the path of the database to which nsys exports a report by default: next to the report. Owned by the
 * caller. */
static char *
dup_neighbour (const char *path)
{
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (ENDING));
  return g_strconcat (stem, ".sqlite", NULL);
}

/* Returns a file name quoted as a word of a shell command. Characters that are unsafe to print are escaped. Owned by
 * the caller. */
static char *
dup_word (const char *path)
{
  g_autofree char *base = g_path_get_basename (path), *quoted = g_shell_quote (base);
  return loom_archive_path_dup_printable (quoted);
}

char *
loom_nsight_report_dup_refusal (const char *path, gboolean is_file)
{
  g_autofree char *neighbour = dup_neighbour (path), *program = g_find_program_in_path ("nsys"),
                  *input = dup_word (path), *output = dup_word (neighbour);
  if (is_file && g_file_test (neighbour, G_FILE_TEST_IS_REGULAR))
    return g_strdup_printf (_ ("an Nsight Systems report; its export %s is beside it and can be opened instead"),
                            output);
  if (program != NULL && is_file)
    return NULL;
  if (program != NULL)
    return g_strdup_printf (_ ("an Nsight Systems report in an archive: unpack it, or export it with “nsys export "
                               "--type=sqlite --output=%s %s” and open the .sqlite file"),
                            output, input);
  return g_strdup_printf (_ ("an Nsight Systems report, whose format is not public: where Nsight Systems is installed, "
                             "export it with “nsys export --type=sqlite --output=%s %s” and open the .sqlite file"),
                          output, input);
}

/* --- the cache of exports ----------------------------------------------------------------------------------------- */

/* Returns the path of the export of a report in the cache. The path depends on the path, size and time of the report,
 * so that a changed report is exported again. Returns NULL with `error` on failure. Owned by the caller. */
static char *
dup_cached (const char *path, GError **error)
{
  GStatBuf status;
  g_autofree char *absolute = g_canonicalize_filename (path, NULL);
  if (g_stat (absolute, &status) != 0) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, "%s", g_strerror (errno));
    return NULL;
  }
  g_autofree char *state =
    g_strdup_printf ("%s\n%" G_GINT64_FORMAT "\n%" G_GINT64_FORMAT ".%09ld", absolute, (gint64) status.st_size,
                     (gint64) status.st_mtim.tv_sec, (long) status.st_mtim.tv_nsec);
  g_autofree char *key = g_compute_checksum_for_string (G_CHECKSUM_SHA256, state, -1);
  g_autofree char *name = g_strconcat (key, ".sqlite", NULL);
  return g_build_filename (g_get_user_cache_dir (), "traceloom", "nsight", name, NULL);
}

typedef struct {
  char *path;
  /* time of the last use, in ns since 1970; a time in seconds is not precise enough, because several reports may be
   * opened within one second */
  gint64 used_ns;
} Cached;

static void
clear_cached (gpointer data)
{
  g_free (((Cached *) data)->path);
}

static int
compare_uses (gconstpointer a, gconstpointer b)
{
  gint64 one = ((const Cached *) a)->used_ns, other = ((const Cached *) b)->used_ns;
  return (one < other) - (one > other);
}

/* Keeps the MOST_EXPORTS exports that were used last, and deletes all others, except those that another thread or
 * program is writing. If a deleted database is open, it can still be read. */
static void
delete_old (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Cached));
  const char *name;
  g_array_set_clear_func (all, clear_cached);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    GStatBuf status;
    Cached one = { g_build_filename (folder, name, NULL), 0 };
    if (g_stat (one.path, &status) == 0)
      one.used_ns = (gint64) status.st_mtim.tv_sec * LOOM_NS_PER_S + status.st_mtim.tv_nsec;
    if (strstr (name, PART) != NULL &&
        one.used_ns / LOOM_NS_PER_S > g_get_real_time () / G_USEC_PER_SEC - LONGEST_EXPORT_S)
      g_free (one.path);
    else
      g_array_append_val (all, one);
  }
  g_array_sort (all, compare_uses);
  for (guint i = MOST_EXPORTS; i < all->len; i++)
    g_unlink (g_array_index (all, Cached, i).path);
}

/* --- running nsys ------------------------------------------------------------------------------------------------- */

/* Returns the last line of a program's output, cut to a length that can be shown. Owned by the caller. */
static char *
dup_last_line (GBytes *said)
{
  gsize n;
  const char *text = g_bytes_get_data (said, &n);
  gsize kept = MIN (n, MOST_SAID_BYTES);
  g_autofree char *copy = kept > 0 ? g_strndup (text + n - kept, kept) : g_strdup ("");
  g_strchomp (copy);
  const char *line = strrchr (copy, '\n');
  g_autofree char *cut = g_strndup (line != NULL ? line + 1 : copy, MOST_MESSAGE_BYTES);
  return g_utf8_make_valid (cut, -1);
}

static gboolean
run (const char *const *argv, GCancellable *cancellable, GError **error)
{
  g_autoptr (GBytes) said = NULL; /* output of nsys; not always UTF-8, because file names in it may be in any
                                   * encoding */
  g_autoptr (GSubprocess) program =
    g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, error);
  if (program == NULL)
    return FALSE;
  if (!g_subprocess_communicate (program, NULL, cancellable, &said, NULL, error)) {
    g_subprocess_force_exit (program);
    g_subprocess_wait (program, NULL, NULL);
    return FALSE;
  }
  if (g_subprocess_get_successful (program))
    return TRUE;
  g_autofree char *line = dup_last_line (said);
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("nsys export failed: %s"), line);
  return FALSE;
}

/* Exports a report to a temporary file, and renames this file to `target`, so that an interrupted export is never taken
 * for a complete one. */
static gboolean
export_to (const char *path, const char *target, GCancellable *cancellable, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (path, NULL),
                  *part = g_strdup_printf ("%s.%d-%u" PART "sqlite", target, (int) getpid (), g_random_int ()),
                  *output = g_strconcat ("--output=", part, NULL);
  const char *const argv[] = { "nsys", "export", "--type=sqlite", "--force-overwrite=true", output, absolute, NULL };
  gboolean good = run (argv, cancellable, error);
  if (good && g_rename (part, target) != 0) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("nsys export wrote no database"));
    good = FALSE;
  }
  if (!good)
    g_unlink (part);
  return good;
}

char *
loom_nsight_report_export (const char *path, LoomProgress *progress, GError **error)
{
  g_autofree char *target = dup_cached (path, error), *folder = target != NULL ? g_path_get_dirname (target) : NULL;
  if (target == NULL)
    return NULL;
  g_mkdir_with_parents (folder, 0700);
  if (g_file_test (target, G_FILE_TEST_IS_REGULAR))
    g_utime (target, NULL); /* updates the modification time, which delete_old() uses as the time of the last use */
  else if (!export_to (path, target, loom_progress_get_cancellable (progress), error))
    return NULL;
  delete_old (folder);
  return g_steal_pointer (&target);
}
