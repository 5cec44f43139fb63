/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests the order in which a search visits hits on devices and on the host.
 */
#include "run-fixture.h"

#include "loom-search-scope.h"

static void
assert_step (LoomRunState *run, gboolean forward, const char *name, guint nth)
{
  g_assert_true (loom_search_state_step (loom_run_state_get_search (run), forward));
  g_assert_true (loom_timeline_span_id_equal (loom_timeline_state_get_lead (loom_run_state_get_view (run)),
                                              run_fixture_find_span (run, name, nth)));
}

#define DEVICE_EVENT(category, name, pid, ts) \
  "{\"ph\":\"X\",\"cat\":\"" category "\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":7,\"ts\":" ts ",\"dur\":2}"

#define DEVICE_TRACE(events) "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0}],\"traceEvents\":[" events "]}"
#define HOST_CALL(ts) DEVICE_EVENT ("cpu_op", "reduce_", "9", ts)
#define KERNEL(ts) DEVICE_EVENT ("kernel", "ncclreduce", "0", ts)

/* Opens a trace and searches "reduce", which has `n` hits. */
static LoomRunState *
search_reduce (const char *text, gsize n)
{
  g_autofree char *folder = fixture_folder (), *path = fixture_file (folder, "trace.json", text);
  LoomRunState *run = run_fixture_open (path);
  loom_search_state_set_open (loom_run_state_get_search (run), TRUE);
  loom_search_state_ask (loom_run_state_get_search (run), "reduce", FALSE);
  g_assert_true (run_fixture_wait_hits (run, n));
  return run;
}

/* Hits on devices are visited before the calls of the host, whose names contain the same words. */
static void
test_devices_first (void)
{
  LoomRunState *run =
    search_reduce (DEVICE_TRACE (HOST_CALL ("0") "," KERNEL ("10") "," HOST_CALL ("20") "," KERNEL ("30")), 4);
  LoomSearchState *search = loom_run_state_get_search (run);
  guint at;
  for (guint i = 0; i < 5; i++) {
    assert_step (run, TRUE, i % 4 < 2 ? "ncclreduce" : "reduce_", i % 2);
    g_assert_cmpuint (loom_search_state_get_scope (search, &at), ==, 4);
    g_assert_cmpuint (at, ==, i % 4);
  }
  assert_step (run, FALSE, "reduce_", 1);
  run_fixture_close (run);
}

/* Checks the first step of a search while the call number `selected` of the host is selected. */
static void
check_first_step (const char *trace, guint n, guint selected, gboolean forward, const char *name, guint nth)
{
  LoomRunState *run = search_reduce (trace, n);
  LoomTimelineState *state = loom_run_state_get_view (run);
  LoomViewport all = loom_timeline_state_fitted (state);
  loom_timeline_state_set_viewport (state, &all);
  loom_timeline_state_select_span (state, run_fixture_find_span (run, "reduce_", selected), FALSE);
  assert_step (run, forward, name, nth);
  run_fixture_close (run);
}

/* The first step goes to the nearest hit on a device in its direction, else to the nearest hit on the host in this
 * direction. */
static void
test_first_step_at_devices (void)
{
  static const char trace[] =
    DEVICE_TRACE (KERNEL ("0") "," KERNEL ("10") "," HOST_CALL ("50") "," HOST_CALL ("60") "," HOST_CALL ("90")),
                    late[] = DEVICE_TRACE (
                      HOST_CALL ("0") "," HOST_CALL ("50") "," HOST_CALL ("60") "," KERNEL ("80") "," KERNEL ("90"));
  check_first_step (trace, 5, 1, FALSE, "ncclreduce", 1);
  check_first_step (trace, 5, 1, TRUE, "reduce_", 1);
  check_first_step (late, 5, 1, FALSE, "reduce_", 0);
  check_first_step (late, 5, 1, TRUE, "ncclreduce", 0);
  check_first_step (late, 5, 0, FALSE, "reduce_", 2);
}

/* The search itself orders the hits, so that the main thread only takes the order over. */
static void
test_order_of_result (void)
{
  LoomRunState *run =
    search_reduce (DEVICE_TRACE (HOST_CALL ("0") "," KERNEL ("10") "," HOST_CALL ("20") "," KERNEL ("30")), 4);
  LoomTimeline *timeline = loom_document_get_timeline (loom_run_state_get_document (run));
  LoomSearchResult *result = loom_search_state_get_result (loom_run_state_get_search (run));
  static const guint32 expected[] = { 1, 3, 0, 2 };
  g_assert_cmpmem (result->visits->data, result->visits->len * sizeof (guint32), expected, sizeof expected);
  g_assert_cmpuint (result->n_device, ==, 2);
  LoomSearchScope *scope = loom_search_scope_new (timeline, result, (LoomRange) { 0, 0 });
  g_assert_true ((gconstpointer) scope->positions == result->visits->data);
  loom_search_scope_free (scope);
  LoomRange late = run_fixture_range_of (run, run_fixture_find_span (run, "reduce_", 1));
  late.end_ns = run_fixture_range_of (run, run_fixture_find_span (run, "ncclreduce", 1)).end_ns;
  scope = loom_search_scope_new (timeline, result, late);
  g_assert_cmpmem (scope->positions, scope->n * sizeof (guint32), ((guint32[]) { 3, 2 }), 2 * sizeof (guint32));
  g_assert_cmpuint (scope->n_device, ==, 1);
  loom_search_scope_free (scope);
  run_fixture_close (run);
}

int
main (int argc, char **argv)
{
  run_fixture_init (&argc, &argv);
  g_test_add_func ("/core/search-scope/devices-first", test_devices_first);
  g_test_add_func ("/core/search-scope/first-step-at-devices", test_first_step_at_devices);
  g_test_add_func ("/core/search-scope/order-of-result", test_order_of_result);
  int status = g_test_run ();
  run_fixture_remove_folders ();
  return status;
}
