/* SPDX-License-Identifier: Apache-2.0 */
#include "run-fixture.h"

#include <glib/gstdio.h>
#include <sys/resource.h>

#ifdef __SANITIZE_ADDRESS__
/* --- intentional leaks of GLib --- */

/* Ignored leak: GLib's first table of quarks has room for 2048 entries. When it is full, GLib replaces it and leaks the
 * old table, because other threads may be reading it. The table is recognised as the first allocated block of its size;
 * it is allocated before any code of the program runs. */
#include <sanitizer/lsan_interface.h>

#define QUARK_TABLE_SIZE (2048 * sizeof (char *))

static const volatile void *quark_table;

void __sanitizer_malloc_hook (const volatile void *block, size_t size);

void
__sanitizer_malloc_hook (const volatile void *block, size_t size)
{
  if (quark_table == NULL && size == QUARK_TABLE_SIZE)
    quark_table = block;
}

__attribute__ ((constructor)) static void
ignore_quark_table (void)
{
  if (quark_table != NULL)
    __lsan_ignore_object ((const void *) quark_table);
}

#endif

/* Factor for time limits: the address sanitizer makes programs several times slower. */
#ifdef __SANITIZE_ADDRESS__
#define PATIENCE 4
#else
#define PATIENCE 1
#endif
#define PROCESS_LIMIT_S (110 * PATIENCE) /* limit of CPU time, because the machine may be busy with other programs */
#define WAIT_LIMIT_US (60 * PATIENCE * G_USEC_PER_SEC)

static GPtrArray *folders;

void
run_fixture_init (int *argc, char ***argv)
{
  g_autofree char *home = g_dir_make_tmp ("loom-test-home-XXXXXX", NULL);
  setrlimit (RLIMIT_CPU, &(struct rlimit) { PROCESS_LIMIT_S, RLIM_INFINITY });
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_setenv ("XDG_CACHE_HOME", home, TRUE);
  g_setenv ("XDG_STATE_HOME", home, TRUE);
  g_test_init (argc, argv, NULL);
  folders = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (folders, g_steal_pointer (&home));
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *child = g_build_filename (path, name, NULL);
    if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
      remove_folder (child);
    else
      g_unlink (child);
  }
  g_rmdir (path);
}

void
run_fixture_remove_folders (void)
{
  for (guint i = 0; i < folders->len; i++)
    remove_folder (folders->pdata[i]);
  g_ptr_array_unref (folders);
}

int
run_fixture_run (void)
{
  int status = g_test_run ();
  run_fixture_remove_folders ();
  return status;
}

gboolean
fixture_wait (Condition condition, gpointer data)
{
  gint64 end_us = g_get_monotonic_time () + WAIT_LIMIT_US;
  while (!condition (data)) {
    if (g_get_monotonic_time () > end_us)
      return FALSE;
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
  }
  return TRUE;
}

void
fixture_spin (guint ms)
{
  gint64 end_us = g_get_monotonic_time () + ms * G_GINT64_CONSTANT (1000);
  while (g_get_monotonic_time () < end_us)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

char *
fixture_folder (void)
{
  char *folder = g_dir_make_tmp ("loom-test-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_ptr_array_add (folders, g_strdup (folder));
  return folder;
}

char *
fixture_file (const char *folder, const char *name, const char *text)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

guint
fixture_count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

const char *
fixture_sample (void)
{
  return g_getenv ("LOOM_TEST_SAMPLE");
}

static gboolean
has_loaded (gpointer run)
{
  return !loom_document_is_loading (loom_run_state_get_document (run));
}

void
run_fixture_wait_loaded (LoomRunState *run)
{
  g_assert_true (fixture_wait (has_loaded, run));
}

LoomRunState *
run_fixture_open (const char *path)
{
  g_autoptr (LoomDocument) document = loom_document_new ();
  LoomRunState *run = loom_run_state_new (document);
  loom_timeline_state_set_size (loom_run_state_get_view (run), 1000, 600);
  loom_document_open (document, (const char *const[]) { path, NULL });
  run_fixture_wait_loaded (run);
  return run;
}

void
run_fixture_close (LoomRunState *run)
{
  gpointer weak = run;
  loom_document_cancel (loom_run_state_get_document (run));
  g_object_add_weak_pointer (G_OBJECT (run), &weak);
  g_object_unref (run);
  g_assert_null (weak);
}

LoomRunSession *
run_fixture_session (void)
{
  g_autoptr (LoomDocument) document = loom_document_new ();
  g_autoptr (LoomRunState) run = loom_run_state_new (document);
  loom_timeline_state_set_size (loom_run_state_get_view (run), 1000, 600);
  return loom_run_session_new (run);
}

static gboolean
has_opened (gpointer session)
{
  return !loom_document_is_loading (run_fixture_document (session)) && !loom_run_session_is_opening (session);
}

void
run_fixture_session_wait (LoomRunSession *session)
{
  g_assert_true (fixture_wait (has_opened, session));
  fixture_spin (20); /* an idle callback may still be completing the opening */
}

void
run_fixture_session_open (LoomRunSession *session, const char *path)
{
  loom_run_session_open_paths (session, (const char *const[]) { path, NULL }, FALSE);
  run_fixture_session_wait (session);
}

static gboolean
is_gone (gpointer pointer)
{
  return *(gpointer *) pointer == NULL;
}

void
run_fixture_session_close (LoomRunSession *session)
{
  gpointer weak = session;
  loom_run_session_close (session);
  g_object_add_weak_pointer (G_OBJECT (session), &weak);
  g_object_unref (session);
  g_assert_true (fixture_wait (is_gone, &weak));
}

LoomDocument *
run_fixture_document (LoomRunSession *session)
{
  return loom_run_state_get_document (loom_run_session_get_run_state (session));
}

LoomTimelineState *
run_fixture_view (LoomRunSession *session)
{
  return loom_run_state_get_view (loom_run_session_get_run_state (session));
}

#define X(name, tid, ts, dur)                                                                                        \
  "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" tid ",\"ts\":" ts ",\"dur\":" dur ",\"args\":{\"at\":" ts \
  "}},"
#define FLOW(ph, id, tid, ts) \
  "{\"ph\":\"" ph "\",\"bp\":\"e\",\"cat\":\"f\",\"name\":\"f\",\"id\":" id ",\"pid\":1,\"tid\":" tid ",\"ts\":" ts "},"

const char RUN_FIXTURE_TRACE[] = "[" X ("tick", "1", "0", "50") X ("tick", "1", "100", "50")
  X ("tick", "1", "200", "50") X ("tick", "1", "300", "50") X ("send", "1", "400", "100") X ("tick", "2", "20", "40")
    X ("first", "2", "520", "80") X ("second", "3", "540", "80") X ("end", "3", "900", "100")
      FLOW ("s", "1", "1", "410") FLOW ("f", "1", "2", "530") FLOW ("s", "2", "1", "420")
        FLOW ("f", "2", "3", "550") "{\"ph\":\"C\",\"name\":\"load\",\"pid\":1,\"tid\":1,"
                                    "\"ts\":10,\"args\":{\"value\":3}}]";

static LoomTimeline *
timeline_of (LoomRunState *run)
{
  return loom_timeline_state_get_timeline (loom_run_state_get_view (run));
}

LoomSpanId
run_fixture_find_span (LoomRunState *run, const char *name, guint nth)
{
  LoomTrace *trace = loom_run_get_trace (loom_timeline_get_run (timeline_of (run)), 0);
  const LoomSpans *spans = loom_trace_get_spans (trace);
  for (guint32 i = 0; i < spans->n; i++)
    if (g_str_equal (loom_trace_get_name (trace, spans->name_id[i])->text, name) && nth-- == 0)
      return (LoomSpanId) { 0, i };
  g_error ("no %s", name);
}

LoomRange
run_fixture_range_of (LoomRunState *run, LoomSpanId span)
{
  LoomRange range;
  loom_timeline_get_span (timeline_of (run), span, &range.begin_ns, &range.end_ns);
  return range;
}

guint
run_fixture_count_marks (LoomTimelineState *state)
{
  guint n;
  loom_timeline_state_get_marks (state, &n);
  return n;
}

guint
run_fixture_count_selected (LoomTimelineState *state)
{
  guint n;
  loom_timeline_state_get_selected (state, &n);
  return n;
}

typedef struct {
  LoomRunState *run;
  gsize n;
} Wanted;

static gboolean
has_hits (gpointer data)
{
  const Wanted *wanted = data;
  gsize n;
  loom_timeline_state_get_hits (loom_run_state_get_view (wanted->run), &n);
  return n == wanted->n;
}

gboolean
run_fixture_wait_hits (LoomRunState *run, gsize n)
{
  return fixture_wait (has_hits, &(Wanted) { run, n });
}
