/* SPDX-License-Identifier: Apache-2.0
 *
 * The bar below the header that is shown during long work: the current file, the progress, and a button that cancels
 * the work.
 *
 * Signal: "cancel" when the user clicks the button.
 */
#pragma once

#include "loom-progress.h"

#include <adwaita.h>

#define LOOM_TYPE_PROGRESS_BAR (loom_progress_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomProgressBar, loom_progress_bar, LOOM, PROGRESS_BAR, AdwBin)

typedef enum {
  LOOM_PROGRESS_KIND_READING, /* the progress counts bytes */
  LOOM_PROGRESS_KIND_SAVING,  /* the progress counts events */
  /* reading events of a range, then writing them; the bar shows no amount, because the unit would change from bytes to
   * events */
  LOOM_PROGRESS_KIND_RANGE,
} LoomProgressKind;

/* Shows the bar with this progress, and follows it; NULL hides the bar. */
void loom_progress_bar_follow (LoomProgressBar *self, LoomProgress *progress, LoomProgressKind work);
