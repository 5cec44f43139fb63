/* SPDX-License-Identifier: Apache-2.0
 *
 * What an empty page says about recording the missing data. The advice is for the profiler that recorded the open files,
 * because that of another one would not help.
 */
#include "loom-page-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* The profilers for which there is separate advice. */
typedef enum {
  TOOL_PYTORCH, /* also for formats without separate advice */
  TOOL_XLA,
  TOOL_NSIGHT,
  TOOL_ROCM,
  TOOL_SAGEMAKER,
} Tool;

/* Returns the profiler that recorded the first file whose format belongs to one. */
static Tool
find_tool (const LoomPageInput *input)
{
  static const struct {
    const char *format;
    Tool tool;
  } tools[] = { { "xplane", TOOL_XLA },
                { "nsight", TOOL_NSIGHT },
                { "rocm", TOOL_ROCM },
                { "smdebug", TOOL_SAGEMAKER },
                { "smdebug-system", TOOL_SAGEMAKER },
                { "kineto", TOOL_PYTORCH } };
  LoomRun *run = loom_timeline_get_run (input->frame->timeline);
  for (guint i = 0; i < loom_run_get_n_sources (run); i++)
    for (guint k = 0; k < G_N_ELEMENTS (tools); k++)
      if (g_strcmp0 (loom_run_get_source (run, i)->format, tools[k].format) == 0)
        return tools[k].tool;
  return TOOL_PYTORCH;
}

void
loom_page_add_metrics_hint (LoomPageContent *sheet, const LoomPageInput *input)
{
  Tool tool = find_tool (input);
  loom_page_content_add_note (
    sheet,
    tool == TOOL_SAGEMAKER
      ? _ (
          "System metrics come from SageMaker’s profiler. If another tool recorded the run, add a folder with files of system metrics to the run.")
      : _ (
          "This page needs the utilization of GPUs and CPU cores, which only SageMaker’s profiler records. For this recording, the “Idle Time” page says why GPUs wait."));
}

void
loom_page_add_loader_hint (LoomPageContent *sheet, const LoomPageInput *input)
{
  static const char *const notes[] = {
    [TOOL_PYTORCH] = N_ (
      "PyTorch’s profiler records waits for data if it covers the loop over a DataLoader; Composer, Lightning and SageMaker record them automatically."),
    [TOOL_SAGEMAKER] = N_ (
      "PyTorch’s profiler records waits for data if it covers the loop over a DataLoader; Composer, Lightning and SageMaker record them automatically."),
    [TOOL_XLA] = N_ (
      "JAX’s profiler records the wait for a batch if it is marked: fetch the batch inside a jax.profiler.TraceAnnotation named dataloader_next."),
    [TOOL_NSIGHT] = N_ (
      "Nsight Systems records the wait for a batch if it is marked: fetch the batch inside a torch.cuda.nvtx.range named dataloader_next, and record with --trace=cuda,nvtx."),
    [TOOL_ROCM] = N_ (
      "ROCm’s profilers record the wait for a batch if it is marked: fetch the batch inside a ROCTX range named dataloader_next."),
  };
  loom_page_content_add_note (sheet, _ (notes[find_tool (input)]));
}

void
loom_page_add_ranks_hint (LoomPageContent *sheet, const LoomPageInput *input)
{
  Tool tool = find_tool (input);
  loom_page_content_add_note (
    sheet,
    tool == TOOL_XLA ? _ ("Open the folder with the .xplane.pb files of all hosts; each host records its own file.")
    : tool == TOOL_NSIGHT || tool == TOOL_ROCM
      ? _ ("Open the folder with the databases of all ranks; each rank records its own.")
      : _ (
          "Open the folder with the traces of all ranks; each rank records its own trace. Traces of PyTorch 2.1 and later name their ranks and groups."));
}

void
loom_page_add_dumps_hint (LoomPageContent *sheet, const LoomPageInput *input)
{
  Tool tool = find_tool (input);
  loom_page_content_add_note (
    sheet,
    tool == TOOL_XLA
      ? _ (
          "Only PyTorch has flight recorders, which list the collectives that each rank called. This recording is of another framework.")
      : _ ("PyTorch writes one file per rank when a collective times out: set TORCH_NCCL_DUMP_ON_TIMEOUT=1 and "
           "TORCH_FR_BUFFER_SIZE=2000, and open the folder of all dumps."));
}

void
loom_page_add_memory_hint (LoomPageContent *sheet, const LoomPageInput *input)
{
  Tool tool = find_tool (input);
  loom_page_content_add_note (
    sheet,
    tool == TOOL_PYTORCH || tool == TOOL_SAGEMAKER
      ? _ (
          "PyTorch records allocations with profile(profile_memory=True), or in a snapshot of torch.cuda.memory._dump_snapshot().")
      : _ (
          "Allocations are read from PyTorch’s profiler and from its memory snapshots. The files that are open are of another profiler."));
}
