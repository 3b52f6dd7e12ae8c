"""What somebody writes first after `pip install`: curl is the provider."""

import json
import subprocess


def test_shipped(mock_apns):
    phone = mock_apns.phone("com.example.app")
    subprocess.run(
        ["curl", "--silent", "--show-error", "--fail", "--http2", "--cacert", mock_apns.ca_file,
         "--header", f"authorization: bearer {mock_apns.key.token()}", "--header", "apns-topic: com.example.app",
         "--data", json.dumps({"aps": {"alert": {"title": "Order shipped"}}, "orderID": "17"}),
         f"{mock_apns.url}/3/device/{phone.token}"],
        check=True,
    )
    push = mock_apns.expect(to=phone, title="Order shipped")
    assert push.payload["orderID"] == "17"
