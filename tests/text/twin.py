"""The readable specification of the native kernels: the same counts in plain Python, slow and obvious.

Written from the description of ROUGE-1.5.5's behaviour, for tests only. Nothing here is shared with the package
except the word lists.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from pyramidion.text.word_lists import read_data

Tokens = Sequence[Sequence[str]]
"""A text: sentences of tokens."""

# --- tokens, stop words, stems ---------------------------------------------------------------------------------------


def rouge155_tokens(sentence: bytes) -> list[str]:
    """Runs of ASCII letters and digits, lower-cased; every other byte separates."""
    return [run.decode("ascii").lower() for run in re.findall(rb"[A-Za-z0-9]+", sentence)]


def rouge_score_tokens(sentence: str) -> list[str]:
    return re.findall("[a-z0-9]+", sentence.lower())


NO_SPACES = (
    "BALINESE ", "BOPOMOFO ", "CJK COMPATIBILITY IDEOGRAPH", "CJK UNIFIED IDEOGRAPH", "HALFWIDTH KATAKANA",
    "HENTAIGANA ", "HIRAGANA ", "IDEOGRAPHIC ", "JAVANESE ", "KATAKANA ", "KATAKANA-HIRAGANA ", "KHMER ", "LAO ",
    "MYANMAR ", "NEW TAI LUE ", "TAI LE ", "TAI THAM ", "TAI VIET ", "THAI ", "VERTICAL KANA",
)  # fmt: skip


def unicode_tokens(sentence: str) -> list[str]:
    tokens: list[str] = []
    current, single = "", False
    for character in [*sentence, " "]:
        category = unicodedata.category(character)
        is_single = unicodedata.name(character, "").startswith(NO_SPACES) and (category[0] == "L" or category == "Nl")
        starts = category[0] in "LN"
        ignorable = category == "Cf" and character != "\u200b"
        continues = category[0] == "M" or ignorable or (starts and not is_single and not single)
        if not continues:
            tokens += [current] if current else []
            current, single = "", False
        if starts or (category[0] == "M" and current):
            current += character.casefold()
            single = single or is_single
    return tokens


def exceptions() -> dict[str, str]:
    lines = read_data("wordnet_exceptions.tsv").splitlines()
    return {line.split("\t")[0]: line.split("\t")[1] for line in lines}


EXCEPTIONS = exceptions()
STOP_WORDS = frozenset(read_data("smart_stop_words.txt").splitlines())


def consonants(word: str) -> str:
    """The word as a string of c and v (Porter 1980, section 2)."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def measure(word: str) -> int:
    return len(re.findall("v+c+", consonants(word)))


def ends_cvc(word: str) -> bool:
    return consonants(word).endswith("cvc") and word[-1] not in "wxy"


def replace_suffix(word: str, rules: Iterable[tuple[str, str]], least: int) -> str:
    """The longest suffix that is there is replaced, if the measure of what stands before it is at least so much."""
    for suffix, replacement in sorted(rules, key=lambda rule: -len(rule[0])):
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            return stem + replacement if measure(stem) >= least else word
    return word


def rules(text: str) -> dict[str, str]:
    """suffix=replacement, blank-separated."""
    return {suffix: replacement for suffix, _, replacement in (rule.partition("=") for rule in text.split())}


STEP_2 = rules(
    """ational=ate tional=tion enci=ence anci=ance izer=ize bli=ble alli=al entli=ent eli=e ousli=ous ization=ize
    ation=ate ator=ate alism=al iveness=ive fulness=ful ousness=ous aliti=al iviti=ive biliti=ble logi=log"""
)
STEP_3 = rules("icate=ic ative= alize=al iciti=ic ical=ic ful= ness=")
STEP_4 = rules("al= ance= ence= er= ic= able= ible= ant= ement= ou= ism= ate= iti= ous= ive= ize=")


def rouge155_porter(word: str) -> str:
    if len(word) <= 2:
        return word
    word = replace_suffix(word, [("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", "")], 0)
    if word.endswith("eed"):
        word = word[:-1] if measure(word[:-3]) > 0 else word
    elif match := re.fullmatch("(.*)(ed|ing)", word, re.DOTALL):
        stem = match[1]
        if "v" in consonants(stem):
            if stem.endswith(("at", "bl", "iz")):
                word = stem + "e"
            elif stem[-1:] == stem[-2:-1] and stem[-1] not in "lsz" and consonants(stem)[-1] == "c":
                word = stem[:-1]
            elif measure(stem) == 1 and ends_cvc(stem):
                word = stem + "e"
            else:
                word = stem
    if word.endswith("y") and "v" in consonants(word[:-1]):
        word = word[:-1] + "i"
    word = replace_suffix(word, STEP_2.items(), 1)
    word = replace_suffix(word, STEP_3.items(), 1)
    word = replace_suffix(word, STEP_4.items(), 2)
    word = replace_suffix(word, [("ment", "")], 2)
    if word.endswith("ent"):
        word = replace_suffix(word, [("ent", "")], 2)
    elif word.endswith(("sion", "tion")) and measure(word[:-3]) > 1:
        word = word[:-3]
    if word.endswith("e"):
        stem = word[:-1]
        if measure(stem) > 1 or (measure(stem) == 1 and not ends_cvc(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and measure(word) > 1 else word


def rouge155_stem(token: str) -> str:
    if len(token) <= 3:
        return token
    return EXCEPTIONS.get(token) or rouge155_porter(token)


# --- reading a text --------------------------------------------------------------------------------------------------


def perl_split(text: bytes) -> list[bytes]:
    r"""split(/\s+/, $text): an empty first field when white space leads, none at the end."""
    fields = re.split(rb"[ \t\n\r\f\v]+", text)
    while fields and not fields[-1]:
        fields.pop()
    return fields


def cut_to_words(sentences: Sequence[bytes], limit: int, *, leading_blank_is_word: bool) -> list[bytes]:
    kept, total = [], 0
    for sentence in sentences:
        fields = perl_split(sentence if leading_blank_is_word else sentence.lstrip())
        if total + len(fields) < limit:
            kept.append(sentence)
            total += len(fields)
        else:
            kept.append(b" ".join(fields[: limit - total]))
            break
    return kept


def cut_to_bytes(sentences: Sequence[bytes], limit: int, *, forget: bool) -> list[bytes]:
    kept, total = [], 0
    for sentence in sentences:
        if total + len(sentence) < limit:
            kept.append(sentence)
            total += 0 if forget else len(sentence)
        else:
            kept.append(sentence[: limit - total])
            break
    return kept


def read(
    text: str | Sequence[str],
    *,
    tokens: Callable[[bytes], list[str]] = rouge155_tokens,
    stem: bool = True,
    stop: bool = False,
    words: int | None = None,
    bytes: int | None = None,
    lcs: bool = False,
    lcs_forgets_bytes: bool = True,
    leading_blank_is_word: bool = True,
) -> list[list[str]]:
    """Sentences of tokens. `lcs`: as L and W see the text."""
    lines = text.split("\n") if isinstance(text, str) else text
    sentences = [line.encode("utf-8", "surrogatepass") for line in lines]
    if words is not None:
        sentences = cut_to_words(sentences, words, leading_blank_is_word=leading_blank_is_word)
    elif bytes is not None:
        sentences = cut_to_bytes(sentences, bytes, forget=lcs and lcs_forgets_bytes)
    made = [[token for token in tokens(sentence) if not (stop and token in STOP_WORDS)] for sentence in sentences]
    return [[rouge155_stem(token) for token in sentence] for sentence in made] if stem else made


# --- counting --------------------------------------------------------------------------------------------------------


def flat(text: Tokens) -> list[str]:
    return [token for sentence in text for token in sentence]


def ngrams(text: Tokens, n: int) -> Counter[tuple[str, ...]]:
    tokens = flat(text)
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def skip_bigrams(text: Tokens, gap: int, *, unigrams: bool, drop_last: bool = True) -> Counter[tuple[str, ...]]:
    tokens = flat(text)
    reach = len(tokens) if gap < 0 else gap + 1
    counts: Counter[tuple[str, ...]] = Counter(
        (tokens[i], tokens[j]) for i in range(len(tokens)) for j in range(i + 1, min(len(tokens), i + reach + 1))
    )
    if unigrams:
        counts.update((token,) for token in (tokens[:-1] if drop_last else tokens))
    return counts


def overlap(peer: Counter[tuple[str, ...]], model: Counter[tuple[str, ...]]) -> tuple[float, float, float, float]:
    return float((peer & model).total()), float(model.total()), float(peer.total()), float(model.total())


def trace(model: Sequence[str], peer: Sequence[str], weight: float) -> Iterator[int]:
    """Positions of the model on the path of the table; a weight of 1 is the plain LCS.

    A match adds f(k+1) - f(k), f(k) = k^w, to the diagonal, k being the run of matches that ends there. Equal tokens
    take the diagonal; else up when that is no worse, else left.
    """
    score = [[0.0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    run = [[0] * (len(peer) + 1) for _ in range(len(model) + 1)]
    for i, mine in enumerate(model, 1):
        for j, other in enumerate(peer, 1):
            if mine == other:
                k = run[i - 1][j - 1]
                score[i][j] = score[i - 1][j - 1] + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                score[i][j] = max(score[i - 1][j], score[i][j - 1])
    i, j = len(model), len(peer)
    while i and j:
        if model[i - 1] == peer[j - 1]:
            i, j = i - 1, j - 1
            yield i
        elif score[i - 1][j] >= score[i][j - 1]:
            i -= 1
        else:
            j -= 1


def union(sentence: Sequence[str], peer: Tokens, weight: float) -> set[int]:
    return {position for other in peer for position in trace(sentence, other, weight)}


def lcs(
    peer: Tokens, model: Tokens, *, clip_peer: Tokens | None = None, clip_model: Tokens | None = None
) -> tuple[float, float, float, float]:
    """ROUGE-L. The clipping tables come from the texts as the other measures see them."""
    left_peer = Counter(flat(peer if clip_peer is None else clip_peer))
    left_model = Counter(flat(model if clip_model is None else clip_model))
    peer_count, hits = left_peer.total(), 0
    for sentence in model:
        for position in sorted(union(sentence, peer, 1)):
            token = sentence[position]
            if left_peer[token] > 0 and left_model[token] > 0:
                left_peer[token] -= 1
                left_model[token] -= 1
                hits += 1
    length = float(len(flat(model)))
    return float(hits), length, float(peer_count), length


def weighted_lcs(
    peer: Tokens, model: Tokens, weight: float, *, clip_peer: Tokens | None = None, clip_model: Tokens | None = None,
    twice: bool = True,
) -> tuple[float, float, float, float]:  # fmt: skip
    """ROUGE-W. A run is paid at a position that passed clipping when the next one is unmarked or the sentence ends."""
    left_peer = Counter(flat(peer if clip_peer is None else clip_peer))
    left_model = Counter(flat(model if clip_model is None else clip_model))
    peer_count, hits = left_peer.total(), 0.0
    for sentence in model:
        marked = union(sentence, peer, weight)
        run = 0
        for position in sorted(marked):
            token = sentence[position]
            if left_peer[token] > 0 and left_model[token] > 0:
                left_peer[token] -= 1
                left_model[token] -= 1
                run += 1
                if position + 1 not in marked:
                    hits += run**weight
                    run = 0
    single = 0.0
    for sentence in model:
        single += len(sentence) ** weight
    return hits, single**weight if twice else single, peer_count**weight, single


# --- Basic Elements --------------------------------------------------------------------------------------------------


def be_stem(part: str) -> str:
    if len(part.encode()) <= 3:
        return part
    fields = perl_split(part.encode())
    words = (field.decode() for field in fields)
    return " ".join(
        (EXCEPTIONS.get(word) or rouge155_porter(word)) if re.search("[a-z0-9]", word) else word for word in words
    )


def be_keys(elements: Iterable[tuple[str, str, str]], mode: str, *, stem: bool) -> Counter[tuple[str, ...]]:
    keys: Counter[tuple[str, ...]] = Counter()
    for element in elements:
        head, raw, relation = (re.sub("[A-Z]", lambda match: match[0].lower(), part) for part in element)
        modifier = be_stem(raw) if stem else raw
        head = be_stem(head) if stem else head
        counts = {
            "h": modifier == "nil", "hm": modifier != "nil", "hmr": relation != "nil", "hm1": True,
            "hmr1": raw != "nil", "hmr2": True,
        }[mode]  # fmt: skip
        if counts:
            keys[(head, modifier, relation)[: {"h": 1, "hm": 2, "hm1": 2}.get(mode, 3)]] += 1
    return keys
