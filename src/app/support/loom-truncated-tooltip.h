/* SPDX-License-Identifier: Apache-2.0
 *
 * Tooltips with the full text of labels that are truncated with “…”, for all windows of the program. Widgets with a
 * tooltip of their own keep it. Called on the main thread.
 */
#pragma once

/* From now on, in all windows: a truncated label shows its text as a tooltip. Call once. */
void loom_truncated_tooltip_install (void);
