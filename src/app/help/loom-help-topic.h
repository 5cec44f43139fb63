/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of the user guide that describes a part of the program. The guide opens with this page when the user presses
 * F1 there. Static, any thread.
 */
#pragma once

/* Returns the name of the page of the user guide about `place`; NULL if no page is about it. `place`: name of a page of
 * a run (loom-page-index.h), "timeline", "start" for the page that is shown before a run is opened, or the name of
 * another window, which is that of its class unless gtk_widget_set_name() set one. */
const char *loom_help_topic_find (const char *place);
