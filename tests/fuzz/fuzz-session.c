/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes session files: any content is read, or refused with a message that names the file; a session that was read is
 * the same after it was written and read again.
 */
#include "fuzz.h"

#include "loom-error.h"
#include "loom-limits.h"
#include "loom-session-file.h"

#include <string.h>

static char *
describe (const LoomSession *session)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < session->paths->len; i++)
    g_string_append_printf (out, "path %s\n", (char *) session->paths->pdata[i]);
  for (guint i = 0; i < session->clocks->offsets->len; i++) {
    const LoomClockOffset *offset = &g_array_index (session->clocks->offsets, LoomClockOffset, i);
    g_string_append_printf (out, "offset %s %" G_GINT64_FORMAT "\n", offset->path, offset->offset_ns);
  }
  for (guint i = 0; i < session->marks->len; i++) {
    const LoomSessionMarker *mark = &g_array_index (session->marks, LoomSessionMarker, i);
    g_string_append_printf (out, "mark %" G_GINT64_FORMAT " %s\n", mark->time_ns, mark->label);
  }
  g_string_append_printf (out, "clock %d, view %d", session->clocks->mode, session->has_view);
  if (session->has_view)
    g_string_append_printf (out, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT, session->view.begin_ns,
                            session->view.end_ns);
  g_string_append_printf (out, ", notes %s, rows %s, query %s\n", session->notes, session->rows, session->query);
  return g_string_free (out, FALSE);
}

static void
write_again (const LoomSession *session)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fuzz_folder (), "again.traceloom", NULL);
  gboolean written = loom_session_file_write (session, path, &error);
  fuzz_check (written, "%s", error->message);
  g_autoptr (LoomSession) again = loom_session_file_read (path, &error);
  fuzz_check (again != NULL, "%s", error->message);
  g_autofree char *before = describe (session), *after = describe (again);
  fuzz_check_lines (after, before, "read again");
}

/* Returns FALSE for texts for which json-glib leaks memory: invalid arrays in objects, and strings with half a
 * surrogate pair. */
static gboolean
is_for_json_glib (const char *text, gsize size)
{
  return fuzz_is_json (text, size, LOOM_LIMIT_SESSION_DEPTH) && g_strstr_len (text, (gssize) size, "\\u") == NULL;
}

static LoomSession *
read_session (const char *path, gboolean may_leak, GError **error)
{
  if (may_leak)
    fuzz_leaks_are_known (TRUE);
  LoomSession *session = loom_session_file_read (path, error);
  if (may_leak)
    fuzz_leaks_are_known (FALSE);
  return session;
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = fuzz_put ("mine.traceloom", data, size);
  loom_session_file_is_session (path);
  g_autoptr (LoomSession) session = read_session (path, !is_for_json_glib ((const char *) data, size), &error);
  fuzz_check ((session != NULL) == (error == NULL), "neither read nor refused");
  if (session != NULL)
    write_again (session);
  else
    fuzz_check (error->domain == LOOM_ERROR && g_utf8_validate (error->message, -1, NULL) &&
                  strstr (error->message, "mine.traceloom") != NULL,
                "%s", error->message);
  return 0;
}
