"""A provider that sends pushes with curl, with a connection for each. It knows only the variables of the handle."""

import json
import subprocess
import time

from mock_apns._signing import provider_token

TOPIC = "com.example.app"
LIVE_TOPIC = TOPIC + ".push-type.liveactivity"
#: What a start has besides its content state.
START = {"attributes-type": "RideAttributes", "attributes": {"ride": 4711}, "input-push-token": 1,
         "alert": {"title": "On the way", "body": "Here in 9 minutes"}}


def send(apns, token, title="Hi", *, topic=TOPIC, bearer=None, lifetime=86_400, **members):
    """Sends an alert, and returns the status of the response; 0 if there was none. `bearer` is the provider token."""
    return post(
        apns, f"/3/device/{token}", {"aps": {"alert": {"title": title}, **members.pop("aps", {})}, **members}, bearer,
        {"apns-topic": topic, "apns-push-type": "alert", "apns-priority": 10, "apns-expiration": int(time.time()) + lifetime},
    )


def broadcast(apns, channel, title="Hi"):
    """Sends an update of a Live Activity to a channel, and returns the status of the response."""
    aps = {"timestamp": int(time.time()), "event": "update", "content-state": {}, "alert": {"title": title}}
    return post(apns, f"/4/broadcasts/apps/{TOPIC}", {"aps": aps}, None, {
        "apns-channel-id": channel.id, "apns-push-type": "liveactivity", "apns-priority": 10, "apns-expiration": 0})


def live(apns, token, event, content_state, *, ahead=0, **aps):
    """Sends a push to a Live Activity, and returns the status of the response; its timestamp is `ahead` of now."""
    timestamp = int(apns.clock.now().timestamp()) + ahead
    aps = {"event": event, "timestamp": timestamp, "content-state": content_state, **aps}
    return post(apns, f"/3/device/{token}", {"aps": aps}, None, {
        "apns-topic": LIVE_TOPIC, "apns-push-type": "liveactivity", "apns-priority": 10})


def post(apns, path, payload, bearer, headers):
    values = apns.environment
    if bearer is None:
        with open(values["MOCK_APNS_KEY_FILE"], encoding="ascii") as file:
            pem = file.read()
        now = int(apns.clock.now().timestamp() if apns.clock else time.time())
        bearer = provider_token(pem, values["MOCK_APNS_KEY_ID"], values["MOCK_APNS_TEAM_ID"], now)
    command = ["curl", "--silent", "--http2", "--cacert", values["MOCK_APNS_CA_FILE"], "--data", json.dumps(payload)]
    for name, value in {"authorization": f"bearer {bearer}", **headers}.items():
        command += ["--header", f"{name}: {value}"]
    command += ["--output", "/dev/null", "--write-out", "%{http_code}", values["MOCK_APNS_URL"] + path]
    return int(subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout)
