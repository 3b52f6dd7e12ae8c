"""The stories of kits/stories.json: one test for each, named after its identifier."""

import itertools
import json
import os
import socket
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import test_servers
from conftest import STORIES, story
from mock_apns import MockAPNs, MockAPNsError
from provider import LIVE_TOPIC, START, TOPIC, broadcast, live, send


def test_every_story_has_a_test():
    names = [*globals(), *vars(test_servers)]
    tests = [story(name) for name in names if name.startswith("test_") and name not in ("test_servers", "test_every_story_has_a_test")]
    assert sorted(tests) == sorted(one["id"] for one in STORIES)


def failure(expectation, *arguments, **conditions):
    """The message of the assertion error that an expectation raises."""
    with pytest.raises(AssertionError) as caught:
        expectation(*arguments, **conditions)
    return str(caught.value)


# Namespaces, and what a provider needs


def test_namespace():
    with MockAPNs("one") as one, MockAPNs("two") as two:
        phones = [apns.phone(TOPIC, name="alice", token="ab" * 32) for apns in (one, two)]
        assert send(one, phones[0].token) == 200
        assert one.port != two.port
        assert len(one.pushes()) == 1
        assert two.pushes() == []


def test_namespace_gone():
    with MockAPNs() as first:
        pass
    with pytest.raises(ZeroDivisionError), MockAPNs() as second:
        second.phone(TOPIC, name=str(1 // 0))
    for apns in (first, second):
        with pytest.raises(MockAPNsError, match="no namespace"):
            apns.pushes()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((apns.host, apns.port))


def test_parallel_tests():
    def run(number):
        with MockAPNs(f"test {number}") as apns:
            phone = apns.phone(TOPIC, name="alice")
            assert send(apns, phone.token, f"title {number}") == 200
            apns.expect(to=phone, title=f"title {number}", within=30)
            return [push.title for push in apns.pushes()]

    with ThreadPoolExecutor(200) as threads:
        assert list(threads.map(run, range(200))) == [[f"title {number}"] for number in range(200)]


def test_provider_values(mock_apns):
    values = mock_apns.environment
    assert values["MOCK_APNS_URL"] == f"https://{values['MOCK_APNS_HOST']}:{values['MOCK_APNS_APNS_PORT']}" == mock_apns.url
    assert Path(values["MOCK_APNS_KEY_FILE"]).read_text() == mock_apns.key.pem
    assert values.items() <= os.environ.items()
    phone = mock_apns.phone(TOPIC)
    assert send(mock_apns, phone.token) == 200  # knows only these variables
    mock_apns.expect(to=phone, key_id=values["MOCK_APNS_KEY_ID"], team_id=values["MOCK_APNS_TEAM_ID"])


def test_provider_token(mock_apns):
    phone = mock_apns.phone(TOPIC)
    assert send(mock_apns, phone.token, bearer=mock_apns.key.token()) == 200
    mock_apns.clock.advance(timedelta(days=1))
    assert send(mock_apns, phone.token, bearer=mock_apns.key.token()) == 200


def test_page(mock_apns):
    with urllib.request.urlopen(urllib.request.Request(mock_apns.page, headers={"Accept": "text/html"})) as answer:
        assert "mock-apns" in answer.read().decode()
    assert mock_apns.page.endswith(f"?ns={mock_apns.namespace}")


# Phones


def test_push_arrives(mock_apns):
    phone = mock_apns.phone(TOPIC)
    send(mock_apns, phone.token, "Order shipped", aps={"badge": 1}, orderID="17", list=[1, {"a": 1.5, "b": None, "c": False}])
    push = mock_apns.expect(to=phone, title="Order shipped")
    assert push.payload["orderID"] == "17"
    assert push.payload["list"] == [1, {"a": 1.5, "b": None, "c": False}]
    assert json.loads(push.body) == push.payload
    assert (push.title, push.text, push.topic, push.type, push.priority) == ("Order shipped", None, TOPIC, "alert", 10)
    assert (push.status, push.reason, push.accepted, push.delivery) == (200, None, True, "delivered")
    assert ("apns-priority", "10") in push.headers
    assert push.token == phone.token and push.apns_id and push.expiration and not push.collapse_id
    assert "Order shipped" in repr(push)


def test_phone_with_token(mock_apns):
    phone = mock_apns.phone(TOPIC, name="alice", token="0a" * 32)
    assert phone.token == "0a" * 32
    send(mock_apns, "0a" * 32)
    mock_apns.expect(device="alice")


def test_phone_offline(mock_apns):
    phone = mock_apns.phone(TOPIC, offline=True)
    for title in ("one", "two", "three"):
        send(mock_apns, phone.token, title)
    assert phone.inbox() == []
    phone.go_online()
    assert [shown.title for shown in phone.inbox()] == ["three"]


def test_phone_goes_offline(mock_apns):
    phone = mock_apns.phone(TOPIC)
    phone.go_offline()
    send(mock_apns, phone.token)
    assert phone.inbox() == []
    mock_apns.expect(to=phone, delivery="stored-device-offline")


def test_app_uninstalled(mock_apns):
    phone = mock_apns.phone(TOPIC)
    phone.uninstall_app()
    assert [send(mock_apns, phone.token, title) for title in ("one", "two")] == [410, 410]
    assert mock_apns.expect(reason="Unregistered", title="two").reason == "Unregistered"
    entry, = mock_apns.feedback()
    assert entry == (phone.token, TOPIC, 2, 1)


def test_token_rotated(mock_apns):
    phone = mock_apns.phone(TOPIC)
    old = phone.token
    assert phone.rotate_token() == phone.token != old
    assert send(mock_apns, old) == 410
    assert send(mock_apns, phone.token, "new") == 200
    mock_apns.expect(to=phone, title="new")


def test_stored_expires(mock_apns):
    phone = mock_apns.phone(TOPIC, offline=True)
    send(mock_apns, phone.token, lifetime=3_600)
    mock_apns.clock.advance(3_601)
    phone.go_online()
    assert phone.inbox() == []
    mock_apns.expect(to=phone, query="is:discarded")


# Expectations


def test_expect_waits(mock_apns):
    phone = mock_apns.phone(TOPIC)
    provider = threading.Thread(target=send, args=(mock_apns, phone.token, "late"))
    provider.start()
    mock_apns.expect(to=phone, title="late", within=30)
    provider.join()


def test_expect_conditions(mock_apns):
    phone = mock_apns.phone(TOPIC, name="alice")
    send(mock_apns, phone.token, "Order shipped", orderID="17")
    conditions = {
        "to": phone, "device": "alice", "topic": TOPIC, "type": "alert", "priority": 10, "headers": {"apns-topic": TOPIC},
        "key_id": mock_apns.key.id, "team_id": mock_apns.key.team_id, "status": 200, "payload": {"/orderID": "17"},
        "title": {"contains": "shipped"}, "query": "is:delivered has:title",
    }
    mock_apns.expect(**conditions)
    failure(mock_apns.expect, **{**conditions, "payload": {"/orderID": "18"}}, within=0)
    with pytest.raises(TypeError, match="unknown condition 'titel'"):
        mock_apns.expect(titel="Order shipped")
    with pytest.raises(TypeError, match="use one of them"):
        mock_apns.expect(to=phone, token=phone.token)


def test_expect_exactly(mock_apns):
    phone = mock_apns.phone(TOPIC)
    for title in ("one", "two"):
        send(mock_apns, phone.token, title)
    assert [push.title for push in mock_apns.expect_exactly(2, to=phone)] == ["one", "two"]
    assert "exactly 1 push, found 2" in failure(mock_apns.expect_exactly, 1, to=phone)


def test_expect_none(mock_apns):
    phone = mock_apns.phone(TOPIC)
    mock_apns.expect_none(to=phone)
    send(mock_apns, phone.token, "Hi")
    report = failure(mock_apns.expect_none, to=phone)
    assert "found 1" in report and "psh_" in report


def test_expect_sequence(mock_apns):
    phone = mock_apns.phone(TOPIC)
    for title in ("one", "two", "three"):
        send(mock_apns, phone.token, title)
    found = mock_apns.expect_sequence({"title": "one"}, {"title": "three"})
    assert [push.title for push in found] == ["one", "three"]
    assert "found 1" in failure(mock_apns.expect_sequence, {"title": "two"}, {"title": "one"}, within=0)
    failure(mock_apns.expect_sequence, {"title": "one"}, {"title": "three"}, strict=True, within=0)


def test_wait_for_idle(mock_apns):
    phone = mock_apns.phone(TOPIC)
    send(mock_apns, phone.token)
    mock_apns.wait_for_idle(0.01)
    mock_apns.expect_exactly(1, to=phone)
    assert "pushes came for 0 s" in failure(mock_apns.wait_for_idle, within=0)


def test_pushes(mock_apns):
    phone = mock_apns.phone(TOPIC)
    send(mock_apns, phone.token, "one")
    send(mock_apns, phone.token, "two", topic="not a topic")
    send(mock_apns, phone.token, "three")
    assert [push.title for push in mock_apns.pushes()] == ["one", "three"]
    assert [push.title for push in mock_apns.pushes(outcome="rejected")] == ["two"]
    assert [push.title for push in mock_apns.pushes(title="three")] == ["three"]


def test_push_rejected(mock_apns):
    phone = mock_apns.phone(TOPIC)
    assert send(mock_apns, phone.token, topic="not a topic") == 400
    push = mock_apns.expect(to=phone, reason="BadTopic")
    assert (push.status, push.reason, push.accepted) == (400, "BadTopic", False)
    mock_apns.expect_none(to=phone)


def test_push_warnings(mock_apns):
    phone = mock_apns.phone(TOPIC)
    send(mock_apns, phone.token, aps={"badge": "1"})
    warning, = mock_apns.expect(warning="badge-not-integer").warnings
    assert warning.id == "badge-not-integer" and "badge" in warning.message and warning.hint


def test_failure_report(mock_apns):
    phone = mock_apns.phone(TOPIC)
    send(mock_apns, phone.token, "Order shiped")
    report = failure(mock_apns.expect, to=phone, title="Order shipped", within=0)
    assert report.startswith("Expected at least 1 push, found 0")
    assert "Order shiped" in report and "2/3" in report
    assert f"\npage: {mock_apns.page} (for an hour; " in report


def test_failure_keeps_page(monkeypatch):
    with MockAPNs() as apns:
        send(apns, apns.phone(TOPIC).token)
        failure(apns.expect, title="Order shipped", within=0)
    assert [push.title for push in apns.pushes()] == ["Hi"]
    monkeypatch.setattr("mock_apns._mock._failures", itertools.count(100))
    with MockAPNs() as too_many:
        assert too_many.page not in failure(too_many.expect, within=0)
    with pytest.raises(MockAPNsError, match="no namespace"):
        too_many.pushes()


def test_failure_place(pytester):
    pytester.makepyfile("""
        def test_shipped(mock_apns):
            mock_apns.expect(title="Order shipped", within=0)
    """)
    result = pytester.runpytest_subprocess("-p", "mock_apns.pytest_plugin")
    result.stdout.fnmatch_lines(["test_failure_place.py:2: AssertionError"])
    result.stdout.no_fnmatch_line("*_mock.py*")


def test_search_mistake(mock_apns):
    assert "did you mean 'type:alert'" in failure(mock_apns.expect, query="tpye:alert", within=0)


# Faults, the clock, keys and channels


def test_fault(mock_apns):
    phone = mock_apns.phone(TOPIC)
    fault = mock_apns.add_fault({"respond": {"reason": "TooManyRequests"}}, to=phone, times=1)
    assert [send(mock_apns, phone.token) for _ in range(2)] == [429, 200]
    assert fault.fired() == 1
    fault.remove()
    with pytest.raises(MockAPNsError):
        fault.fired()


def test_fault_kinds(mock_apns):
    phone = mock_apns.phone(TOPIC)
    kinds = {
        "status": ({"respond": {"status": 503}}, 503), "delay": ({"delay": {"for": "1ms"}}, 200), "goaway": ({"goaway": {}}, 200),
        "stream": ({"stream": {"reset": "INTERNAL_ERROR"}}, 0), "connection": ({"connection": "rst"}, 0), "lose": ({"lose": True}, 200),
    }
    for title, (action, _) in kinds.items():
        mock_apns.add_fault(action, title=title)
    assert [send(mock_apns, phone.token, title) for title in kinds] == [status for _, status in kinds.values()]
    assert mock_apns.expect(title="lose").delivery == "not-attempted"
    mock_apns.remove_faults()
    assert {send(mock_apns, phone.token, title) for title in kinds} == {200}
    with pytest.raises(MockAPNsError, match="nothing"):
        mock_apns.add_fault({"nothing": True})


def test_fault_preset(mock_apns):
    phone = mock_apns.phone(TOPIC)
    mock_apns.add_preset("too-many-requests", {"times": 1}, to=phone)
    assert [send(mock_apns, phone.token) for _ in range(2)] == [429, 200]
    with pytest.raises(MockAPNsError, match="too-many-requests"):
        mock_apns.add_preset("too-many")


def test_clock(mock_apns):
    phone = mock_apns.phone(TOPIC)
    old = mock_apns.key.token()
    mock_apns.clock.freeze()
    before = mock_apns.clock.now()
    mock_apns.clock.advance(timedelta(hours=2))
    assert mock_apns.clock.now() - before == timedelta(hours=2)
    assert send(mock_apns, phone.token, bearer=old) == 403
    mock_apns.expect(reason="ExpiredProviderToken")
    mock_apns.clock.run()
    assert abs(mock_apns.clock.now() - datetime.now(timezone.utc)) < timedelta(hours=1)


def test_keys(mock_apns):
    phone = mock_apns.phone(TOPIC)
    key = mock_apns.add_key(topics=[TOPIC])
    token = key.token()
    assert send(mock_apns, phone.token, bearer=token) == 200
    key.revoke()
    assert send(mock_apns, phone.token, bearer=token) == 403


def test_channels(mock_apns):
    phone = mock_apns.phone(TOPIC)
    channel = mock_apns.add_channel(TOPIC)
    phone.subscribe(channel)
    assert broadcast(mock_apns, channel, "Goal") == 200
    listed, = mock_apns.channels()
    assert listed == (channel.id, TOPIC, 1, 1)
    mock_apns.expect(channel=channel, title="Goal")


# The app's own shapes


def test_app_schema(mock_apns):
    mock_apns.put_schema(TOPIC, "payload", {"required": ["orderID"], "properties": {"orderID": {"type": "string"}}})
    phone = mock_apns.phone(TOPIC)
    assert send(mock_apns, phone.token, "one", orderID=17) == 200
    assert send(mock_apns, phone.token, "two", orderID="17") == 200
    fitting, = mock_apns.expect_exactly(1, fits="payload")
    assert fitting.title == "two"
    assert mock_apns.expect(warning="app-schema").title == "one"


# Live Activities


def test_phone_os(mock_apns):
    old, new = mock_apns.phone(LIVE_TOPIC, os="17.1"), mock_apns.phone(LIVE_TOPIC, os="17.4")
    assert [live(mock_apns, phone.token, "start", {"minutes": 9}, **START) for phone in (old, new)] == [200, 200]
    assert old.activities() == []
    assert [activity.state for activity in new.activities()] == ["active"]
    assert mock_apns.expect(ignored="os-without-start").token == old.token


def test_activity(mock_apns):
    phone = mock_apns.phone(LIVE_TOPIC)
    assert live(mock_apns, phone.token, "start", {"minutes": 9}, **START) == 200
    started, = phone.activities()
    assert (started.attributes_type, started.attributes, started.content_state) == ("RideAttributes", {"ride": 4711}, {"minutes": 9})
    assert live(mock_apns, started.token, "update", {"minutes": 5}, ahead=60) == 200
    assert live(mock_apns, started.token, "update", {"minutes": 7}, ahead=30) == 200
    activity, = phone.activities()
    assert (activity.id, activity.state, activity.content_state, activity.channel) == (started.id, "active", {"minutes": 5}, None)
    update = mock_apns.expect(token=activity.token, ignored={"absent": True})
    assert (update.activity, update.ignored) == (activity.id, None)
    older = mock_apns.expect(token=activity.token, ignored="stale-timestamp")
    assert (older.activity, older.ignored) == (activity.id, "stale-timestamp")
    assert "RideAttributes: active {'minutes': 5}" in repr(activity)


def test_activity_by_app(mock_apns):
    phone = mock_apns.phone(LIVE_TOPIC)
    started = phone.start_activity("RideAttributes", {"ride": 4711}, {"minutes": 9})
    assert (started.state, started.attributes, started.content_state) == ("active", {"ride": 4711}, {"minutes": 9})
    assert live(mock_apns, started.token, "update", {"minutes": 5}) == 200
    assert mock_apns.expect_activity(phone).content_state == {"minutes": 5}
    assert live(mock_apns, started.token, "end", {"minutes": 0}, ahead=1) == 200
    assert mock_apns.expect_activity(phone, "ended").content_state == {"minutes": 0}


def test_activity_token(mock_apns):
    phone = mock_apns.phone(LIVE_TOPIC)
    activity = phone.start_activity("RideAttributes")
    old = activity.token
    assert activity.rotate_token() == activity.token != old
    assert [live(mock_apns, token, "update", {"minutes": 5}) for token in (old, activity.token)] == [410, 200]
    activity.dismiss()
    assert activity.state == phone.activities()[0].state == "dismissed"
    assert live(mock_apns, activity.token, "update", {"minutes": 4}) == 410
    mock_apns.expect_exactly(2, reason="ExpiredToken")


def test_expect_activity(mock_apns):
    phone = mock_apns.phone(LIVE_TOPIC)
    stale = int(mock_apns.clock.now().timestamp()) + 600
    start = threading.Thread(target=live, args=(mock_apns, phone.token, "start", {"minutes": 9}), kwargs={**START, "stale-date": stale})
    start.start()
    activity = mock_apns.expect_activity(phone, within=30)
    start.join()
    live(mock_apns, phone.token, "update", {"minutes": 5})
    report = failure(mock_apns.expect_activity, phone, "stale", within=0)
    for part in ("a Live Activity that is stale", f"{activity.id} RideAttributes: active", "was ignored: The token is a push-to-start token"):
        assert part in report
    mock_apns.clock.advance(601)
    assert mock_apns.expect_activity(phone, "stale", within=0).id == activity.id


def test_attachments(mock_apns, monkeypatch, tmp_path):
    phone = mock_apns.phone(TOPIC)
    send(mock_apns, phone.token, "Order shiped")
    monkeypatch.setenv("MOCK_APNS_ATTACHMENTS", str(tmp_path))
    failure(mock_apns.expect, title="Order shipped", within=0)
    push, = json.loads((tmp_path / "test_attachments" / "pushes.json").read_text())
    assert push["request"]["payload"]["aps"]["alert"]["title"] == "Order shiped"
    assert (tmp_path / "test_attachments" / f"push-{push['id']}.svg").read_text().startswith("<?xml")
