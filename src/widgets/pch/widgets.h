/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled once for all of the widgets where the build has precompiled headers. It stands in for no include.
 */
#include <gtk/gtk.h>
