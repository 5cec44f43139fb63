/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to src/import: distinguishes the processes of one file by their ids if the file states no rank. Several
 * processes that each have steps of their own are several participants of the job: without a rank, their steps would be
 * taken as recordings of the same steps, and the steps of only one process would count.
 */
#pragma once

#include "loom-chrome-importer.h"

/* Returns which processes from `first_process` on have steps (spans named "ProfilerStep#3"): an array of TRUE and FALSE
 * with one element for each process of the builder, owned by the caller. Returns NULL if fewer than two processes have
 * steps. Names are searched first, so that a file without steps costs only O(names); otherwise O(events). */
gboolean *loom_step_processes_find (LoomTraceBuilder *builder, guint32 first_process);

/* If at least two processes have steps and the source has no rank, sets the rank of each of them to its pid, and marks
 * the rank as a process id (LOOM_TRACK_PROCESS_ID). If the flow events show that a single process launches all work of
 * a device, the device gets the rank of this process. Other processes stay without a rank. */
void loom_step_processes_set_ranks (LoomChromeImporter *chrome, guint32 first_process);
