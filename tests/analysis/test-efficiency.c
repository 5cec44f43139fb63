/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests floating-point work of operators, on calls whose work can be calculated by hand. Calls are written as PyTorch's
 * profiler records them.
 */
#include "loom-device-peaks.h"
#include "loom-operator-inputs.h"
#include "loom-operator-work.h"

#define BF16 "\"c10::BFloat16\""
#define TENSORS_3 BF16 ", " BF16 ", " BF16

/* Returns "FLOP bytes shape" of a call; "unknown" if the inputs do not determine them. Owned by the caller. */
static char *
dup_work (const char *name, const char *dims, const char *types, const char *values)
{
  g_autofree char *args =
    g_strdup_printf ("{\"Input Dims\": [%s], \"Input type\": [%s], \"Concrete Inputs\": [%s]}", dims, types, values);
  LoomOperatorInputs inputs;
  LoomOperatorWork work;
  g_autoptr (GString) shape = g_string_new (NULL);
  const LoomOperatorFormula *formula = loom_operator_work_find (name);
  g_assert_nonnull (formula);
  if (!loom_operator_inputs_read (&inputs, (LoomJsonSlice) { args, strlen (args) }) ||
      !loom_operator_work_compute (formula, &inputs, &work, shape))
    return g_strdup ("unknown");
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s", work.flop, work.bytes, shape->str);
}

static void
assert_work (const char *name, const char *dims, const char *types, const char *values, const char *wanted)
{
  g_autofree char *work = dup_work (name, dims, types, values);
  g_assert_cmpstr (work, ==, wanted);
}

static void
test_products (void)
{
  /* FLOP: 2 · 8944 · 1024 · 2816; bytes: 2 B · (8944 · 1024 + 1024 · 2816 + 8944 · 2816) */
  assert_work ("aten::mm", "[8944, 1024], [1024, 2816]", BF16 ", " BF16, "\"\", \"\"",
               "51581550592 74457088 [8944, 1024], [1024, 2816]");
  /* FLOP: 2 · 141 · 512 · 512 + 141 · 512; bytes: 2 B · (512 + 141 · 512 + 512 · 512 + 141 · 512) */
  assert_work ("aten::addmm", "[512], [141, 512], [512, 512], [], []", TENSORS_3 ", \"Scalar\", \"Scalar\"",
               "\"\", \"\", \"\", \"1\", \"1\"", "73996800 814080 [141, 512], [512, 512]");
  assert_work ("aten::linear", "[1, 141, 512], [512, 512], [512]", TENSORS_3, "\"\", \"\", \"\"",
               "73996800 814080 [1, 141, 512], [512, 512]");
  assert_work ("aten::linear", "[3, 2], [4, 2], []", BF16 ", " BF16 ", \"\"", "\"\", \"\", \"\"",
               "48 52 [3, 2], [4, 2]");
  assert_work ("aten::bmm", "[5, 2, 3], [5, 3, 4]", "\"float\", \"float\"", "\"\", \"\"",
               "240 520 [5, 2, 3], [5, 3, 4]");
  assert_work ("aten::baddbmm", "[5, 2, 4], [5, 2, 3], [5, 3, 4]", "\"float\", \"float\", \"float\"",
               "\"\", \"\", \"\"", "280 680 [5, 2, 3], [5, 3, 4]");
  /* the result of a product of float8 is bfloat16, type 15 of PyTorch; bytes of inputs and result: 6 + 12 + 8 · 2 */
  assert_work ("aten::_scaled_mm", "[2, 3], [3, 4], [], [], [], [], []",
               "\"c10::Float8_e4m3fn\", \"c10::Float8_e4m3fn\", \"float\", \"float\", \"\", \"\", \"Scalar\"",
               "\"\", \"\", \"\", \"\", \"\", \"\", \"15\"", "48 34 [2, 3], [3, 4]");
  /* 6 tokens in 2 groups. FLOP: 2 · 6 · 3 · 4; bytes: 2 B · (6 · 3 + 2 · 3 · 4 + 6 · 4) */
  assert_work ("aten::_grouped_mm", "[6, 3], [2, 3, 4], [2]", BF16 ", " BF16 ", \"int\"", "\"\", \"\", \"\"",
               "144 132 [6, 3], [2, 3, 4]");
  /* the groups divide the dimension of length 6 that both inputs have, and each group has a result of 4 · 3; bytes: 2 B
   * · (4 · 6 + 6 · 3 + 2 · 4 · 3) */
  assert_work ("aten::_grouped_mm", "[4, 6], [6, 3], [2]", BF16 ", " BF16 ", \"int\"", "\"\", \"\", \"\"",
               "144 132 [4, 6], [6, 3]");
}

static void
test_convolutions (void)
{
#define LISTS ", \"\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\""
  /* 2 · (512 · 64 · 112 · 112) · (3 · 7 · 7) */
  assert_work ("aten::conv2d", "[512, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], []", BF16 ", " BF16 LISTS,
               "\"\", \"\", \"\", \"[2, 2]\", \"[3, 3]\", \"[1, 1]\", \"1\"",
               "120846286848 976243072 [512, 3, 224, 224], [64, 3, 7, 7] → [512, 64, 112, 112]");
  /* with a bias, in two groups, and padding "same"; FLOP: 2 · 2 · 4 · 8 · (1 · 3) + 2 · 4 · 8 */
  assert_work ("aten::conv1d", "[2, 2, 8], [4, 1, 3], [4], [], [], [], []",
               BF16 ", " BF16 ", " BF16 ", \"ScalarList\", \"\", \"ScalarList\", \"Scalar\"",
               "\"\", \"\", \"\", \"[1]\", \"same\", \"[1]\", \"2\"", "448 224 [2, 2, 8], [4, 1, 3] → [2, 4, 8]");
  /* transposed: each of 2 · 1 output channels has (4 − 1) · 2 + 3 = 9 values; FLOP: 2 · (1 · 4 · 4) · (1 · 3) */
  assert_work ("aten::convolution", "[1, 4, 4], [4, 1, 3], [], [], [], [], [], [], []",
               BF16 ", " BF16 LISTS ", \"ScalarList\", \"Scalar\"",
               "\"\", \"\", \"\", \"[2]\", \"[0]\", \"[1]\", \"True\", \"[0]\", \"2\"",
               "96 92 [1, 4, 4], [4, 1, 3] → [1, 2, 9]");
  /* without strides the size of the output is unknown */
  assert_work ("aten::conv2d", "[512, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], []", BF16 ", " BF16 LISTS, "",
               "unknown");
}

static void
test_convolution_backward (void)
{
#define BACKWARD "[1, 4, 2], [1, 2, 4], [4, 2, 3], [], [], [], [], [], [], [], []"
#define BACKWARD_TYPES                                                                                         \
  TENSORS_3                                                                                                    \
  ", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"ScalarList\", \"Scalar\", \"ScalarList\", \"Scalar\", " \
  "\"ScalarList\""
#define BACKWARD_VALUES "\"\", \"\", \"\", \"[4]\", \"[1]\", \"[0]\", \"[1]\", \"False\", \"[0]\", \"1\", "
  /* each gradient of input and weight: 2 · 8 · 6 FLOP and 2 B · (8 + 8 + 24); that of the bias: 8 FLOP, 16 B */
  assert_work ("aten::convolution_backward", BACKWARD, BACKWARD_TYPES, BACKWARD_VALUES "\"[True, True, True]\"",
               "200 176 [1, 4, 2], [1, 2, 4], [4, 2, 3]");
  assert_work ("aten::convolution_backward", BACKWARD, BACKWARD_TYPES, BACKWARD_VALUES "\"[False, True, False]\"",
               "96 80 [1, 4, 2], [1, 2, 4], [4, 2, 3]");
}

/* Like dup_work(), for a call of PyTorch before 2.0, which records no values. `output`: the size of the output that the
 * backward pass states, with `n` dimensions. */
static char *
dup_work_without_values (const char *name, const char *dims, const guint64 *output, guint n,
                         gboolean lacks_input_gradient)
{
  g_autofree char *args =
    g_strdup_printf ("{\"Input Dims\": [%s, []], \"Input type\": [\"float\", \"float\", %s]}", dims,
                     g_str_has_suffix (name, "backward") ? "\"float\", \"GenericList\"" : "\"\", \"GenericList\"");
  LoomOperatorInputs inputs;
  LoomOperatorWork work;
  g_autoptr (GString) shape = g_string_new (NULL);
  g_assert_true (loom_operator_inputs_read (&inputs, (LoomJsonSlice) { args, strlen (args) }));
  inputs.output = (LoomOperatorInput) { .is_tensor = n > 0, .n = n };
  for (guint i = 0; i < n; i++)
    inputs.output.size[i] = output[i];
  inputs.lacks_input_gradient = lacks_input_gradient;
  if (!loom_operator_work_compute (loom_operator_work_find (name), &inputs, &work, shape))
    return g_strdup ("unknown");
  return g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT " %s", work.flop, work.bytes, shape->str);
}

/* Strides are not recorded, but the backward pass states the sizes of outputs. */
static void
test_convolution_without_values (void)
{
  const guint64 output[] = { 32, 64, 112, 112 }, transposed[] = { 1, 4, 9 }, wrong[] = { 1, 3, 9 };
  /* FLOP: 2 · (32 · 64 · 112 · 112) · (3 · 7 · 7); bytes: 4 B · (32 · 3 · 224 · 224 + 64 · 3 · 7 · 7 + 32 · 64 · 112 ·
   * 112) */
  g_autofree char *direct =
    dup_work_without_values ("aten::conv2d", "[32, 3, 224, 224], [64, 3, 7, 7], []", output, 4, FALSE);
  g_assert_cmpstr (direct, ==, "7552892928 122065664 [32, 3, 224, 224], [64, 3, 7, 7] → [32, 64, 112, 112]");
  /* 4 channels on both sides; the output grows, so each of 16 inputs is multiplied with 4 · 3 weights */
  g_autofree char *grown =
    dup_work_without_values ("aten::convolution", "[1, 4, 4], [4, 4, 3], []", transposed, 3, FALSE);
  g_assert_cmpstr (grown, ==, "384 400 [1, 4, 4], [4, 4, 3] → [1, 4, 9]");
  g_autofree char *other = dup_work_without_values ("aten::convolution", "[1, 4, 4], [4, 4, 3], []", wrong, 3, FALSE);
  g_assert_cmpstr (other, ==, "unknown");
  /* input [1, 2, 4], gradient [1, 4, 2], weight [4, 2, 3]: 2 · 8 · 6 FLOP for each gradient */
  g_autofree char *both =
    dup_work_without_values ("aten::cudnn_convolution_backward", "[1, 2, 4], [1, 4, 2], [4, 2, 3]", NULL, 0, FALSE);
  g_assert_cmpstr (both, ==, "192 320 [1, 2, 4], [1, 4, 2], [4, 2, 3]");
  g_autofree char *weight =
    dup_work_without_values ("aten::cudnn_convolution_backward", "[1, 2, 4], [1, 4, 2], [4, 2, 3]", NULL, 0, TRUE);
  g_assert_cmpstr (weight, ==, "96 160 [1, 2, 4], [1, 4, 2], [4, 2, 3]");
}

static void
test_attention (void)
{
#define HEADS "[1, 8, 141, 64], [1, 8, 141, 64], [1, 8, 141, 64]"
#define FLASH_TYPES TENSORS_3 ", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\""
  /* 2 · 8 · 141 · 141 · (64 + 64); 2 B · 4 · 8 · 141 · 64 */
  assert_work ("aten::_scaled_dot_product_flash_attention", HEADS ", [], [], [], []", FLASH_TYPES,
               "\"\", \"\", \"\", \"0.\", \"False\", \"False\", \"0.125\"", "40716288 577536 " HEADS);
  assert_work ("aten::_scaled_dot_product_flash_attention", HEADS ", [], [], [], []", FLASH_TYPES,
               "\"\", \"\", \"\", \"0.\", \"True\", \"False\", \"0.125\"", "20358144 577536 " HEADS ", causal");
  /* Dimensions are [B, N, H, d]. 4 heads of queries share 2 heads of keys, and values are shorter than keys. FLOP: 2 ·
   * 4 · 5 · 6 · (8 + 2); bytes: 2 B · (5 · 4 · 8 + 6 · 2 · 8 + 6 · 2 · 2 + 5 · 4 · 2) */
  assert_work ("aten::_flash_attention_forward", "[1, 5, 4, 8], [1, 6, 2, 8], [1, 6, 2, 2]", TENSORS_3,
               "\"\", \"\", \"\"", "2400 640 [1, 5, 4, 8], [1, 6, 2, 8], [1, 6, 2, 2]");
  /* causal mask with 2 queries and 3 keys: the queries use 1 and 2 keys if the first query is aligned with the first
   * key, but 2 and 3 keys if the last query is aligned with the last key */
#define UNEQUAL "[1, 1, 2, 4], [1, 1, 3, 4], [1, 1, 3, 4]"
  assert_work ("aten::scaled_dot_product_attention", UNEQUAL ", [], [], []", TENSORS_3 ", \"\", \"Scalar\", \"Scalar\"",
               "\"\", \"\", \"\", \"\", \"0.\", \"True\"", "48 80 " UNEQUAL ", causal");
#define UNEQUAL_3RD "[1, 2, 1, 4], [1, 3, 1, 4], [1, 3, 1, 4]"
  assert_work ("flash_attn::_flash_attn_forward", UNEQUAL_3RD ", [], [], [], [], []",
               TENSORS_3 ", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\"",
               "\"\", \"\", \"\", \"0.\", \"0.1\", \"True\", \"-1\", \"0\"", "80 80 " UNEQUAL_3RD ", causal");
  assert_work ("flash_attn::_flash_attn_forward", UNEQUAL_3RD ", [], [], [], [], []",
               TENSORS_3 ", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\", \"Scalar\"",
               "\"\", \"\", \"\", \"0.\", \"0.1\", \"True\", \"1\", \"0\"", "unknown");
  /* sequences of different lengths packed into one: their lengths are not recorded */
  assert_work ("aten::_flash_attention_forward", "[5, 4, 8], [6, 2, 8], [6, 2, 8]", TENSORS_3, "\"\", \"\", \"\"",
               "unknown");
}

static void
test_attention_backward (void)
{
#define BACK "[1, 1, 2, 4], [1, 1, 2, 4], [1, 1, 2, 4], [1, 1, 2, 4]"
#define SHOWN "[1, 1, 2, 4], [1, 1, 2, 4], [1, 1, 2, 4]"
  /* forward: 2 · 2 · 2 · 8 = 64; 2 B · 7 · 8 */
  assert_work ("aten::_scaled_dot_product_flash_attention_backward", BACK, TENSORS_3 ", " BF16, "", "160 112 " SHOWN);
  assert_work ("aten::_scaled_dot_product_efficient_attention_backward", BACK, TENSORS_3 ", " BF16, "",
               "128 112 " SHOWN);
}

static void
test_elements (void)
{
  assert_work ("aten::add", "[1, 141, 512], [1, 141, 512], []", BF16 ", " BF16 ", \"Scalar\"", "\"\", \"\", \"1\"",
               "72192 433152 [1, 141, 512], [1, 141, 512]");
  /* the second input is repeated, and the result has the larger of both types; bytes: 6 · 2 + 2 · 4 + 6 · 4 */
  assert_work ("aten::mul", "[3, 2], [2]", BF16 ", \"float\"", "\"\", \"\"", "6 44 [3, 2], [2]");
  assert_work ("aten::mul_", "[3, 2], [2]", BF16 ", \"float\"", "\"\", \"\"", "6 32 [3, 2], [2]");
  assert_work ("aten::mul", "[3, 2], []", BF16 ", \"double\"", "\"\", \"\"", "6 24 [3, 2]");
  assert_work ("aten::add", "[3, 2], [3, 2]", "\"long int\", \"long int\"", "\"\", \"\"", "unknown");
  assert_work ("aten::add", "[3, 2], [5]", BF16 ", " BF16, "\"\", \"\"", "unknown");
  assert_work ("aten::sum", "[3, 2], [], [], []", "\"float\", \"ScalarList\", \"Scalar\", \"\"",
               "\"\", \"[-1]\", \"False\", \"\"", "6 36 [3, 2]");
  assert_work ("aten::sum", "[3, 2], []", "\"float\", \"\"", "\"\", \"\"", "6 28 [3, 2]");
  /* 6 is the type of the result, not a dimension */
  assert_work ("aten::sum", "[3, 2], []", "\"float\", \"Scalar\"", "\"\", \"6\"", "6 28 [3, 2]");
  assert_work ("aten::max", "[3, 2], [3, 2]", "\"float\", \"float\"", "\"\", \"\"", "6 72 [3, 2], [3, 2]");
}

/* Files may contain anything. */
static void
test_damaged (void)
{
  assert_work ("aten::mm", "[4294967296, 4294967296], [4294967296, 2]", BF16 ", " BF16, "\"\", \"\"", "unknown");
  assert_work ("aten::mm", "[2, 3], [4, 5]", BF16 ", " BF16, "\"\", \"\"", "unknown");
  assert_work ("aten::mm", "[2, -3], [-3, 5]", BF16 ", " BF16, "\"\", \"\"", "unknown");
  assert_work ("aten::mm", "[2, 3]", BF16, "\"\"", "unknown");
  assert_work ("aten::mm", "", "", "", "unknown");
  assert_work ("aten::mm", "[[2, 3], [3, 5]]", "\"TensorList\"", "\"\"", "unknown");
  assert_work ("aten::mm", "[2, 3], [3, 5]", "\"complex\", \"complex\"", "\"\", \"\"", "unknown");
  assert_work ("aten::linear", "[], [4, 2]", BF16 ", " BF16, "\"\", \"\"", "unknown");
  assert_work ("aten::conv2d", "[1, 1, 1, 1], [1, 1, 9, 9], [], [], [], [], []", BF16 ", " BF16 LISTS,
               "\"\", \"\", \"\", \"[1, 1]\", \"[0, 0]\", \"[1, 1]\", \"1\"", "unknown");
  assert_work ("aten::conv2d", "[1, 1, 9, 9], [1, 0, 9, 9], [], [], [], [], []", BF16 ", " BF16 LISTS,
               "\"\", \"\", \"\", \"[0, 0]\", \"[0, 0]\", \"[1, 1]\", \"1\"", "unknown");
  assert_work ("aten::_flash_attention_forward", "[1, 5, 4, 8], [1, 6, 2, 9], [1, 6, 2, 2]", TENSORS_3,
               "\"\", \"\", \"\"", "unknown");
}

static void
assert_peaks (const char *model, double tflops, double tb_per_s)
{
  LoomDevicePeaks peaks;
  loom_device_peaks_find (&peaks, model, NULL);
  g_assert_cmpfloat_with_epsilon (peaks.flops[LOOM_FLOAT_TYPE_16] / 1e12, tflops, 1e-9);
  g_assert_cmpfloat_with_epsilon (peaks.bandwidth / 1e12, tb_per_s, 1e-9);
}

static void
test_peaks (void)
{
  assert_peaks ("NVIDIA H100 80GB HBM3", 989.4, 3.35);
  assert_peaks ("NVIDIA H100 PCIe", 756, 2.0);
  assert_peaks ("NVIDIA H200", 989.4, 4.8);
  assert_peaks ("NVIDIA GH200 480GB", 0, 0);
  assert_peaks ("NVIDIA B200", 2250, 8.0);
  assert_peaks ("NVIDIA A100-SXM4-80GB", 312, 2.039);
  assert_peaks ("NVIDIA A100-SXM4-40GB", 312, 1.555);
  assert_peaks ("Tesla V100-SXM2-32GB", 125, 0.9);
  assert_peaks ("AMD Instinct MI300X", 1307.4, 5.3);
  assert_peaks ("AMD Instinct MI250X", 191.5, 1.64);
  assert_peaks ("AMD Radeon Graphics", 0, 0);
  LoomDevicePeaks peaks;
  loom_device_peaks_find (&peaks, "NVIDIA A100-SXM4-80GB", NULL);
  g_assert_cmpfloat_with_epsilon (peaks.flops[LOOM_FLOAT_TYPE_32] / 1e12, 19.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (peaks.flops[LOOM_FLOAT_TYPE_TF32] / 1e12, 156, 1e-9);
  assert_peaks ("", 0, 0);
}

/* A peak that the user sets replaces that of the device. A rate in FLOP/s replaces the peaks of all number types. */
static void
test_settings (void)
{
  LoomDevicePeaks peaks;
  loom_device_peaks_find (&peaks, "NVIDIA H200", &(LoomPeakSettings) { .tflops = 500 });
  g_assert_cmpfloat (peaks.flops[LOOM_FLOAT_TYPE_8], ==, 500e12);
  g_assert_cmpfloat (peaks.flops[LOOM_FLOAT_TYPE_64], ==, 500e12);
  g_assert_cmpfloat (peaks.bandwidth, ==, 4.8e12);
  loom_device_peaks_find (&peaks, "unknown", &(LoomPeakSettings) { .tb_per_s = 2 });
  g_assert_cmpfloat (peaks.flops[LOOM_FLOAT_TYPE_16], ==, 0);
  g_assert_cmpfloat (peaks.bandwidth, ==, 2e12);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/efficiency/products", test_products);
  g_test_add_func ("/efficiency/convolutions", test_convolutions);
  g_test_add_func ("/efficiency/convolution-backward", test_convolution_backward);
  g_test_add_func ("/efficiency/convolution-without-values", test_convolution_without_values);
  g_test_add_func ("/efficiency/attention", test_attention);
  g_test_add_func ("/efficiency/attention-backward", test_attention_backward);
  g_test_add_func ("/efficiency/elements", test_elements);
  g_test_add_func ("/efficiency/damaged", test_damaged);
  g_test_add_func ("/efficiency/peaks", test_peaks);
  g_test_add_func ("/efficiency/settings", test_settings);
  return g_test_run ();
}
