"""The compiled half of CVR: contours, their geometry, places, the images of a problem, and their pixels."""
