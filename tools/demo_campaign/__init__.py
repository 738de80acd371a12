"""Builds the demo campaign: the tagged sources, the summarizers that wrote its peers, the simulated judgments.

It is not part of the package. `make demo-campaign` (`python -m tools.demo_campaign` from the root of the tree)
writes `src/pyramidion/demo/campaign` again; the same sources give the same bytes.
"""
