/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits on the length, memory and patterns of a query; loom-query.h explains how they are used.
 */
#pragma once

#include "loom-limits.h"

#define LOOM_QUERY_MEMORY_BYTES (1024 * LOOM_MIB)
#define LOOM_QUERY_RESERVE_BYTES (256 * LOOM_MIB)
#define LOOM_QUERY_VALUE_BYTES (4 * LOOM_MIB)
/* maximum length of a pattern of LIKE or GLOB in bytes; matching takes a time that grows with the length of the pattern
 * times the length of the text */
#define LOOM_QUERY_PATTERN_BYTES 256
#define LOOM_QUERY_TEXT_BYTES (64 * 1024) /* maximum length of a query, in bytes */
