"""Provider tokens, signed with ES256, which Python's library does not have. For the keys of tests only."""

import base64
import hashlib
import json
import secrets
from typing import Optional, Tuple

_Point = Optional[Tuple[int, int]]  # None is the point at infinity
# The curve P-256: its field, the order of its base point, and that point.
_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
      0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def provider_token(pem: str, key_id: str, team_id: str, issued_at: int) -> str:
    """A provider token, signed with the private key of a .p8 file."""
    der = base64.b64decode("".join(line for line in pem.splitlines() if not line.startswith("-----")))
    mark = b"\x02\x01\x01\x04\x20"  # of an ECPrivateKey: version 1, and 32 bytes
    start = der.index(mark) + len(mark)
    parts = {"alg": "ES256", "kid": key_id}, {"iss": team_id, "iat": issued_at}
    text = ".".join(_base64(json.dumps(part).encode()) for part in parts)
    return f"{text}.{_base64(_signature(int.from_bytes(der[start : start + 32], 'big'), text.encode()))}"


def _signature(key: int, message: bytes) -> bytes:
    once = 1 + secrets.randbelow(_N - 1)
    point: _Point = None
    for bit in f"{once:b}":
        point = _sum(point, point)
        if bit == "1":
            point = _sum(point, _G)
    assert point
    r = point[0] % _N
    s = pow(once, -1, _N) * (int.from_bytes(hashlib.sha256(message).digest(), "big") + r * key) % _N
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def _sum(a: _Point, b: _Point) -> _Point:
    if a is None or b is None:
        return a or b
    if a == b:
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, _P)
    else:  # never opposite points, since the number is below the order
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, _P)
    x = (slope * slope - a[0] - b[0]) % _P
    return x, (slope * (a[0] - x) - a[1]) % _P


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
