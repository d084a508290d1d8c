"""Search text is compared without case and accents, and every character means itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlas.repository import Repository
from atlas.search import fold, words


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_case_makes_no_difference(text: str) -> None:
    assert fold(text.casefold()) == fold(text)


def test_blank_search_has_no_words() -> None:
    assert words(" \t\u3000\n") == []


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("aland", {"ALA", "NZL"}),
        ("ÅLAND", {"ALA", "NZL"}),
        ("côte d’ivoire", {"CIV"}),
        ("Cote d'Ivoire", {"CIV"}),
        ("deutschland", {"DEU"}),
        ("росси", {"RUS"}),
        ("日本", {"JPN"}),
        ("대한민국", {"KOR"}),
        ("مصر", {"EGY"}),
        ("guinea equatorial", {"GNQ"}),
        ("  Equatorial   Guinea ", {"GNQ"}),
        ("washington", {"USA"}),
        ("%", set()),
        ("_", set()),
        ("\\", set()),
        ("' OR 1=1 --", set()),
        ("e\x00", set()),
        ("no such country", set()),
    ],
)
def test_search_finds_exactly(repository: Repository, text: str, codes: set[str]) -> None:
    total, rows = repository.search(region=None, text=text, limit=250, offset=0, include=[])
    assert {row["cca3"] for row in rows} == codes
    assert total == len(codes)


@pytest.mark.parametrize("text", ["".join(f"{letter} " for letter in "abcde" * 10), "ﷺ" * 100])
def test_search_of_the_greatest_length_is_answered(repository: Repository, text: str) -> None:
    total, rows = repository.search(region=None, text=text, limit=250, offset=0, include=[])
    assert total == len(rows)


def test_repeated_word_is_looked_for_once() -> None:
    assert words("Land land ＬＡＮＤ sea") == ["land", "sea"]
