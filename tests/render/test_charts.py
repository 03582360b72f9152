"""Charts are well-formed SVG that shows every number it is given."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from unseen.render.charts import HEIGHT, WIDTH, Bar, bar_chart, line_chart, ticks


def elements(svg: str, tag: str) -> list[ElementTree.Element]:
    return [one for one in ElementTree.fromstring(svg).iter() if one.tag == tag]


def test_every_curve_has_a_line_and_a_name_inside_the_chart():
    svg = line_chart({"train": [(0, 2.0), (50, 1.0)], "a<b": [(0, 3.0), (50, 0.0)]}, over="step", what="loss")
    points = [
        tuple(map(float, point.split(",")))
        for line in elements(svg, "polyline")
        for point in line.attrib["points"].split()
    ]
    assert len(points) == 4
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert {"train", "a<b", "loss", "step"} <= {text.text for text in elements(svg, "text")}


def test_a_curve_without_points_keeps_its_color():
    svg = line_chart({"train": [], "val": [(0, 1.0)]}, over="step", what="loss")
    (line,) = elements(svg, "polyline")
    assert line.attrib["class"] == "line c1"


def test_values_of_zero_can_be_drawn():
    assert elements(line_chart({"val": [(0, 0.0)]}, over="step", what="accuracy"), "polyline")


@pytest.mark.parametrize("most", [1e-4, 0.3, 1, 7, 9.99, 10, 64, 156_300])
def test_ticks_are_few_and_reach_the_highest_value(most):
    found = ticks(most)
    assert found[0] == 0
    assert found[-1] >= most
    assert 4 <= len(found) <= 7


def test_a_bar_says_ours_and_the_papers():
    svg = bar_chart([Bar("in distribution", 90.0, paper=100.0), Bar("out of distribution", 0.0)])
    texts = {text.text for text in elements(svg, "text")}
    assert {"90.0 % (paper 100.0)", "0.0 %"} <= texts
    assert len(elements(svg, "path")) == 1  # the mark of the paper's number


def test_stops_stand_at_equal_distances():
    svg = line_chart(
        {"ours": [(20, 1.0), (50, 2.0), (1000, 3.0)]}, over="samples", what="accuracy", stops=(20, 50, 1000)
    )
    (line,) = elements(svg, "polyline")
    first, second, third = (float(point.partition(",")[0]) for point in line.attrib["points"].split())
    assert second - first == pytest.approx(third - second)
    assert {"20", "50", "1,000"} <= {text.text for text in elements(svg, "text")}


@pytest.mark.parametrize(("least", "most"), [(-0.3, 2.6), (-5.0, 0.0), (-1e-3, 1e-3)])
def test_ticks_reach_below_zero_where_values_do(least, most):
    found = ticks(most, least)
    assert found[0] <= least
    assert found[-1] >= most
    assert 0 in found
    assert len(found) <= 8


def test_a_line_of_the_paper_is_dashed_in_the_color_of_ours_and_named_where_we_have_none():
    svg = line_chart(
        {"ours": [(0, -1.0), (1, 2.0)]}, over="alpha", what="gap", paper={"ours": [(0, 1.0)], "theirs": [(0, 2.0)]}
    )
    classes = [line.attrib["class"] for line in elements(svg, "polyline")]
    assert classes == ["line c0", "line paper c0", "line paper c1"]
    names = [text.text for text in elements(svg, "text") if text.text in ("ours", "theirs")]
    assert sorted(names) == ["ours", "theirs"]
    heights = [
        float(point.split(",")[1]) for line in elements(svg, "polyline") for point in line.attrib["points"].split()
    ]
    assert all(0 <= height <= HEIGHT for height in heights)
