/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled once for all of the window, and for all of its tests, where the build has precompiled headers. It stands in for
 * no include.
 */
#define _GNU_SOURCE /* some sources do */
#include <adwaita.h>
