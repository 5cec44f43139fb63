# SPDX-License-Identifier: Apache-2.0
"""The parts of make-sample.py: one simulated job (job.py) and one writer per trace format."""
