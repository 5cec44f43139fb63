/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts for the page of idle time: names of the causes of idle time and of idle devices. The functions may be called on
 * any thread.
 */
#pragma once

#include "loom-idle-time.h"
#include "loom-page.h"

/* Returns the translated name of a cause. Static. */
const char *loom_idle_words_get_cause (LoomIdleCause cause);
/* Returns the translated name of one part of the idle time with the cause LOOM_IDLE_CAUSE_HOST: the part in which the
 * launching thread waits for data. Static. */
const char *loom_idle_words_get_data (void);
/* Returns the name of the device or stream of a row, such as "rank 3 · GPU 0 · stream 7". Owned by the caller. */
char *loom_idle_words_dup_place (const LoomPageInput *input, const LoomIdleRow *row);
