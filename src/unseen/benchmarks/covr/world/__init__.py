"""The worlds that scenes come from: scene graphs and their subgraphs, drawings and solids, and how they are shown."""
