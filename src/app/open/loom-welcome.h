/* SPDX-License-Identifier: Apache-2.0
 *
 * The page that a tab shows while no run is open: buttons for opening files, the runs that were open when the program
 * crashed, and recent runs. The buttons activate actions of the window.
 */
#pragma once

#include <adwaita.h>

#define LOOM_TYPE_WELCOME (loom_welcome_get_type ())
G_DECLARE_FINAL_TYPE (LoomWelcome, loom_welcome, LOOM, WELCOME, AdwBin)
