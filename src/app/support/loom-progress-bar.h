/* SPDX-License-Identifier: Apache-2.0
 *
 * The bar below the header that is shown during long work. It has the name of the current file, the progress, and a
 * button to cancel. Main thread only.
 *
 * Signal: "cancel" when the user clicks the button.
 */
#pragma once

#include "loom-progress.h"

#include <adwaita.h>

#define LOOM_TYPE_PROGRESS_BAR (loom_progress_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomProgressBar, loom_progress_bar, LOOM, PROGRESS_BAR, AdwBin)

typedef enum {
  LOOM_PROGRESS_KIND_READING, /* reading a file; the progress counts bytes */
  LOOM_PROGRESS_KIND_SAVING,  /* saving a file; the progress counts events */
  /* reading the events of a range and writing them to a file; the bar shows no amount, because the progress counts
   * bytes first and then events */
  LOOM_PROGRESS_KIND_RANGE,
} LoomProgressKind;

/* Shows the bar with this progress and updates it; NULL hides the bar. */
void loom_progress_bar_follow (LoomProgressBar *self, LoomProgress *progress, LoomProgressKind work);
