"""Sends notifications by the binary interface with pushjack 1.6.0 (PyPI, 2019), then reads the feedback service.

Job on stdin: {host, port, feedbackPort, certificate, tokens, message}. Answer on stdout: one JSON line {accepted,
errors: [[identifier, code]], expired: [[token, time]]}.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")  # its ssl.wrap_socket is deprecated

from pushjack import APNSClient  # noqa: E402


def main():
    job = json.load(sys.stdin)

    class Client(APNSClient):
        """The library knows Apple's hosts only; these are its names for them."""

        host = feedback_host = job["host"]
        port = job["port"]
        feedback_port = job["feedbackPort"]

    client = Client(job["certificate"], default_error_timeout=job["patience"])
    answer = client.send(job["tokens"], job["message"]) if job["tokens"] else None
    expired = client.get_expired_tokens()
    print(json.dumps({
        "accepted": answer.successes if answer else [],
        "errors": [[error.identifier, error.code] for error in answer.errors] if answer else [],
        "expired": expired,
    }))


main()
