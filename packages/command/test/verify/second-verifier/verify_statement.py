"""A second verifier of statements and receipts, written from docs/receipts.md alone.

verify_statement.py KEYS CASES: KEYS is a key set; each line of CASES is {"bytes": base64 of a file, "own": whether the keys in it are
all there is}. Prints a line of JSON for each: what is proved, or {"refused": true}.
"""

import base64
import hashlib
import json
import re
import sys
import zlib
from datetime import datetime, timezone
from urllib.parse import quote

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "format-checker-statement/2"
PRIVATE = "Keep this file to yourself: it holds the values, and the salts that tie the receipts to them."
TYPES = {"iban", "eu-vat", "pl-nip", "pl-regon", "pl-pesel", "email"}
ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
AMOUNT = re.compile(r"0|[1-9][0-9]{0,77}")
LARGEST = 2**53 - 1


class Refused(Exception):
    pass


def insist(holds, what):
    if not holds:
        raise Refused(what)


def is_text(value):
    return isinstance(value, str)


def is_number(value, least=0, most=LARGEST):
    return type(value) is int and least <= value <= most


def matches(pattern, value):
    return is_text(value) and re.fullmatch(pattern, value) is not None


def insist_members(value, names):
    insist(isinstance(value, dict) and set(value) == set(names), "the members " + ", ".join(names))


def once(pairs):
    insist(len({name for name, _ in pairs}) == len(pairs), "a member once")
    return dict(pairs)


def whole(digits):
    insist(digits != "-0" and abs(int(digits)) <= LARGEST, "a whole number")
    return int(digits)


def never(_):
    raise Refused("a whole number")


def insist_plain(value, level=1):
    if is_text(value):
        insist(not any("\ud800" <= sign <= "\udfff" for sign in value), "no half of a pair")
    elif isinstance(value, (dict, list)):
        insist(level <= 64, "64 levels")
        for name in value if isinstance(value, dict) else ():
            insist_plain(name)
        for each in value.values() if isinstance(value, dict) else value:
            insist_plain(each, level + 1)


def read(data):
    value = json.loads(
        data.decode("utf-8"), object_pairs_hook=once, parse_int=whole, parse_float=never, parse_constant=never
    )
    insist_plain(value)
    return value


def same(one, other):
    """Equal JSON: in Python True is 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def unb64url(text):
    insist(re.fullmatch(r"[A-Za-z0-9_-]*", text), "base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    insist(base64.urlsafe_b64encode(data).decode().rstrip("=") == text, "exact base64url")
    return data


def salted(salt, data):
    return hashlib.sha256(salt + hashlib.sha256(data).digest()).hexdigest()


def key_of(jwk):
    insist(isinstance(jwk, dict) and jwk.get("kty") == "OKP" and jwk.get("crv") == "Ed25519", "a key of Ed25519")
    thumbprint = json.dumps({"crv": "Ed25519", "kty": "OKP", "x": jwk["x"]}, separators=(",", ":")).encode()
    name = base64.urlsafe_b64encode(hashlib.sha256(thumbprint).digest()).decode()[:8]
    return Ed25519PublicKey.from_public_bytes(unb64url(jwk["x"])), name


def keys_in(document):
    """The first key of each id, of a key set or a DID document."""
    found = {}
    document = document if isinstance(document, dict) else {}
    for jwk in document.get("keys", []):
        found.setdefault(jwk["kid"], jwk)
    for method in document.get("verificationMethod", []):
        found.setdefault(method["id"], method["publicKeyJwk"])
    return found


def extension_of(signature):
    return {
        "info": {"receipt": {"format": "jws", "signature": signature}},
        "schema": {"type": "object", "required": ["receipt"]},
    }


def read_receipt(given):
    """The signed part of a settlement response, of its extension or alone, with its salt, if it has one."""
    insist(isinstance(given, dict), "an object")
    given = dict(given)
    extra = given.pop("extra", None) if "extra" in given else {}
    extensions = given["extensions"] if isinstance(given.get("extensions"), dict) else {"offer-receipt": given}
    extension = extensions["offer-receipt"]
    signed = extension["info"]["receipt"] if isinstance(extension.get("info"), dict) else extension
    signature = signed["signature"]
    insist(is_text(signature) and signature.count(".") == 2, "a compact JWS")
    head, body, mac = signature.split(".")
    header, payload = read(unb64url(head)), read(unb64url(body))
    insist_members(header, ["alg", "kid"])
    insist(header["alg"] == "EdDSA" and is_text(header["kid"]), "a header")
    insist(type(payload["version"]) is int and payload["version"] == 1, "version 1")
    insist(all(is_text(payload[name]) for name in ("payer", "payTo", "network", "transaction")), "texts")
    insist(matches(AMOUNT, payload["amount"]), "an amount")
    insist(is_number(payload["issuedAt"], 0, 253402300799), "a time")
    url = re.fullmatch(r"(https?)://([^/@:]+)(:[0-9]+)?(?:/.*)?", payload["resourceUrl"])
    insist(url is not None, "an address")
    salt = extensions.get("receipt-salt")
    salt = salt["info"]["salt"] if isinstance(salt, dict) and isinstance(salt.get("info"), dict) else None
    salt = salt if matches(r"[0-9a-f]{32}", salt) else None
    forms = [extension_of(signature), {"format": "jws", "signature": signature}]
    settlement = {name: payload[name] for name in ("payer", "transaction", "network")}
    salts = {} if salt is None else {"receipt-salt": {"info": {"salt": salt}}}
    forms.append({"success": True, **settlement, "extensions": {"offer-receipt": forms[0], **salts}})
    insist(any(same(given, form) for form in forms), "the members beside the signed part")
    if extra != {}:
        insist(isinstance(extra, dict) and set(extra) <= {"channelState", "chargedAmount"}, "extra")
        insist(extra.get("chargedAmount") == payload["amount"], "the price of a channel")
    else:
        insist("extra" not in given, "extra")
    host = url[2].lower() + ("" if url[3] in (None, ":443" if url[1] == "https" else ":80") else url[3])
    return {
        "kid": header["kid"], "payload": payload, "salt": salt, "host": host,
        "signed": f"{head}.{body}".encode(), "mac": unb64url(mac),
    }


def insist_signed(receipt, keys):
    key, name = key_of(keys[receipt["kid"]])
    insist(receipt["kid"] == f"did:web:{quote(receipt['host'], safe='')}#{name}", "the key of its service")
    key.verify(receipt["mac"], receipt["signed"])


def insist_hash(receipt, name, data):
    insist(receipt["salt"] is not None, "a salt")
    insist(salted(bytes.fromhex(receipt["salt"]), data) == receipt["payload"].get(name), name)


def unpack(packed, count, budget):
    data = base64.b64decode(packed, validate=True)
    insist(base64.b64encode(data).decode() == packed and data[:4] == b"\x1f\x8b\x08\x00", "gzip in base64")
    most = min(4096 * (count + 1), budget[0])
    inflater = zlib.decompressobj(-15)
    unpacked = inflater.decompress(data[10:], most + 1)
    insist(inflater.eof and len(unpacked) <= most and len(inflater.unused_data) == 8, "one member, not too large")
    end = inflater.unused_data
    insist(end == zlib.crc32(unpacked).to_bytes(4, "little") + len(unpacked).to_bytes(4, "little"), "its sums")
    budget[0] -= len(unpacked)
    return unpacked


def insist_answer(answer):
    insist(isinstance(answer, dict) and isinstance(answer["details"], dict), "an answer")
    details = answer["details"]
    insist(type(answer["valid"]) is bool and is_text(answer["reason"]), "a verdict")
    insist(answer["normalized"] is None or is_text(answer["normalized"]), "a mask")
    insist(is_text(details["code"]) and is_text(details.get("hint", "")), "a code")
    insist(isinstance(details.get("warnings", []), list) and all(map(is_text, details.get("warnings", []))), "warnings")
    suspects = details.get("suspects", [])
    insist(isinstance(suspects, list) and all(map(is_number, suspects)), "suspects")
    bank = details.get("bank", {"name": ""})
    insist(isinstance(bank, dict) and is_text(bank["name"]) and is_text(bank.get("bic", "")), "a bank")
    insist(is_number(details.get("position", 0)) and isinstance(details.get("length", {}), dict), "places")


def bank_of(bank):
    return None if bank is None else ", ".join([bank["name"]] + ([bank["bic"]] if "bic" in bank else []))


def row_of(cell, asked, answer, payload):
    details = answer["details"]
    places = details.get("suspects") or ([details["position"]] if "position" in details else [])
    time = datetime.fromtimestamp(payload["issuedAt"], timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    mask = answer["normalized"] and answer["normalized"].replace("\u2022", "*")
    return [
        cell, asked["type"], asked["value"], answer["valid"], details["code"], answer["reason"], mask,
        [place + 1 for place in places], bank_of(details.get("bank")), payload["payer"], payload["transaction"], time,
    ]


def prove_payment(payment, keys, budget):
    receipt = read_receipt(payment["settlement"])
    payload, cells = receipt["payload"], payment["cells"]
    insist_signed(receipt, keys)
    request, results = (unpack(payment[name], len(cells), budget) for name in ("request", "results"))
    insist_hash(receipt, "requestHash", request)
    insist_hash(receipt, "resultHash", results)
    insist(payment["amount"] == payload["amount"] and int(payment["amount"]) % len(cells) == 0, "the amount")
    insist(payment["payTo"].lower() == payload["payTo"].lower(), "the payee")
    asked, answers = read(request), read(results)
    insist(isinstance(asked, list) and isinstance(answers, list), "lists")
    insist(len(asked) == len(answers) == len(cells), "an answer and cells for each value")
    rows = []
    for one, answer, places in zip(asked, answers, cells):
        insist_members(one, ["type", "value"])
        insist(is_text(one["type"]) and is_text(one["value"]), "a value")
        insist_answer(answer)
        rows += [row_of(cell, one, answer, payload) for cell in places or [None]]
    return payload, rows


def insist_cells(cells, taken):
    insist(isinstance(cells, list) and len(cells) > 0, "cells")
    for each in cells:
        insist(isinstance(each, list) and all(is_number(cell, 1) for cell in each), "numbers")
        insist(each == sorted(set(each)) and not taken & set(each), "each once, and rising")
        taken |= set(each)


def insist_statement(statement):
    insist_members(
        statement, ["format", "private", "service", "finishedAt", "input", "output", "list", "keys", "payments"]
    )
    insist(statement["private"] == PRIVATE and is_text(statement["service"]), "the sentence")
    insist(is_text(statement["finishedAt"]), "a time")
    for name in ("input", "output"):
        insist_members(statement[name], ["file", "sha256"])
        sha256 = statement[name]["sha256"]
        insist(is_text(statement[name]["file"]) and (sha256 is None or matches("[0-9a-f]{64}", sha256)), "a file")
    insist_members(statement["list"], ["columns", "sheet", "leftOut"])
    columns, sheet, left_out = (statement["list"][name] for name in ("columns", "sheet", "leftOut"))
    insist(isinstance(columns, list) and len(columns) > 0 and (sheet is None or is_text(sheet)), "columns")
    insist(isinstance(left_out, dict) and all(is_number(count, 1) for count in left_out.values()), "counts")
    for column in columns:
        insist_members(column, ["type", "column"])
        insist(is_text(column["type"]) and column["type"] in TYPES, "a type")
        insist(column["column"] is None or is_text(column["column"]), "a column")
    insist(statement["keys"] is None or isinstance(statement["keys"], dict), "keys")
    insist(isinstance(statement["payments"], list) and len(statement["payments"]) > 0, "payments")
    taken = set()
    for payment in statement["payments"]:
        insist(isinstance(payment, dict), "a payment")
        is_paid = "settlement" in payment
        insist_members(
            payment,
            ["amount", "payTo", "cells"] + (["settlement", "request", "results"] if is_paid else ["authorization"]),
        )
        insist(matches(AMOUNT, payment["amount"]), "an amount")
        insist(matches(ADDRESS, payment["payTo"]) or (payment["payTo"] is None and not is_paid), "a payee")
        insist_cells(payment["cells"], taken)
        if is_paid:
            insist(isinstance(payment["settlement"], dict), "a settlement")
            insist(is_text(payment["request"]) and is_text(payment["results"]), "packed parts")
        elif payment["authorization"] is not None:
            authorization = payment["authorization"]
            insist_members(authorization, ["network", "payer", "nonce", "validBefore"])
            insist(is_text(authorization["network"]) and matches(ADDRESS, authorization["payer"]), "an account")
            insist(matches("0x[0-9a-fA-F]{64}", authorization["nonce"]), "a nonce")
            insist(is_number(authorization["validBefore"], 1), "an end")


def verify_statement(statement, keys, size):
    insist_statement(statement)
    is_own = keys is None
    keys = keys_in(statement["keys"]) if is_own else keys
    budget = [16 * 1024 * 1024 + 80 * size]
    rows, values, paid, unproven, payers, known = [], 0, 0, 0, set(), set()
    for payment in statement["payments"]:
        if "settlement" not in payment:
            unproven += int(payment["amount"])
            continue
        payload, proved = prove_payment(payment, keys, budget)
        name = (payload["transaction"], payload["requestHash"])
        insist(name not in known, "one receipt for one payment")
        known.add(name)
        rows += proved
        values += len(payment["cells"])
        paid += int(payload["amount"])
        payers.add(payload["payer"].lower())
    insist(known, "a receipt")
    named = sum(len(payment["cells"]) for payment in statement["payments"])
    is_done = values == named and len(payers) == 1
    return {
        "code": 1 if not is_done else 4 if is_own else 0,
        "rows": len(rows) if is_own else rows,
        "values": values, "named": named, "paid": str(paid), "unproven": str(unproven), "payers": sorted(payers),
    }


def as_written(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def part_of(part):
    insist_members(part, ["type", "value"])
    return {"type": part["type"], "value": part["value"]}


def is_counted(answer):
    """Whether a member counts as true where it is no truth value."""
    valid = answer.get("valid")
    return valid not in (False, None, "") and not (type(valid) is int and valid == 0)


def answers_of(result):
    if not isinstance(result, dict) or not isinstance(result.get("results"), list):
        return result
    insist(all(isinstance(each, dict) for each in result["results"]), "answers")
    valid = sum(map(is_counted, result["results"]))
    count = len(result["results"])
    counted = {"count": count, "valid": valid, "invalid": count - valid, "results": result["results"]}
    insist(same(counted, result), "the counts")
    return result["results"]


def verify_receipt(file, keys):
    insist(isinstance(file, dict), "an object")
    if file.get("kind") == "bought":
        insist_members(file, ["kind", "verdict", "settlement", "replayed", "amount"])
        insist(type(file["replayed"]) is bool, "replayed")
        receipt, parts = read_receipt(file["settlement"]), {"result": file["verdict"]}
        insist(file["amount"] == receipt["payload"]["amount"], "the amount")
    elif "receipt" in file:
        insist(set(file) <= {"receipt", "request", "result"}, "members of a file")
        receipt, parts = read_receipt(file["receipt"]), {name: file[name] for name in file if name != "receipt"}
    else:
        receipt, parts = read_receipt(file), {}
    if keys is not None:
        insist_signed(receipt, keys)
    if "request" in parts:
        request = parts["request"]
        asked = [part_of(each) for each in request] if isinstance(request, list) else part_of(request)
        insist_hash(receipt, "requestHash", as_written(asked))
    if "result" in parts:
        insist_hash(receipt, "resultHash", as_written(answers_of(parts["result"])))
    payload = receipt["payload"]
    return {"code": 4 if keys is None else 0, "paid": payload["amount"], "payers": [payload["payer"].lower()], "parts": sorted(parts)}


def verify(data, keys):
    file = read(data)
    if isinstance(file, dict) and file.get("format") == FORMAT:
        return verify_statement(file, keys, len(data))
    return verify_receipt(file, keys)


def main(keys_path, cases_path):
    with open(keys_path, encoding="utf-8") as file:
        keys = keys_in(json.load(file))
    with open(cases_path, encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    for case in cases:
        try:
            told = verify(base64.b64decode(case["bytes"]), None if case["own"] else keys)
        except (Refused, InvalidSignature, ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
            told = {"refused": True}
        print(json.dumps(told))


main(*sys.argv[1:])
