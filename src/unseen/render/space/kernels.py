"""The z-buffer: the triangles of a mesh into depth and ids, the same on every machine.

Corners are snapped to 1/256 of a pixel and coverage is decided in integers, so that a last bit of difference between
two machines' sines does not move an edge.
"""

from __future__ import annotations

import math

import numpy as np

from unseen.core.kernel import kernel

STEPS = 256  # of a corner's place within a pixel
NEAR = 0.02  # nothing nearer to the camera than this is drawn


@kernel
def draw(vertices, triangles, pose, camera, name, order, depth, ids, touched):
    """Draw one mesh. Returns how many pixels it covers, hidden or not.

    vertices float64 (n, 3), triangles int32 (m, 3); pose: x, y, z, size, cosine and sine of the turn; camera: its
    right, up and forward (unit vectors), its position, and the focal length in pixels. depth float64 (size, size),
    the distance along forward, and ids uint8 (size, size) are changed where the mesh is nearest, ids to name.
    touched int32 (size, size): the order, above 0, of the last mesh that covered each pixel; meshes come in this order.
    """
    seen = np.empty((len(vertices), 3))
    snapped = np.empty((len(vertices), 2), np.int64)
    inverse = np.empty(len(vertices))
    for k in range(len(vertices)):
        look(vertices, k, pose, camera, seen)
        if seen[k, 2] >= NEAR:
            inverse[k] = snap(seen, k, camera[12], len(depth), snapped)
    polygon = np.empty((4, 3))
    corners = np.empty((4, 2), np.int64)
    far = np.empty(4)
    covered = 0
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if min(seen[a, 2], seen[b, 2], seen[c, 2]) >= NEAR:
            covered += fill(snapped, inverse, c, b, a, name, order, depth, ids, touched)
        else:
            count = clip(seen, a, b, c, polygon)
            for k in range(count):
                far[k] = snap(polygon, k, camera[12], len(depth), corners)
            for k in range(2, count):
                covered += fill(corners, far, k, k - 1, 0, name, order, depth, ids, touched)
    return covered


@kernel
def look(vertices, k, pose, camera, seen):
    """Vertex k of a unit mesh as the camera sees it: how far right, up and forward."""
    x = pose[3] * (vertices[k, 0] * pose[4] - vertices[k, 1] * pose[5]) + pose[0] - camera[9]
    y = pose[3] * (vertices[k, 0] * pose[5] + vertices[k, 1] * pose[4]) + pose[1] - camera[10]
    z = pose[3] * vertices[k, 2] + pose[2] - camera[11]
    for axis in range(3):
        seen[k, axis] = x * camera[3 * axis] + y * camera[3 * axis + 1] + z * camera[3 * axis + 2]


@kernel
def snap(seen, k, focal, size, snapped):
    """Put point k on the grid of the image; returns its inverse depth."""
    inverse = 1 / seen[k, 2]
    snapped[k, 0] = math.floor((size / 2 + focal * seen[k, 0] * inverse) * STEPS + 0.5)
    snapped[k, 1] = math.floor((size / 2 - focal * seen[k, 1] * inverse) * STEPS + 0.5)
    return inverse


@kernel
def clip(seen, a, b, c, polygon):
    """The part of a triangle that is not too near; returns its number of corners: 0, 3 or 4."""
    count = 0
    for here, following in ((a, b), (b, c), (c, a)):
        if seen[here, 2] >= NEAR:
            polygon[count] = seen[here]
            count += 1
        if (seen[here, 2] >= NEAR) != (seen[following, 2] >= NEAR):
            part = (NEAR - seen[here, 2]) / (seen[following, 2] - seen[here, 2])
            for axis in range(2):
                polygon[count, axis] = seen[here, axis] + part * (seen[following, axis] - seen[here, axis])
            polygon[count, 2] = NEAR
            count += 1
    return count


@kernel
def fill(corners, inverse, a, b, c, name, order, depth, ids, touched):
    """Fill the triangle of corners a, b and c, clockwise in the image, whose inverse depths are given.

    Rows grow downwards, so what is clockwise here faces away: callers pass the corners of a face in reverse.
    Returns how many pixels are newly touched.
    """
    ax, ay, bx, by, cx, cy = corners[a, 0], corners[a, 1], corners[b, 0], corners[b, 1], corners[c, 0], corners[c, 1]
    size, half = len(depth), STEPS // 2
    left = max(0, (min(ax, bx, cx) + half - 1) // STEPS)
    right = min(size - 1, (max(ax, bx, cx) - half) // STEPS)
    top = max(0, (min(ay, by, cy) + half - 1) // STEPS)
    bottom = min(size - 1, (max(ay, by, cy) - half) // STEPS)
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if area <= 0 or left > right:
        return 0
    new = 0
    for row in range(top, bottom + 1):
        y = row * STEPS + half
        first, last = span(left, right, y, ax, ay, bx, by)
        first, last = span(first, last, y, bx, by, cx, cy)
        first, last = span(first, last, y, cx, cy, ax, ay)
        for column in range(first, last + 1):
            x = column * STEPS + half
            wb = (ax - cx) * (y - cy) - (ay - cy) * (x - cx)
            wc = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            if touched[row, column] != order:
                touched[row, column] = order
                new += 1
            z = area / ((area - wb - wc) * inverse[a] + wb * inverse[b] + wc * inverse[c])
            if z < depth[row, column]:
                depth[row, column] = z
                ids[row, column] = name
    return new


@kernel
def span(first, last, y, px, py, qx, qy):
    """The columns from first to last of the row at height y whose centers are to the inner side of the edge p to q.

    A center on the edge counts only if the edge goes up, or level to the right: to one of two triangles that share it.
    """
    step = (py - qy) * STEPS  # of the edge function, from one column to the next
    begin = (qx - px) * (y - py) - (qy - py) * (STEPS // 2 - px)  # the edge function at column 0
    if qy > py or (qy == py and qx < px):
        begin -= 1
    if step > 0:
        first = max(first, -(begin // step))
    elif step < 0:
        last = min(last, begin // -step)
    elif begin < 0:
        last = first - 1
    return first, last
