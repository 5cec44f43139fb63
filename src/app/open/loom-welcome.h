/* SPDX-License-Identifier: Apache-2.0
 *
 * The page of a tab with nothing open: buttons for opening, runs of programs that crashed, and recent runs. The buttons activate
 * actions of the window.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_WELCOME (loom_welcome_get_type ())
G_DECLARE_FINAL_TYPE (LoomWelcome, loom_welcome, LOOM, WELCOME, AdwBin)
