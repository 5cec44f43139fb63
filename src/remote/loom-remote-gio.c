/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists and reads remote locations with GIO: all addresses that GIO supports, such as sftp, smb and dav, which need
 * gvfs.
 */
#include "loom-remote-private.h"

#include "loom-error.h"
#include "loom-limits.h"

#include <glib/gi18n.h>
#include <string.h>

#define ATTRIBUTES "standard::name,standard::type,standard::size,time::modified,time::modified-usec,etag::value"
#define BLOCK_BYTES (256u * 1024)

/* --- mounting ----------------------------------------------------------------------------------------------------- */

typedef struct {
  GMainLoop *loop;
  GError *error;
} Mounting;

static void
on_mounted (GObject *file, GAsyncResult *result, gpointer user_data)
{
  Mounting *mounting = user_data;
  g_file_mount_enclosing_volume_finish (G_FILE (file), result, &mounting->error);
  g_main_loop_quit (mounting->loop);
}

/* Mounts the location of a file with credentials from the keyring and from agents, without a dialog for the user.
 * Returns FALSE with `error`. */
static gboolean
mount (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GMountOperation) operation = g_mount_operation_new ();
  g_main_context_push_thread_default (context);
  Mounting mounting = { g_main_loop_new (context, FALSE), NULL };
  g_file_mount_enclosing_volume (file, G_MOUNT_MOUNT_NONE, operation, cancellable, on_mounted, &mounting);
  g_main_loop_run (mounting.loop);
  g_main_loop_unref (mounting.loop);
  g_main_context_pop_thread_default (context);
  if (mounting.error == NULL || g_error_matches (mounting.error, G_IO_ERROR, G_IO_ERROR_ALREADY_MOUNTED)) {
    g_clear_error (&mounting.error);
    return TRUE;
  }
  g_propagate_error (error, mounting.error);
  return FALSE;
}

static GFileInfo *
query (GFile *file, GCancellable *cancellable, GError **error)
{
  GError *failure = NULL;
  GFileInfo *info = g_file_query_info (file, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, &failure);
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_MOUNTED)) {
    g_clear_error (&failure);
    if (!mount (file, cancellable, error))
      return NULL;
    info = g_file_query_info (file, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, cancellable, &failure);
  }
  if (failure != NULL)
    g_propagate_error (error, failure);
  return info;
}

/* --- listing ------------------------------------------------------------------------------------------------------ */

static gboolean
take_file (LoomRemoteListing *listing, const char *name, GFileInfo *info)
{
  const char *tag = g_file_info_get_attribute_string (info, G_FILE_ATTRIBUTE_ETAG_VALUE);
  guint64 n_bytes = (guint64) MAX (g_file_info_get_size (info), 0);
  g_autofree char *stamp = g_strdup_printf (
    "%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT ".%06u %s", n_bytes,
    g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED),
    g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC), tag != NULL ? tag : "");
  return loom_remote_listing_add (listing, name, n_bytes, stamp);
}

static gboolean visit_folder (LoomRemoteListing *listing, GFile *folder, const char *name, guint depth,
                              GCancellable *cancellable, GError **error);

static gboolean
visit_child (LoomRemoteListing *listing, GFile *folder, const char *name, guint depth, GFileInfo *info,
             GCancellable *cancellable, GError **error)
{
  const char *base = g_file_info_get_name (info);
  g_autofree char *child = name[0] != '\0' ? g_strconcat (name, "/", base, NULL) : g_strdup (base);
  if (base[0] == '.')
    return TRUE;
  if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR)
    return take_file (listing, child, info);
  if (g_file_info_get_file_type (info) !=
      G_FILE_TYPE_DIRECTORY) { /* links are skipped, because they may lead anywhere or form cycles */
    loom_remote_listing_skip (listing, child, _ ("not a regular file"));
    return TRUE;
  }
  g_autoptr (GFile) file = g_file_get_child (folder, base);
  g_autoptr (GError) failure = NULL;
  if (visit_folder (listing, file, child, depth + 1, cancellable, &failure))
    return TRUE;
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return FALSE;
  }
  loom_remote_listing_skip (listing, child, failure->message);
  return TRUE;
}

static gboolean
visit_folder (LoomRemoteListing *listing, GFile *folder, const char *name, guint depth, GCancellable *cancellable,
              GError **error)
{
  if (depth >= LOOM_LIMIT_FOLDER_DEPTH) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_LIMIT, _ ("folders nested more than %u deep are not searched"),
                 LOOM_LIMIT_FOLDER_DEPTH);
    return FALSE;
  }
  g_autoptr (GFileEnumerator) children =
    g_file_enumerate_children (folder, ATTRIBUTES, G_FILE_QUERY_INFO_NOFOLLOW_SYMLINKS, cancellable, error);
  if (children == NULL)
    return FALSE;
  for (;;) {
    GFileInfo *info;
    if (!g_file_enumerator_iterate (children, &info, NULL, cancellable, error))
      return FALSE;
    if (info == NULL || listing->is_full)
      return TRUE;
    if (!visit_child (listing, folder, name, depth, info, cancellable, error))
      return listing->is_full;
  }
}

/* Sets `error` to the failure that GIO reported. Adds the address of the file to the message, because GIO's message
 * does not contain it. Takes ownership of `failure`. Returns FALSE. */
static gboolean
propagate (const char *uri, GError *failure, GError **error)
{
  gboolean unknown = g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  if (g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    g_propagate_error (error, failure);
    return FALSE;
  }
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ,
               unknown ? _ ("Cannot read “%s”: %s; install gvfs-backends to open such locations")
                       : _ ("Cannot read “%s”: %s"),
               uri, failure->message);
  g_error_free (failure);
  return FALSE;
}

gboolean
loom_remote_gio_list (LoomRemoteListing *listing, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_uri (listing->location->uri);
  GError *failure = NULL;
  g_autoptr (GFileInfo) info = query (file, cancellable, &failure);
  gboolean good = info != NULL;
  if (good && g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY) {
    good = visit_folder (listing, file, "", 0, cancellable, &failure);
  } else if (good) {
    g_autofree char *name = g_file_get_basename (file);
    listing->is_single = TRUE;
    take_file (listing, name, info);
  }
  return good || propagate (listing->location->uri, failure, error);
}

gboolean
loom_remote_gio_read (const LoomRemoteListing *listing, const char *name, LoomRemoteSink sink, gpointer user_data,
                      GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) top = g_file_new_for_uri (listing->location->uri);
  g_autoptr (GFile) file = listing->is_single ? g_object_ref (top) : g_file_resolve_relative_path (top, name);
  g_autoptr (GFileInputStream) stream = g_file_read (file, cancellable, error);
  if (stream == NULL)
    return FALSE;
  g_autofree char *block = g_malloc (BLOCK_BYTES);
  gssize n;
  while ((n = g_input_stream_read (G_INPUT_STREAM (stream), block, BLOCK_BYTES, cancellable, error)) > 0)
    if (!sink (block, (gsize) n, user_data, error))
      return FALSE;
  return n == 0;
}

/* --- reading parts of files --------------------------------------------------------------------------------------- */

LoomRemotePart *
loom_remote_gio_find_part (const LoomRemoteLocation *location, const char *name, gboolean *is_missing,
                           GCancellable *cancellable, GError **error)
{
  /* The URI gets a slash at its end: if it had no path, GIO would otherwise append the name of the file to the name of
   * the host. */
  g_autofree char *folder = g_strconcat (location->uri, "/", NULL);
  g_autoptr (GFile) top = g_file_new_for_uri (folder), file = g_file_resolve_relative_path (top, name);
  g_autofree char *uri = g_file_get_uri (file);
  GError *failure = NULL;
  g_autoptr (GFileInfo) info = query (file, cancellable, &failure);
  if (info == NULL) {
    *is_missing |= g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) ||
                   g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
    propagate (uri, failure, error);
    return NULL;
  }
  LoomRemotePart *part = g_new0 (LoomRemotePart, 1);
  part->uri = g_steal_pointer (&uri);
  part->file = g_steal_pointer (&file);
  part->n_bytes = (guint64) MAX (g_file_info_get_size (info), 0);
  part->modified_s = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED);
  if (g_file_info_get_file_type (info) == G_FILE_TYPE_REGULAR)
    return part;
  *is_missing = TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("Cannot read “%s”: %s"), part->uri, _ ("not a regular file"));
  loom_remote_part_free (part);
  return NULL;
}

gboolean
loom_remote_gio_read_part (LoomRemotePart *part, guint64 offset, gsize n_bytes, GByteArray *bytes,
                           GCancellable *cancellable, GError **error)
{
  gsize n_read = 0;
  guint before = bytes->len;
  GError *failure = NULL;
  if (part->stream == NULL)
    part->stream = G_INPUT_STREAM (g_file_read (part->file, cancellable, &failure));
  if (part->stream == NULL ||
      !g_seekable_seek (G_SEEKABLE (part->stream), (goffset) offset, G_SEEK_SET, cancellable, &failure))
    return propagate (part->uri, failure, error);
  g_byte_array_set_size (bytes, before + (guint) n_bytes);
  gboolean good = g_input_stream_read_all (part->stream, bytes->data + before, n_bytes, &n_read, cancellable, &failure);
  g_byte_array_set_size (bytes, before + (guint) n_read);
  return good || propagate (part->uri, failure, error);
}
