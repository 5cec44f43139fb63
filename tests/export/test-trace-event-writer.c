/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-flow-id.h"
#include "loom-trace-event-writer.h"

#include <string.h>

static char *
line_of (const char *text, LoomTraceEventLine line)
{
  LoomEvent event = { 0 };
  GString *out = g_string_new (NULL);
  g_assert_true (loom_event_parse (text, strlen (text), &event));
  line.event = &event;
  line.strict = loom_trace_event_writer_is_clean (&event);
  loom_trace_event_writer_append (out, &line);
  g_assert_true (loom_json_slice_is_strict (out->str, out->len));
  return g_string_free (out, FALSE);
}

static void
check_line (const char *text, LoomTraceEventLine line, const char *wanted)
{
  g_autofree char *got = line_of (text, line);
  g_assert_cmpstr (got, ==, wanted);
}

static void
test_copied (void)
{
  LoomTraceEventLine line = { .phase = 'X',
                              .has_ts = TRUE,
                              .ts_ns = 1500250,
                              .has_dur = TRUE,
                              .dur_ns = 7000,
                              .has_pid = TRUE,
                              .pid = 3,
                              .has_tid = TRUE,
                              .tid = -4,
                              .name = "a/b",
                              .category = "c" };
  check_line (
    "{\"args\": {\"x\" : 1.00} ,\"ph\":\"B\",\"ts\":\"9\",\"name\":\"a\\/b\",\"pid\":\"p\",\"cat\":\"c\",\"k\":[ 1 ]}",
    line,
    "{\"name\":\"a\\/b\",\"cat\":\"c\",\"ph\":\"X\",\"ts\":1500.250,\"dur\":7,\"pid\":3,\"tid\":-4,\"args\":{\"x\" : 1.00},"
    "\"k\":[ 1 ]}");
}

static void
test_drawn_name_wins (void)
{
  LoomTraceEventLine line = { .phase = 'i', .scope = 'g', .name = "shown", .category = "" };
  check_line ("{\"name\":\"raw\",\"cat\":\"x\",\"s\":\"t\"}", line,
              "{\"name\":\"shown\",\"cat\":\"x\",\"ph\":\"i\",\"s\":\"g\"}");
  line.name = "12";
  check_line ("{\"name\":12}", line, "{\"name\":\"12\",\"ph\":\"i\",\"s\":\"g\"}");
}

static void
test_ids (void)
{
  LoomTraceEventLine line = { .phase = 'b', .id_prefix = "4." };
  check_line ("{\"id\":123}", line, "{\"ph\":\"b\",\"id\":\"4.123\"}");
  check_line ("{\"id\":\"0x1\\u0041\"}", line, "{\"ph\":\"b\",\"id\":\"4.0x1\\u0041\"}");
  check_line ("{\"id\":null,\"id2\":{\"local\":1}}", line, "{\"ph\":\"b\",\"id\":null,\"id2\":{\"local\":1}}");
  check_line ("{\"id2\":{\"global\":\"g\"}}", line, "{\"ph\":\"b\",\"id2\":{\"global\":\"4.g\"}}");
  line.id_suffix = "~9";
  check_line ("{\"id\":123}", line, "{\"ph\":\"b\",\"id\":\"4.123~9\"}");
  check_line ("{\"id2\":{\"local\":\"l\"}}", line, "{\"ph\":\"b\",\"id2\":{\"local\":\"l~9\"}}");
  line.id_prefix = line.id_suffix = NULL;
  check_line ("{\"id\":123}", line, "{\"ph\":\"b\",\"id\":123}");
}

/* The flow ids 7 and "7" are equal; 07 and 0x7 are other ids; no flow gets the id 0. */
static void
test_flow_ids (void)
{
  LoomTraceEventLine line = { .phase = 's', .number_flows = TRUE, .trace = LOOM_FLOW_ID_ALONE };
  check_line ("{\"id\":7,\"bind_id\":\"7\"}", line, "{\"ph\":\"s\",\"id\":7,\"bind_id\":7}");
  check_line ("{\"id\":9007199254740991}", line, "{\"ph\":\"s\",\"id\":9007199254740991}");
  check_line ("{\"id\":{\"a\":1}}", line, "{\"ph\":\"s\",\"id\":{\"a\":1}}");
  line.trace = 2;
  check_line ("{\"id\":7,\"bind_id\":\"7\"}", line, "{\"ph\":\"s\",\"id\":8589934599,\"bind_id\":8589934599}");
  static const char *const others[] = {
    "0", "\"07\"", "\"0x7\"", "-7", "7.0", "4294967296", "9007199254740992", "\"\""
  };
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    const LoomJsonSlice id = { others[i], strlen (others[i]) };
    for (guint trace = 0; trace < 2; trace++)
      g_assert_cmpuint (loom_flow_id_of (id, trace) >> 52, ==, 1);
    g_assert_cmpuint (loom_flow_id_of (id, 0), !=, loom_flow_id_of (id, 1));
  }
}

static void
test_repaired (void)
{
  LoomTraceEventLine line = { .phase = 'X' };
  check_line ("{\"name\":\"C:\\dir\",\"args\":{\"v\":NaN,\"w\":[1,\n2]}}", line,
              "{\"name\":\"C:\\\\dir\",\"ph\":\"X\",\"args\":{\"v\":\"NaN\",\"w\":[1,2]}}");
  check_line ("{\"name\":\"a\",\"name\":\"b\",\"traceloom\":\"open\"}", line, "{\"name\":\"b\",\"ph\":\"X\"}");
}

static void
test_mark_and_args (void)
{
  g_autoptr (GString) args = g_string_new ("{\"z\":1}");
  LoomTraceEventLine line = { .phase = 'X', .mark = "open suspect", .args = args };
  check_line ("{\"args\":{\"a\":1},\"k\":1}", line,
              "{\"ph\":\"X\",\"k\":1,\"args\":{\"z\":1},\"traceloom\":\"open suspect\"}");
  line.args = NULL;
  line.no_args = TRUE;
  check_line ("{\"args\":{\"a\":1},\"k\":1}", line, "{\"ph\":\"X\",\"k\":1,\"traceloom\":\"open suspect\"}");
  line.no_args = FALSE;
  line.bare = TRUE;
  check_line ("{\"args\":{\"a\":1},\"k\":1}", line, "{\"ph\":\"X\",\"args\":{\"a\":1},\"traceloom\":\"open suspect\"}");
}

static void
check_merged (const char *begin, const char *end, const char *wanted)
{
  g_autoptr (GString) out = g_string_new (NULL);
  LoomJsonSlice b = { begin, begin != NULL ? strlen (begin) : 0 }, e = { end, end != NULL ? strlen (end) : 0 };
  loom_trace_event_writer_append_merged_args (out, b, e, TRUE);
  g_assert_cmpstr (out->str, ==, wanted);
}

static void
test_merged_args (void)
{
  check_merged ("{\"a\":1,\"b\":2}", "{\"b\":3.0,\"c\":4}",
                "{\"a\":1,\"b\":3.0,\"c\":4,\"traceloom_begin_args\":{\"b\":2}}");
  check_merged ("{\"a\":1}", "{\"a\":1}", "{\"a\":1}");
  check_merged (NULL, "{\"c\" :4}", "{\"c\" :4}");
  check_merged ("{\"c\":4}", NULL, "{\"c\":4}");
  check_merged ("{\"c\":4}", "null", "{\"c\":4}");
  check_merged (NULL, NULL, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/trace-event-writer/copied", test_copied);
  g_test_add_func ("/export/trace-event-writer/drawn-name-wins", test_drawn_name_wins);
  g_test_add_func ("/export/trace-event-writer/ids", test_ids);
  g_test_add_func ("/export/trace-event-writer/flow-ids", test_flow_ids);
  g_test_add_func ("/export/trace-event-writer/repaired", test_repaired);
  g_test_add_func ("/export/trace-event-writer/mark-and-args", test_mark_and_args);
  g_test_add_func ("/export/trace-event-writer/merged-args", test_merged_args);
  return g_test_run ();
}
