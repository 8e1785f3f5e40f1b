"""
Oscar: a shop as its customers see it and the dashboard behind it, drawn by the server.

What people look at and search for is not counted, as one page would then change another; no
mail is sent. Its own copy of jQuery stands for the one that its pages ask of the network.
"""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from surefoot.capture.applications.django_site import (
    administrator,
    serve_django,
    set_up_django,
)
from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

USER: Final = ("maria", "Maria", "Silva")
CUSTOMERS: Final = (
    *(("chen", "Wei", "Chen"), ("olga", "Olga", "Petrova"), ("pierre", "Pierre", "Martin")),
    *(("kenji", "Kenji", "Sato"), ("somchai", "Somchai", "Suk"), ("helen", "Helen", "Ward")),
)
COUNTRIES: Final = (
    *(("GB", "United Kingdom"), ("FR", "France"), ("JP", "Japan"), ("PT", "Portugal")),
    *(("NO", "Norway"), ("TH", "Thailand")),
)
SUPPLIERS: Final = ("North Quay store", "Harbour ropes", "Lighthouse lamps")
# Each product by its category, with its price and how many are in stock.
GOODS: Final = {
    "Deck > Ropes": (
        *(("Mooring rope, 10 m", "12.50", 40), ("Anchor line, 30 m", "48.00", 12)),
        *(("Tarred twine", "3.20", 150), ("Heaving line", "17.90", 8)),
    ),
    "Deck > Anchors": (
        *(("Folding anchor, 5 kg", "39.00", 9), ("Plough anchor, 15 kg", "149.00", 2)),
        ("Anchor chain, 10 m", "64.00", 0),
    ),
    "Light > Lanterns": (
        *(("Brass lantern", "34.00", 21), ("Storm lantern", "28.50", 5)),
        *(("Head lamp", "22.00", 60), ("Signal torch", "18.40", 0)),
    ),
    "Light > Spare parts": (("Lantern wick", "2.10", 300), ("Glass chimney", "6.80", 33)),
    "Clothing": (
        *(("Oilskin jacket", "119.00", 14), ("Oilskin trousers", "89.00", 11)),
        *(
            ("Wool jumper", "74.00", 7),
            ("Deck boots", "58.00", 19),
            ("Sailing gloves", "21.50", 44),
        ),
    ),
    "Books and charts": (
        *(("Chart of the bay", "16.00", 25), ("Tide tables 2026", "7.90", 80)),
        *(("Seven knots to know", "11.20", 16), ("Pilot of the north coast", "32.00", 3)),
    ),
}
COLOURS: Final = ("natural", "navy", "red", "yellow")
REVIEWS: Final = (
    ("Does what it says", "Used it every weekend since spring, no sign of wear.", 5),
    ("Good, but heavy", "Solid work. I would buy a smaller one next time.", 4),
    ("Came a week late", "The thing itself is fine. The parcel was not.", 3),
    ("Colour is not that of the picture", "It is darker than what the page shows.", 2),
    ("My third one", "The first two are still in use on other boats.", 5),
)
STATUSES: Final = {
    "Pending": ("Being packed", "Cancelled"),
    "Being packed": ("Sent", "Cancelled"),
    "Sent": (),
    "Cancelled": (),
}
FLAT_PAGES: Final = {
    "/pages/delivery/": ("Delivery", "Parcels leave the store every day at noon."),
    "/pages/returns/": ("Returns", "Whatever does not fit comes back within thirty days."),
    "/pages/about/": ("About us", "The shop stands at the north quay since 1987."),
}
SCRIPT: Final = re.compile(rb"https://ajax\.googleapis\.com/[^\"]+/jquery\.min\.js")
FIRST_ORDER: Final = 100_021
APPLICATIONS: Final = (
    *(
        f"django.contrib.{name}"
        for name in (
            *("auth", "contenttypes", "sessions", "messages", "staticfiles", "sites"),
            "flatpages",
        )
    ),
    "oscar.config.Shop",
    *(
        f"oscar.apps.{name}"
        for name in (
            *("analytics.apps.AnalyticsConfig", "checkout.apps.CheckoutConfig"),
            *("address.apps.AddressConfig", "shipping.apps.ShippingConfig"),
            *("catalogue.apps.CatalogueConfig", "catalogue.reviews.apps.CatalogueReviewsConfig"),
            *("communication.apps.CommunicationConfig", "partner.apps.PartnerConfig"),
            *("basket.apps.BasketConfig", "payment.apps.PaymentConfig"),
            *("offer.apps.OfferConfig", "order.apps.OrderConfig"),
            *("customer.apps.CustomerConfig", "search.apps.SearchConfig"),
            *("voucher.apps.VoucherConfig", "wishlists.apps.WishlistsConfig"),
            *("dashboard.apps.DashboardConfig", "dashboard.reports.apps.ReportsDashboardConfig"),
            "dashboard.users.apps.UsersDashboardConfig",
            "dashboard.orders.apps.OrdersDashboardConfig",
            "dashboard.catalogue.apps.CatalogueDashboardConfig",
            "dashboard.offers.apps.OffersDashboardConfig",
            "dashboard.partners.apps.PartnersDashboardConfig",
            "dashboard.pages.apps.PagesDashboardConfig",
            "dashboard.ranges.apps.RangesDashboardConfig",
            "dashboard.reviews.apps.ReviewsDashboardConfig",
            "dashboard.vouchers.apps.VouchersDashboardConfig",
            "dashboard.communications.apps.CommunicationsDashboardConfig",
            "dashboard.shipping.apps.ShippingDashboardConfig",
        )
    ),
    *("widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2"),
)
# As the recipe's tags are called where the translations of the shop lie.
LANGUAGES: Final = (
    *(("en", "English"), ("zh-hans", "中文"), ("fr", "Français"), ("ru-ru", "Русский")),
    ("ja", "日本語"),
)
PAGES: Final = (
    *("/catalogue/", "/catalogue/category/deck/ropes_2/", "/catalogue/mooring-rope-10-m_1/"),
    *("/catalogue/anchor-chain-10-m_7/", "/catalogue/oilskin-jacket_14/reviews/"),
    *("/catalogue/brass-lantern_8/reviews/add/", "/search/?q=lantern", "/offers/", "/basket/"),
    *("/accounts/addresses/", "/accounts/profile/", "/accounts/profile/edit/"),
    *("/accounts/orders/", f"/accounts/orders/{FIRST_ORDER}/", "/accounts/addresses/add/"),
    *("/accounts/wishlists/", "/accounts/notifications/inbox/", "/accounts/change-password/"),
    *("/dashboard/", "/dashboard/catalogue/", "/dashboard/catalogue/products/14/"),
    *("/dashboard/catalogue/categories/", "/dashboard/catalogue/stock-alerts/"),
    *("/dashboard/orders/", f"/dashboard/orders/{FIRST_ORDER + 4}/"),
    *("/dashboard/orders/statistics/", "/dashboard/users/", "/dashboard/users/3/"),
    *("/dashboard/offers/", "/dashboard/vouchers/create/", "/dashboard/ranges/"),
    *("/dashboard/reviews/", "/dashboard/partners/1/", "/dashboard/reports/"),
)


def seed(folder: Path, seed: int) -> None:
    """Make a shop with two dozen products, customers, their orders, reviews and offers."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    _set_up(folder)
    from django.contrib.auth import get_user_model
    from django.contrib.flatpages.models import FlatPage
    from django.contrib.sites.models import Site
    from django.core.management import call_command
    from oscar.core.loading import get_model

    call_command("migrate", verbosity=0)
    site = Site.objects.get()
    site.domain, site.name = "shop.example", "North Quay"
    site.save()
    for url, (title, text) in FLAT_PAGES.items():
        FlatPage.objects.create(url=url, title=title, content=f"<p>{text}</p>").sites.add(site)
    country = get_model("address", "Country")
    for order, (code, name) in enumerate(COUNTRIES):
        country.objects.create(
            iso_3166_1_a2=code,
            name=name,
            printable_name=name,
            display_order=order,
            is_shipping_country=True,
        )
    people = [administrator(*USER)]
    for name, first, last in CUSTOMERS:
        person = get_user_model().objects.create(
            username=name,
            first_name=first,
            last_name=last,
            email=f"{name}@shop.example",
            date_joined=CLOCK - timedelta(days=source.randrange(20, 800)),
            last_login=CLOCK - timedelta(hours=source.randrange(4, 400)),
            password="!",  # noqa: S106 - what no password fits
        )
        people.append(person)
    for person, (code, _) in zip(people, 2 * COUNTRIES, strict=False):
        get_model("address", "UserAddress").objects.create(
            user=person, is_default_for_shipping=True, **_address(person, code)
        )
    products = _fill_shelves(source)
    _review(source, products, people)
    _offer(products)
    orders = [_order(site, source, products, people, number) for number in range(28)]
    _keep_of_owner(people[0], products, orders)


def serve(folder: Path, port: int) -> None:
    """Serve the shop and its dashboard to its owner."""
    _set_up(folder)
    from oscar.apps.analytics import receivers
    from oscar.apps.catalogue.signals import product_viewed
    from oscar.apps.search.signals import user_search

    product_viewed.disconnect(receivers.receive_product_view)
    user_search.disconnect(receivers.receive_product_search)
    serve_django(port)


def own_scripts(answer: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a middleware of Django that lets pages ask the shop itself for jQuery."""

    def asked(request: Any) -> Any:  # noqa: ANN401
        response = answer(request)
        if not response.streaming:
            response.content = SCRIPT.sub(
                rb"/static/oscar/js/jquery/jquery.min.js", response.content
            )
        return response

    return asked


def _fill_shelves(source: random.Random) -> list[Any]:
    """Make categories, suppliers and products with their pictures and what is in stock."""
    from django.core.files.images import ImageFile
    from oscar.apps.catalogue.categories import create_from_breadcrumbs
    from oscar.core.loading import get_model

    kind = get_model("catalogue", "ProductClass").objects.create(name="Goods")
    attribute = get_model("catalogue", "ProductAttribute").objects.create(
        product_class=kind, name="Colour", code="colour", type="text"
    )
    partners = [
        get_model("partner", "Partner").objects.create(name=name, code=f"supplier-{number}")
        for number, name in enumerate(SUPPLIERS)
    ]
    products: list[Any] = []
    for place, goods in GOODS.items():
        category = create_from_breadcrumbs(place)
        for title, price, stock in goods:
            number = len(products) + 1
            product = get_model("catalogue", "Product").objects.create(
                title=title,
                product_class=kind,
                upc=f"4006381{number:05d}",
                description=f"<p>{title}, chosen by the people of the quay and tested in the "
                "bay. Whatever does not fit comes back within thirty days.</p>",
            )
            product.categories.add(category)
            attribute.save_value(product, source.choice(COLOURS))
            record = get_model("partner", "StockRecord").objects.create(
                product=product,
                partner=partners[number % len(partners)],
                partner_sku=f"NQ-{number:03d}",
                price=Decimal(price),
                num_in_stock=stock,
                low_stock_threshold=5,
            )
            if stock < 5:  # noqa: PLR2004 - the threshold above
                get_model("partner", "StockAlert").objects.create(stockrecord=record, threshold=5)
            get_model("catalogue", "ProductImage").objects.create(
                product=product,
                original=ImageFile(_picture(source), name=f"product-{number}.png"),
                caption=title,
            )
            products.append(product)
    for product in products:
        others = source.sample(products, 3)
        for other in others:
            if other != product:
                get_model("catalogue", "ProductRecommendation").objects.create(
                    primary=product, recommendation=other
                )
    return products


def _review(source: random.Random, products: list[Any], people: list[Any]) -> None:
    from oscar.core.loading import get_model

    for product in products[::2]:
        for person in source.sample(people, 2):
            title, body, score = source.choice(REVIEWS)
            get_model("reviews", "ProductReview").objects.create(
                product=product,
                user=person,
                title=title,
                body=body,
                score=score,
                status=source.choice((0, 1, 1)),
            )


def _offer(products: list[Any]) -> None:
    """Make a range of products, an offer for it, vouchers, and a way of delivery."""
    from oscar.core.loading import get_model

    lamps = get_model("offer", "Range").objects.create(
        name="All that gives light", is_public=True, description="Lanterns and their parts."
    )
    for product in products[7:13]:
        lamps.add_product(product)
    everything = get_model("offer", "Range").objects.create(
        name="Whole shop", includes_all_products=True
    )
    for name, kind, value, goods, least in (
        ("Three lamps, a tenth off", "Site", 10, lamps, 3),
        ("Welcome back", "Voucher", 5, everything, 1),
        ("Spring cleaning", "Voucher", 15, everything, 2),
    ):
        offer = get_model("offer", "ConditionalOffer").objects.create(
            name=name,
            offer_type=kind,
            description=f"{value} % off, until the end of March.",
            start_datetime=CLOCK - timedelta(days=20),
            end_datetime=CLOCK + timedelta(days=75),
            condition=get_model("offer", "Condition").objects.create(
                range=goods, type="Count", value=least
            ),
            benefit=get_model("offer", "Benefit").objects.create(
                range=goods, type="Percentage", value=value
            ),
        )
        if kind == "Voucher":
            get_model("voucher", "Voucher").objects.create(
                name=name,
                code=name.upper().replace(" ", ""),
                usage="Once per customer",
                start_datetime=offer.start_datetime,
                end_datetime=offer.end_datetime,
            ).offers.add(offer)
    method = get_model("shipping", "WeightBased").objects.create(
        name="Parcel", description="By post, two to four days.", default_weight=1
    )
    for limit, charge in (("2", "4.90"), ("10", "8.90"), ("30", "16.50")):
        method.bands.create(upper_limit=Decimal(limit), charge=Decimal(charge))


def _order(
    site: Any,  # noqa: ANN401
    source: random.Random,
    products: list[Any],
    people: list[Any],
    number: int,
) -> Any:  # noqa: ANN401
    """Place an order; the latest are of today."""
    from oscar.core.loading import get_model

    person = people[number % len(people)]
    bought = [(product, source.randrange(1, 4)) for product in source.sample(products, 3)]
    goods = sum(product.stockrecords.get().price * count for product, count in bought)
    fee = Decimal("4.90")
    code = COUNTRIES[number % len(COUNTRIES)][0]
    address = get_model("order", "ShippingAddress").objects.create(**_address(person, code))
    order = get_model("order", "Order").objects.create(
        number=str(FIRST_ORDER + number),
        site=site,
        user=person,
        currency="GBP",
        total_incl_tax=goods + fee,
        total_excl_tax=goods + fee,
        shipping_incl_tax=fee,
        shipping_excl_tax=fee,
        shipping_method="Parcel",
        shipping_code="parcel",
        shipping_address=address,
        status=source.choice(tuple(STATUSES)),
        date_placed=_placed(number),
    )
    for product, count in bought:
        record = product.stockrecords.get()
        whole = record.price * count
        get_model("order", "Line").objects.create(
            order=order,
            product=product,
            title=product.title,
            upc=product.upc,
            partner=record.partner,
            partner_name=record.partner.name,
            partner_sku=record.partner_sku,
            stockrecord=record,
            quantity=count,
            line_price_incl_tax=whole,
            line_price_excl_tax=whole,
            line_price_before_discounts_incl_tax=whole,
            line_price_before_discounts_excl_tax=whole,
            unit_price_incl_tax=record.price,
            unit_price_excl_tax=record.price,
            status=order.status,
            num_allocated=0,
        )
    if number % 4 == 0:
        order.notes.create(user=people[0], note_type="Info", message="Asked for a gift wrap.")
    return order


def _placed(number: int) -> datetime:
    return CLOCK - timedelta(hours=2 + 13 * (27 - number))


def _keep_of_owner(owner: Any, products: list[Any], orders: list[Any]) -> None:  # noqa: ANN401
    """Fill the owner's own basket, list of wishes and inbox."""
    from oscar.core.loading import get_class, get_model

    basket = get_model("basket", "Basket").objects.create(owner=owner)
    basket.strategy = get_class("partner.strategy", "Selector")().strategy()
    for product, count in ((products[0], 2), (products[7], 3), (products[18], 1)):
        basket.add_product(product, count)
    for name, wished in (("For the summer", products[2:6]), ("Gifts", products[13:16])):
        wishes = get_model("wishlists", "WishList").objects.create(owner=owner, name=name)
        wishes.key = f"{len(name):06d}"  # it draws one when it is made
        wishes.save()
        for product in wished:
            wishes.add(product)
    for order in orders[::7]:
        get_model("communication", "Notification").objects.create(
            recipient=owner,
            subject=f"Order {order.number} is on its way",
            body=f"<p>Order {order.number} left the store at noon.</p>",
        )
    get_model("communication", "CommunicationEventType").objects.create(
        code="ORDER_PLACED", name="Order placed", category="Order related"
    )


def _address(person: Any, code: str) -> dict[str, object]:  # noqa: ANN401
    return {
        "first_name": person.first_name,
        "last_name": person.last_name,
        "line1": f"{3 + len(person.last_name)} Harbour Street",
        "line4": "North Quay",
        "postcode": "NR3 1AA" if code == "GB" else "75004",
        "country_id": code,
    }


def _picture(source: random.Random) -> io.BytesIO:
    """Return a picture of a thing in front of a light wall."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (480, 480), (236, 238, 234))
    draw = ImageDraw.Draw(image)
    colour = tuple(source.randrange(30, 190) for _ in range(3))
    light = tuple(min(255, part + 50) for part in colour)
    left, top = source.randrange(70, 140), source.randrange(60, 150)
    draw.rectangle((0, 380, 480, 480), (214, 206, 192))
    shape = source.choice((draw.ellipse, draw.rectangle))
    shape((left, top, 480 - left, 410), fill=colour)
    draw.ellipse((left + 40, top + 30, 300, top + 140), fill=light)
    written = io.BytesIO()
    image.save(written, "PNG")
    written.seek(0)
    return written


def _set_up(folder: Path) -> None:
    from oscar import defaults

    defaults_of_shop = {
        name: getattr(defaults, name) for name in dir(defaults) if name.startswith("OSCAR_")
    }
    set_up_django(
        folder,
        APPLICATIONS,
        _urls,
        middleware=(
            "oscar.apps.basket.middleware.BasketMiddleware",
            "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
            f"{__name__}.own_scripts",
        ),
        context=(
            *("django.template.context_processors.i18n", "oscar.core.context_processors.metadata"),
            "oscar.apps.search.context_processors.search_form",
            "oscar.apps.checkout.context_processors.checkout",
            "oscar.apps.communication.notifications.context_processors.notifications",
        ),
        **{
            **defaults_of_shop,
            "OSCAR_SHOP_NAME": "North Quay",
            "OSCAR_SHOP_TAGLINE": "since 1987",
            "OSCAR_INITIAL_ORDER_STATUS": "Pending",
            "OSCAR_INITIAL_LINE_STATUS": "Pending",
            "OSCAR_ORDER_STATUS_PIPELINE": STATUSES,
            "OSCAR_LINE_STATUS_PIPELINE": STATUSES,
            "HAYSTACK_CONNECTIONS": {
                "default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}
            },
            "LANGUAGES": LANGUAGES,
        },
    )


def _urls() -> list[Any]:
    from django.apps import apps
    from django.conf import settings
    from django.urls import include, path
    from django.views.static import serve as files

    return [
        path("i18n/", include("django.conf.urls.i18n")),
        path("media/<path:path>", files, {"document_root": settings.MEDIA_ROOT}),
        path("", include(apps.get_app_config("oscar").urls[0])),
    ]


OSCAR: Final = ApplicationRecipe(
    name="oscar",
    version=1,
    title="Oscar",
    maker="the Oscar contributors",
    drawn_by="the server, Bootstrap, jQuery",
    licence="BSD-3-Clause",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=240,
    requirements=(
        *("django-oscar[sorl-thumbnail]==4.2.1", "django-haystack==3.4.0", "time-machine"),
        *("setuptools", "setuptools-scm"),
    ),
    built=("django-haystack", "sorl-thumbnail"),
    pages=PAGES,
    signed_in="#logout_link, #logout_form",
    seed=seed,
    serve=serve,
)
