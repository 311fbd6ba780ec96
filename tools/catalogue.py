"""The message catalogues: python -m tools catalogue brings them up to date and compiles them (it needs babel).

What is to be translated: the templates in calls of ``Message`` and of the methods of `satdip.telling.speech.Speech`,
and the sentences that stand in tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from satdip.lab.explain.explanation import STATEMENTS
from satdip.rulebook import issues
from satdip.telling.reasons import LIMITS, SENTENCES
from satdip.telling.render import OUTCOME_WORDS
from satdip.telling.speech import LISTS, PHASE_TERMS, UNIT_FORMS

__all__ = ["KEYWORDS", "LOCALES", "catalogue", "languages", "messages", "write"]

ROOT = Path(__file__).resolve().parents[1]
LOCALES = ROOT / "satdip" / "locale"
KEYWORDS = {"Message": None, "say": None}
LINKED = ("encodings", "maps", "locale")  # folders without sentences

Found = tuple[str, str | tuple[str, ...], str | None]
"""The file of a message, the message (or its singular and plural), and its context."""


def messages() -> Iterator[Found]:
    """Yield what is to be translated."""
    found = extract_from_dir(ROOT / "satdip", [("**.py", "python")], keywords=KEYWORDS, directory_filter=_has_sentences)
    for file, _, message, _, context in found:
        yield f"satdip/{file}", message, context
    for sentence in (*SENTENCES.values(), *LIMITS.values()):
        yield "satdip/telling/reasons.py", sentence, None
    for sentence in (*LISTS.values(), *UNIT_FORMS.values()):
        yield "satdip/telling/speech.py", sentence, None
    for sentence in STATEMENTS:
        yield "satdip/lab/explain/explanation.py", sentence, None
    for issue in issues():
        yield "satdip/rulebook/rulebook.py", issue.title, None
        for choice in issue.choices:
            yield "satdip/rulebook/choices.py", choice.meaning, None
    for word in OUTCOME_WORDS:
        yield "satdip/telling/render.py", word, "outcome"
    for term in PHASE_TERMS:
        yield "satdip/telling/speech.py", term, "phase"


def _has_sentences(folder: str) -> bool:
    return Path(folder).name not in LINKED


def languages() -> list[str]:
    """Return the languages that have a catalogue."""
    return sorted(folder.name for folder in LOCALES.iterdir() if folder.is_dir())


def catalogue(language: str) -> Catalog:
    """Return the translations of a language, as its file has them."""
    with _file(language, "po").open("rb") as file:
        return read_po(file, locale=language, domain="satdip")


def write(translations: Catalog, language: str) -> None:
    """Write the file that people edit and the one that the program reads."""
    with _file(language, "po").open("wb") as file:
        write_po(file, translations, width=120, ignore_obsolete=True, sort_by_file=True, include_lineno=False)
    with _file(language, "mo").open("wb") as file:
        write_mo(file, catalogue(language))


def _file(language: str, ending: str) -> Path:
    return LOCALES / language / "LC_MESSAGES" / f"satdip.{ending}"


def write_all() -> None:
    """Bring every catalogue up to date."""
    template = Catalog(domain="satdip")
    for file, message, context in messages():
        template.add(message, locations=[(file, 0)], context=context)
    for language in languages():
        translations = catalogue(language)
        translations.update(template, no_fuzzy_matching=True, update_creation_date=False)
        write(translations, language)
