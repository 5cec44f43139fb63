/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests LoomWorker, which runs tasks in threads and calls back in the main thread: each callback runs once, none runs
 * after its task was cancelled, and all memory is freed.
 */
#include "loom-worker.h"

typedef struct {
  GCancellable *running;
  GMainLoop *loop;
  GString *log;
} Owner;

static int n_inputs, n_results; /* numbers of objects that are not freed; changed from any thread */

typedef struct {
  const char *word;
  GCancellable *until; /* the work waits until this is cancelled; NULL: does not wait */
} Input;

static void
input_free (Input *input)
{
  g_clear_object (&input->until);
  g_free (input);
  g_atomic_int_add (&n_inputs, -1);
}

static void
result_free (char *result)
{
  g_free (result);
  g_atomic_int_add (&n_results, -1);
}

static char *
work (Input *input, GCancellable *cancellable, GError **error)
{
  while (input->until != NULL && !g_cancellable_is_cancelled (input->until))
    g_usleep (1000);
  if (g_str_equal (input->word, "bad")) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "it failed");
    return NULL;
  }
  if (g_str_equal (input->word, "nothing"))
    return NULL;
  g_atomic_int_add (&n_results, 1);
  return g_ascii_strup (input->word, -1);
}

static void
done (gpointer user_data, gpointer result, const GError *error, gpointer input)
{
  Owner *owner = user_data;
  g_assert_null (owner->running);
  g_string_append_printf (owner->log, "%s: %s\n", ((Input *) input)->word,
                          error != NULL    ? error->message
                          : result != NULL ? (char *) result
                                           : "-");
  if (result != NULL)
    result_free (result);
  g_main_loop_quit (owner->loop);
}

static const LoomWorkerKind kind = { (LoomWorkerFunc) work, (GDestroyNotify) input_free, (GDestroyNotify) result_free };

static Input *
new_input (const char *word, GCancellable *until)
{
  g_atomic_int_add (&n_inputs, 1);
  return LOOM_WORKER_INPUT (Input, word, until != NULL ? g_object_ref (until) : NULL);
}

static void
set_up (Owner *owner, gconstpointer data)
{
  owner->loop = g_main_loop_new (NULL, FALSE);
  owner->log = g_string_new (NULL);
}

static void
tear_down (Owner *owner, gconstpointer data)
{
  g_main_loop_unref (owner->loop);
  g_string_free (owner->log, TRUE);
}

/* Waits until the threads have freed all inputs and results. */
static void
drain (void)
{
  while (g_atomic_int_get (&n_inputs) != 0 || g_atomic_int_get (&n_results) != 0)
    g_main_context_iteration (NULL, FALSE);
}

static void
test_results (Owner *owner, gconstpointer data)
{
  for (guint i = 0; i < 3; i++) {
    loom_worker_start (&owner->running, &kind, new_input (((const char *[]) { "good", "bad", "nothing" })[i], NULL),
                       done, owner);
    g_assert_nonnull (owner->running);
    g_main_loop_run (owner->loop);
  }
  drain ();
  g_assert_cmpstr (owner->log->str, ==, "good: GOOD\nbad: it failed\nnothing: -\n");
}

/* Starting a second task cancels the first one. In this test, the first task ends only after the
 * second task has called back. */
static void
test_restart (Owner *owner, gconstpointer data)
{
  g_autoptr (GCancellable) gate = g_cancellable_new ();
  loom_worker_start (&owner->running, &kind, new_input ("first", gate), done, owner);
  loom_worker_start (&owner->running, &kind, new_input ("second", NULL), done, owner);
  g_main_loop_run (owner->loop);
  g_cancellable_cancel (gate);
  drain ();
  g_assert_cmpstr (owner->log->str, ==, "second: SECOND\n");
}

static void
test_cancelled (Owner *owner, gconstpointer data)
{
  g_autoptr (GCancellable) gate = g_cancellable_new ();
  loom_worker_start (&owner->running, &kind, new_input ("open", gate), done, owner);
  loom_worker_cancel (&owner->running);
  loom_worker_cancel (&owner->running);
  g_assert_null (owner->running);
  loom_worker_start (&owner->running, &kind, new_input ("finished", NULL), done, owner);
  while (g_atomic_int_get (&n_results) == 0) /* waits until the result exists, while its callback has not run */
    g_usleep (1000);
  loom_worker_cancel (&owner->running);
  g_cancellable_cancel (gate);
  drain ();
  g_assert_cmpstr (owner->log->str, ==, "");
}

static void
test_own_cancellable (Owner *owner, gconstpointer data)
{
  g_autoptr (GCancellable) gate = g_cancellable_new (), cancellable = g_cancellable_new ();
  loom_worker_run (cancellable, &kind, new_input ("dropped", gate), done, owner);
  loom_worker_run (NULL, &kind, new_input ("kept", NULL), done, owner);
  g_main_loop_run (owner->loop);
  g_cancellable_cancel (cancellable);
  g_cancellable_cancel (gate);
  drain ();
  g_assert_cmpstr (owner->log->str, ==, "kept: KEPT\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/worker/results-and-errors", Owner, NULL, set_up, test_results, tear_down);
  g_test_add ("/worker/a-new-one-cancels-the-one-that-runs", Owner, NULL, set_up, test_restart, tear_down);
  g_test_add ("/worker/cancelled-work-calls-nobody", Owner, NULL, set_up, test_cancelled, tear_down);
  g_test_add ("/worker/with-a-cancellable-of-the-caller", Owner, NULL, set_up, test_own_cancellable, tear_down);
  return g_test_run ();
}
