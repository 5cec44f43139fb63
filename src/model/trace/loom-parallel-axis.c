/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-parallel-axis.h"

#include <string.h>

/* maximum length in bytes of the description of a process group; longer descriptions are not searched for names of
 * axes */
#define MOST_LETTERS 256

static const char *const names[] = {
  [LOOM_PARALLEL_AXIS_UNKNOWN] = "unknown",   [LOOM_PARALLEL_AXIS_WORLD] = "world",
  [LOOM_PARALLEL_AXIS_TENSOR] = "tensor",     [LOOM_PARALLEL_AXIS_CONTEXT] = "context",
  [LOOM_PARALLEL_AXIS_EXPERT] = "expert",     [LOOM_PARALLEL_AXIS_DATA] = "data",
  [LOOM_PARALLEL_AXIS_PIPELINE] = "pipeline",
};

static const struct {
  const char *word;
  LoomParallelAxis axis;
} words[] = {
  { "tensor", LOOM_PARALLEL_AXIS_TENSOR },     { "tp", LOOM_PARALLEL_AXIS_TENSOR },
  { "context", LOOM_PARALLEL_AXIS_CONTEXT },   { "cp", LOOM_PARALLEL_AXIS_CONTEXT },
  { "expert", LOOM_PARALLEL_AXIS_EXPERT },     { "ep", LOOM_PARALLEL_AXIS_EXPERT },
  { "pipeline", LOOM_PARALLEL_AXIS_PIPELINE }, { "pp", LOOM_PARALLEL_AXIS_PIPELINE },
  { "data", LOOM_PARALLEL_AXIS_DATA },         { "dp", LOOM_PARALLEL_AXIS_DATA },
  { "ddp", LOOM_PARALLEL_AXIS_DATA },          { "fsdp", LOOM_PARALLEL_AXIS_DATA },
  { "hsdp", LOOM_PARALLEL_AXIS_DATA },         { "replicate", LOOM_PARALLEL_AXIS_DATA },
  { "shard", LOOM_PARALLEL_AXIS_DATA },
};

const char *
loom_parallel_axis_to_string (LoomParallelAxis axis)
{
  g_return_val_if_fail ((guint) axis < LOOM_N_PARALLEL_AXES, names[LOOM_PARALLEL_AXIS_UNKNOWN]);
  return names[axis];
}

static LoomParallelAxis
get_axis_of_word (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strcmp (word, words[i].word) == 0)
      return words[i].axis;
  return LOOM_PARALLEL_AXIS_UNKNOWN;
}

LoomParallelAxis
loom_parallel_axis_from_text (const char *text, gsize length)
{
  static const char default_group[] = "default_pg";
  LoomParallelAxis found = LOOM_PARALLEL_AXIS_UNKNOWN;
  if (length > MOST_LETTERS)
    return found;
  g_autofree char *letters = g_ascii_strdown (text, (gssize) length);
  if (strstr (letters, default_group) != NULL)
    return LOOM_PARALLEL_AXIS_WORLD;
  g_auto (GStrv) parts = g_strsplit_set (letters, "_- .:\"'", -1);
  for (guint i = 0; parts[i] != NULL; i++) {
    LoomParallelAxis axis = get_axis_of_word (parts[i]);
    if (axis == LOOM_PARALLEL_AXIS_UNKNOWN || axis == found)
      continue;
    if (found != LOOM_PARALLEL_AXIS_UNKNOWN)
      return LOOM_PARALLEL_AXIS_UNKNOWN;
    found = axis;
  }
  return found;
}
