/* SPDX-License-Identifier: Apache-2.0
 *
 * Tooltips with the full text of labels that are truncated with “…”, in all windows of the program. A widget that has
 * its own tooltip keeps it. Called on the main thread.
 */
#pragma once

/* From now on, in all windows: a truncated label shows its full text as a tooltip. May be called only once. */
void loom_truncated_tooltip_install (void);
