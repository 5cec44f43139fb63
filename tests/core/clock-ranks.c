/* SPDX-License-Identifier: Apache-2.0 */
#include "clock-ranks.h"

#include "run-fixture.h"

#define DISTANCE_US 500000

const ClockRank clock_ranks_drifted[3] = { { 0 }, { .offset_us = 5000 }, { .offset_us = -250, .n_corrupt = 4 } };
const ClockRank clock_ranks_stepped[3] = { { 0 }, { .offset_us = 20 }, { .offset_us = 100, .step_us = 4000 } };

/* Returns an error below 1 µs that is deterministic for each rank and event. */
static double
jitter_us (guint rank, guint i)
{
  return (double) ((rank * 7919 + i * 104729) % 1000) / 1000.0;
}

static char *
rank_text (guint number, const ClockRank *rank)
{
  GString *text = g_string_new (NULL);
  g_string_append_printf (
    text,
    "{\"schemaVersion\":1,\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":%u,\"world_size\":4},"
    "\"baseTimeNanoseconds\":1700000000000000000,\"traceEvents\":[\n",
    number);
  for (guint i = 0; i < CLOCK_RANKS_N_MEETINGS; i++) {
    double late = i < rank->n_corrupt ? 3000.0 + 100.0 * i : 0;
    double end = (i + 1.0) * DISTANCE_US + rank->offset_us + (i >= CLOCK_RANKS_N_MEETINGS / 2 ? rank->step_us : 0) +
                 jitter_us (number, i) + late;
    char start_text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd (start_text, sizeof start_text, "%.3f", end - 400.0);
    g_string_append_printf (
      text,
      "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"pid\":0,\"tid\":7,"
      "\"ts\":%s,\"dur\":400,\"args\":{\"stream\":7,\"device\":0,\"Collective name\":\"allreduce\","
      "\"Process Group Name\":\"0\",\"Seq\":%u}}",
      i > 0 ? ",\n" : "", start_text, i);
  }
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}

char *
clock_ranks_write (const ClockRank *ranks, guint n)
{
  char *folder = fixture_folder ();
  for (guint i = 0; i < n; i++) {
    g_autofree char *name = g_strdup_printf ("rank-%u.pt.trace.json", i), *text = rank_text (i, &ranks[i]);
    g_free (fixture_file (folder, name, text));
  }
  return folder;
}
