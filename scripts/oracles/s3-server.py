#!/usr/bin/env python3
"""Runs moto, which checks signatures, as an S3 server for the tests of ObjectStorage.

Usage: s3-server.py BUCKET...

Prints the process, the port, and the access key and secret of a user who may do everything, in one line, and
ends when its parent does. It needs the packages of scripts/requirements-s3.txt.
"""

import json
import os
import sys
import threading
import time

import boto3
from moto import settings
from moto.server import ThreadedMotoServer


def end_with_parent(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def main():
    threading.Thread(target=end_with_parent, args=(os.getppid(),), daemon=True).start()
    # Its log of requests would be mixed with the output of the tests.
    sys.stderr = open(os.devnull, "w")
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    port = server.get_host_and_port()[1]
    place = {
        "endpoint_url": f"http://127.0.0.1:{port}",
        "region_name": "us-east-1",
        "aws_access_key_id": "setup",
        "aws_secret_access_key": "setup",
    }
    iam = boto3.client("iam", **place)
    iam.create_user(UserName="tests")
    everything = {
        "Version": "2012-10-17",
        "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}],
    }
    iam.put_user_policy(UserName="tests", PolicyName="everything", PolicyDocument=json.dumps(everything))
    key = iam.create_access_key(UserName="tests")["AccessKey"]
    s3 = boto3.client("s3", **place)
    for bucket in sys.argv[1:]:
        s3.create_bucket(Bucket=bucket)
    # From here on, every request has to be signed.
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    print(os.getpid(), port, key["AccessKeyId"], key["SecretAccessKey"], flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
