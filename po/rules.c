/* SPDX-License-Identifier: Apache-2.0
 *
 * Of data/rules, for xgettext alone: tests/house/check-translation.py rules.
 */
N_ ("GPUs talk to one another instead of computing. Overlap communication with the backward pass (larger buckets, fewer small collectives), put ranks that talk most on the same node, or let each GPU do more work between two exchanges."),
N_ ("{device} of {who} spends {value} of its time in collectives; {limit} is the limit"),
N_ ("Steps wait for their batch. Use more loader processes, prefetch further ahead, move expensive transforms out of the loop, and store the data in larger files closer to the machine."),
N_ ("{who} waits for data in {count} of {windows} steps, up to {value} of a step"),
N_ ("Between its kernels the GPU has nothing to do. Look at what the host does in the gaps: data loading, synchronising calls such as .item(), Python code between operators. Larger batches, CUDA graphs and compiled models fill gaps."),
N_ ("{device} of {who} works only {value} of the time between its first kernel and its last"),
N_ ("The host spends the step launching kernels and cannot keep ahead of the GPU. Fewer and larger kernels help: fused operators and optimizers, torch.compile, CUDA graphs, a larger batch."),
N_ ("{count} of {windows} steps of {who} are spent launching kernels, up to {value} of a step"),
N_ ("A job that has warmed up takes its memory from the allocator's cache. When step after step asks the driver for more, something is kept that should be given up: losses added up with their graphs, growing lists and caches, batches of growing size."),
N_ ("{who} asks the driver for more memory in {count} of {windows} steps, at least four of them in a row"),
N_ ("The others wait for this rank in every collective. Look for uneven batches, a GPU that is throttled or shared, and work that only this rank does."),
N_ ("{who} computes {extra} more than the ranks do in the median ({value})"),
