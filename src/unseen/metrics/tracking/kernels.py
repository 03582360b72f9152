"""What tracking evaluation does millions of times: count pixels, solve small assignments, read runs, match frames."""

from __future__ import annotations

import numpy as np

from unseen.core.kernel import kernel

LABELS = 256  # ids are bytes
SPLAT = np.uint64(0x0101010101010101)  # times a byte: eight pixels of that id
WORD = 8  # pixels

# ---------------------------------------------------------------------------- label maps


@kernel
def rank_labels(labels, words, start, stop):
    """Number the ids of each video in some of its frames without gaps, in their order, 0 first though it may not occur.

    labels (video, frame, pixel) uint8; words are the same bytes as uint64, eight pixels each, or an empty last axis.
    Returns the rank of each id (video, 256), -1 where it does not occur, and how many ranks each video has.
    """
    videos, _, pixels = labels.shape
    step = WORD if words.shape[2] else 1
    ranks = np.full((videos, LABELS), -1, np.int16)
    counts = np.empty(videos, np.int64)
    for v in range(videos):
        seen = np.zeros(LABELS, np.bool_)
        seen[0] = True
        last = np.uint64(0)
        for f in range(start, stop):
            for w in range(pixels // step):
                if step == WORD:
                    if words[v, f, w] == last:
                        continue
                    last = words[v, f, w]
                for i in range(w * step, (w + 1) * step):
                    seen[labels[v, f, i]] = True
        count = 0
        for label in range(LABELS):
            if seen[label]:
                ranks[v, label] = count
                count += 1
        counts[v] = count
    return ranks, counts


@kernel
def count_pixels(truth, truth_words, truth_ranks, prediction, prediction_words, prediction_ranks, start, shared):
    """Add to shared (video, frame from start on, true rank, predicted rank) how many pixels two ids share, in one pass.

    Most neighbors are alike: eight pixels are compared at once with the pair of ids before them.
    """
    videos, _, pixels = truth.shape
    step = WORD if truth_words.shape[2] else 1
    for v in range(videos):
        for n in range(shared.shape[1]):
            f = start + n
            true, predicted, run = truth[v, f, 0], prediction[v, f, 0], 0
            for w in range(pixels // step):
                if step == WORD:
                    if truth_words[v, f, w] == true * SPLAT and prediction_words[v, f, w] == predicted * SPLAT:
                        run += WORD
                        continue
                for i in range(w * step, (w + 1) * step):
                    if truth[v, f, i] != true or prediction[v, f, i] != predicted:
                        shared[v, n, truth_ranks[v, true], prediction_ranks[v, predicted]] += run
                        true, predicted, run = truth[v, f, i], prediction[v, f, i], 0
                    run += 1
            shared[v, n, truth_ranks[v, true], prediction_ranks[v, predicted]] += run


# ---------------------------------------------------------------------------- assignment


@kernel
def solve(costs):
    """The assignment of least total cost: for each row its column, or -1 where there are more rows than columns.

    Shortest augmenting paths with dual variables (Crouse 2016), in the order in which SciPy's linear_sum_assignment
    visits columns, so that ties are resolved alike.
    """
    if costs.shape[0] > costs.shape[1]:
        columns = solve_wide(np.ascontiguousarray(costs.T))
        rows = np.full(costs.shape[0], -1, np.int64)
        for j in range(columns.size):
            rows[columns[j]] = j
        return rows
    return solve_wide(costs)


@kernel
def solve_wide(costs):
    rows, columns = costs.shape
    row_price, column_price = np.zeros(rows), np.zeros(columns)
    column_of, row_of = np.full(rows, -1, np.int64), np.full(columns, -1, np.int64)
    came_from = np.empty(columns, np.int64)
    shortest = np.empty(columns)
    left = np.empty(columns, np.int64)
    for start in range(rows):
        shortest[:] = np.inf
        for j in range(columns):
            left[j] = columns - 1 - j  # backwards: equal costs then give the identity
        count, row, distance, sink = columns, start, 0.0, -1
        while sink < 0:
            nearest, lowest = -1, np.inf
            for k in range(count):
                j = left[k]
                through = distance + costs[row, j] - row_price[row] - column_price[j]
                if through < shortest[j]:
                    shortest[j], came_from[j] = through, row
                # among equals, a free column ends the search
                if shortest[j] < lowest or (shortest[j] == lowest and row_of[j] < 0):
                    nearest, lowest = k, shortest[j]
            distance = lowest
            j = left[nearest]
            count -= 1
            left[nearest], left[count] = left[count], j  # the visited columns gather at the end
            if row_of[j] < 0:
                sink = j
            else:
                row = row_of[j]
        row_price[start] += distance
        for k in range(count, columns):
            j = left[k]
            if j != sink:
                row_price[row_of[j]] += distance - shortest[j]
            column_price[j] -= distance - shortest[j]
        j, row = sink, -1
        while row != start:
            row = came_from[j]
            row_of[j] = row
            column_of[row], j = j, column_of[row]
    return column_of


@kernel
def assign(scores, some_rows, some_columns):
    """For each matrix of scores, each row's column in an assignment of highest total; -1 for rows without one.

    scores (n, rows, columns); the flags (n, rows) and (n, columns) say which of them take part.
    """
    result = np.full(scores.shape[:2], -1, np.int64)
    for n in range(scores.shape[0]):
        rows, columns = np.flatnonzero(some_rows[n]), np.flatnonzero(some_columns[n])
        if rows.size == 0 or columns.size == 0:
            continue
        costs = np.empty((rows.size, columns.size))
        for i in range(rows.size):
            for j in range(columns.size):
                costs[i, j] = -scores[n, rows[i], columns[j]]
        column_of = solve(costs)
        for i in range(rows.size):
            if column_of[i] >= 0:
                result[n, rows[i]] = columns[column_of[i]]
    return result


# ---------------------------------------------------------------------------- runs

NOT_A_NUMBER, ODD, BEFORE_THE_FIRST, BEYOND_THE_LAST = 1, 2, 3, 4  # what may be wrong with runs
SPACE, ZERO, NINE, END = 32, 48, 57, 0  # characters
TAB, RETURN = 9, 13  # tab, line feed and their kin are blanks too
TOO_LARGE = 1 << 40


@kernel
def parse_runs(text, masks, pixels):
    """Read `start length start length ...` of so many masks, each ended by a zero byte, as half-open runs.

    The runs of a mask come back in order and without overlap, so that they mean the pixels that painting them would
    set. Returns starts, stops, where each mask's runs begin (masks + 1), and the first problem: its mask and which.
    """
    starts, stops = np.empty(text.size // 4 + 1, np.int32), np.empty(text.size // 4 + 1, np.int32)
    begins = np.zeros(masks + 1, np.int64)
    mask, runs, value, start, in_number, ordered = 0, 0, 0, -1, False, True
    for i in range(text.size):
        c = text[i]
        if ZERO <= c <= NINE:
            value = min(value * 10 + (c - ZERO), TOO_LARGE)
            in_number = True
            continue
        if c != END and c != SPACE and not TAB <= c <= RETURN:
            return starts, stops, begins, mask, NOT_A_NUMBER
        if in_number:
            if start < 0:
                if value < 1:
                    return starts, stops, begins, mask, BEFORE_THE_FIRST
                start = value - 1
            else:
                if start + value > pixels:
                    return starts, stops, begins, mask, BEYOND_THE_LAST
                if value > 0:
                    if runs > begins[mask] and start < stops[runs - 1]:
                        ordered = False
                    starts[runs], stops[runs] = start, start + value
                    runs += 1
                start = -1
            value, in_number = 0, False
        if c == END:
            if start >= 0:
                return starts, stops, begins, mask, ODD
            if not ordered:
                runs = merge_runs(starts, stops, begins[mask], runs)
                ordered = True
            mask += 1
            begins[mask] = runs
    return starts[:runs], stops[:runs], begins, -1, 0


@kernel
def merge_runs(starts, stops, first, beyond):
    """Sort the runs between two places and join those that overlap; returns where they now end."""
    order = np.argsort(starts[first:beyond])
    sorted_starts, sorted_stops = starts[first:beyond][order], stops[first:beyond][order]
    end = first
    for k in range(order.size):
        if end > first and sorted_starts[k] <= stops[end - 1]:
            stops[end - 1] = max(stops[end - 1], sorted_stops[k])
        else:
            starts[end], stops[end] = sorted_starts[k], sorted_stops[k]
            end += 1
    return end


@kernel
def shared_pixels(starts, stops, begins, one, other_starts, other_stops, other_begins, other):
    """How many pixels two masks share, from their runs alone."""
    i, j, total = begins[one], other_begins[other], 0
    while i < begins[one + 1] and j < other_begins[other + 1]:
        low, high = max(starts[i], other_starts[j]), min(stops[i], other_stops[j])
        if high > low:
            total += high - low
        if stops[i] < other_stops[j]:
            i += 1
        else:
            j += 1
    return total


@kernel
def paint_runs(runs, numbers, labels, over):
    """Give the pixels of every mask its number in labels (frame, pixel), over earlier ones or not at all.

    Returns the first mask that shares pixels with an earlier one of its frame where that is not allowed, or -1.
    """
    starts, stops, begins, frames, _ = runs
    for frame in range(frames.size - 1):
        for mask in range(frames[frame], frames[frame + 1]):
            for run in range(begins[mask], begins[mask + 1]):
                painted = labels[frame, starts[run] : stops[run]]
                if not over and painted.any():
                    return mask
                painted[:] = numbers[mask]
    return -1


# ---------------------------------------------------------------------------- the published matching

ABSENT, MATCH, SWITCH, MISS, FALSE_POSITIVE = 0, 1, 2, 3, 4  # what becomes of a mask; absent: dropped before matching
LARGEST_DISTANCE = 0.5  # of a pair: one less its intersection over union
BACKGROUND_OVERLAP = 0.2  # a prediction that overlaps a background mask by more is taken for background


@kernel
def mask_areas(starts, stops, begins):
    areas = np.zeros(begins.size - 1, np.int64)
    for mask in range(areas.size):
        for run in range(begins[mask], begins[mask + 1]):
            areas[mask] += stops[run] - starts[run]
    return areas


@kernel
def overlaps_of(truth, rows, areas, predictions, columns, other_areas):
    """Intersection over union of some true masks and some predicted ones."""
    starts, stops, begins = truth[:3]
    other_starts, other_stops, other_begins = predictions[:3]
    iou = np.empty((rows.size, columns.size))
    for i in range(rows.size):
        for j in range(columns.size):
            mask, other = rows[i], columns[j]
            both = shared_pixels(starts, stops, begins, mask, other_starts, other_stops, other_begins, other)
            iou[i, j] = both / (areas[mask] + other_areas[other] - both)
    return iou


@kernel
def pair_frame(ids, other_ids, costs, partner_of):
    """Pair the masks of one frame, and note the new partners: the column of each row, and which rows switched."""
    rows, columns = costs.shape
    allowed = costs <= LARGEST_DISTANCE
    column_of, switched = np.full(rows, -1, np.int64), np.zeros(rows, np.bool_)
    taken = np.zeros(columns, np.bool_)
    for i in range(rows):
        for j in range(columns):
            if not taken[j] and other_ids[j] == partner_of[ids[i]]:
                if allowed[i, j]:
                    column_of[i], taken[j] = j, True
                break  # only the first of equal ids is tried
    largest = -1.0
    for i in range(rows):
        for j in range(columns):
            allowed[i, j] &= column_of[i] < 0 and not taken[j]
            if allowed[i, j]:
                largest = max(largest, costs[i, j])
    if largest < 0:
        return column_of, switched
    forbidden = 2 * min(rows, columns) * (largest + 1) + 1  # dearer than all allowed pairs together
    solution = solve(np.where(allowed, costs, forbidden))
    for i in range(rows):
        j = solution[i]
        if j >= 0 and allowed[i, j]:
            before = partner_of[ids[i]]
            column_of[i], switched[i] = j, before >= 0 and before != other_ids[j]
            partner_of[ids[i]] = other_ids[j]
    return column_of, switched


@kernel
def match_published(truth, predictions, background, min_pixels):
    """Match every frame as the published evaluation does; see published.py for the rules and their sources.

    truth and predictions are (starts, stops, begins of masks, begins of frames, dense ids); background (frame,) is how
    many of the last true masks of a frame are background. Returns what became of each true mask, its partner and the
    distance to it, what became of each predicted mask, and the first frame with more background than masks, or -1.
    """
    frames, ids = truth[3:]
    other_frames, other_ids = predictions[3:]
    events, partners = np.zeros(ids.size, np.int8), np.full(ids.size, -1, np.int64)
    distances, other_events = np.full(ids.size, np.nan), np.zeros(other_ids.size, np.int8)
    areas = mask_areas(truth[0], truth[1], truth[2])
    other_areas = mask_areas(predictions[0], predictions[1], predictions[2])
    partner_of = np.full(ids.size, -1, np.int64)  # by true id, of which there are no more than masks
    for f in range(background.size):
        rows = np.flatnonzero(areas[frames[f] : frames[f + 1]] > min_pixels) + frames[f]
        columns = np.flatnonzero(other_areas[other_frames[f] : other_frames[f + 1]] > min_pixels) + other_frames[f]
        iou = overlaps_of(truth, rows, areas, predictions, columns, other_areas)
        objects = rows.size - background[f]
        if objects < 0:
            return events, partners, distances, other_events, f
        kept = np.ones(columns.size, np.bool_)
        for i in range(objects, rows.size):
            kept &= iou[i] <= BACKGROUND_OVERLAP
        rows, columns, costs = rows[:objects], columns[kept], 1.0 - iou[:objects][:, kept]
        column_of, switched = pair_frame(ids[rows], other_ids[columns], costs, partner_of)
        other_events[columns] = FALSE_POSITIVE
        for i in range(objects):
            j = column_of[i]
            if j < 0:
                events[rows[i]] = MISS
            else:
                events[rows[i]] = SWITCH if switched[i] else MATCH
                partners[rows[i]], distances[rows[i]] = columns[j], costs[i, j]
                other_events[columns[j]] = MATCH
    return events, partners, distances, other_events, -1
