/* SPDX-License-Identifier: Apache-2.0
 *
 * Fuzzes skipping of nested JSON values: from every bracket of the input, each fast method must end at the same byte as
 * the simplest method. Events are also scanned with the method that predicts their structure from earlier events.
 */
#include "fuzz.h"

#include "loom-event-predictor.h"

#define MOST_BRACKETS 64

static void
compare (const char *from, const char *end)
{
  const char *plain_end = from;
  LoomJsonSkip plain = loom_json_skip_nested_plain (&plain_end, end);
#if defined(__x86_64__) && defined(__GNUC__)
  const LoomJsonSkipNested walks[] = {
    loom_json_skip_nested_sse2,
    __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi") ? loom_json_skip_nested_avx2 : NULL,
  };
#else
  const LoomJsonSkipNested walks[] = { loom_json_skip_nested };
#endif
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++) {
    const char *p = from;
    LoomJsonSkip walk = walks[i] != NULL ? walks[i](&p, end) : plain;
    fuzz_check (walk == plain, "walk %u gives %d, the plain one %d", i, walk, plain);
    fuzz_check (walks[i] == NULL || walk != LOOM_JSON_SKIP_OK || p == plain_end, "walk %u ends %td bytes off", i,
                p - plain_end);
  }
}

static void
compare_events (LoomEventShapes *shapes, const char *from, const char *end)
{
  LoomEvent plain = { 0 }, guided = { 0 };
  const char *plain_end = from, *guided_end = from;
  LoomJsonSkip walk = loom_event_parser (&plain_end, end, &plain),
               other = loom_event_predictor_walk_guided (shapes, &guided_end, end, &guided);
  fuzz_check (walk == other, "guided gives %d, plain %d", other, walk);
  if (walk != LOOM_JSON_SKIP_OK)
    return;
  fuzz_check (plain_end == guided_end, "guided ends %td bytes off", guided_end - plain_end);
  fuzz_check (plain.text.length == guided.text.length, "another length");
  for (guint i = 0; i < LOOM_N_MEMBERS; i++)
    fuzz_check (plain.member[i].text == guided.member[i].text && plain.member[i].length == guided.member[i].length,
                "another member %u", i);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = fuzz_exact (data, size);
  g_autofree LoomEventShapes *shapes = g_new0 (LoomEventShapes, 1);
  guint n = 0;
  for (gsize i = 0; i < size && n < MOST_BRACKETS; i++) {
    if (text[i] != '{' && text[i] != '[')
      continue;
    n++;
    compare (text + i, text + size);
    if (text[i] == '{')
      compare_events (shapes, text + i, text + size);
  }
  return 0;
}
