/* SPDX-License-Identifier: Apache-2.0
 *
 * States from which files an index was made, and checks whether these files have changed since. The interface is
 * described in loom-index-about.h.
 */
#include "loom-index-about.h"

#include <string.h>
#include <sys/stat.h>

#include "loom-archive-path.h"
#include "loom-index-bytes.h"
#include "loom-index-file.h"
#include "loom-installed.h"

static void
clear_file (gpointer data)
{
  g_free (((LoomIndexAboutFile *) data)->path);
}

LoomIndexAbout *
loom_index_about_new (const char *options)
{
  LoomIndexAbout *about = g_new0 (LoomIndexAbout, 1);
  about->program = g_strdup (LOOM_VERSION);
  about->options = g_strdup (options);
  about->host = g_strdup ("");
  about->files = g_array_new (FALSE, TRUE, sizeof (LoomIndexAboutFile));
  g_array_set_clear_func (about->files, clear_file);
  return about;
}

void
loom_index_about_set_host (LoomIndexAbout *about, const char *host)
{
  g_free (about->host);
  about->host = g_strdup (host);
}

void
loom_index_about_free (LoomIndexAbout *about)
{
  if (about == NULL)
    return;
  g_free (about->program);
  g_free (about->options);
  g_free (about->host);
  g_array_unref (about->files);
  g_free (about);
}

/* Returns the absolute form of a path. Keeps a double slash, which separates the path of an archive from that of a
 * member. Owned by the caller. */
static char *
dup_absolute (const char *path)
{
  g_autofree char *archive = loom_archive_path_dup_archive (path);
  if (archive == NULL)
    return g_canonicalize_filename (path, NULL);
  g_autofree char *absolute = g_canonicalize_filename (archive, NULL);
  return g_strconcat (absolute, path + strlen (archive), NULL);
}

void
loom_index_about_add (LoomIndexAbout *about, const char *path, guint64 n_bytes, gint64 modified_s, guint32 modified_us,
                      gboolean digested)
{
  LoomIndexAboutFile file = {
    .path = dup_absolute (path), .n_bytes = n_bytes, .modified_s = modified_s, .modified_us = modified_us
  };
  if (digested)
    loom_index_digest_compute (file.path, file.n_bytes, file.digest);
  g_array_append_val (about->files, file);
}

/* --- comparing ---------------------------------------------------------------------------------------------------- */

gboolean
loom_index_about_has_digest (const LoomIndexAboutFile *file)
{
  static const guint8 unknown[LOOM_INDEX_DIGEST_BYTES];
  return memcmp (file->digest, unknown, sizeof unknown) != 0;
}

static gboolean
has_same_digest (const LoomIndexAboutFile *a, const LoomIndexAboutFile *b)
{
  return loom_index_about_has_digest (a) && memcmp (a->digest, b->digest, sizeof a->digest) == 0;
}

static gboolean
is_same_file (const LoomIndexAboutFile *known, const LoomIndexAboutFile *now)
{
  if (strcmp (known->path, now->path) != 0 || known->n_bytes != now->n_bytes)
    return FALSE;
  if (known->modified_s == now->modified_s && known->modified_us == now->modified_us)
    return TRUE;
  LoomIndexAboutFile read = *now;
  loom_index_digest_compute (read.path, read.n_bytes, read.digest);
  return has_same_digest (&read, known);
}

gboolean
loom_index_about_is_current (const LoomIndexAbout *about, const LoomIndexAbout *now)
{
  gboolean same = strcmp (about->program, now->program) == 0 && strcmp (about->options, now->options) == 0 &&
                  about->files->len == now->files->len;
  for (guint i = 0; same && i < now->files->len; i++)
    same = is_same_file (&g_array_index (about->files, LoomIndexAboutFile, i),
                         &g_array_index (now->files, LoomIndexAboutFile, i));
  return same;
}

gboolean
loom_index_about_is_of_same_place (const LoomIndexAbout *about, const LoomIndexAbout *other)
{
  gboolean same_host = about->is_early || other->is_early || strcmp (about->host, other->host) == 0;
  return same_host && strcmp (g_array_index (about->files, LoomIndexAboutFile, 0).path,
                              g_array_index (other->files, LoomIndexAboutFile, 0).path) == 0;
}

gboolean
loom_index_about_is_of_same_content (const LoomIndexAbout *about, const LoomIndexAbout *other)
{
  gboolean same = about->files->len == other->files->len;
  for (guint i = 0; same && i < about->files->len; i++) {
    const LoomIndexAboutFile *one = &g_array_index (about->files, LoomIndexAboutFile, i),
                             *two = &g_array_index (other->files, LoomIndexAboutFile, i);
    same = one->n_bytes == two->n_bytes && strcmp (one->path, two->path) == 0 && has_same_digest (one, two);
  }
  return same;
}

gboolean
loom_index_about_is_here (const LoomIndexAbout *about)
{
  return about->host[0] == '\0' || strcmp (about->host, g_get_host_name ()) == 0;
}

gboolean
loom_index_about_is_stale (const LoomIndexAbout *about, const LoomIndexAboutFile *file)
{
  struct stat status;
  if (!loom_index_about_is_here (about) || stat (file->path, &status) != 0)
    return FALSE;
  gboolean same_time =
    status.st_mtim.tv_sec == file->modified_s && (guint32) (status.st_mtim.tv_nsec / 1000) == file->modified_us;
  return (guint64) status.st_size != file->n_bytes || !same_time;
}

/* --- writing and reading the description of an index -------------------------------------------------------------- */

GByteArray *
loom_index_about_write (const LoomIndexAbout *about)
{
  GByteArray *out = g_byte_array_new ();
  loom_index_bytes_put_text (out, about->program, strlen (about->program));
  loom_index_bytes_put_text (out, about->options, strlen (about->options));
  loom_index_bytes_put (out, about->files->len);
  for (guint i = 0; i < about->files->len; i++) {
    const LoomIndexAboutFile *file = &g_array_index (about->files, LoomIndexAboutFile, i);
    loom_index_bytes_put_text (out, file->path, strlen (file->path));
    loom_index_bytes_put (out, file->n_bytes);
    loom_index_bytes_put_signed (out, file->modified_s);
    loom_index_bytes_put (out, file->modified_us);
    g_byte_array_append (out, file->digest, sizeof file->digest);
  }
  loom_index_bytes_put_text (out, about->host, strlen (about->host));
  return out;
}

static void
read_about_file (LoomIndexBytes *in, LoomIndexAbout *about)
{
  LoomIndexAboutFile file = { .path = loom_index_bytes_dup_text (in) };
  file.n_bytes = loom_index_bytes_get (in);
  file.modified_s = loom_index_bytes_get_signed (in);
  file.modified_us = loom_index_bytes_get_below (in, G_USEC_PER_SEC);
  if ((gsize) (in->end - in->at) >= sizeof file.digest) {
    memcpy (file.digest, in->at, sizeof file.digest);
    in->at += sizeof file.digest;
  } else
    in->failed = TRUE;
  g_array_append_val (about->files, file);
}

LoomIndexAbout *
loom_index_about_read (GBytes *section, GError **error)
{
  gsize n;
  const guint8 *start = g_bytes_get_data (section, &n);
  LoomIndexBytes in = { start, start + n, FALSE };
  g_autofree char *program = loom_index_bytes_dup_text (&in), *options = loom_index_bytes_dup_text (&in);
  g_autoptr (LoomIndexAbout) about = loom_index_about_new (options);
  g_free (about->program);
  about->program = g_steal_pointer (&program);
  guint32 n_files = loom_index_bytes_get_count (&in, LOOM_INDEX_DIGEST_BYTES);
  for (guint32 i = 0; !in.failed && i < n_files; i++)
    read_about_file (&in, about);
  about->is_early = in.at == in.end;
  if (!in.failed && !about->is_early) {
    g_free (about->host);
    about->host = loom_index_bytes_dup_text (&in);
  }
  if (!in.failed && n_files > 0)
    return g_steal_pointer (&about);
  loom_index_file_set_damage (error, "files");
  return NULL;
}

LoomIndexAbout *
loom_index_about_read_index (GBytes *index)
{
  g_autoptr (LoomIndexFile) file = loom_index_file_new (index, NULL);
  g_autoptr (GBytes) section = file != NULL ? loom_index_file_unpack (file, LOOM_INDEX_FILE_ABOUT, NULL) : NULL;
  return section != NULL ? loom_index_about_read (section, NULL) : NULL;
}
