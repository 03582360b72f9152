"""CVR: odd one out of four images; 103 rules over nine elementary relations."""
