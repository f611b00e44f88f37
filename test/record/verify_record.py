"""Checks receipts of the public record, as docs/methodology/record.md describes them; Python's standard library alone.

python3 verify_record.py receipt.json ...    prints one JSON object for each: the price, or why it was not verified.
"""
import base64
import datetime
import hashlib
import json
import math
import struct
import sys


class Unverified(Exception):
    pass


def check(condition, because):
    if not condition:
        raise Unverified(because)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(data):
    return hashlib.sha256(data).digest()


# Ed25519 (RFC 8032, section 6), in projective coordinates.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
CURVE_D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def point_add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * CURVE_D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = point_add(result, point)
        point = point_add(point, point)
        scalar >>= 1
    return result


def recover_x(y, sign):
    x2 = (y * y - 1) * pow(CURVE_D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P != 0:
        x = x * ROOT % P
    check((x * x - x2) % P == 0, "a key is not a point")
    return P - x if (x & 1) != sign else x


def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    x = recover_x(y, sign)
    return (x, y, 1, x * y % P)


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE_X = recover_x(BASE_Y, 0)
BASE = (BASE_X, BASE_Y, 1, BASE_X * BASE_Y % P)


def is_signed(key, text, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    s = int.from_bytes(signature[32:], "little")
    if s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % ORDER
    left = point_times(s, BASE)
    right = point_add(decompress(signature[:32]), point_times(k, decompress(key)))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def unbase64(text):
    data = base64.b64decode(text, validate=True)
    check(base64.b64encode(data).decode() == text, "base64 is not canonical")
    return data


def read_key(text):
    name, key_hash, encoded = text.split("+", 2)
    typed = unbase64(encoded)
    check(len(typed) == 33 and typed[0] == 1, "a key is not of Ed25519")
    computed = sha256(name.encode() + b"\n" + typed)[:4]
    check(computed.hex() == key_hash, "the hash of a key is wrong")
    return name, computed, typed[1:]


def unsigned(value):
    return canonical({name: one for name, one in value.items() if name != "signature"}).encode()


def read_keys(keys):
    """Section 6."""
    texts = [keys["first"]]
    for line in keys["rotations"]:
        check(line["from"] == texts[-1], "a change of the key does not follow")
        check(is_signed(read_key(texts[-1])[2], unsigned(line), unbase64(line["signature"])), "a change is not signed")
        texts.append(line["key"])
    return [read_key(text) for text in texts]


def open_checkpoint(note, keys):
    """Section 3: the size and the root of the head."""
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    for line in signatures.rstrip("\n").split("\n"):
        dash, name, encoded = line.split(" ")
        signed = unbase64(encoded)
        for key in keys:
            if dash == "\u2014" and key[0] == name and key[1] == signed[:4]:
                check(is_signed(key[2], text.encode(), signed[4:]), "the checkpoint is not signed")
                origin, size, root = text.split("\n")[:3]
                check(origin == name, "the checkpoint is of another record")
                return int(size), unbase64(root)
    raise Unverified("no key has signed the checkpoint")


def root_from(leaf, index, size, proof):
    """RFC 6962, section 2.1.1: the root that an audit path leads to."""
    if size == 1:
        check(index == 0 and not proof, "a proof is too long")
        return leaf
    check(proof, "a proof is too short")
    split = 1
    while split * 2 < size:
        split *= 2
    last = bytes.fromhex(proof[-1])
    if index < split:
        return sha256(b"\x01" + root_from(leaf, index, split, proof[:-1]) + last)
    return sha256(b"\x01" + last + root_from(leaf, index - split, size - split, proof[:-1]))


def check_included(data, index, size, proof, root, what):
    check(0 <= index < size, what + " is outside of its tree")
    check(root_from(sha256(b"\x00" + data), index, size, proof) == root, what + " is not in its tree")


def day_number(text):
    return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days


def read_state(data, count):
    """Section 2: the card's numbers, then those of each grade."""
    card, at, grades = struct.unpack_from("<dfff", data), 20, []
    for _ in range(count):
        number, own, last, level, covariance, deviation, sale = struct.unpack_from("<BBHdfff", data, at)
        at += 24
        before = None
        if number >= 128:
            before = struct.unpack_from("<dfBH", data, at)
            at += 15
        level = None if math.isnan(level) else level
        grades.append((level, covariance, deviation, sale, own, last, before))
    check(at == len(data), "a state is too long")
    return card, grades


def price(grade, day, parameters, market, calibration, curve, set_curve, snapshot):
    """Section 5."""
    none = dict.fromkeys(("priceUsdCents", "low", "high", "confidenceScore", "nextSaleRangeUsdCents"))
    grades = snapshot["grades"]
    if not grades:
        return none
    i = grades.index(grade) if grade in grades else 0
    card, columns = read_state(unbase64(snapshot["state"]), len(grades))
    card_level, card_variance, level_day, deviation_day = card
    level, covariance, deviation, sale_variance, own, last_day, before = columns[i]
    if grade not in grades:
        noise = lambda one: parameters["rawNoise"] if one.startswith("raw-") else 1
        level, own, before, sale_variance = None, 0, None, sale_variance * noise(grade) / noise(grades[0])
    prior = parameters["gradePriors"].get(grade, parameters["otherGradePrior"])
    terms = curve["terms"] if curve else {"meanLevel": 0, "alpha": {}, "beta": {}, "square": {}, "tauSquared": {}}
    alpha = terms["alpha"].get(grade, prior["alpha"])
    beta, square = terms["beta"].get(grade, 0), terms["square"].get(grade, 0)
    tau2 = terms["tauSquared"].get(grade, prior["tau"] ** 2)
    delta = set_curve["terms"]["delta"].get(grade, 0) if set_curve else 0
    near = max(-1, min(1, card_level - terms["meanLevel"]))
    slope = beta + 2 * square * near
    h, gamma = 1 + slope, alpha + delta - slope * terms["meanLevel"] - square * near * near
    on_curve = gamma + h * card_level
    def belief(t, at):
        phi = math.exp(-t / parameters["deviationDays"])
        card = h * h * (card_variance + level_day * t)
        if at is None:
            return on_curve, card + tau2
        own_part = phi * phi * deviation + tau2 * (1 - phi * phi) + deviation_day * t
        return on_curve + phi * (at - on_curve), card + 2 * h * phi * covariance + own_part

    def estimate(at, variance, sales, last):
        mean, total = market["level"] + at, variance + market["variance"]
        age = day_number(day) - last
        by_age = 0 if age <= 30 else 1 if age <= 180 else 2
        stratum = 0 if sales == 0 else (3 if sales < 4 else 6 if sales < 13 else 9) + by_age
        bucket = sum(1 for end in (30, 100, 300, 1000) if math.log(end) <= mean)
        q = calibration["quantiles80"][stratum] * calibration["factors"][bucket]
        sd = min(1.6, max(0.8, q / 1.535)) * math.sqrt(total)
        z = parameters["rangeSds80"] * sd
        return mean, sd, z, max(z, q * math.sqrt(total + sale_variance))

    t = day_number(day) - day_number(snapshot["day"])
    now_level, now_variance = belief(t, level)
    estimates = [estimate(now_level, now_variance, own, last_day)]
    if before is not None:
        old_level, old_variance, old_sales, old_day = before
        variance = old_variance + now_variance - belief(0, level)[1]
        estimates.append(estimate(belief(t, old_level)[0], variance, old_sales, old_day))
    if estimates[0][1] > parameters["pricedSdMax"]:
        return none
    cents = lambda x: max(1, math.floor(100 * math.exp(x) + 0.5))
    lowest = lambda i: min(one[0] - one[i] for one in estimates)
    highest = lambda i: max(one[0] + one[i] for one in estimates)
    half_width = (highest(2) - lowest(2)) / (2 * parameters["rangeSds80"])
    confidence = math.erf(parameters["confidenceDistance"] / half_width / math.sqrt(2))
    return {
        "priceUsdCents": cents(estimates[0][0]),
        "low": cents(lowest(2)),
        "high": cents(highest(2)),
        "confidenceScore": math.floor(confidence * 100 + 0.5) / 100,
        "nextSaleRangeUsdCents": {"low": cents(lowest(3)), "high": cents(highest(3))},
    }


def verify(receipt):
    """Section 4: the price of the lines."""
    keys = read_keys(receipt["keys"])
    size, root = open_checkpoint(receipt["checkpoint"], keys)
    days = {}
    for day in receipt["days"]:
        leaf = canonical({name: day[name] for name in ("day", "lines", "root")}).encode()
        check_included(leaf, day["index"], size, day["path"], root, day["day"])
        days[day["day"]] = day
    today = receipt["day"]
    check(days[today]["index"] == size - 1, "the checkpoint is of another day")
    found = {}
    check(len(receipt["lines"]) == len(receipt["proofs"]), "a line has no proof")
    for text, proof in zip(receipt["lines"], receipt["proofs"]):
        day = days[proof["day"]]
        check_included(text.encode(), proof["index"], day["lines"], proof["path"], bytes.fromhex(day["root"]), "a line")
        parsed = json.loads(text)
        kind = parsed["k"]
        if kind == "curve":
            kind = "curve of game" if parsed["set"] is None else "curve of set"
        check(kind not in found, "a line is there twice")
        if kind in ("day", "market", "calibration"):
            check(proof["day"] == today, "a line is of another day")
        else:
            check(parsed["day"] <= proof["day"] <= today, "a line is of a later day")
        found[kind] = parsed
    header, market, snapshot = found["day"], found["market"], found["snapshot"]
    check(header["day"] == today and header["model"] == receipt["version"], "the header is of another day or model")
    check(sha256(receipt["parameters"].encode()).hex() == header["parameters"], "the parameters are others")
    check(snapshot["item"] == receipt["item"]["id"], "the snapshot is of another card")
    curve, set_curve = found.get("curve of game"), found.get("curve of set")
    check(market["game"] == snapshot["game"] and (curve is None or curve["game"] == snapshot["game"]), "another game")
    check(set_curve is None or set_curve["set"] == snapshot["set"], "another set")
    parameters = json.loads(receipt["parameters"])
    made = price(receipt["gradeToken"], today, parameters, market, found["calibration"], curve, set_curve, snapshot)
    if made == receipt["published"]:
        check(is_signed(keys[-1][2], unsigned(receipt), unbase64(receipt["signature"])), "the signature is wrong")
    return made


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        receipt = json.load(file)
    try:
        recomputed = verify(receipt)
        print(json.dumps({"recomputed": recomputed, "isMatch": recomputed == receipt["published"]}))
    except (Unverified, KeyError, ValueError, TypeError) as error:
        print(json.dumps({"notVerified": str(error)}))
