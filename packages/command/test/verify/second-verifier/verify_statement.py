"""A second verifier of statements over lists in CSV, written from docs/receipts.md, docs/lists.md and docs/evidence/hints.md alone.

verify_statement.py KEYS CASES: KEYS is a key set; CASES is a list of {"statement": path, "list": path}. Prints a line of JSON for
each: what is proved, or {"forged": true}.
"""

import base64
import csv
import gzip
import hashlib
import io
import json
import re
import sys
import zlib
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LEFT_OUT = {
    "empty", "totals_row", "rule", "not_a_value", "several_values", "digits_lost", "too_many_cells", "encoding_unknown",
    "value_not_string", "value_too_long", "value_not_unicode", "not_json", "answer_lost",
}
RESULTS = ["valid", "code", "reason", "normalized", "cleaned", "hint", "place", "suggested", "warnings"]
SIGNED = ["valid", "code", "reason", "normalized", "place"]
TRUTH = {"true": "true", "wahr": "true", "prawda": "true", "false": "false", "falsch": "false", "fałsz": "false"}
HINTS = Path(__file__).parents[5].joinpath("docs/evidence/hints.md").read_text(encoding="utf-8")
MEANING = dict(re.findall(r"^\| `([a-z_:A-Z]+)` \| (.*?) \|", HINTS, re.MULTILINE))


class Forged(Exception):
    pass


def insist(holds, what):
    if not holds:
        raise Forged(what)


def unb64(text):
    insist(isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9_-]+", text), "base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    insist(base64.urlsafe_b64encode(data).decode().rstrip("=") == text, "exact base64url")
    return data


def signed_part(signature, keys):
    insist(isinstance(signature, str) and signature.count(".") == 2, "a compact JWS")
    head, body, mac = signature.split(".")
    header = json.loads(unb64(head))
    insist(header["alg"] == "EdDSA" and header["kid"] in keys, "a key of the service")
    keys[header["kid"]].verify(unb64(mac), f"{head}.{body}".encode())
    return json.loads(unb64(body))


def unpack(packed):
    insist(isinstance(packed, str), "a packed part")
    return gzip.decompress(base64.b64decode(packed, validate=True))


def salted(salt, data):
    return hashlib.sha256(salt + hashlib.sha256(data).digest()).hexdigest()


def comparable(name, cell):
    cell = cell.strip()
    if name == "valid":
        return TRUTH.get(cell.lower(), cell)
    return re.sub("[•?]", "*", cell) if name == "normalized" else cell


def cleaned(kind, value, result):
    steps = result["details"].get("normalization", [])
    if not result["valid"]:
        return ""
    if kind == "email":
        local, _, domain = value.strip().rpartition("@")
        return f"{local}@{domain.lower() if 'domain_lowercased' in steps else domain}"
    number = re.sub("[^0-9A-Z]", "", value.upper())
    return re.sub("^[A-Z]+", "", number) if "prefix_removed" in steps else number


def own_words(kind, value, result):
    details = result["details"]
    return {
        "cleaned": cleaned(kind, value, result),
        "hint": MEANING[details["hint"]] if "hint" in details else "",
        "warnings": " ".join(MEANING[warning] for warning in details.get("warnings", [])),
    }


def result_cells(result):
    details = result["details"]
    places = details.get("suspects") or ([details["position"]] if "position" in details else [])
    return (
        "true" if result["valid"] else "false",
        details["code"],
        result["reason"],
        comparable("normalized", result["normalized"] or ""),
        ", ".join(str(place + 1) for place in places),
    )


def rising(cells):
    return isinstance(cells, list) and all(type(cell) is int and cell >= 1 for cell in cells) and cells == sorted(set(cells))


def prove_payment(payment, keys):
    """The values and results of a payment with their cells, its amount, and what must not come twice."""
    settlement = payment["settlement"]
    extensions = settlement["extensions"]
    payload = signed_part(extensions["offer-receipt"]["info"]["receipt"]["signature"], keys)
    insist(set(settlement) == {"success", "payer", "transaction", "network", "extensions"}, "members of a settlement")
    insist(all(settlement[name] == payload[name] for name in ("payer", "transaction", "network")), "the signed members")
    salt = bytes.fromhex(extensions["receipt-salt"]["info"]["salt"])
    insist(len(salt) == 16 and salt.hex() == extensions["receipt-salt"]["info"]["salt"], "a salt")
    request, results = unpack(payment["request"]), unpack(payment["results"])
    insist(salted(salt, request) == payload["requestHash"], "the request")
    insist(salted(salt, results) == payload["resultHash"], "the results")
    insist(payment["amount"] == payload["amount"], "the amount")
    insist(isinstance(payment["payTo"], str) and payment["payTo"].lower() == payload["payTo"].lower(), "the payee")
    asked, answered = json.loads(request), json.loads(results)
    insist(len(asked) == len(answered) == len(payment["cells"]), "a result and cells for each value")
    items = [
        {
            "key": (one["type"], one["value"]), "result": result_cells(result), "cells": cells, "found": [],
            "own": own_words(one["type"], one["value"], result),
        }
        for one, result, cells in zip(asked, answered, payment["cells"])
    ]
    return items, int(payload["amount"]), (payload["transaction"], payload["requestHash"])


def result_places(header, results, width, column):
    """Where the cells of a result are, by their names; None if the list lacks a signed one."""
    if results is None:
        return None
    insist(results.get("format") == "format-checker-results/2", "a known format of results")
    insist(all(re.sub(r"_\d+$", "", heading) in RESULTS for heading in results["headings"]), "headings of results")
    places = {}
    for at, name in enumerate(RESULTS):
        heading = results["headings"][column * len(RESULTS) + at]
        if header.count(heading) == 1:
            places[name] = header.index(heading)
    return places if all(name in places for name in SIGNED) else None


def prove_list(statement, data, items):
    rows = [row for row in csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";")]
    header, rows = rows[0], rows[1:]
    columns = statement["list"]["columns"]
    indices = []
    for column in columns:
        name = column["column"]
        number = int(name) - 1 if name.isdecimal() and name not in header else None
        insist(number is not None or name in header, "the column")
        indices.append(header.index(name) if number is None else number)
    by_key = {}
    for item in items:
        by_key.setdefault(item["key"], []).append(item)
    left_out = unproved = words = number = 0
    for row in rows:
        for at, (column, index) in enumerate(zip(columns, indices)):
            number += 1
            value = row[index] if index < len(row) else ""
            known = by_key.get((column["type"], value), []) if value.strip() else []
            places = result_places(header, statement["list"]["results"], len(columns), at)
            if places is None:
                unproved += bool(known)
                left_out += not known
                continue
            told = {name: (row[place] if place < len(row) else "").strip() for name, place in places.items()}
            cells = tuple(comparable(name, told[name]) for name in SIGNED)
            item = next((item for item in known if item["result"] == cells), None)
            if item is not None:
                item["found"].append(number)
                words += len(places) < len(RESULTS) or any(told[name] != cell for name, cell in item["own"].items())
                continue
            code = told["code"]
            insist(code in LEFT_OUT, f"row {number} was not sold")
            insist(not any(cell for name, cell in told.items() if name not in ("code", "reason")), f"row {number} says more")
            insist(code != "empty" or not value.strip(), f"row {number} is not empty")
            insist(code != "not_a_value" or (value.strip() and not re.search(r"\d", value)), f"row {number} is a value")
            left_out += not known
            unproved += bool(known)
    return left_out, unproved, words


def verify(statement, data, keys):
    insist(statement["format"] == "format-checker-statement/2", "the format")
    items, paid, unproven, lost, known = [], 0, 0, 0, set()
    for payment in statement["payments"]:
        insist(all(rising(cells) for cells in payment["cells"]), "cells")
        insist(re.fullmatch(r"[0-9]{1,30}", payment["amount"]), "an amount")
        if payment["settlement"] is None:
            lost += 1
            unproven += int(payment["amount"])
            continue
        sold, amount, name = prove_payment(payment, keys)
        insist(name not in known, "one receipt for one payment")
        known.add(name)
        items += sold
        paid += amount
    insist(known, "a receipt")
    left_out, unproved, words = prove_list(statement, data, items)
    found = [item for item in items if item["found"]]
    moved = sum(len(set(item["found"]) ^ set(item["cells"])) for item in found)
    counts = {"payments": lost, "values": len(items) - len(found), "rows": unproved, "words": words, "moved": moved}
    of = statement["input" if statement["list"]["of"] == "input" else "output"]
    return {
        "paid": str(paid),
        "unproven": str(unproven),
        "rows": {"proved": sum(len(item["found"]) for item in found), "left_out": left_out},
        "file": "as_stated" if of["sha256"] == hashlib.sha256(data).hexdigest() else "other",
        "not_compared": {name: count for name, count in counts.items() if count},
    }


def main(keys_path, cases_path):
    with open(keys_path, encoding="utf-8") as file:
        listed = [jwk for jwk in json.load(file)["keys"] if jwk.get("crv") == "Ed25519"]
    keys = {jwk["kid"]: Ed25519PublicKey.from_public_bytes(unb64(jwk["x"])) for jwk in listed}
    with open(cases_path, encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        try:
            with open(case["statement"], encoding="utf-8") as file:
                statement = json.load(file)
            with open(case["list"], "rb") as file:
                told = verify(statement, file.read(), keys)
        except (Forged, InvalidSignature, ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, EOFError, zlib.error):
            told = {"forged": True}
        print(json.dumps(told))


main(*sys.argv[1:])
