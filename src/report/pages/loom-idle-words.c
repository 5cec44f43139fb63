/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-idle-words.h"

#include "loom-device-label.h"
#include "loom-page-private.h"
#include "loom-track-label.h"

#include <glib/gi18n.h>

const char *
loom_idle_words_get_cause (LoomIdleCause cause)
{
  switch (cause) {
  case LOOM_IDLE_CAUSE_HOST: return C_ ("idle", "waits for the host");
  case LOOM_IDLE_CAUSE_KERNEL: return C_ ("idle", "between queued kernels");
  case LOOM_IDLE_CAUSE_OTHER: return C_ ("idle", "waits for other streams or devices");
  default: return C_ ("idle", "launch not recorded");
  }
}

const char *
loom_idle_words_get_data (void)
{
  return C_ ("idle", "waits for data");
}

char *
loom_idle_words_dup_place (const LoomPageInput *input, const LoomIdleRow *row)
{
  gboolean is_only_file = loom_run_get_n_sources (loom_timeline_get_run (input->frame->timeline)) == 1;
  g_autofree char *rank = loom_page_rank_name (input, row->node, row->rank, &row->source),
                  *device = row->device != NULL ? loom_device_label_dup (row->device) : NULL,
                  *stream = row->stream != NULL ? loom_track_label_dup_thread (row->stream) : NULL;
  /* omit `rank` if it is the name of the only file of the run; the name of the device is then sufficient */
  const char *parts[] = { rank, device, stream, NULL };
  return g_strjoinv (" · ", (char **) parts + (is_only_file && row->rank < 0 && row->device != NULL));
}
