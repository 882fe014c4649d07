"""What a check cannot judge, said in short phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.evidence.claims.name_claims import NEGATION
from groundwire.evidence.claims.segments import Passage

_MOST = 20
_SNIPPET = 60

_KINDS = {
    "cause": "a cause or consequence",
    "opinion": "an opinion or advice",
    "forecast": "a forecast",
    "comparison": "a comparison or superlative",
    "negation": "a negation",
    "fraction": "a share in words",
}
_CUE = re.compile(
    r"(?P<cause>\b(?:because|due to|caused|causes?|therefore|thus|hence|thanks to|owing to|"
    r"driven by|as a result|leads? to|led to|reflects?)\b|因为|由于|导致|因此|所以|得益于|归因)"
    r"|(?P<opinion>\b(?:best|good|better|great|excellent|suitable|ideal|recommend\w*|should|"
    r"interesting|impressive|important|useful|unfortunately|worth|i think|probably)\b"
    r"|建议|推荐|最好|适合|理想|值得|应该|重要|优秀|认为)"
    r"|(?P<forecast>\b(?:will|would|expected|forecast\w*|projected|likely|may|might|could)\b"
    r"|预计|预测|将会|可能)"
    r"|(?P<comparison>\b(?:most|least|\w{3,}est|than|same as|similar|compared)\b"
    r"|最|相比|比较|高于|低于|相同)"
    r"|(?P<fraction>\b(?:half(?! an?\b)|an? (?:third|quarter|fifth)|two thirds|three quarters|"
    r"majority|die hälfte)\b|一半|半数)"
    rf"|(?P<negation>{NEGATION.pattern})",
    re.IGNORECASE,
)
_NO_WORDS = re.compile(r"[\W\d_]*$")


def remark(
    text: str, passages: Sequence[Passage], judged: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Say what of a draft was not judged.

    Args:
        text: the draft.
        passages: its passages.
        judged: spans of the claims, sorted.
    """
    remarks: dict[str, None] = {}
    starts = [start for start, _ in judged]
    i = 0
    for passage in passages:
        while i < len(starts) and starts[i] < passage.start:
            i += 1
        has_claim = i < len(starts) and starts[i] < passage.end
        said = text[passage.start : passage.end].strip(" \t*_#>|-")
        if _NO_WORDS.match(said) or passage.kind == "cell":
            continue
        cue = _CUE.search(said[:2_000])
        if cue is not None:
            remarks[f"{_KINDS[cue.lastgroup or 'cause']}: {_snippet(said)}"] = None
        elif not has_claim and not said.endswith((":", "：")):
            remarks[f"no checkable claim: {_snippet(said)}"] = None
        if len(remarks) > _MOST:
            break
    phrases = list(remarks)
    return tuple([*phrases[:_MOST], "and more"] if len(phrases) > _MOST else phrases)


def _snippet(said: str) -> str:
    said = " ".join(said.split())
    return said if len(said) <= _SNIPPET else said[: _SNIPPET - 1].rstrip() + "…"
