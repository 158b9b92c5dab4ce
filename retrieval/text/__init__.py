"""What text is, for the whole program: cleaning, words, sentences, names, dates and numbers.

This is the only part of ``retrieval`` that ``scoring`` may use, so that there is one idea of
"the same name" everywhere.
"""

from retrieval.text.clean import clean
from retrieval.text.dates import Date, find_dates, parse_date
from retrieval.text.identity import bare_title, name_key, same_name
from retrieval.text.markup import without_markup
from retrieval.text.names import Mention, find_names
from retrieval.text.numbers import Number, find_amounts, find_numbers, parse_number
from retrieval.text.sentences import sentence_spans
from retrieval.text.words import STOPWORDS, content_words, fold, jaccard, words

__all__ = [
    "STOPWORDS",
    "Date",
    "Mention",
    "Number",
    "bare_title",
    "clean",
    "content_words",
    "find_amounts",
    "find_dates",
    "find_names",
    "find_numbers",
    "fold",
    "jaccard",
    "name_key",
    "parse_date",
    "parse_number",
    "same_name",
    "sentence_spans",
    "without_markup",
    "words",
]
