/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests reading files through a command that serves them: the connection can be used after a request is cancelled; a
 * command that ended is started again; and a file that was opened before cannot be read through the new command.
 * LOOM_TEST_CLI is the program that serves files, LOOM_TEST_SSH a program that stands in for ssh.
 */
#include "loom-error.h"
#include "loom-serve-client.h"
#include "loom-serve-frame.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define FILE_BYTES 3000000u

static char *folder, *path;
static guint8 *content;

static void
make_file (void)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (4);
  folder = g_dir_make_tmp ("loom-serve-XXXXXX", NULL);
  path = g_build_filename (folder, "a b'c.json", NULL);
  content = g_malloc (FILE_BYTES);
  for (guint i = 0; i < FILE_BYTES; i++)
    content[i] = (guint8) g_rand_int (dice);
  g_assert_true (g_file_set_contents (path, (const char *) content, FILE_BYTES, NULL));
}

static LoomServeClient *
new_client (const char *mode)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *ssh = g_shell_quote (g_getenv ("LOOM_TEST_SSH")), *cli = g_shell_quote (g_getenv ("LOOM_TEST_CLI")),
                  *served = g_shell_quote (folder);
  g_autofree char *command = g_strdup_printf ("%s %s %s serve --stdio %s", ssh, mode, cli, served);
  LoomServeClient *client = loom_serve_client_new (command, &error);
  g_assert_no_error (error);
  return client;
}

static void
open_file (LoomServeClient *client, LoomRawFile *file)
{
  g_autoptr (GError) error = NULL;
  gboolean good = loom_serve_client_open (client, "", path, NULL, file, &error);
  g_assert_no_error (error);
  g_assert_true (good);
  g_assert_cmpuint (file->n_bytes, ==, FILE_BYTES);
}

static void
check_read (const LoomRawFile *file, guint64 offset, gsize n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *got = loom_byte_source_dup_range (file->bytes, offset, n_bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (got, n_bytes, content + offset, n_bytes);
}

static void
test_read (void)
{
  g_autoptr (LoomServeClient) client = new_client ("as-is");
  g_auto (LoomRawFile) file = { 0 }, other = { 0 };
  char byte;
  open_file (client, &file);
  open_file (client, &other);
  check_read (&file, 1000000, 10);
  g_assert_cmpuint (loom_serve_client_count_received (client), <, 40000);
  check_read (&other, 5, 100);
  check_read (&file, 0, FILE_BYTES);
  check_read (&other, FILE_BYTES - 7, 7);
  g_assert_cmpuint (loom_serve_client_count_received (client), <, FILE_BYTES + 200000);
  g_assert_cmpint (loom_byte_source_read (file.bytes, FILE_BYTES, &byte, 1, NULL), ==, 0);
}

static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (G_USEC_PER_SEC / 5);
  g_cancellable_cancel (cancellable);
  return NULL;
}

/* The answer to a cancelled request may arrive later, and must not be taken for the answer to the next request. */
static void
test_cancel (void)
{
  g_autoptr (LoomServeClient) client = new_client ("slow=1");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_auto (LoomRawFile) file = { 0 }, other = { 0 };
  char bytes[100];
  g_assert_true (loom_serve_client_open (client, "", path, cancellable, &file, &error));
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  gint64 begin_us = g_get_monotonic_time ();
  g_assert_cmpint (loom_byte_source_read (file.bytes, 1000, bytes, sizeof bytes, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpint (g_get_monotonic_time () - begin_us, <, 10 * G_USEC_PER_SEC);
  g_thread_join (thread);
  open_file (client, &other);
  check_read (&other, 200, 300);
  g_cancellable_reset (cancellable);
  check_read (&file, 2000, 300);
}

/* After the command has ended, reading an open file fails; the file can be opened again, which starts the command
 * again. */
static void
test_end (void)
{
  g_autoptr (LoomServeClient) client = new_client ("cut=100000");
  g_auto (LoomRawFile) file = { 0 }, again = { 0 };
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GError) error = NULL;
    loom_raw_file_clear (&file);
    open_file (client, &file);
    check_read (&file, 10, 10);
    g_autofree char *bytes = loom_byte_source_dup_range (file.bytes, 0, FILE_BYTES, &error);
    g_assert_null (bytes);
    g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
    g_assert_nonnull (strstr (error->message, "closed by remote host"));
  }
  g_autoptr (GError) error = NULL;
  char byte;
  open_file (client, &again);
  g_assert_cmpint (loom_byte_source_read (file.bytes, FILE_BYTES / 2, &byte, 1, &error), ==, -1);
  g_assert_error (error, LOOM_ERROR, LOOM_ERROR_READ);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("LOOM_TEST_CLI") == NULL)
    return 77; /* exit status for Meson: the test is skipped */
  make_file ();
  g_test_add_func ("/serve/read", test_read);
  g_test_add_func ("/serve/cancel", test_cancel);
  g_test_add_func ("/serve/end", test_end);
  int status = g_test_run ();
  g_remove (path);
  g_rmdir (folder);
  g_free (path);
  g_free (folder);
  g_free (content);
  return status;
}
