"""
Fava: the books of a small shop, drawn by Svelte from a server's JSON.

The ledger names no language, so Fava speaks the browser's. It watches files and asks nothing
of any network.
"""

from __future__ import annotations

import random
import wsgiref.simple_server
from datetime import timedelta
from pathlib import Path
from typing import Final

from surefoot.capture.applications.recipe import ApplicationRecipe
from surefoot.capture.clock import CLOCK

LEDGER: Final = "north-quay.beancount"
BASE: Final = "/north-quay"
OPTIONS: Final = """\
option "title" "North Quay"
option "operating_currency" "EUR"
2024-01-01 commodity EUR
  name: "Euro"
2024-01-01 commodity ROPE
  name: "Rope on stock"
2024-01-01 custom "fava-option" "import-dirs" "."
2024-01-01 custom "budget" Expenses:Delivery "monthly" 260.00 EUR
"""
ACCOUNTS: Final = (
    *("Assets:Bank:Current", "Assets:Bank:Savings", "Assets:Cash", "Assets:Stock"),
    *("Liabilities:Card", "Liabilities:Suppliers", "Equity:Opening-Balances"),
    *("Income:Shop", "Income:Orders", "Expenses:Rent", "Expenses:Delivery", "Expenses:Wages"),
    *("Expenses:Electricity", "Expenses:Packaging", "Expenses:Insurance"),
)
# Who is paid or pays, for what, from which account to which, and about how much.
PAYMENTS: Final = (
    ("Harbour Estates", "Rent of the shop", "Assets:Bank:Current", "Expenses:Rent", 840),
    ("Blue Van", "Parcels of the week", "Liabilities:Card", "Expenses:Delivery", 64),
    ("Chen Wei", "Wages", "Assets:Bank:Current", "Expenses:Wages", 1650),
    ("Town Grid", "Electricity", "Assets:Bank:Current", "Expenses:Electricity", 118),
    ("Box & Co", "Cartons and tape", "Assets:Cash", "Expenses:Packaging", 35),
    ("Walk-in", "Till of the day", "Income:Shop", "Assets:Cash", 420),
    ("Orders", "Orders that were paid", "Income:Orders", "Assets:Bank:Current", 980),
    ("Safe Harbour", "Insurance", "Liabilities:Suppliers", "Expenses:Insurance", 76),
)
REPORTS: Final = (
    *("income_statement", "balance_sheet", "trial_balance", "journal", "holdings"),
    *("commodities", "documents", "events", "statistics", "editor", "import", "options", "help"),
)
PAGES: Final = (
    *(f"{BASE}/{report}/" for report in REPORTS),
    f"{BASE}/income_statement/?time=2025",
    f"{BASE}/income_statement/?conversion=at_value&interval=year",
    f"{BASE}/journal/?filter=payee%3A%22Blue%20Van%22",
    f"{BASE}/account/Assets:Bank:Current/",
    f"{BASE}/account/Expenses:Delivery/?r=changes",
    f"{BASE}/account/Expenses/?r=balances",
    f"{BASE}/query/?query_string=SELECT+account%2C+sum%28position%29+GROUP+BY+account",
    f"{BASE}/help/features",
    f"{BASE}/journal/#add-transaction",
    f"{BASE}/journal/#export",
)


def seed(folder: Path, seed: int) -> None:
    """Write two years of books: openings, payments, balances and notes."""
    source = random.Random(seed)  # noqa: S311 - reproducible, not secret
    begun = CLOCK.date() - timedelta(days=700)
    lines = [OPTIONS, *(f"{begun} open {account}" for account in ACCOUNTS)]
    lines.append(
        f'{begun} * "Opening" "What there was"\n'
        "  Assets:Bank:Current     21000.00 EUR\n  Assets:Cash               400.00 EUR\n"
        "  Assets:Stock  40 ROPE {12.50 EUR}\n  Equity:Opening-Balances\n"
    )
    for number in range(170):
        day = begun + timedelta(days=2 + 4 * number)
        payee, what, giver, taker, about = source.choice(PAYMENTS)
        amount = about * source.uniform(0.8, 1.2)
        flag = "!" if number % 23 == 0 else "*"
        tag = " #quarter" if number % 9 == 0 else ""
        lines.append(
            f'{day} {flag} "{payee}" "{what}"{tag}\n  {taker}  {amount:.2f} EUR\n  {giver}\n'
        )
        if number % 20 == 0:
            lines.append(f'{day} event "location" "{source.choice(("Shop", "Fair", "Store"))}"')
        if number % 31 == 0:
            lines.append(f'{day} note Assets:Bank:Current "The bank called about {payee}"')
        if number % 17 == 0:
            lines.append(f"{day} price ROPE {12.5 + number / 50:.2f} EUR")
    (folder / LEDGER).write_text("\n".join(lines) + "\n", encoding="utf-8")


def serve(folder: Path, port: int) -> None:
    """Serve the ledger; it has no accounts of people to sign in to."""
    from fava.application import create_app

    application = create_app([folder / LEDGER], load=True, poll_watcher=True)
    wsgiref.simple_server.make_server("127.0.0.1", port, application).serve_forever()


FAVA: Final = ApplicationRecipe(
    name="fava",
    version=1,
    title="Fava",
    maker="the Fava contributors",
    drawn_by="Svelte",
    licence="MIT",
    languages=("en", "zh-CN", "fr", "ru", "ja"),
    megabytes=90,
    requirements=("fava==1.30.16", "time-machine"),
    pages=PAGES,
    signed_in="aside a[href*='income_statement']",
    seed=seed,
    serve=serve,
)
