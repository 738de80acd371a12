from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

UNICODE_VERSION: str

class WordLists:
    def __init__(self, stop_words: str, exceptions: str) -> None: ...
    def is_stop_word(self, token: str) -> bool: ...

class Limit:
    def __init__(
        self,
        words: int = 0,
        bytes: int = 0,
        leading_blank_is_word: bool = True,
        lcs_forgets_bytes: bool = True,
    ) -> None: ...

class Quirks:
    def __init__(self, su_drops_last_unigram: bool = True, w_weights_model_twice: bool = True) -> None: ...

class Background:
    has_pairs: bool
    def __init__(
        self,
        forms: str,
        counts: NDArray[np.float64],
        weights: NDArray[np.float64],
        total: float,
        unseen: float,
    ) -> None: ...

class FreeSettings:
    def __init__(
        self,
        smoothing: float,
        log_unit: float,
        cutoff: float,
        over_only: bool,
        background: Background | None,
        smooth_unseen: bool = False,
    ) -> None: ...

class ArrowTable:
    names: list[str]
    rows: int
    def __init__(self, data: object) -> None: ...

class ArrowNumbers:
    def __init__(self, names: list[str], columns: NDArray[np.float64]) -> None: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...

def set_plugin_lists(lists: WordLists) -> None: ...
def count_arrow(
    summaries: ArrowTable,
    references: ArrowTable,
    summary_name: str,
    reference_name: str,
    kinds: list[tuple[str, float]],
    lists: WordLists,
    tokens: str,
    stems: str,
    stop: bool,
    limit: Limit,
    quirks: Quirks,
    max_cells: int,
    long_line: int,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.int64], bool, bool]: ...
def pool_rows(
    counts: NDArray[np.float64], starts: NDArray[np.int64], best_f: bool, alpha: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]: ...
def count_overlaps(
    texts: Sequence[str | Sequence[str]],
    pairs: NDArray[np.int64],
    kinds: list[tuple[str, float]],
    out: NDArray[np.float64],
    lists: WordLists,
    tokens: str,
    stems: str,
    stop: bool,
    limit: Limit,
    quirks: Quirks,
    max_cells: int,
    threads: int,
) -> None: ...
def count_token_overlaps(
    texts: Sequence[Sequence[Sequence[str]]],
    pairs: NDArray[np.int64],
    kinds: list[tuple[str, float]],
    out: NDArray[np.float64],
    quirks: Quirks,
    max_cells: int,
    threads: int,
) -> None: ...
def count_be_overlaps(
    texts: Sequence[Sequence[tuple[str, str, str]]],
    pairs: NDArray[np.int64],
    modes: list[str],
    out: NDArray[np.float64],
    lists: WordLists,
    stem: bool,
    threads: int,
) -> None: ...
def score_free(
    texts: Sequence[str | Sequence[str]],
    inputs: Sequence[Sequence[int]],
    summaries: NDArray[np.int64],
    settings: Sequence[FreeSettings],
    features: NDArray[np.float64],
    words: NDArray[np.float64],
    described: NDArray[np.float64],
    lists: WordLists,
    tokens: str,
    stems: str,
    stop: bool,
    pairs: bool,
    threads: int,
) -> None: ...
def contrast_words(
    texts: Sequence[str | Sequence[str]],
    background: Background,
    lists: WordLists,
    tokens: str,
    stems: str,
    stop: bool,
    pairs: bool,
) -> list[tuple[str, float, float, float, bool]]: ...
def tokens_of(
    text: str | Sequence[str],
    lists: WordLists,
    tokens: str,
    stems: str,
    stop: bool,
    limit: Limit,
    lcs: bool,
) -> list[tuple[int, int, int, str, str]]: ...
def forms_of(text: str | Sequence[str], lists: WordLists, tokens: str, stems: str, stop: bool) -> list[str]: ...
def match_tokens(
    peer: Sequence[Sequence[str]],
    model: Sequence[Sequence[str]],
    peer_lcs: Sequence[Sequence[str]],
    model_lcs: Sequence[Sequence[str]],
    kind: tuple[str, float],
    quirks: Quirks,
    max_cells: int,
) -> tuple[bytes, bytes]: ...
def cut_sizes(sentences: Sequence[str], limit: Limit) -> list[int]: ...
def stem(word: str, dialect: str, lists: WordLists) -> str: ...
def stem_token(token: str, stems: str, lists: WordLists) -> str: ...
