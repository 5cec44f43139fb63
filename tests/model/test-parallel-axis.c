/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests that the description of a process group, such as "mesh_pp", gives the axis along which a job is split: data,
 * pipeline and others.
 */
#include "loom-parallel-axis.h"

#include <glib.h>
#include <string.h>

static void
test_text (void)
{
  static const struct {
    const char *text;
    LoomParallelAxis axis;
  } cases[] = {
    { "\"TENSOR_MODEL_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_TENSOR },
    { "\"PIPELINE_MODEL_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_PIPELINE },
    { "\"DATA_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_DATA },
    { "\"EXPERT_MODEL_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_EXPERT },
    { "\"CONTEXT_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_CONTEXT },
    { "\"mesh_tp\"", LOOM_PARALLEL_AXIS_TENSOR },
    { "\"mesh_dp_shard\"", LOOM_PARALLEL_AXIS_DATA },
    { "\"default_pg\"", LOOM_PARALLEL_AXIS_WORLD },
    { "\"TENSOR_AND_DATA_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_UNKNOWN },
    { "\"MODEL_PARALLEL_GROUP\"", LOOM_PARALLEL_AXIS_UNKNOWN },
    { "\"httpd\"", LOOM_PARALLEL_AXIS_UNKNOWN },
    { "", LOOM_PARALLEL_AXIS_UNKNOWN },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (loom_parallel_axis_from_text (cases[i].text, strlen (cases[i].text)), ==, cases[i].axis);
}

static void
test_long_text (void)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  memcpy (text, "tp ", 3);
  g_assert_cmpint (loom_parallel_axis_from_text (text, 100000), ==, LOOM_PARALLEL_AXIS_UNKNOWN);
  g_assert_cmpint (loom_parallel_axis_from_text (text, 3), ==, LOOM_PARALLEL_AXIS_TENSOR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parallel-axis/text", test_text);
  g_test_add_func ("/parallel-axis/long-text", test_long_text);
  return g_test_run ();
}
