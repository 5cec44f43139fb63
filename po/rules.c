/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of data/rules for xgettext; not compiled. Written by “tests/house/check-translation.py rules”.
 */
N_ ("GPUs are communicating instead of computing. Overlap communication with the backward pass (with larger buckets and fewer small collectives), place the ranks that communicate most on the same node, or give each GPU more work between exchanges."),
N_ ("share of the time that a GPU spends in collectives without computing meanwhile"),
N_ ("{device} of {who} spends {value} of its time in collectives without computing meanwhile (limit: {limit})"),
N_ ("{device} of {who} spends {value} of its time in collectives without computing meanwhile"),
N_ ("Steps wait for their batches. Use more data loader workers, prefetch further ahead, move expensive transforms out of the training loop, or store the data in larger files closer to the machine."),
N_ ("share of a step that a rank waits for data"),
N_ ("{who} waits for data in {count} of {windows} steps, for {mean} of the time of all steps, up to {value} of one step"),
N_ ("The GPU is idle between kernels. Check what the host does in the gaps: data loading, synchronizing calls such as .item(), or Python code between operators. Larger batches, CUDA graphs and compiled models help close them."),
N_ ("share of the time between its first and last kernel in which a GPU is busy"),
N_ ("{device} of {who} is busy for only {value} of the time between its first and last kernel"),
N_ ("The host cannot launch kernels fast enough to keep the GPU busy. Fewer, larger kernels help: fused operators and optimizers, torch.compile, CUDA graphs, or a larger batch."),
N_ ("share of a step in which a rank’s host launches kernels"),
N_ ("{who} is launch-bound in {count} of {windows} steps, for up to {value} of a step"),
N_ ("After warm-up, a job should reuse memory from the allocator’s cache. If the job keeps requesting memory from the driver step after step, something is not being released: losses accumulated with their graphs, growing lists and caches, or batches of increasing size."),
N_ ("number of times that a rank requests memory from the driver in a step"),
N_ ("{who} requests more memory from the driver in {count} of {windows} steps, at least four of them in a row"),
N_ ("The other ranks wait for this rank in every collective. Check for uneven batches, a throttled or shared GPU, or work that only this rank does."),
N_ ("computing time of a rank, relative to that of the median rank"),
N_ ("{who} computes {extra} longer than the median rank ({value} of the median rank’s time)"),
N_ ("{who} computes {extra} longer than the median rank"),
