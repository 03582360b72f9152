"""Words: how subgraphs are worded, how words are inflected, what they have to do with each other."""
