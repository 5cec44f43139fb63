/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a session file and writes it to another path, for a test that compares the two.
 *
 * Usage: rewrite-session FROM TO
 */
#include "loom-session-file.h"

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (argc != 3) {
    g_printerr ("Usage: rewrite-session FROM TO\n");
    return 2;
  }
  g_autoptr (LoomSession) session = loom_session_file_read (argv[1], &error);
  if (session != NULL && loom_session_file_write (session, argv[2], &error))
    return 0;
  g_printerr ("%s\n", error->message);
  return 1;
}
