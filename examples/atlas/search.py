"""How text is compared: without case, accents or typographic apostrophes."""

import unicodedata

_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "ʻ": "'", "ʼ": "'", "`": "'"})


def fold(text: str) -> str:
    """Reduce a text to what a search compares.

    Case, combining marks, compatibility forms and kinds of apostrophe go; the letters of every
    script stay. Where a mark carries meaning (some of Thai and Devanagari), a search finds more
    than it strictly should, never less.

    Args:
        text: Any text.

    Returns:
        The folded text; folding it again changes nothing.

    Example:
        >>> fold("Åland Islands"), fold("Côte d’Ivoire"), fold("STRASSE") == fold("Straße")
        ('aland islands', "cote d'ivoire", True)
    """
    decomposed = unicodedata.normalize("NFKD", text.translate(_APOSTROPHES)).casefold()
    # Casefolding may compose or add marks (İ becomes i and a dot), so it comes between the two.
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", decomposed)
        if not unicodedata.combining(letter)
    )
    return unicodedata.normalize("NFC", bare)


def words(text: str) -> list[str]:
    """Split a search into the different folded words that must all occur; none if it is blank."""
    return list(dict.fromkeys(fold(text).split()))
