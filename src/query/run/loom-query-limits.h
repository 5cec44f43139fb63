/* SPDX-License-Identifier: Apache-2.0
 *
 * Limits of one query; loom-query.h says what they are for.
 */
#pragma once

#include "loom-limits.h"

#define LOOM_QUERY_MEMORY_BYTES (1024 * LOOM_MIB)
#define LOOM_QUERY_RESERVE_BYTES (256 * LOOM_MIB)
#define LOOM_QUERY_VALUE_BYTES (4 * LOOM_MIB)
/* length of patterns of LIKE and GLOB, whose time grows with pattern times text */
#define LOOM_QUERY_PATTERN_BYTES 256
#define LOOM_QUERY_TEXT_BYTES (64 * 1024) /* length of the query */
