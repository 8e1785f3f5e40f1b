"""
The vocabulary: everything that can be known of a question, one entry each.

The search learns about these features, slices are made of them, and causes are named by them. A
new feature is one entry, at the end of ``VOCABULARY``; where it needs more than a
line it calls a function of ``asked``, ``target`` or ``picture``, or one above the table. All
features are facts about the words, the target and the picture; none looks at an answer. The
order of the measures is that in which the search learns of them, so moving one changes results.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from surefoot.core.perturbation import variant_title
from surefoot.core.question import Question
from surefoot.diagnose.features.asked import Landmark, Query, signs_of
from surefoot.diagnose.features.feature import Context, Measure, Tag
from surefoot.diagnose.features.picture import Raster, detail, framed, saturation
from surefoot.diagnose.features.target import NEAR_PX, Target, elsewhere
from surefoot.refer.resolve.looks import colour_of
from surefoot.refer.resolve.sizes import size_of
from surefoot.refer.scene.names import alike
from surefoot.refer.scene.scene import Scene
from surefoot.score.stats.arrays import Bools

CROWDED_PX: Final = 8.0
SMALL_PX: Final = 24.0  # the least side that accessibility guidelines ask of a target
LARGE_PX: Final = 96.0
FEW: Final = 4
VIVID: Final = 30.0  # percent between channels
VIVID_PX: Final = 24
AS_CAPTURED: Final = ("original", "base")
ENGLISH: Final = "en"
SIGHTS: Final = frozenset({"colour", "reached", "untypical", "visible"})  # beside those of light
MASKED: Final = "masked"  # the fact of a question that tells how much of a screen is hidden
FIELDS: Final = frozenset({"combobox", "searchbox", "spinbutton", "textbox"})
TOGGLES: Final = frozenset({
    "checkbox", "menuitemcheckbox", "menuitemradio", "radio", "switch",
})  # fmt: skip
TOGETHER: Final = {
    "above": ("above or below", "above or left of"),
    "below": ("above or below", "below or right of"),
    "left of": ("left or right of", "above or left of"),
    "right of": ("left or right of", "below or right of"),
}


def _sum(found: Bools) -> float:
    return float(found.sum())


def _part(part: float, whole: float) -> float:
    return min(100.0, 100 * part / max(whole, 1.0))


def _area(target: Target) -> str:
    if target.side_1x < SMALL_PX:
        return "small"
    return "large" if target.side_1x >= LARGE_PX else "medium"


def _shows(target: Target) -> str:
    if target.words:
        return "words"
    return "no words" if target.element.role in FIELDS else "a picture alone"


def _crowded(target: Target) -> bool:
    least = CROWDED_PX * target.screen.scale
    return bool((target.apart[target.others] <= least).any())


def _brighter(target: Target, sign: int) -> float | None:
    """Return by how much a target is lighter, or (-1) darker, than the picture, else 0."""
    if not target.is_drawn:
        return None
    return max(0.0, sign * (target.ground - known_of(target.scene)[1]["brightness"]))


def _vivid(target: Target) -> float | None:
    """Return how many in a hundred pixels in and around a target have a strong colour."""
    if not target.is_drawn:
        return None
    return float(100 * (saturation(target.amid(VIVID_PX)) >= VIVID).mean())


def views_of(variant: str) -> list[str]:
    """
    Return what changed a screen, each by itself: a sum of changes is no change of its own.

    >>> views_of("style:full+static"), views_of("original")
    (['style:full', 'static'], [])
    """
    return [part for part in variant.split("+") if part not in AS_CAPTURED]


Known: TypeAlias = tuple[tuple[str, ...], dict[str, float]]

# A table: an entry takes two lines or three.
# fmt: off
VOCABULARY: Final[tuple[Measure[Any] | Tag[Any], ...]] = (
    Measure("words", Query, lambda q: float(len(q.words)), "instructions of {} words or more",
        "instructions of fewer than {} words", least_do="long", below_do="short"),
    Measure("letters", Query, lambda q: float(len(q.text)), "instructions of {} letters or more",
        "instructions under {} letters", plain=1, least_do="long", below_do="short"),
    Measure("longest-word", Query, lambda q: float(max(map(len, q.words), default=0)),
        "instructions with a word of {} letters or more",
        "instructions without a word of {} letters", plain=1, do="wording"),
    Measure("quote", Query, lambda q: float(len(q.quotes[0])) if q.quotes else None,
        "quoted words of {} letters or more", "quoted words of fewer than {} letters", plain=1,
        do="wording"),
    Measure("said-of-target", Query, Query.said_of_target,
        "instructions of whose words {} % or more stand on the target",
        "instructions of whose words under {} % stand on the target", plain=2, do="indirect"),
    Measure("others-said", Query, Query.others_said,
        "instructions that name {} other controls or more",
        "instructions that name fewer than {} other controls", plain=2, do="indirect"),
    Measure("parts", Query, lambda q: float(size_of(q.expression)),
        "instructions of {} parts or more", "instructions of fewer than {} parts", step=0.5,
        plain=1, least_do="long", below_do="short"),
    Measure("reworded", Query, Query.reworded, "words changed by {} or more of their letters",
        "words changed by less than {}", step=0.05, plain=1, do="wording"),
    Measure("name", Target, lambda t: float(len(t.element.name)), "names of {} letters or more",
        "names of fewer than {} letters", do="names"),
    Measure("side", Target, lambda t: min(t.width, t.height), "targets with no side under {} px",
        "targets with a side under {} px", below_do="small"),
    Measure("width", Target, lambda t: t.width, "targets {} px wide or more",
        "targets under {} px wide", below_do="small"),
    Measure("height", Target, lambda t: t.height, "targets {} px high or more",
        "targets under {} px high", below_do="small"),
    Measure("aspect", Target, lambda t: t.width / t.height,
        "targets {} times as wide as high or more", "targets under {} times as wide as high",
        step=0.1, plain=1),
    Measure("share", Target,
        lambda t: 100 * t.width * t.height / (t.screen.width * t.screen.height),
        "targets that take {} % of the picture or more",
        "targets that take under {} % of the picture", step=0.05, plain=1, below_do="small"),
    Measure("x", Target, lambda t: t.middle.x, "targets {} px or more from the left",
        "targets under {} px from the left", do="place"),
    Measure("y", Target, lambda t: t.middle.y, "targets {} px or more from the top",
        "targets under {} px from the top", do="place"),
    Measure("x-share", Target, lambda t: 100 * t.across,
        "targets {} % of the way across the picture or more",
        "targets less than {} % of the way across the picture", do="place"),
    Measure("y-share", Target, lambda t: 100 * t.down,
        "targets {} % of the way down the picture or more",
        "targets less than {} % of the way down the picture", do="place"),
    Measure("contrast", Target, lambda t: t.contrast() if t.is_drawn else None,
        "targets with a contrast of {} or more", "targets with a contrast under {}", step=0.1,
        below_do="faint", light=True),
    Measure("ground", Target, lambda t: t.ground if t.is_drawn else None,
        "bright targets (brightness {} % or more)", "dark targets (brightness under {} %)",
        plain=1, do="light", light=True),
    Measure("stands-out", Target, lambda t: t.stands_out() if t.is_drawn else None,
        "targets that are lighter or darker than what is around them by {} % or more",
        "targets about as bright as what is around them (within {} %)", plain=2, below_do="faint",
        light=True),
    Measure("framed", Target,
        lambda t: framed(t.scene.pixels, t.box) if t.is_drawn else None,
        "targets with a clear edge (it stands out to {} % or more)",
        "targets without a clear edge (it stands out to less than {} %)", plain=2,
        below_do="faint", light=True),
    Measure("lighter", Target, lambda t: _brighter(t, 1),
        "targets lighter than the picture by {} % or more",
        "targets lighter than the picture by less than {} %, or darker", plain=2, do="light",
        light=True),
    Measure("darker", Target, lambda t: _brighter(t, -1),
        "targets darker than the picture by {} % or more",
        "targets darker than the picture by less than {} %, or lighter", plain=2, do="light",
        light=True),
    Measure("ink-colourful", Target, lambda t: t.ink_colour() if t.is_drawn else None,
        "targets written or drawn in colour (of {} % or more)",
        "targets written or drawn in grey or black (colour under {} %)", plain=2, do="light",
        light=True),
    Measure("vivid", Target, _vivid,
        "targets amid strong colours (on {} % of the place or more)",
        "targets amid few strong colours (on less than {} % of the place)", plain=2, do="light",
        light=True),
    Measure("colourful", Target,
        lambda t: float(saturation(t.pixels).mean()) if t.is_drawn else None,
        "colourful targets (saturated to {} % or more)",
        "targets of little colour (saturated to less than {} %)", plain=2, do="light", light=True),
    Measure("detail", Target,
        lambda t: detail(t.amid(int(NEAR_PX))) if t.is_drawn else None,
        "targets in busy places ({} % of edges or more)",
        "targets in empty places (under {} % of edges)", plain=2, least_do="crowded", light=True),
    Measure("edge", Target, lambda t: t.edges("left", "top", "right", "bottom"),
        "targets {} px or more from the picture's edge",
        "targets under {} px from the picture's edge", plain=1, do="place"),
    Measure("edge-across", Target, lambda t: t.edges("left", "right"),
        "targets {} px or more from the left and the right edge",
        "targets under {} px from the left or the right edge", plain=1, do="place"),
    Measure("edge-down", Target, lambda t: t.edges("top", "bottom"),
        "targets {} px or more from the top and the bottom edge",
        "targets under {} px from the top or the bottom edge", plain=1, do="place"),
    Measure("middle-edge", Target, Target.middle_edge,
        "targets with their middle {} px or more from the picture's edge",
        "targets with their middle under {} px from the picture's edge", plain=1, do="place"),
    Measure("off-middle", Target, lambda t: 200 * max(abs(t.across - 0.5), abs(t.down - 0.5)),
        "targets {} % of the way or more from the picture's middle to its edge",
        "targets under {} % of the way from the picture's middle to its edge", plain=1,
        do="place"),
    Measure("aside", Target, lambda t: 200 * abs(t.across - 0.5),
        "targets {} % of the way or more from the middle to the left or right edge",
        "targets under {} % of the way from the middle to the left or right edge", plain=1,
        do="place"),
    Measure("depth", Target, lambda t: float(len(list(t.scene.above(t.place)))),
        "targets nested in {} elements or more", "targets nested in fewer than {} elements",
        plain=2, do="holder"),
    Measure("namesakes", Target,
        lambda t: float(t.other_names.count(t.name)) if t.name else None,
        "targets whose name {} others or more have as well",
        "targets whose name fewer than {} others have as well", least_do="alike"),
    Measure("name-words", Target, lambda t: float(len(t.name.split())) if t.name else None,
        "names of {} words or more", "names of fewer than {} words", plain=1, do="names"),
    Measure("alike-names", Target,
        lambda t: float(sum(alike(other, t.name) for other in t.other_names)) if t.name else None,
        "targets with {} others or more whose name is or begins alike",
        "targets with fewer than {} others whose name is or begins alike", plain=1,
        least_do="alike"),
    Measure("same-start", Target, lambda t: t.same_start() if t.name else None,
        "targets whose name begins with the same word as {} others or more",
        "targets whose name begins with the same word as fewer than {} others", plain=1,
        least_do="alike"),
    Measure("nearest-shared", Target, lambda t: t.nearest_sharing() if t.name else None,
        "targets {} px or more from the next that shares a word of their name",
        "targets under {} px from the next that shares a word of their name", plain=2,
        below_do="alike"),
    Measure("shared-words", Target, lambda t: float(t.sharing.sum()) if t.name else None,
        "targets that share a word of their name with {} others or more",
        "targets that share a word of their name with fewer than {} others", plain=1,
        least_do="alike"),
    Measure("elsewhere", Target, lambda t: float(elsewhere(t.scene, t.place)) if t.name else None,
        "targets whose name stands in {} other places of the picture or more",
        "targets whose name stands in fewer than {} other places of the picture",
        least_do="alike"),
    Measure("font", Target, lambda t: (t.element.font_px or None) if t.lines else None,
        "writing of {} px or more", "writing under {} px", step=0.5, plain=1, below_do="small"),
    Measure("lines", Target, lambda t: float(len(t.lines)) if t.lines else None,
        "targets of {} lines or more", "targets of fewer than {} lines", plain=1),
    Measure("filled", Target,
        lambda t: _part(sum(line.area for line in t.lines), t.box.area) if t.lines else None,
        "targets filled by their words to {} % or more",
        "targets filled by their words to less than {} %", plain=2),
    Measure("words-across", Target,
        lambda t: _part(t.span.width, t.box.width) if t.lines else None,
        "targets across {} % of which or more their words reach",
        "targets across less than {} % of which their words reach", plain=2),
    Measure("words-aside", Target,
        lambda t: _part(2 * abs(t.span.center.x - t.middle.x), t.box.width) if t.lines else None,
        "targets whose words stand {} % of the way or more from their middle to a side",
        "targets whose words stand under {} % of the way from their middle to a side", plain=2),
    Measure("words-contrast", Target,
        lambda t: t.ink_contrast() if t.lines and t.scene.pixels is not None else None,
        "writing with a contrast of {} or more", "faint writing (contrast under {})", step=0.1,
        plain=1, below_do="faint", light=True),
    Measure("pictures-beside", Target,
        lambda t: t.icons() if t.lines and t.scene.pixels is not None else None,
        "targets with {} small pictures or more beside their words",
        "targets with fewer than {} small pictures beside their words", plain=1, do="icons"),
    Measure("text-px", Target, lambda t: min(line.height for line in t.lines) if t.lines else None,
        "text {} px high or more", "text under {} px high", plain=1, below_do="small"),
    Measure("visible", Target, lambda t: 100 * t.element.visible_fraction,
        "targets {} % visible or more", "targets under {} % visible", below_do="hidden"),
    Measure("reached", Target, lambda t: 100 * sum(t.element.hits) / max(len(t.element.hits), 1),
        "targets that clicks reach on {} % or more", "targets that clicks reach on less than {} %",
        plain=1, below_do="hidden"),
    Measure("nearest", Target, lambda t: t.next_of(t.others),
        "targets {} px or more from the next control", "targets under {} px from the next control",
        below_do="crowded"),
    Measure("fourth-nearest", Target, lambda t: t.next_of(t.others, 4),
        "targets with fewer than four other controls within {} px",
        "targets with four other controls within {} px", plain=2, below_do="crowded"),
    Measure("eighth-nearest", Target, lambda t: t.next_of(t.others, 8),
        "targets with fewer than eight other controls within {} px",
        "targets with eight other controls within {} px", plain=2, below_do="crowded"),
    Measure("nearest-words", Target, lambda t: t.next_of(t.written),
        "targets {} px or more from other words", "targets under {} px from other words", plain=2,
        below_do="crowded"),
    Measure("words-around", Target, Target.words_around,
        "targets with {} words or more within 100 px",
        "targets with fewer than {} words within 100 px", plain=2, least_do="crowded"),
    Measure("near", Target, lambda t: _sum(t.others & t.near),
        "targets with {} controls or more within 40 px",
        "targets with fewer than {} controls within 40 px", plain=1, least_do="crowded"),
    Measure("rivals-count", Target, lambda t: float(t.rivals),
        "targets on screens with {} other controls of their role or more",
        "targets on screens with fewer than {} other controls of their role", plain=1,
        least_do="alike"),
    Measure("twins", Target, lambda t: _sum(t.twins),
        "targets with {} others of their role and size or more",
        "targets with fewer than {} others of their role and size", plain=1, least_do="alike"),
    Measure("near-twins", Target, lambda t: _sum(t.twins & t.near),
        "targets with {} others of their role and size or more within 40 px",
        "targets with fewer than {} others of their role and size within 40 px", plain=2,
        least_do="alike"),
    Measure("near-same", Target, lambda t: _sum(t.same & t.near),
        "targets with {} others of their role or more within 40 px",
        "targets with fewer than {} others of their role within 40 px", plain=1, least_do="alike"),
    Measure("nearest-same", Target, lambda t: t.next_of(t.same),
        "targets {} px or more from the next of their role",
        "targets under {} px from the next of their role", plain=1, below_do="alike"),
    Measure("nearest-twin", Target, lambda t: t.next_of(t.twins),
        "targets {} px or more from the next of their role and size",
        "targets under {} px from the next of their role and size", plain=2, below_do="alike"),
    Measure("around", Target, lambda t: _sum(t.others & t.around),
        "targets with {} controls or more within 100 px",
        "targets with fewer than {} controls within 100 px", plain=1, least_do="crowded"),
    Measure("row", Target, lambda t: _sum(t.same & t.row),
        "targets with {} others of their role or more beside them in a row",
        "targets with fewer than {} others of their role beside them in a row", plain=1,
        least_do="alike"),
    Measure("column", Target, lambda t: _sum(t.same & t.column & ~t.row),
        "targets with {} others of their role or more above and below them in a column",
        "targets with fewer than {} others of their role above and below them in a column",
        plain=1, least_do="alike"),
    Measure("before", Target, lambda t: _sum(t.same & (t.row | t.column) & t.before),
        "targets with {} others of their role or more before them in a row or column",
        "targets with fewer than {} others of their role before them in a row or column", plain=2,
        least_do="alike"),
    Measure("after", Target, lambda t: _sum(t.same & (t.row | t.column) & ~t.before),
        "targets with {} others of their role or more after them in a row or column",
        "targets with fewer than {} others of their role after them in a row or column", plain=2,
        least_do="alike"),
    Measure("flanked", Target, Target.flanked,
        "targets with others of their role and size on {} sides or more",
        "targets with others of their role and size on fewer than {} sides", plain=1,
        least_do="alike"),
    Measure("inside", Target, lambda t: float(len(list(t.scene.below(t.place)))),
        "targets with {} elements or more in them", "targets with fewer than {} elements in them",
        plain=2),
    Measure("landmark-px", Landmark, lambda m: float(m.apart[m.place]),
        "a landmark {} px away or more", "a landmark under {} px away", do="landmark"),
    Measure("landmark-contrast", Landmark, lambda m: m.scene.legibility(m.there).contrast,
        "a landmark with a contrast of {} or more", "a faint landmark (contrast under {})",
        step=0.1, plain=1, do="landmark"),
    Measure("landmark-font", Landmark, lambda m: m.element.font_px,
        "a landmark written {} px high or more", "a landmark written under {} px high", step=0.5,
        plain=2, do="landmark"),
    Measure("landmark-name", Landmark, lambda m: float(len(m.scene.names[m.there])),
        "a landmark named in {} letters or more", "a landmark named in fewer than {} letters",
        plain=1, do="landmark"),
    Measure("landmark-size", Landmark,
        lambda m: m.element.box.area / max(m.scene.elements[m.place].box.area, 1.0),
        "a landmark of {} times the target's area or more",
        "a landmark of less than {} times the target's area", step=0.1, plain=2, do="landmark"),
    Measure("landmark-elsewhere", Landmark, lambda m: float(elsewhere(m.scene, m.there)),
        "landmarks whose words stand in {} other places or more",
        "landmarks whose words stand in fewer than {} other places", plain=1, do="landmark"),
    Measure("nearer", Landmark, Landmark.nearer,
        "landmarks with {} other controls or more nearer to them than the target",
        "landmarks with fewer than {} other controls nearer to them than the target", plain=2,
        do="landmark"),
    Measure("controls", Raster, lambda p: _sum(p.scene.thing & p.scene.plain),
        "pictures with {} controls or more", "pictures of under {} controls", least_do="busy",
        always=True),
    Measure("picture-width", Raster, lambda p: float(p.screen.width),
        "pictures {} px wide or more", "pictures under {} px wide", plain=1, do="view"),
    Measure("picture-height", Raster, lambda p: float(p.screen.height),
        "pictures {} px high or more", "pictures under {} px high", plain=1, do="view"),
    Measure("picture-words", Raster,
        lambda p: float(sum(len(p.scene.texts[at].split()) for at in p.leaves)),
        "pictures with {} words or more", "pictures of under {} words", plain=1, least_do="busy",
        always=True),
    Measure("picture-font", Raster, Raster.font,
        "pictures with writing of {} px or more in the median",
        "pictures with small writing (under {} px in the median)", step=0.5, plain=1,
        below_do="small"),
    Measure("picture-colourful", Raster,
        lambda p: float(saturation(p.thumb).mean()) if p.thumb is not None else None,
        "colourful pictures (saturated to {} % or more)",
        "pictures of little colour (saturated to less than {} %)", plain=2, do="light",
        light=True),
    Measure("picture-detail", Raster,
        lambda p: detail(p.pixels) if p.pixels is not None else None,
        "busy pictures ({} % of edges or more)", "empty pictures (under {} % of edges)", plain=2,
        least_do="busy", light=True),
    Measure("brightness", Raster, Raster.brightness, "bright pictures (brightness {} % or more)",
        "dark pictures (brightness under {} %)", plain=1, below_do="dark", light=True),
    Tag("kind", Query, lambda q: [q.instruction.kind], "{} instructions",
        "instructions that are not {}", do="wording", counted=True),
    Tag("specificity", Query, lambda q: [q.instruction.specificity],
        "instructions of {} specificity", plain=1, do="wording", counted=True),
    Tag("direction", Query, lambda q: q.expression.direction, "instructions that say '{}'",
        "instructions that do not say '{}'", do="landmark", counted=True),
    Tag("directions", Query, lambda q: TOGETHER.get(q.expression.direction, ()),
        "instructions that say '{}'", "instructions that do not say '{}'", plain=1, do="landmark"),
    Tag("relation", Query, lambda q: q.expression.relation, "instructions that say '{}'",
        "instructions that do not say '{}'", do="landmark", counted=True),
    Tag("order", Query, lambda q: q.expression.ordinal.order if q.expression.ordinal else "",
        "instructions that count in a {}", do="counting", counted=True),
    Tag("position", Query, Query.position, "instructions that count to the {}", plain=1,
        do="counting", counted=True),
    Tag("landmark", Landmark, lambda m: "a control" if m.scene.thing[m.there] else "plain text",
        "a landmark that is {}", plain=1, do="landmark", counted=True),
    Tag("landmark-distance", Landmark, Landmark.distance, "a landmark that is {}", plain=1,
        do="landmark", counted=True),
    Tag("landmark-role", Landmark, lambda m: [m.element.role], "a landmark of role {}", plain=1,
        do="landmark"),
    Tag("landmark-like", Landmark, Landmark.is_alike, "a landmark of the target's own role",
        "no landmark of the target's own role", plain=1, do="landmark"),
    Tag("part", Query, Query.parts, "instructions that give a {}", "instructions without a {}",
        do="wording", counted=True),
    Tag("action", Query, lambda q: [q.instruction.action], "instructions to {}",
        "instructions that are not to {}", do="wording"),
    Tag("words", Query,
        lambda q: ("no words", "words once", "words twice or more")[min(len(q.quotes), 2)],
        "instructions that quote {}", "instructions that do not quote {}", plain=1, do="wording",
        counted=True),
    Tag("quote-text", Query, lambda q: signs_of("".join(q.quotes[:1])), "quoted words with {}",
        "quoted words without {}", plain=1, do="names"),
    Tag("text", Query, lambda q: signs_of(q.text), "instructions with {}",
        "instructions without {}", do="wording"),
    Tag("region", Query,
        lambda q: f"of the {q.expression.region.of}" if q.expression.region else "",
        "instructions that name a region {}", "instructions that name no region {}", do="wording",
        counted=True),
    Tag("role", Query, lambda q: [q.question.role], "targets of role {}",
        "targets of other roles than {}", do="role", always=True),
    Tag("area", Target,
        _area,
        "{} targets", plain=1, do="small"),
    Tag("rivals", Target, lambda t: "no" if not t.rivals else "few" if t.rivals <= FEW else "many",
        "{} other controls of the target's role", plain=1, do="alike"),
    Tag("look-alike", Target, Target.look_alikes, "a {} control of the same role near by", plain=1,
        do="alike"),
    Tag("shows", Target,
        _shows,
        "targets that show {}", "targets that do not show {}", do="icons"),
    Tag("name-case", Target, Target.case, "targets named in {}", "targets not named in {}",
        plain=1, do="names"),
    Tag("name-text", Target, lambda t: signs_of(t.element.name), "targets whose name has {}",
        "names without {}", do="names"),
    Tag("within", Target, Target.holders, "targets in {}", "targets outside of {}", do="holder"),
    Tag("colour", Target, lambda t: colour_of(t.scene, t.place), "{} targets",
        "targets that are not {}", do="light"),
    Tag("field", Target, lambda t: t.element.role in FIELDS,
        "fields to write in or to choose from", "targets that are no fields", do="role"),
    Tag("toggle", Target, lambda t: t.element.role in TOGGLES,
        "check boxes, radio buttons and switches", "targets that are no switches", do="role"),
    Tag("state", Target, lambda t: t.element.states, "targets that are {}",
        "targets that are not {}", do="role"),
    Tag("floating", Target, lambda t: "floating" in t.element.attributes,
        "targets on what floats over the page", "targets that do not float over the page",
        do="holder"),
    Tag("ground", Target, lambda t: "background" in t.element.attributes,
        "targets with a ground of their own", "targets without a ground of their own", plain=1,
        do="faint", light=True),
    Tag("prose", Target, Target.is_prose, "targets in running text",
        "targets outside of running text", do="holder"),
    Tag("untypical", Target, lambda t: not t.scene.typical[t.place],
        "targets that look like another role", "targets that look like their role", do="looks"),
    Tag("unread", Target, lambda t: bool(t.name) and not alike(t.name, t.words),
        "targets whose name is not what they show", "targets whose name is what they show",
        do="looks"),
    Tag("theme", Raster, Raster.theme, "{} pictures", "pictures that are not {}", do="dark",
        light=True),
    Tag("platform", Raster, lambda p: p.screen.platform, "{} screens", "screens that are not {}",
        plain=1, do="view", always=True),
    Tag("crowded", Target, _crowded, "targets with another control within 8 px",
        "targets without another control within 8 px", do="crowded"),
    Tag("view", Query, lambda q: views_of(q.question.cell.variant),
        "the view {}", "other views than {}", do="view", title=variant_title, counted=True),
    Tag("wording", Query, lambda q: q.instruction.wording, "words changed by {}", do="wording",
        counted=True),
    Tag("masked", Query,
        lambda q: is_masked(q.question), "targets that are hidden",
        "targets that are not hidden", do="masked"),
    Tag("language", Query,
        lambda q: "" if q.instruction.language == ENGLISH else q.instruction.language,
        "instructions in {}", "instructions that are not in {}", do="language"),
    Tag("screen-language", Raster,
        lambda p: "" if (own := p.screen.locale.partition("-")[0]) in ("", ENGLISH) else own,
        "screens in {}", "screens that are not in {}", plain=1, do="language", always=True),
    Tag("reasoning", Query, lambda q: q.question.cell.reasoning,
        "questions that are reasoned about first", "questions that are answered at once"),
)
# fmt: on

TAGS: Final = {item.name: item for item in VOCABULARY if isinstance(item, Tag)}
MEASURES: Final = {measure.name: measure for measure in VOCABULARY if isinstance(measure, Measure)}


def described(question: Question, scene: Scene) -> Known:
    """
    Return the tags of a question, sorted, each a name or "name:value", and its measures.

    They are kept with the scene: several benchmarks ask about one element in the same words.
    """
    cell = question.cell
    key = question.instruction, question.role, cell.variant, cell.reasoning, is_masked(question)
    if key not in scene.described:
        scene.described[key] = _described(question, scene)
    return scene.described[key]


def _described(question: Question, scene: Scene) -> Known:
    asked = Query(question, scene)
    known = [_read(asked), known_of(scene)]
    if asked.place is not None:
        known.append(known_of(scene, asked.place, seen=not is_masked(question)))
    if asked.landmark is not None:
        known.append(_read(asked.landmark))
    tags = {name for names, _ in known for name in names}
    return tuple(sorted(tags)), {
        name: item for _, several in known for name, item in several.items()
    }


def known_of(scene: Scene, place: int | None = None, *, seen: bool = True) -> Known:
    """
    Return what is known of a target, or of the whole picture; kept with the scene.

    Of a target that is not ``seen`` the pixels are those of its mask, and tell nothing of it.
    """
    if place not in scene.described:
        scene.described[place] = _read(Raster(scene) if place is None else Target(scene, place))
    tags, measures = scene.described[place]
    if seen:
        return tags, measures
    return (
        tuple(name for name in tags if not _is_sight(tag_of(name))),
        {name: measure for name, measure in measures.items() if not _is_sight(MEASURES[name])},
    )


def _is_sight(feature: Tag[Any] | Measure[Any]) -> bool:
    """Tell whether a feature is of how a target looks, or of whether it is seen at all."""
    return feature.light or feature.name in SIGHTS


def is_masked(question: Question) -> bool:
    """Tell whether a question is about an element that its picture does not show."""
    return MASKED in question.facts and question.cell.variant not in AS_CAPTURED


def _read(context: Context) -> Known:
    own = type(context)
    tags = (name for tag in TAGS.values() if tag.of is own for name in tag.names(context))
    numbers = (
        (measure.name, measure.read(context)) for measure in MEASURES.values() if measure.of is own
    )
    return tuple(tags), {name: number for name, number in numbers if number is not None}


def tag_of(name: str) -> Tag[Any]:
    """Return the entry of a tag by its name, also with a value; what is unknown says itself."""
    family = name.partition(":")[0]
    return TAGS.get(family) or Tag(family, Target, lambda _: False, "{}", plain=1)


def words_of(name: str, *, lacks: bool = False) -> str:
    """
    Return a tag in words, or that it is not there.

    >>> words_of("direction:left of"), words_of("part:name", lacks=True)
    ("instructions that say 'left of'", 'instructions without a name')
    """
    return tag_of(name).words(name.partition(":")[2], lacks=lacks)
