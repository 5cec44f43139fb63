/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists and reads S3 locations with the command aws or rclone, which users have configured with their credentials. The
 * environment variable AWS_ENDPOINT_URL is passed to aws as an option, because older versions do not read the variable.
 */
#include "loom-remote-private.h"

#include "loom-error.h"
#include "loom-json-slice.h"
#include "loom-subprocess.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

typedef enum { TOOL_AWS, TOOL_RCLONE } Tool;

static gboolean
find_tool (const LoomRemoteLocation *location, Tool *tool, GError **error)
{
  g_autofree char *aws = g_find_program_in_path ("aws"),
                  *rclone = aws == NULL ? g_find_program_in_path ("rclone") : NULL;
  *tool = aws != NULL ? TOOL_AWS : TOOL_RCLONE;
  if (aws != NULL || rclone != NULL)
    return TRUE;
  g_set_error (
    error, LOOM_ERROR, LOOM_ERROR_READ,
    _ ("“%s” needs the command aws or rclone, and neither is installed; install awscli and run “aws configure”"),
    location->uri);
  return FALSE;
}

/* Maximum number of objects in one answer of aws. An object takes about 400 bytes as text, and several times as much
 * memory after parsing. */
#define PAGE_OBJECTS "10000"

static void add (GPtrArray *argv, const char *first, ...) G_GNUC_NULL_TERMINATED;

static void
add (GPtrArray *argv, const char *first, ...)
{
  va_list args;
  va_start (args, first);
  for (const char *word = first; word != NULL; word = va_arg (args, const char *))
    g_ptr_array_add (argv, g_strdup (word));
  va_end (args);
}

static GPtrArray *
begin_aws (void)
{
  GPtrArray *argv = g_ptr_array_new_with_free_func (g_free);
  const char *endpoint = g_getenv ("AWS_ENDPOINT_URL");
  add (argv, "aws", NULL);
  if (endpoint != NULL && endpoint[0] != '\0')
    add (argv, "--endpoint-url", endpoint, NULL);
  return argv;
}

static char *
dup_rclone_path (const LoomRemoteLocation *location, const char *name)
{
  const char *join = location->key[0] != '\0' && name != NULL && name[0] != '\0' ? "/" : "";
  return g_strconcat (":s3,env_auth=true:", location->bucket, "/", location->key, join, name, NULL);
}

static gboolean
collect (const char *bytes, gsize n_bytes, gpointer user_data, GError **error)
{
  GString *text = user_data;
  if (text->len + n_bytes > LOOM_REMOTE_FOLDER_MAX_LISTING_BYTES) {
    g_set_error_literal (error, LOOM_ERROR, LOOM_ERROR_LIMIT,
                         _ ("the listing is longer than 64 MB; give a longer prefix"));
    return FALSE;
  }
  g_string_append_len (text, bytes, (gssize) n_bytes);
  return TRUE;
}

/* Returns the part of `key` that follows the key of the location; NULL if `key` is not below the location. If `key` is
 * the key of the location itself, returns its base name. */
static const char *
name_below (const LoomRemoteLocation *location, const char *key)
{
  gsize n = strlen (location->key);
  if (n == 0)
    return key;
  if (strncmp (key, location->key, n) != 0)
    return NULL;
  if (key[n] == '/')
    return key + n + 1;
  const char *slash = strrchr (key, '/');
  return key[n] != '\0' ? NULL : slash != NULL ? slash + 1 : key;
}

static const char *
text_of (JsonObject *object, const char *member)
{
  JsonNode *node = json_object_get_member (object, member);
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

static guint64
size_of (JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "Size");
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64
           ? (guint64) MAX (json_node_get_int (node), 0)
           : 0;
}

static gboolean
take_object (LoomRemoteListing *listing, Tool tool, JsonNode *node)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  const char *key = object != NULL ? text_of (object, tool == TOOL_AWS ? "Key" : "Path") : NULL;
  if (key == NULL)
    return TRUE;
  const char *name = tool == TOOL_AWS ? name_below (listing->location, key) : key;
  const char *tag = text_of (object, "ETag"), *time = text_of (object, tool == TOOL_AWS ? "LastModified" : "ModTime");
  /* skip names outside of the location, and objects that only mark a folder */
  if (name == NULL || name[0] == '\0' || g_str_has_suffix (name, "/"))
    return TRUE;
  gboolean is_single = tool == TOOL_AWS && strcmp (key, listing->location->key) == 0;
  /* if there are an object and a folder with the name of the location, the folder is used */
  if (is_single && listing->files->len + listing->others->len > 0)
    return TRUE;
  if (listing->is_single)
    loom_remote_listing_clear_files (listing);
  listing->is_single = is_single;
  g_autofree char *told = g_strdup_printf ("%" G_GUINT64_FORMAT " %s", size_of (object),
                                           tag != NULL    ? tag
                                           : time != NULL ? time
                                                          : "");
  /* invalid UTF-8 is replaced, because known.json could not be read if it contained any */
  g_autofree char *stamp = g_utf8_make_valid (told, -1);
  return loom_remote_listing_add (listing, name, size_of (object), stamp);
}

/* Returns TRUE if the location may be a single object: rclone lists exactly one file, and its name is the last
 * component of the key. The location may also be a folder that contains only an object with this name. The result need
 * not distinguish the two cases, because the same bytes are read in both. */
static gboolean
is_object (const LoomRemoteListing *listing)
{
  if (listing->files->len != 1 || listing->others->len > 0)
    return FALSE;
  const char *key = listing->location->key, *slash = strrchr (key, '/');
  return strcmp (((LoomRemoteFile *) g_ptr_array_index (listing->files, 0))->name, slash != NULL ? slash + 1 : key) ==
         0;
}

/* Adds the objects in `text`, an answer of the listing command. Sets `n_objects` to the number of these objects. Sets
 * `token` to the token with which aws gives the next page; NULL if this was the last page. Returns FALSE with `error`
 * if the answer is not a listing. */
static gboolean
take_listing (LoomRemoteListing *listing, Tool tool, const GString *text, char **token, guint *n_objects,
              GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  const char *bare = text->str + strspn (text->str, " \t\r\n");
  gsize n_bare = text->len - (gsize) (bare - text->str);
  while (n_bare > 0 && g_ascii_isspace (bare[n_bare - 1]))
    n_bare--;
  if (n_bare == 0) /* not an error: aws prints nothing if there are no objects */
    return TRUE;
  /* Only strict JSON of limited depth is given to json-glib, which recurses, and leaks memory for invalid input. */
  gboolean good =
    loom_json_slice_is_strict (bare, n_bare) && json_parser_load_from_data (parser, bare, (gssize) n_bare, NULL);
  JsonNode *root = good ? json_parser_get_root (parser) : NULL;
  if (root == NULL || !(tool == TOOL_AWS ? JSON_NODE_HOLDS_OBJECT (root) : JSON_NODE_HOLDS_ARRAY (root))) {
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_FORMAT, _ ("“%s” cannot be listed: %s did not answer with a listing"),
                 listing->location->uri, tool == TOOL_AWS ? "aws" : "rclone");
    return FALSE;
  }
  if (tool == TOOL_AWS) {
    *token = g_strdup (text_of (json_node_get_object (root), "NextToken"));
    root = json_object_get_member (json_node_get_object (root), "Contents");
  }
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    return TRUE;
  JsonArray *objects = json_node_get_array (root);
  *n_objects = json_array_get_length (objects);
  for (guint i = 0; i < json_array_get_length (objects); i++)
    if (!take_object (listing, tool, json_array_get_element (objects, i)))
      break;
  listing->is_single |= tool == TOOL_RCLONE && is_object (listing);
  return TRUE;
}

static gboolean
run (const LoomRemoteLocation *location, GPtrArray *argv, LoomSubprocessSink sink, gpointer user_data,
     GCancellable *cancellable, GError **error)
{
  g_ptr_array_add (argv, NULL);
  if (loom_subprocess_run ((const char *const *) argv->pdata, sink, user_data, cancellable, error))
    return TRUE;
  if (error != NULL && !g_error_matches (*error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    /* Translators: the reason follows. */
    g_prefix_error (error, _ ("Cannot read “%s”: "), location->uri);
  return FALSE;
}

static gboolean
list_by_rclone (LoomRemoteListing *listing, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *path = dup_rclone_path (listing->location, NULL), *token = NULL;
  guint n_objects;
  add (argv, "rclone", "lsjson", "--recursive", "--files-only", "--no-mimetype", "--", path, NULL);
  return run (listing->location, argv, collect, text, cancellable, error) &&
         take_listing (listing, TOOL_RCLONE, text, &token, &n_objects, error);
}

static gboolean
list_page (LoomRemoteListing *listing, char **token, GCancellable *cancellable, GError **error)
{
  const LoomRemoteLocation *location = listing->location;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GPtrArray) argv = begin_aws ();
  g_autofree char *from = g_steal_pointer (token);
  guint n_objects = 0;
  add (argv, "s3api", "list-objects-v2", "--output", "json", "--max-items", PAGE_OBJECTS, "--bucket", location->bucket,
       NULL);
  if (location->key[0] != '\0')
    g_ptr_array_add (argv, g_strconcat ("--prefix=", location->key, NULL));
  if (from != NULL)
    g_ptr_array_add (argv, g_strconcat ("--starting-token=", from, NULL));
  if (!run (location, argv, collect, text, cancellable, error) ||
      !take_listing (listing, TOOL_AWS, text, token, &n_objects, error))
    return FALSE;
  gboolean is_new = from == NULL || g_strcmp0 (from, *token) != 0;
  /* prevents an endless loop: a faulty endpoint may always return a token, new or repeated, but no objects */
  if (*token == NULL || (is_new && n_objects > 0))
    return TRUE;
  g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("“%s” cannot be listed: aws gives the same page again and again"),
               location->uri);
  return FALSE;
}

gboolean
loom_remote_s3_list (LoomRemoteListing *listing, GCancellable *cancellable, GError **error)
{
  Tool tool;
  g_autofree char *token = NULL;
  if (!find_tool (listing->location, &tool, error))
    return FALSE;
  if (tool == TOOL_RCLONE)
    return list_by_rclone (listing, cancellable, error);
  do
    if (!list_page (listing, &token, cancellable, error))
      return FALSE;
  while (token != NULL && !listing->is_full);
  return TRUE;
}

gboolean
loom_remote_s3_read (const LoomRemoteListing *listing, const char *name, LoomRemoteSink sink, gpointer user_data,
                     GCancellable *cancellable, GError **error)
{
  const LoomRemoteLocation *location = listing->location;
  Tool tool;
  if (!find_tool (location, &tool, error))
    return FALSE;
  g_autoptr (GPtrArray) argv = tool == TOOL_AWS ? begin_aws () : g_ptr_array_new_with_free_func (g_free);
  if (tool == TOOL_AWS) {
    g_autofree char *uri = listing->is_single ? g_strdup (location->uri) : g_strconcat (location->uri, "/", name, NULL);
    add (argv, "s3", "cp", "--only-show-errors", "--no-progress", uri, "-", NULL);
  } else {
    g_autofree char *path = dup_rclone_path (location, listing->is_single ? NULL : name);
    add (argv, "rclone", "cat", "--", path, NULL);
  }
  return run (location, argv, sink, user_data, cancellable, error);
}

/* --- reading parts of files --------------------------------------------------------------------------------------- */

/* Sets the size and the version of `part` to the values of the members `size_member` and "ETag" of an answer. Returns
 * FALSE if the answer does not contain the size. */
static gboolean
parse_object (const GString *text, const char *size_member, LoomRemotePart *part)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  if (!loom_json_slice_is_strict_document (text->str, text->len) ||
      !json_parser_load_from_data (parser, text->str, (gssize) text->len, NULL))
    return FALSE;
  JsonNode *root = json_parser_get_root (parser);
  if (JSON_NODE_HOLDS_ARRAY (root) && json_array_get_length (json_node_get_array (root)) == 1)
    root = json_array_get_element (json_node_get_array (root), 0);
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  JsonNode *size = object != NULL ? json_object_get_member (object, size_member) : NULL;
  if (size == NULL || !JSON_NODE_HOLDS_VALUE (size) || json_node_get_value_type (size) != G_TYPE_INT64 ||
      json_node_get_int (size) < 0)
    return FALSE;
  part->n_bytes = (guint64) json_node_get_int (size);
  const char *tag = text_of (object, "ETag");
  /* S3 puts tags in quotes. A tag without quotes is ignored: it would be passed to aws as an argument, and aws would
   * replace an argument such as "file://…" by the content of that file (loom-remote-location.c). */
  part->tag = tag != NULL && tag[0] == '"' ? g_strdup (tag) : NULL;
  return TRUE;
}

/* Returns TRUE if the error contains one of the words with which aws and rclone report a missing object. One of them is
 * the status 403, because S3 returns 403 instead of 404 to users who may not list the bucket. */
static gboolean
tells_missing (const GError *error)
{
  static const char *const words[] = { "(404)", "(403)", "NoSuchKey", "not found" };
  for (guint i = 0; error != NULL && i < G_N_ELEMENTS (words); i++)
    if (strstr (error->message, words[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Begins a command line of aws that applies the operation `verb` to the S3 object of `part`. */
static GPtrArray *
begin_aws_object (const char *verb, const LoomRemotePart *part)
{
  GPtrArray *argv = begin_aws ();
  add (argv, "s3api", verb, "--output", "json", "--bucket", part->bucket, NULL);
  g_ptr_array_add (argv, g_strconcat ("--key=", part->key, NULL));
  return argv;
}

static char *
dup_rclone_object (const LoomRemotePart *part)
{
  return g_strconcat (":s3,env_auth=true:", part->bucket, "/", part->key, NULL);
}

LoomRemotePart *
loom_remote_s3_find_part (const LoomRemoteLocation *location, const char *name, gboolean *is_missing,
                          GCancellable *cancellable, GError **error)
{
  Tool tool;
  g_autoptr (GString) text = g_string_new (NULL);
  if (!find_tool (location, &tool, error))
    return NULL;
  LoomRemotePart *part = g_new0 (LoomRemotePart, 1);
  part->is_s3 = TRUE;
  part->bucket = g_strdup (location->bucket);
  part->key = location->key[0] != '\0' ? g_strconcat (location->key, "/", name, NULL) : g_strdup (name);
  part->uri = g_strconcat ("s3://", part->bucket, "/", part->key, NULL);
  part->modified_s = LOOM_TIME_NONE;
  g_autofree char *path = dup_rclone_object (part);
  g_autoptr (GPtrArray) argv =
    tool == TOOL_AWS ? begin_aws_object ("head-object", part) : g_ptr_array_new_with_free_func (g_free);
  if (tool == TOOL_RCLONE)
    add (argv, "rclone", "lsjson", "--files-only", "--no-mimetype", "--", path, NULL);
  const LoomRemoteLocation object = { .uri = part->uri };
  GError *failure = NULL;
  gboolean good = run (&object, argv, collect, text, cancellable, &failure);
  if (good && parse_object (text, tool == TOOL_AWS ? "ContentLength" : "Size", part))
    return part;
  *is_missing |= good || tells_missing (failure);
  if (good)
    g_set_error (error, LOOM_ERROR, LOOM_ERROR_READ, _ ("Cannot read “%s”: %s"), part->uri, _ ("not a regular file"));
  else
    g_propagate_error (error, failure);
  loom_remote_part_free (part);
  return NULL;
}

typedef struct {
  GByteArray *bytes;
  guint most; /* maximum length of `bytes`; output that would exceed it is ignored */
} Sink;

/* Appends output of the program to `bytes`, up to the length `most`. Ignores the rest of the output: after the
 * requested bytes of the object, aws prints a description of the object. */
static gboolean
take_part (const char *bytes, gsize n_bytes, gpointer user_data, GError **error)
{
  Sink *sink = user_data;
  g_byte_array_append (sink->bytes, (const guint8 *) bytes, (guint) MIN (n_bytes, sink->most - sink->bytes->len));
  return TRUE;
}

gboolean
loom_remote_s3_read_part (LoomRemotePart *part, guint64 offset, gsize n_bytes, GByteArray *bytes,
                          GCancellable *cancellable, GError **error)
{
  Tool tool;
  const LoomRemoteLocation location = { .uri = part->uri };
  if (!find_tool (&location, &tool, error))
    return FALSE;
  g_autofree char *path = dup_rclone_object (part), *at = g_strdup_printf ("%" G_GUINT64_FORMAT, offset),
                  *count = g_strdup_printf ("%zu", n_bytes),
                  *range =
                    g_strdup_printf ("bytes=%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT, offset, offset + n_bytes - 1);
  g_autoptr (GPtrArray) argv =
    tool == TOOL_AWS ? begin_aws_object ("get-object", part) : g_ptr_array_new_with_free_func (g_free);
  if (tool == TOOL_AWS &&
      /* Requires that the version of the object has not changed. If the object were shorter now, the description of the
       * object, which aws prints after the bytes, would be taken for bytes of the object. */
      part->tag != NULL)
    add (argv, "--if-match", part->tag, NULL);
  if (tool == TOOL_AWS)
    add (argv, "--range", range, "/dev/stdout", NULL);
  else
    add (argv, "rclone", "cat", "--offset", at, "--count", count, "--", path, NULL);
  Sink sink = { bytes, bytes->len + (guint) n_bytes };
  return run (&location, argv, take_part, &sink, cancellable, error);
}
