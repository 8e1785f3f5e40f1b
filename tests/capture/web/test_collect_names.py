"""
Names and roles are those of the browser's own accessibility tree, where it has some.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from surefoot.capture.captured import Capture
from surefoot.capture.settings import Settings
from surefoot.core.edit import AddStyle

Shooter = Callable[..., Capture]
pytestmark = pytest.mark.browser

# Each names one control; its name stands before it, by the text of accname 1.2. @ is a number.
NAMED: Final = {
    "Freight desk": "<button aria-labelledby=r@>x</button><i id=r@ hidden "
    "aria-label='Freight desk'>z</i>",
    "Crate count": "<button aria-labelledby=r@>x</button><i id=r@ hidden><img alt=Crate> "
    "count</i>",
    "Pallet": "<button aria-labelledby=r@>x</button><i id=r@ "
    "hidden><style>.q{color:red}</style>Pallet</i>",
    "Hold two": "<button aria-labelledby=r@>x</button><div id=r@ style='display:none'>Hold "
     "<b style='display:none'>two</b></div>",
    "Dock six": "<button aria-labelledby='r@ s@'>x</button><i id=r@ hidden>Dock</i><i "
    "id=s@>six</i>",
    "in / out Menu": "<style>.s::before{content:'in / out '}</style><button "
    "class=s>Menu</button>",
    "Lift": "<style>.t::before{content:'\\f015' / 'Lift'}</style><button class=t></button>",
    "Yes": "<button><i style='visibility:hidden'>No <b "
    "style='visibility:visible'>Yes</b></i></button>",
    "Berth": "<label for=d@ style='display:none'>Berth</label><input id=d@ placeholder=number>",
    "Tug": "<label for=d@ style='visibility:hidden'>Tug</label><input id=d@ title=other>",
    "Open hatch": "<my-act>Open hatch</my-act>",
    "Pilot aboard": "<my-named>zz</my-named>",
    "Buoy": "<my-open></my-open>",
    "Cleat": "<my-closed></my-closed>",
    "Slotted rope": "<my-slot>Slotted rope</my-slot>",
    "Winch Crane": "<button aria-owns=r@>Winch </button><i id=r@>Crane</i>",
    "Ship": "<button><svg width=9 height=9><title>Ship</title><rect width=9 height=9 "
    "/></svg></button>",
    "Anchor": "<button><i aria-hidden=true>&#xf13d;</i> Anchor</button>",
    "Keel 5 tons": "<button aria-labelledby=r@>x</button><i id=r@>Keel <input value=5> tons</i>",
    "Deck plan": "<button title='Deck plan'><i class=icon></i></button>",
    "Sail": "<a href=x><img alt='' src=x><i>Sail</i></a>",
    "Mast": "<button aria-label=' ' title=no>Mast</button>",
    "Stern light": "<button>Stern<br>light</button>",
    "Bow wave": "<button><div>Bow</div><div>wave</div></button>",
    "Rudder": "<button aria-labelledby=none>Rudder</button>",
    "Galley": "<input type=image alt=Galley src=x>",
    "Bilge pump": "<div role=switch tabindex=0>Bilge <i hidden>no</i>pump</div>",
    "Fender": "<div role=checkbox aria-labelledby=r@ tabindex=0>x</div><i id=r@ "
    "title=Fender></i>",
    "Quay one": "<a href=x aria-label='Quay one'>z</a>",
    "Net": "<label>Net <input></label>",
    "Fore aft": "<label for=d@>Fore</label><label for=d@>aft</label><input id=d@>",
    "Harbour": "<input placeholder=Harbour>",
    "Jetty": "<input title=Jetty>",
    "Send off": "<input type=submit value='Send off'>",
    "Reset": "<input type=reset>",
    "Chart": "<button><img alt=Chart src=x></button>",
    "Log book": "<a href=x><img alt=Log src=x> book</a>",
    "Delete file 4": "<button id=d@ aria-labelledby='d@ r@' aria-label=Delete>x</button><i "
    "id=r@>file 4</i>",
    "Port": "<button aria-labelledby=r@ aria-label=no>x</button><i id=r@>Port</i>",
    "Starboard": "<button aria-label=Starboard>no</button>",
    "Watch 2 hours": "<input type=checkbox id=d@><label for=d@>Watch <input value=2> "
    "hours</label>",
    "Log (new)": "<style>.u::after{content:' (new)'}</style><button class=u>Log</button>",
    "Stay": "<button><i role=presentation>Stay</i></button>",
    "Hoist": "<button><i aria-label=Hoist>x</i></button>",
    "Two words": "<button>  Two \n words </button>",
    "Midship": "<button>Mid<b>ship</b></button>",
    "Up down": "<button><i style='display:block'>Up</i><i style='display:block'>down</i></button>",
    "Hard alee": "<button><i style='display:inline-block'>Hard</i><i "
    "style='display:inline-block'>alee</i></button>",
    "Compass": "<a href=x><svg role=img aria-label=Compass width=9 height=9><rect width=9 "
    "height=9 /></svg></a>",
    "Helm": "<a href=x title=Helm><svg width=9 height=9><rect width=9 height=9 /></svg></a>",
    "Ballast": "<input type=checkbox aria-label=Ballast>",
    "Lights on": "<input type=checkbox id=d@><label for=d@>Lights <b>on</b></label>",
    "Logbook": "<b role=link tabindex=0>Logbook</b>",
    "First": "<b role=button tabindex=0 aria-labelledby=r@>x</b><i id=r@ "
    "aria-labelledby=s@>First</i><i id=s@>Second</i>",
}  # fmt: skip
SCRIPT: Final = """<script>
const define = (name, set) => customElements.define(name, class extends HTMLElement {
  constructor() { super(); set(this); }
});
define("my-act", (node) => { node.attachInternals().role = "button"; });
define("my-named", (node) => {
  Object.assign(node.attachInternals(), { role: "button", ariaLabel: "Pilot aboard" });
});
define("my-open", (node) => {
  node.attachShadow({ mode: "open" }).innerHTML = "<button>Buoy</button>";
});
define("my-closed", (node) => {
  node.attachShadow({ mode: "closed" }).innerHTML =
    "<b id=z>Cleat</b><button aria-labelledby=z>x</button>";
});
define("my-slot", (node) => {
  node.attachShadow({ mode: "closed" }).innerHTML = "<button><slot></slot></button>";
});
</script>"""
CONTROLS: Final = {"button", "link", "textbox", "switch", "checkbox"}


def test_controls_are_called_as_the_browser_calls_them(shot: Shooter) -> None:
    """Each control has the name that stands before it in the table."""
    page = "".join(f"<p>{html.replace('@', str(at))}" for at, html in enumerate(NAMED.values()))
    found = shot(f"<html lang=en>{page}{SCRIPT}", settings=Settings(width=300, height=2400))
    names = [item.name for item in found.screen.elements if item.role in CONTROLS and item.name]

    assert names == list(NAMED)


def test_internals_give_a_custom_element_its_role(shot: Shooter) -> None:
    """What only the internals of a custom element say makes it a button, hit as one."""
    found = shot(f"<my-act>Open hatch</my-act>{SCRIPT}").screen.elements
    assert [(item.role, item.name, item.hit) for item in found] == [("button", "Open hatch", True)]


def test_an_edit_that_changes_a_name_is_heard(shot: Shooter) -> None:
    """A name that came from the browser does not outlive the words it was made of."""
    page = "<style>.s::before{content:'in '}</style><button class=s>Menu</button>"
    found = shot(page, edits=[AddStyle(".s::before{content:'out ' !important}")])
    assert [item.name for item in found.screen.elements] == ["out Menu"]
