#!/usr/bin/env python3
"""Compares signatures of ObjectStorage with those of botocore.

Usage: s3-signatures.py FILE

FILE has a JSON document a line: method, origin, path, query (pairs), headers (pairs), digest, key, secret,
token, region, time as in x-amz-date, and the Authorization header. Prints how many are equal; ends with 1 where
one is not. The tests of ObjectStorage call it, where the packages of scripts/requirements-s3.txt are installed.
"""

import datetime
import json
import sys
from unittest import mock

from botocore import auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials


def authorization(case):
    request = AWSRequest(
        method=case["method"],
        url=case["origin"] + case["path"],
        params=[tuple(pair) for pair in case["query"]],
        headers={"X-Amz-Content-SHA256": case["digest"], **dict(map(tuple, case["headers"]))},
    )
    request.context["client_config"] = mock.Mock(s3={"payload_signing_enabled": True})
    credentials = Credentials(case["key"], case["secret"], case["token"])
    signer = auth.S3SigV4Auth(credentials, "s3", case["region"])
    now = datetime.datetime.strptime(case["time"], "%Y%m%dT%H%M%SZ")
    with (
        mock.patch.object(auth, "get_current_datetime", lambda *_: now),
        mock.patch.object(signer, "payload", lambda _: case["digest"]),
        # Query and path as the request has them.
        mock.patch.object(signer, "_should_sha256_sign_payload", lambda _: True),
    ):
        signer.add_auth(request)
    return request.headers["Authorization"]


def parts(text):
    return sorted(text.replace(",", " ").split())


def main():
    count = 0
    with open(sys.argv[1], encoding="utf-8") as lines:
        for line in lines:
            case = json.loads(line)
            wanted = authorization(case)
            if parts(wanted) != parts(case["authorization"]):
                print(f"{line}botocore: {wanted}")
                return 1
            count += 1
    print(f"{count} equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
