/* SPDX-License-Identifier: Apache-2.0 */
#include "loom-device-peaks.h"

#include <string.h>

#define TERA 1e12

/* Peaks of devices, in 10¹² FLOP/s or B/s, without sparsity. A row applies to a device if all words of the row occur in
 * the name of the device; the first such row is used. A word occurs only if no letter or digit precedes it: "H200" does
 * not occur in "GH200", which is another device. */
static const struct {
  const char *words[3];
  double float8, float16, tf32, float32, bandwidth;
} devices[] = {
  { { "H100", "PCIe" }, 1513, 756, 378, 51.2, 2.0 },
  { { "H100", "HBM3" }, 1978.9, 989.4, 494.7, 66.9, 3.35 },
  { { "H100", "SXM" }, 1978.9, 989.4, 494.7, 66.9, 3.35 },
  { { "H200" }, 1978.9, 989.4, 494.7, 66.9, 4.8 },
  { { "B200" }, 4500, 2250, 1125, 75, 8.0 },
  { { "A100", "80GB", "PCIe" }, 0, 312, 156, 19.5, 1.935 },
  { { "A100", "80GB" }, 0, 312, 156, 19.5, 2.039 },
  { { "A100", "40GB" }, 0, 312, 156, 19.5, 1.555 },
  { { "V100" }, 0, 125, 0, 15.7, 0.9 },
  { { "MI300X" }, 2614.9, 1307.4, 653.7, 163.4, 5.3 },
  { { "MI325X" }, 2614.9, 1307.4, 653.7, 163.4, 6.0 },
  { { "MI355X" }, 5000, 2500, 0, 157.3, 8.0 },
  /* an MI250 has two dies, and each of them is reported as a device, so the values are half of those in the data
   * sheet */
  { { "MI250X" }, 0, 383 / 2.0, 0, 95.7 / 2, 3.28 / 2 },
  { { "MI210" }, 0, 181, 0, 45.3, 1.6 },
};

static gboolean
has_word (const char *name, const char *word)
{
  for (const char *at = name; (at = strstr (at, word)) != NULL; at++)
    if (at == name || !g_ascii_isalnum (at[-1]))
      return TRUE;
  return FALSE;
}

static gboolean
has_words (const char *name, const char *const *words, guint n)
{
  for (guint i = 0; i < n && words[i] != NULL; i++)
    if (!has_word (name, words[i]))
      return FALSE;
  return TRUE;
}

void
loom_device_peaks_find (LoomDevicePeaks *peaks, const char *model, const LoomPeakSettings *settings)
{
  *peaks = (LoomDevicePeaks) { .bandwidth = 0 };
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++) {
    if (model == NULL || !has_words (model, devices[i].words, G_N_ELEMENTS (devices[i].words)))
      continue;
    peaks->flops[LOOM_FLOAT_TYPE_8] = devices[i].float8 * TERA;
    peaks->flops[LOOM_FLOAT_TYPE_16] = devices[i].float16 * TERA;
    peaks->flops[LOOM_FLOAT_TYPE_TF32] = devices[i].tf32 * TERA;
    peaks->flops[LOOM_FLOAT_TYPE_32] = devices[i].float32 * TERA;
    peaks->bandwidth = devices[i].bandwidth * TERA;
    break;
  }
  for (guint i = 0; settings != NULL && settings->tflops > 0 && i < LOOM_N_FLOAT_TYPES; i++)
    peaks->flops[i] = settings->tflops * TERA;
  if (settings != NULL && settings->tb_per_s > 0)
    peaks->bandwidth = settings->tb_per_s * TERA;
}
