/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* makes <fcntl.h> declare O_PATH */
#include "loom-serve-files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loom-error.h"
#include "loom-installed.h"
#include "loom-raw-file.h"

struct _LoomServeFiles {
  GPtrArray *roots; /* char *: absolute paths of the files and folders that are served; links are resolved */
  /* LoomRawFile elements, indexed by the number of the file. An element without bytes is a file that was closed; its
   * number is used again for the next file */
  GArray *files;
};

typedef struct {
  LoomServeFiles *self;
  const LoomServeFrame *frame;
  gint64 id;
  GByteArray *out;
} Request;

static void
clear_file (gpointer data)
{
  loom_raw_file_clear (data);
}

LoomServeFiles *
loom_serve_files_new (const char *const *roots, GError **error)
{
  g_autoptr (LoomServeFiles) self = g_new0 (LoomServeFiles, 1);
  self->roots = g_ptr_array_new_with_free_func (free); /* free(), not g_free(): realpath() allocated the elements */
  self->files = g_array_new (FALSE, TRUE, sizeof (LoomRawFile));
  g_array_set_clear_func (self->files, clear_file);
  for (guint i = 0; roots[i] != NULL; i++) {
    char *root = realpath (roots[i], NULL);
    if (root == NULL) {
      loom_error_set_from_errno (error, LOOM_ERROR_READ, errno, "Cannot read “%s”", roots[i]);
      return NULL;
    }
    g_ptr_array_add (self->roots, root);
  }
  return g_steal_pointer (&self);
}

void
loom_serve_files_free (LoomServeFiles *self)
{
  g_ptr_array_unref (self->roots);
  g_array_unref (self->files);
  g_free (self);
}

/* --- answers ------------------------------------------------------------------------------------------------------ */

/* Answers a request with an error. `code`: a word by which the client recognises the error; `message`: a text for
 * users. */
static void
refuse (Request *request, const char *code, const char *message)
{
  g_autoptr (GString) head = g_string_new (NULL);
  g_string_append_printf (head, "{\"id\":%" G_GINT64_FORMAT ",\"error\":\"%s\",\"message\":", request->id, code);
  loom_json_slice_append_string (head, message, MIN (strlen (message), LOOM_SERVE_FRAME_HEAD_BYTES / 8));
  g_string_append_c (head, '}');
  loom_serve_frame_append (request->out, head->str, NULL, 0);
}

static gboolean
is_below (const char *path, const char *root)
{
  gsize n = strlen (root);
  return strncmp (path, root, n) == 0 && (path[n] == '\0' || path[n] == '/' || strcmp (root, "/") == 0);
}

static gboolean
is_served (const LoomServeFiles *self, const char *path)
{
  for (guint i = 0; i < self->roots->len; i++)
    if (is_below (path, self->roots->pdata[i]))
      return TRUE;
  return FALSE;
}

/* Sends an error as the answer to a request whose path could not be opened. The error states the reason only if the
 * nearest existing folder above the path is served. `problem`: the errno of opening the path. */
static void
refuse_missing (Request *request, const char *path, int problem)
{
  g_autofree char *nearest = NULL;
  for (g_autofree char *up = g_canonicalize_filename (path, NULL); (nearest = realpath (up, NULL)) == NULL;) {
    char *slash = strrchr (up, '/');
    slash[slash == up ? 1 : 0] = '\0';
  }
  if (!is_served (request->self, nearest))
    refuse (request, "refused", "not among the served files");
  else if (problem == ENOENT)
    refuse (request, "missing", "no such file");
  else if (problem == ENOTDIR)
    refuse (request, "archive", "in an archive");
  else
    refuse (request, "read", g_strerror (problem));
}

/* Opens the path of the request with O_PATH, which gives no access to the content. On failure, answers with an error
 * and returns −1. */
static int
find_path (Request *request)
{
  const LoomServeFrame *frame = request->frame;
  const char *path = (const char *) frame->body;
  if (strlen (path) != frame->n_body || !g_path_is_absolute (path)) {
    refuse (request, "request", "no absolute path");
    return -1;
  }
  int fd = open (path, O_PATH | O_CLOEXEC);
  if (fd < 0)
    refuse_missing (request, path, errno);
  return fd;
}

/* Checks that the open file `fd` is served. Uses the path that the kernel has for the open file: a path that was
 * resolved before the file was opened may now belong to another file. If the check fails, answers with an error and
 * returns FALSE. If the file is not served, the error does not show whether it is a regular file. */
static gboolean
find_served (Request *request, int fd, struct stat *status, char *resolved)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  gssize n = readlink (link, resolved, PATH_MAX - 1);
  resolved[MAX (n, 0)] = '\0';
  if (!is_served (request->self, resolved))
    refuse (request, "refused", "not among the served files");
  else if (fstat (fd, status) != 0 || !S_ISREG (status->st_mode))
    refuse (request, "missing", "no regular file");
  else
    return TRUE;
  return FALSE;
}

/* Opens the file of the request. On failure, answers with an error and returns FALSE. */
static gboolean
take_file (Request *request, LoomRawFile *file)
{
  struct stat status;
  char resolved[PATH_MAX];
  int fd = find_path (request);
  if (fd < 0)
    return FALSE;
  gboolean good = find_served (request, fd, &status, resolved);
  close (fd);
  if (good)
    loom_raw_file_take (resolved, &status, file);
  return good;
}

static guint
find_number (LoomServeFiles *self)
{
  guint number = 0;
  while (number < self->files->len && g_array_index (self->files, LoomRawFile, number).bytes != NULL)
    number++;
  return number;
}

static void
open_file (Request *request)
{
  LoomServeFiles *self = request->self;
  guint number = find_number (self);
  LoomRawFile file;
  if (number >= LOOM_SERVE_FILES_MOST) {
    refuse (request, "limit", "too many open files");
    return;
  }
  if (!take_file (request, &file))
    return;
  if (number == self->files->len)
    g_array_append_val (self->files, file);
  else
    g_array_index (self->files, LoomRawFile, number) = file;
  g_autofree char *head =
    g_strdup_printf ("{\"id\":%" G_GINT64_FORMAT ",\"file\":%u,\"bytes\":%" G_GUINT64_FORMAT
                     ",\"modified_s\":%" G_GINT64_FORMAT ",\"modified_us\":%u}",
                     request->id, number, file.n_bytes, MAX (file.modified_s, 0), file.modified_us);
  loom_serve_frame_append (request->out, head, NULL, 0);
}

/* Returns the open file whose number is in the request. If there is none, answers with an error and returns NULL. */
static LoomRawFile *
find_file (Request *request)
{
  GArray *files = request->self->files;
  gint64 number = loom_serve_frame_get_number (request->frame, "file");
  if (number >= 0 && number < files->len && g_array_index (files, LoomRawFile, number).bytes != NULL)
    return &g_array_index (files, LoomRawFile, number);
  refuse (request, "request", "no open file of this number");
  return NULL;
}

static void
answer_plain (Request *request, const void *body, gsize n_body)
{
  g_autofree char *head = g_strdup_printf ("{\"id\":%" G_GINT64_FORMAT "}", request->id);
  loom_serve_frame_append (request->out, head, body, n_body);
}

static void
read_file (Request *request, const LoomRawFile *file)
{
  g_autoptr (GError) error = NULL;
  gint64 offset = loom_serve_frame_get_number (request->frame, "offset"),
         n_bytes = loom_serve_frame_get_number (request->frame, "bytes");
  if (offset < 0 || n_bytes < 1 || n_bytes > LOOM_SERVE_FRAME_BODY_BYTES) {
    refuse (request, "request", "no range of bytes, or a too long one");
    return;
  }
  g_autofree char *bytes = g_malloc ((gsize) n_bytes);
  gssize n = loom_byte_source_read (file->bytes, (guint64) offset, bytes, (gsize) n_bytes, &error);
  if (n < 0)
    refuse (request, "read", error->message);
  else
    answer_plain (request, bytes, (gsize) n);
}

void
loom_serve_files_greet (GByteArray *out)
{
  g_autoptr (GString) head = g_string_new (NULL);
  const char *host = g_get_host_name ();
  g_string_append_printf (head, "{\"program\":\"traceloom %s\",\"protocol\":%d,\"host\":", LOOM_VERSION,
                          LOOM_SERVE_FRAME_PROTOCOL);
  loom_json_slice_append_string (head, host, MIN (strlen (host), LOOM_SERVE_FRAME_HEAD_BYTES / 8));
  g_string_append_c (head, '}');
  loom_serve_frame_append (out, head->str, NULL, 0);
}

void
loom_serve_files_answer (LoomServeFiles *self, const LoomServeFrame *frame, GByteArray *out)
{
  Request request = { self, frame, loom_serve_frame_get_number (frame, "id"), out };
  g_autofree char *word = loom_serve_frame_dup_text (frame, "request");
  LoomRawFile *file;
  if (request.id < 0) {
    request.id = 0;
    refuse (&request, "request", "no id");
  } else if (g_strcmp0 (word, "open") == 0)
    open_file (&request);
  else if (g_strcmp0 (word, "read") != 0 && g_strcmp0 (word, "close") != 0)
    refuse (&request, "request", "unknown request");
  else if ((file = find_file (&request)) == NULL)
    return;
  else if (word[0] == 'r')
    read_file (&request, file);
  else {
    loom_raw_file_clear (file);
    answer_plain (&request, NULL, 0);
  }
}
