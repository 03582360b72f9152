"""Several samplers in turn: the examples of each, in its own order."""

from __future__ import annotations

from unseen.core.turns import InTurn


class Sampler:
    """A record is its sampler's letter and its index."""

    def __init__(self, letter):
        self.letter = letter

    def draw(self, index, first=0):
        return (self.letter, index), hash((self.letter, index)), first + 1


def in_turn(key=3):
    return InTurn("abcde", [Sampler(letter) for letter in "abcde"], key)


def test_each_has_its_turn_and_goes_on_where_it_was():
    sampler = in_turn()
    records = [sampler.draw(index)[0] for index in range(15)]
    assert [letter for letter, _ in records] == sampler.names * 3
    assert [index for _, index in records] == [0] * 5 + [1] * 5 + [2] * 5
    assert sorted(sampler.names) == [*"abcde"]


def test_the_order_is_the_keys():
    assert len({tuple(in_turn(key).names) for key in range(20)}) > 5
    assert in_turn(4).names == in_turn(4).names


def test_draws_are_those_of_the_samplers():
    assert in_turn().draw(7, first=5)[2] == 6
