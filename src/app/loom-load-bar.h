/* SPDX-License-Identifier: Apache-2.0
 *
 * The slim bar under the header while something long runs: what is being worked on, how much is left, and a way out.
 * Signal: "cancel" when the person asks to stop.
 */
#pragma once

#include "loom-progress.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LOOM_TYPE_LOAD_BAR (loom_load_bar_get_type ())
G_DECLARE_FINAL_TYPE (LoomLoadBar, loom_load_bar, LOOM, LOAD_BAR, GtkWidget)

typedef enum {
  LOOM_WORK_READING, /* counts bytes */
  LOOM_WORK_SAVING,  /* counts events */
} LoomWork;

/* Shows the progress and follows it; NULL hides the bar. */
void loom_load_bar_follow (LoomLoadBar *bar, LoomProgress *progress, LoomWork work);

G_END_DECLS
