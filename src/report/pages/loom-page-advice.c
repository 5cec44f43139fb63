/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds the sentences that say which data is missing, with advice on how to record it.
 */
#include "loom-page-private.h"

void
loom_page_add_missing (LoomPageContent *sheet, const char *missing, const char *advice)
{
  loom_page_content_add_missing (sheet, missing);
  if (advice != NULL)
    loom_page_content_add_note (sheet, advice);
}

void
loom_page_add_advice (LoomPageContent *sheet, const LoomPageInput *input, LoomLack lack)
{
  LoomRecorder recorder = loom_recording_advice_find_recorder (loom_timeline_get_run (input->frame->timeline));
  loom_page_content_add_note (sheet, loom_recording_advice_get (recorder, lack));
}
