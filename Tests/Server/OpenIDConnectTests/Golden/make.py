"""Makes tokens.json: tokens as a provider would make them, and as somebody would who is none, by joserfc.

    $(scripts/ci/venv)/bin/python3 Tests/OpenIDConnectTests/Golden/make.py > tokens.json
"""
import base64
import hashlib
import hmac
import json

from joserfc import jws
from joserfc.jwk import ECKey, RSAKey

NOW = 1_800_000_000
ISSUER, CLIENT, NONCE = "https://login.example.com", "mayday", "n-0S6_WzA2Mj"
rsa = RSAKey.generate_key(2048, {"kid": "rsa", "use": "sig"})
ec = ECKey.generate_key("P-256", {"kid": "ec"})
other = RSAKey.generate_key(2048, {"kid": "rsa"})
weak = RSAKey.generate_key(1024, {"kid": "weak"})
second = RSAKey.generate_key(2048, {"kid": "second"})
encryption = RSAKey.generate_key(2048, {"kid": "encryption"})
public = [key.as_dict(private=False) for key in (rsa, ec, weak, second)]
public.append({**encryption.as_dict(private=False), "use": "enc"})
CLAIMS = {"iss": ISSUER, "aud": CLIENT, "sub": "1", "nonce": NONCE, "iat": NOW, "exp": NOW + 300}


def encoded(value):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(key=rsa, algorithm="RS256", header=(), **claims):
    body = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    head = {"alg": algorithm, "kid": key.kid, **dict(header)}
    head = {name: value for name, value in head.items() if value is not None}
    registry = jws.JWSRegistry(algorithms=[algorithm], strict_check_header=False)
    return jws.serialize_compact(head, json.dumps(body).encode(), key, registry=registry)


good = token()
head, body, signature = good.split(".")
raw = f"{encoded({'alg': 'HS256', 'kid': 'rsa'})}.{body}"
pem = rsa.as_pem(private=False)
right = {
    "RS256": good,
    "ES256": token(ec, "ES256"),
    "without a key id, one key of ES256": token(ec, "ES256", header=[("kid", None)]),
    "several audiences": token(aud=[CLIENT, "other"], azp=CLIENT),
    "a list of one audience": token(aud=[CLIENT]),
    "expired within the skew of clocks": token(exp=NOW - 59),
    "made within the skew of clocks": token(iat=NOW + 59),
}
wrong = {
    "nothing": "",
    "two parts": f"{head}.{body}",
    "four parts": good + ".x",
    "alg none": f"{encoded({'alg': 'none'})}.{body}.",
    "alg None": f"{encoded({'alg': 'None', 'kid': 'rsa'})}.{body}.{signature}",
    "HS256 with the public key in PEM": raw + "." + encoded(hmac.new(pem, raw.encode(), hashlib.sha256).digest()),
    "RS512": token(algorithm="RS512"),
    "PS256": token(algorithm="PS256"),
    "without a signature": f"{head}.{body}.",
    "signed by a key of the same id": token(other),
    "signed by an RSA key of 1024 bits": token(weak),
    "signed by a key for encryption": token(encryption),
    "unknown key id": token(header=[("kid", "none")]),
    "the key id of a key of another kind": token(header=[("kid", "ec")]),
    "without a key id, several keys of RS256": token(header=[("kid", None)]),
    "a critical extension": f"{encoded({'alg': 'RS256', 'kid': 'rsa', 'crit': ['b64']})}.{body}.{signature}",
    "another body": f"{head}.{encoded({**CLAIMS, 'sub': '2'})}.{signature}",
    "padded": f"{head}.{body}.{signature}==",
    "a line break": f"{head}.{body}.{signature[:10]}\n{signature[10:]}",
    "a list for a body": f"{head}.{encoded([1])}.{signature}",
    "not JSON": f"{head}.{encoded(b'hello')}.{signature}",
    "ES256 of zeros": token(ec, "ES256").rsplit(".", 1)[0] + "." + encoded(bytes(64)),
    "ES256 with a signature in DER": token(ec, "ES256").rsplit(".", 1)[0] + "." + encoded(bytes([0x30, 6, 2, 1, 1, 2, 1, 1])),
    "expired": token(exp=NOW - 60),
    "without an end": token(exp=None),
    "an end in words": token(exp="never"),
    "of the future": token(iat=NOW + 61),
    "not yet": token(nbf=NOW + 100),
    "made long ago": token(iat=NOW - 601),
    "without its time": token(iat=None),
    "another issuer": token(iss=ISSUER + ".example"),
    "the issuer with a slash": token(iss=ISSUER + "/"),
    "without an issuer": token(iss=None),
    "another client": token(aud="other"),
    "without an audience": token(aud=None),
    "several audiences without azp": token(aud=[CLIENT, "other"]),
    "another azp": token(azp="other"),
    "another nonce": token(nonce="n-0S6_WzA2Mk"),
    "without a nonce": token(nonce=None),
    "without a subject": token(sub=None),
    "an empty subject": token(sub=""),
    "a number for a subject": token(sub=7),
    "a long subject": token(sub="x" * 256),
}
print(json.dumps({
    "now": NOW, "issuer": ISSUER, "client": CLIENT, "nonce": NONCE, "keys": {"keys": public},
    "right": right, "wrong": wrong}, indent=1))
