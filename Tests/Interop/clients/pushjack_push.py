"""Sends notifications by the binary interface with pushjack 1.6.0 (PyPI, 2019), then reads the feedback service.

Job on stdin: {host, port, feedbackPort, certificate, tokens, message, errors, timeout, quiet, feedback}. It waits `timeout`
seconds for each of so many errors, and then `quiet` seconds, in case there are more. With `feedback`, it reads the feedback service,
too. Answer on stdout: one JSON line {accepted, errors: [[identifier, code]], expired: [[token, time]]}.
"""

import json
import sys
import warnings

warnings.simplefilter("ignore")  # its ssl.wrap_socket is deprecated

from pushjack import APNSClient  # noqa: E402
from pushjack.apns import APNSConnection  # noqa: E402
from pushjack.exceptions import APNSServerError  # noqa: E402


def main():
    job = json.load(sys.stdin)

    class Client(APNSClient):
        """The library knows Apple's hosts only; these are its names for them."""

        host = feedback_host = job["host"]
        port = job["port"]
        feedback_port = job["feedbackPort"]

    check_error = APNSConnection.check_error
    seen = []

    def wait_for_error(connection, timeout=10):
        # 0 between two pushes: whether one has come.
        wait = job["timeout"] if len(seen) < job["errors"] else job["quiet"]
        try:
            check_error(connection, timeout and wait)
        except APNSServerError as error:
            seen.append(error)
            raise

    APNSConnection.check_error = wait_for_error
    client = Client(job["certificate"])
    answer = client.send(job["tokens"], job["message"]) if job["tokens"] else None
    expired = client.get_expired_tokens() if job["feedback"] else []
    print(json.dumps({
        "accepted": answer.successes if answer else [],
        "errors": [[error.identifier, error.code] for error in answer.errors] if answer else [],
        "expired": expired,
    }))


main()
