/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests recovery after a crash: at whatever moment the program is killed, the automatically saved session is complete,
 * and the program offers it at the next start.
 */
#include "kept-sessions.h"
#include "run-fixture.h"

#include "loom-session-autosave.h"
#include "loom-settings.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define MARK_MS 20 /* time between two marks that the process sets before it is killed */
/* marks of three seconds may be lost: a session is saved one second after a change, and the machine may be slow */
#define LOST_MARKS 150

/* --- the process that is killed --- */

/* The process that will be killed. It adds marks, and appends a byte to a file for each mark. */
typedef struct {
  LoomRunSession *session;
  int told;
  gint64 time_ns;
} Busy;

static gboolean
set_mark (gpointer data)
{
  Busy *busy = data;
  loom_timeline_state_add_mark (run_fixture_view (busy->session), busy->time_ns++, "mine");
  g_assert_cmpint (write (busy->told, "m", 1), ==, 1);
  return G_SOURCE_CONTINUE;
}

static void G_GNUC_NORETURN
be_busy (const char *path, const char *told)
{
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, TRUE); /* opening a run restores its saved session */
  Busy busy = { .session = run_fixture_session (), .told = open (told, O_WRONLY | O_CREAT | O_APPEND, 0600) };
  run_fixture_session_open (busy.session, path);
  busy.time_ns = loom_timeline_state_get_extent (run_fixture_view (busy.session)).begin_ns;
  g_timeout_add (MARK_MS, set_mark, &busy);
  for (;;) /* adds marks until the process is killed */
    g_main_context_iteration (NULL, TRUE);
}

/* --- killed while working --- */

static gboolean
is_held (gpointer data)
{
  return kept_sessions_count_files (".open") == 1;
}

/* Opens the session that is offered after the crash. Returns the number of its marks. */
static guint
open_again (void)
{
  guint n;
  g_autoptr (GPtrArray) lost = loom_session_autosave_list_lost ();
  g_assert_cmpuint (lost->len, ==, 1);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, ((const LoomCrashedSession *) lost->pdata[0])->path);
  g_assert_cmpuint (loom_document_count_spans (run_fixture_document (session)), >, 0);
  loom_timeline_state_get_marks (run_fixture_view (session), &n);
  run_fixture_session_close (session);
  loom_session_autosave_flush ();
  g_assert_cmpuint (kept_sessions_count_lost (), ==, 0);
  return n;
}

#define N_ASKING 16

static void
lost_listed (gpointer n_found, gpointer list, const GError *error, gpointer input)
{
  g_autoptr (GPtrArray) lost = list;
  *(guint *) n_found += lost->len;
}

static gboolean
have_all_found (gpointer n_found)
{
  return *(guint *) n_found == N_ASKING;
}

/* If several windows start at the same time, each of them finds the crashed sessions. */
static void
assert_found_by_all (void)
{
  guint n_found = 0;
  for (guint i = 0; i < N_ASKING; i++)
    loom_session_autosave_list_lost_async (lost_listed, &n_found);
  g_assert_true (fixture_wait (have_all_found, &n_found));
}

/* The process is killed during its first load, before anything is shown. Its session must be found and must open again.
 */
static void
test_reading (void)
{
  g_autofree char *folder = fixture_folder (), *path = kept_sessions_write_run (folder, "large.json", 200000),
                  *told = g_build_filename (folder, "told", NULL);
  GPid pid = kept_sessions_start_victim ("--busy", path, told);
  g_assert_true (fixture_wait (is_held, NULL));
  kept_sessions_end_victim (pid, SIGKILL);
  assert_found_by_all ();
  open_again ();
}

static guint
count_told (const char *path)
{
  g_autofree char *text = NULL;
  gsize n = 0;
  g_file_get_contents (path, &text, &n, NULL);
  return (guint) n;
}

static gboolean
has_told (gpointer path)
{
  return count_told (path) > 0;
}

/* The process is killed while it adds marks and saves: the saved session is complete, and only the marks of the last
 * seconds are missing. */
static void
test_working (gconstpointer data)
{
  g_autofree char *folder = fixture_folder (), *path = kept_sessions_write_run (folder, "small.json", 2000),
                  *told = g_build_filename (folder, "told", NULL);
  GPid pid = kept_sessions_start_victim ("--busy", path, told);
  g_assert_true (fixture_wait (has_told, told));
  fixture_spin (GPOINTER_TO_UINT (data) + (guint) g_test_rand_int_range (0, 100));
  kept_sessions_end_victim (pid, SIGKILL);
  guint n_set = count_told (told), n = open_again ();
  g_assert_cmpuint (n, <=, n_set);
  g_assert_cmpuint (n + LOST_MARKS, >=, n_set);
  if (GPOINTER_TO_UINT (data) > 3000)
    g_assert_cmpuint (n, >, 0);
}

/* --- killed while a session is reopened --- */

/* A file takes several seconds to read, because it contains much whitespace. Every hundredth character varies, so that
 * the compression ratio does not look like that of a decompression bomb. */
#define BLANKS_BYTES (4 << 20)
#define BLANKS_RUN 100
#define N_BLANKS 800

static GByteArray *
pack (const char *text, gsize n_bytes)
{
  g_autoptr (GInputStream) plain = g_memory_input_stream_new_from_data (text, (gssize) n_bytes, NULL);
  g_autoptr (GZlibCompressor) packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GInputStream) packed = g_converter_input_stream_new (plain, G_CONVERTER (packer));
  GByteArray *bytes = g_byte_array_new ();
  guint8 buffer[4096];
  for (gssize n; (n = g_input_stream_read (packed, buffer, sizeof buffer, NULL, NULL)) > 0;)
    g_byte_array_append (bytes, buffer, (guint) n);
  return bytes;
}

static GByteArray *
pack_blanks (void)
{
  g_autofree char *blanks = g_malloc (BLANKS_BYTES);
  for (guint i = 0; i < BLANKS_BYTES; i++)
    blanks[i] = i % BLANKS_RUN == 0 ? " \n\t\r"[g_test_rand_int_range (0, 4)] : ' ';
  return pack (blanks, BLANKS_BYTES);
}

static void
append (int file, const GByteArray *bytes)
{
  g_assert_cmpint (write (file, bytes->data, bytes->len), ==, bytes->len);
}

/* Writes a compressed trace with two events and `n_blanks` blocks of whitespace between them. */
static void
write_late (const char *path, guint n_blanks)
{
  static const char event[] = "{\"ph\":\"X\",\"pid\":2,\"tid\":1,\"ts\":9000000,\"dur\":500000,\"name\":\"late\"}";
  g_autofree char *first = g_strconcat ("[", event, ",", NULL), *last = g_strconcat (event, "]", NULL);
  g_autoptr (GByteArray) begin = pack (first, strlen (first)), end = pack (last, strlen (last)),
                         blanks = pack_blanks ();
  int file = g_open (path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  append (file, begin);
  for (guint i = 0; i < n_blanks; i++)
    append (file, blanks);
  append (file, end);
  g_close (file, NULL);
}

/* Moves the view to the last half second, which contains only the late event, and adds a mark. Returns the range of the
 * view. */
static LoomRange
look_at_the_end (LoomRunSession *session)
{
  LoomViewport view = *loom_timeline_state_get_viewport (run_fixture_view (session));
  view.end_ns = loom_timeline_state_get_extent (run_fixture_view (session)).end_ns;
  view.begin_ns = view.end_ns - 500 * LOOM_NS_PER_MS;
  loom_timeline_state_set_viewport (run_fixture_view (session), &view);
  loom_timeline_state_toggle_mark (run_fixture_view (session), view.begin_ns + 1000, FALSE);
  view = *loom_timeline_state_get_viewport (run_fixture_view (session));
  return (LoomRange) { view.begin_ns, view.end_ns };
}

/* Returns the path of the saved session of `run` in the folder. */
static char *
find_kept (const char *folder, const char *run)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (LoomSession) session = loom_session_file_read (path, NULL);
    if (session != NULL && session->paths->len == 1 && g_str_equal (session->paths->pdata[0], run))
      return g_steal_pointer (&path);
  }
  g_assert_not_reached ();
}

typedef struct {
  char *path;
  guint64 inode;
} Kept;

static guint64
inode_of (const char *path)
{
  GStatBuf info;
  return g_stat (path, &info) == 0 ? (guint64) info.st_ino : 0;
}

static gboolean
is_rewritten (gpointer data)
{
  const Kept *kept = data;
  return inode_of (kept->path) != kept->inode;
}

static void
assert_kept (const char *path, LoomRange view)
{
  g_autoptr (LoomSession) session = loom_session_file_read (path, NULL);
  g_assert_nonnull (session);
  g_assert_true (session->has_view);
  g_assert_cmpint (session->view.begin_ns, ==, view.begin_ns);
  g_assert_cmpint (session->view.end_ns, ==, view.end_ns);
  g_assert_cmpuint (session->marks->len, ==, 1);
}

static char *
dup_lost_path (void)
{
  g_autoptr (GPtrArray) lost = loom_session_autosave_list_lost ();
  g_assert_cmpuint (lost->len, ==, 1);
  return g_strdup (((const LoomCrashedSession *) lost->pdata[0])->path);
}

/* Starts a process that opens the file `what`, and kills it after it has saved its session and before it has read the
 * whole run. The crashed session must still contain the view and the marks of `kept`. */
static void
kill_reader (const char *what, const char *told, Kept *kept, LoomRange view)
{
  GPid pid = kept_sessions_start_victim ("--busy", what, told);
  g_assert_true (fixture_wait (is_rewritten, kept));
  kept_sessions_end_victim (pid, SIGKILL);
  g_assert_cmpuint (count_told (told), ==, 0); /* the process has set no mark, so it was killed while it was reading */
  g_autofree char *lost = dup_lost_path ();
  g_assert_cmpstr (lost, ==, kept->path);
  kept->inode = inode_of (kept->path);
  assert_kept (kept->path, view);
}

/* The view of a crashed session lies in data that has not been read yet when the session is reopened. The temporary
 * view that is shown meanwhile must not be saved in place of the view of the session. */
static void
test_reopening (void)
{
  g_autofree char *folder = fixture_folder (), *run = g_build_filename (folder, "run", NULL),
                  *told = g_build_filename (folder, "told", NULL);
  g_autofree char *late = g_build_filename (run, "late.json.gz", NULL);
  g_assert_cmpint (g_mkdir (run, 0700), ==, 0);
  g_free (kept_sessions_write_run (run, "early.json", 100));
  write_late (late, 0);
  LoomRunSession *session = run_fixture_session ();
  run_fixture_session_open (session, run);
  LoomRange view = look_at_the_end (session);
  run_fixture_session_close (session);
  loom_session_autosave_flush ();
  write_late (late, N_BLANKS);
  g_autofree char *sessions = g_build_filename (g_get_user_state_dir (), "traceloom", "sessions", NULL);
  Kept kept = { find_kept (sessions, run), 0 };
  assert_kept (kept.path, view);
  kept.inode = inode_of (kept.path);
  kill_reader (run, told, &kept, view);       /* opens the run, whose saved session is restored */
  kill_reader (kept.path, told, &kept, view); /* opens the crashed session file itself */
  loom_session_autosave_forget_lost (kept.path);
  g_free (kept.path);
}

static void
share_state (void)
{
  const char *state = g_getenv ("LOOM_TEST_STATE");
  if (state != NULL)
    g_setenv ("XDG_STATE_HOME", state, TRUE);
}

int
main (int argc, char **argv)
{
  /* Moments at which the process is killed. Sessions are saved one second after a change, so these moments are before,
   * during and after a save. */
  static const guint moments_ms[] = { 10, 950, 1050, 2000, 4000 };
  gboolean is_victim = argc == 4 && strcmp (argv[1], "--busy") == 0;
  int n = is_victim ? 1 : argc;
  run_fixture_init (&n, &argv);
  share_state ();
  if (is_victim)
    be_busy (argv[2], argv[3]);
  loom_settings_set_boolean (LOOM_SETTING_RESTORE, FALSE);
  g_test_add_func ("/core/autosave/reading", test_reading);
  g_test_add_func ("/core/autosave/reopening", test_reopening);
  for (guint i = 0; i < G_N_ELEMENTS (moments_ms); i++) {
    g_autofree char *name = g_strdup_printf ("/core/autosave/working-%u-ms", moments_ms[i]);
    g_test_add_data_func (name, GUINT_TO_POINTER (moments_ms[i]), test_working);
  }
  return run_fixture_run ();
}
