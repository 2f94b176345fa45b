"""Dates in words that no locale changes."""

import datetime
from enum import StrEnum


class DateLanguage(StrEnum):
    """The format of dates."""

    ISO = "iso"
    ENGLISH = "en"
    AMERICAN = "en-US"
    GERMAN = "de"
    SPANISH = "es"
    FRENCH = "fr"
    PORTUGUESE = "pt"


_MONTHS = {
    DateLanguage.ENGLISH: "January February March April May June July August September October November December",
    DateLanguage.GERMAN: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    DateLanguage.SPANISH: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    DateLanguage.FRENCH: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    DateLanguage.PORTUGUESE: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
_MONTHS[DateLanguage.AMERICAN] = _MONTHS[DateLanguage.ENGLISH]

_FORMS = {
    DateLanguage.ENGLISH: "{day} {month} {year}",
    DateLanguage.AMERICAN: "{month} {day}, {year}",
    DateLanguage.GERMAN: "{day}. {month} {year}",
    DateLanguage.SPANISH: "{day} de {month} de {year}",
    DateLanguage.FRENCH: "{day} {month} {year}",
    DateLanguage.PORTUGUESE: "{day} de {month} de {year}",
}


def date_in_words(date: datetime.date, language: DateLanguage = DateLanguage.ENGLISH) -> str:
    """The date as people write it.

    >>> [date_in_words(datetime.date(2026, 3, 1), DateLanguage(language)) for language in ("en", "en-US", "iso")]
    ['1 March 2026', 'March 1, 2026', '2026-03-01']
    >>> date_in_words(datetime.date(2026, 3, 1), DateLanguage.FRENCH)
    '1er mars 2026'
    """
    if language is DateLanguage.ISO:
        return date.isoformat()
    month = _MONTHS[language].split()[date.month - 1]
    day = "1er" if language is DateLanguage.FRENCH and date.day == 1 else date.day
    return _FORMS[language].format(day=day, month=month, year=date.year)
