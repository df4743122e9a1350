"""What chunkwright is measured by: one runner (`python -m benchmarks`), measurements, peers, saved
results and the page made of them. Nothing of it is in the package that is installed.
"""
