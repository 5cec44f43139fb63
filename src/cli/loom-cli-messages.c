/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints the messages of all commands to standard error. Usually, each message is printed as text at once. With
 * "--format json", messages are collected until the program ends. If the program then fails, one JSON object with the
 * failure and all messages is printed. If it does not fail, the messages are printed as text.
 */
#include <json-glib/json-glib.h>
#include <stdarg.h>
#include <string.h>

#include "loom-archive-path.h"
#include "loom-cli.h"
#include "loom-error.h"
#include "loom-import-log.h"
#include "loom-run-info.h"

typedef struct {
  char *text;        /* the printed text, including line feeds */
  char *message;     /* the text without the name of the program */
  char *file, *code; /* `file`: file with the problem, or NULL. `code`: error code, or NULL. */
  guint64 offset;    /* byte offset in the file; LOOM_OFFSET_NONE if unknown */
} Message;

/* The collected messages of the program and the reason of its failure. Only the main thread uses them. */
static struct {
  gboolean are_kept;
  GPtrArray *kept; /* Message *: the collected messages, oldest first */
  /* the message with the reason of the failure; NULL if the last message contains the reason */
  const Message *failure;
  /* code of the failure, static; NULL if the code of the error is printed */
  const char *code;
  char *file; /* file that could not be read or written; NULL if the failure is not about a file */
  /* byte offset of the failure in `file`. If it is LOOM_OFFSET_NONE, find_offset() searches for an offset in the
   * messages about `file`. */
  guint64 offset;
} messages = { .offset = LOOM_OFFSET_NONE };

static void
free_message (gpointer data)
{
  Message *message = data;
  g_free (message->text);
  g_free (message->message);
  g_free (message->file);
  g_free (message->code);
  g_free (message);
}

/* --- text --------------------------------------------------------------------------------------------------------- */

static char *
dup_shown (const char *text)
{
  g_autofree char *printable = loom_archive_path_dup_printable (text);
  return loom_archive_path_dup_short (printable);
}

/* Returns the printed form of a message. A message that another program wrote may have several lines. */
static char *
dup_lines (const char *message)
{
  g_auto (GStrv) lines = g_strsplit (message, "\n", -1);
  GString *text = g_string_new (NULL);
  for (guint i = 0; lines[i] != NULL; i++) {
    g_autofree char *shown = dup_shown (lines[i]);
    g_string_append_printf (text, "%s%s\n", i == 0 ? "traceloom-cli: " : "", shown);
  }
  return g_string_free (text, FALSE);
}

/* Prints a message, or collects it until the end of the program. Takes ownership of `text`. Returns the collected
 * message; NULL if the message was printed. */
static const Message *
put (char *text, const char *message, const char *file, const char *code, guint64 offset)
{
  if (!messages.are_kept) {
    g_printerr ("%s", text);
    g_free (text);
    return NULL;
  }
  Message *kept = g_new (Message, 1);
  *kept = (Message) { text, g_strdup (message), g_strdup (file), g_strdup (code), offset };
  g_ptr_array_add (messages.kept, kept);
  return kept;
}

void
loom_cli_message (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  put (dup_lines (message), message, NULL, NULL, LOOM_OFFSET_NONE);
}

void
loom_cli_message_of_file (const char *path, const char *message, const char *code, guint64 offset, gboolean is_packed)
{
  g_autofree char *shown = loom_archive_path_dup_shown (path);
  g_autofree char *text = offset != LOOM_OFFSET_NONE
                            ? g_strdup_printf ("%s: %s (byte %" G_GUINT64_FORMAT "%s)", shown, message, offset,
                                               is_packed ? " of the decompressed text" : "")
                            : g_strdup_printf ("%s: %s", shown, message);
  put (dup_lines (text), message, path, code, offset);
}

gboolean
loom_cli_usage_error (const char *verb, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args), *shown = dup_shown (message);
  va_end (args);
  messages.failure = put (g_strdup_printf ("traceloom-cli %s: %s\nTry “traceloom-cli %s --help”.\n", verb, shown, verb),
                          message, NULL, "usage", LOOM_OFFSET_NONE);
  return FALSE;
}

/* --- failures ----------------------------------------------------------------------------------------------------- */

static const char *
get_code (const GError *error)
{
  static const char *const codes[] = {
    [LOOM_ERROR_READ] = "read",     [LOOM_ERROR_WRITE] = "write",
    [LOOM_ERROR_FORMAT] = "format", [LOOM_ERROR_UNSUPPORTED] = "unsupported",
    [LOOM_ERROR_EMPTY] = "empty",   [LOOM_ERROR_RANGE] = "range",
    [LOOM_ERROR_LIMIT] = "limit",
  };
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return "cancelled";
  if (error->domain == LOOM_ERROR && error->code >= 0 && error->code < (int) G_N_ELEMENTS (codes))
    return codes[error->code];
  return error->domain == G_IO_ERROR || error->domain == G_FILE_ERROR ? "read" : "failed";
}

void
loom_cli_message_failure (const GError *error, const char *message)
{
  messages.failure = put (dup_lines (message), message, NULL, get_code (error), LOOM_OFFSET_NONE);
}

void
loom_cli_set_failed_file (const char *path)
{
  g_free (messages.file);
  messages.file = g_strdup (path);
}

void
loom_cli_set_failure_code (const char *code)
{
  messages.code = code;
}

const char *
loom_cli_get_failure_code (const GError *error)
{
  const char *code = get_code (error);
  return messages.code != NULL && strcmp (code, "format") == 0 ? messages.code : code;
}

void
loom_cli_set_failure_offset (guint64 offset)
{
  messages.offset = offset;
}

/* Returns the byte offset at which reading failed. If an offset was set, returns this offset; otherwise, the offset of
 * the first message about the failed file that has an offset. Messages about other files are ignored, because they do
 * not explain the failure. Returns LOOM_OFFSET_NONE if no offset is found. */
static guint64
find_offset (void)
{
  guint64 offset = messages.offset;
  for (guint i = 0; messages.file != NULL && i < messages.kept->len && offset == LOOM_OFFSET_NONE; i++) {
    const Message *kept = messages.kept->pdata[i];
    if (g_strcmp0 (messages.file, kept->file) == 0)
      offset = kept->offset;
  }
  return offset;
}

static void
add_text (JsonBuilder *builder, const char *name, const char *text)
{
  json_builder_set_member_name (builder, name);
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;
  if (valid != NULL)
    json_builder_add_string_value (builder, valid);
  else
    json_builder_add_null_value (builder);
}

static void
add_members (JsonBuilder *builder, const char *code, const char *message, const char *file, guint64 offset)
{
  add_text (builder, "code", code);
  add_text (builder, "message", message);
  add_text (builder, "file", file);
  json_builder_set_member_name (builder, "offset");
  if (offset != LOOM_OFFSET_NONE)
    json_builder_add_int_value (builder, (gint64) MIN (offset, G_MAXINT64));
  else
    json_builder_add_null_value (builder);
}

static void
add_others (JsonBuilder *builder, const Message *failure)
{
  json_builder_set_member_name (builder, "messages");
  json_builder_begin_array (builder);
  for (guint i = 0; i < messages.kept->len; i++) {
    const Message *kept = messages.kept->pdata[i];
    if (kept == failure)
      continue;
    json_builder_begin_object (builder);
    add_members (builder, kept->code != NULL ? kept->code : "note", kept->message, kept->file, kept->offset);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static const char *
choose_code (const Message *failure, LoomExitStatus status)
{
  if (messages.code != NULL && g_strcmp0 (failure->code, "format") == 0)
    return messages.code;
  if (status == LOOM_EXIT_STATUS_USAGE)
    return "usage";
  return failure->code != NULL ? failure->code : "failed";
}

static void
print_failure (LoomExitStatus status)
{
  const Message *failure = messages.failure;
  g_autoptr (JsonBuilder) builder = json_builder_new_immutable ();
  if (failure == NULL)
    failure = messages.kept->pdata[messages.kept->len - 1];
  const char *code = choose_code (failure, status);
  guint64 offset = strcmp (code, "usage") == 0 ? LOOM_OFFSET_NONE : find_offset ();
  json_builder_begin_object (builder);
  add_members (builder, code, failure->message, messages.file, offset);
  json_builder_set_member_name (builder, "status");
  json_builder_add_int_value (builder, status);
  add_others (builder, failure);
  json_builder_end_object (builder);
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = loom_run_info_print_json (root);
  g_printerr ("%s", text);
}

/* --- starting and ending the collection of messages --------------------------------------------------------------- */

static gboolean
is_json (const char *word)
{
  return strcmp (word, "json") == 0 || strcmp (word, "jsonl") == 0;
}

void
loom_cli_begin_messages (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (strcmp (argv[i], "--format") == 0 && i + 1 < argc)
      messages.are_kept = is_json (argv[i + 1]);
    else if (g_str_has_prefix (argv[i], "--format="))
      messages.are_kept = is_json (argv[i] + strlen ("--format="));
  messages.kept = g_ptr_array_new_with_free_func (free_message);
}

LoomExitStatus
loom_cli_end_messages (LoomExitStatus status)
{
  gboolean has_failed = status == LOOM_EXIT_STATUS_FAILED || status == LOOM_EXIT_STATUS_USAGE;
  if (has_failed && messages.kept->len > 0)
    print_failure (status);
  for (guint i = 0; !has_failed && i < messages.kept->len; i++)
    g_printerr ("%s", ((const Message *) messages.kept->pdata[i])->text);
  g_clear_pointer (&messages.kept, g_ptr_array_unref);
  g_clear_pointer (&messages.file, g_free);
  return status;
}
