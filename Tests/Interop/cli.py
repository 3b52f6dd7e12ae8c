"""The command line as scripts use it: wait, verify and exec around providers that nobody here wrote."""

import json
import os
import stat
import subprocess
import urllib.parse

from library_clients import BUILD, HERE
from mock_apns import LAST_RESORT
from pushes import TOPIC, device_token
from report import expect, expect_that


# What a provider does: one notification with aioapns, from what exec tells it alone.
PROVIDER = r"""#!/bin/sh
exec '{python}' '{client}' <<JOB
{{"host": "$MOCK_APNS_HOST", "port": $MOCK_APNS_APNS_PORT, "ca": "$MOCK_APNS_CA_FILE",
 "keyFile": "$MOCK_APNS_KEY_FILE", "keyId": "$MOCK_APNS_KEY_ID", "teamId": "$MOCK_APNS_TEAM_ID",
 "topic": "{topic}", "parallel": false, "notifications": [{{"device_token": "{token}", "push_type": "alert",
 "message": {{"aps": {{"alert": {{"title": "Order placed", "body": "No. 17"}}}}}}{more}}}]}}
JOB
"""

# The product's own example, but for where the API is.
CURL_STORY = r"""
SEQ=$(curl -fsS {api}/api/v1/seq | jq .seq)
./place-order.sh
curl -fsS {api}/api/v1/pushes/verify -H 'Accept: text/plain' --json \
  "{{\"after\":$SEQ,\"within\":\"5s\",\"match\":{{\"topic\":\"com.example.app\",\"payload\":[{{\"at\":\"/aps/alert/title\",\"equals\":\"Order placed\"}}]}},\"count\":{{\"exactly\":1}}}}"
"""

EXPIRY_STORY = r"""
curl -fsS -X PATCH {api}/api/v1/devices/@alice --json '{{"state":"offline"}}'
./send-with-expiration-60s.sh
curl -fsS -X POST  {api}/api/v1/clock/advance --json '{{"by":"2m"}}'
curl -fsS -X PATCH {api}/api/v1/devices/@alice --json '{{"state":"online"}}'
"""

CLI_STORY = r"""
set -e
SEQ=$(curl -fsS {api}/api/v1/seq | jq .seq)
./place-order.sh > answer.json
"$MOCK" wait --topic com.example.app --after "$SEQ" --timeout 5s > waited
"$MOCK" verify --topic com.example.app --title 'Order placed' --count 1 --within 5s --after "$SEQ"
echo '{{"match":{{"topic":"com.example.app","payload":{{"at":"/aps/alert/body","matches":"^No\\. [0-9]+$"}}}}}}' > expect.json
"$MOCK" verify -f expect.json --after "$SEQ"
"$MOCK" verify --none-unverified --after "$SEQ"
"$MOCK" pushes count --table -q 'is:verified type:alert "order placed"'
"$MOCK" pushes raw latest | jq -r .aps.alert.body
"$MOCK" pushes clear --table -q "is:delivered after:seq:$SEQ"
"$MOCK" wait -q type:alert --after "$SEQ" --timeout 10ms > nothing || echo "left with $?"
"""


class Desk:
    """A directory with scripts in it, and what runs them."""

    def __init__(self, context, name):
        self.case = context.report.case
        self._binary = context.server.program[-1]
        self.directory = os.path.join(context.directory, name)
        os.makedirs(self.directory, exist_ok=True)

    def provider(self, name, token, topic=TOPIC, more=""):
        python = os.path.join(BUILD, "interop-venv", "bin", "python")
        client = os.path.join(HERE, "clients", "aioapns_push.py")
        self.write(name, PROVIDER.format(python=python, client=client, topic=topic, token=token, more=more))

    def write(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)

    def read(self, name):
        with open(os.path.join(self.directory, name), encoding="utf-8") as file:
            return file.read()

    def execute(self, script, *flags):
        """Runs a shell script under exec; returns its exit code, its output and its errors."""
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("MOCK_APNS_")}
        ended = subprocess.run(
            [self._binary, "exec", *flags, "--", "bash", "-c", script], cwd=self.directory, capture_output=True,
            text=True, timeout=LAST_RESORT, check=False, env={**inherited, "MOCK": self._binary, "no_proxy": "*"},
        )
        return ended.returncode, ended.stdout, ended.stderr


def story(text):
    """The example as it is written, against the server of exec."""
    return text.format(api="$MOCK_APNS_API_URL")


def curl_story_case(context):
    desk = Desk(context, "curl-story")
    with desk.case("cli: a shell script verifies with curl"):
        desk.provider("place-order.sh", device_token())
        code, output, errors = desk.execute(story(CURL_STORY))
        expect("exit code and errors", (0, ""), (code, errors))
        answer = json.loads(output.splitlines()[-1])
        expect("the verification", (True, 1), (answer["ok"], answer["count"]))

    with desk.case("cli: curl -f fails with a verification that fails"):
        desk.provider("place-order.sh", device_token(), topic="com.example.other")
        code, _, errors = desk.execute(story(CURL_STORY))
        expect("exit code of curl", 22, code)
        expect_that("exit code 22" in errors, "standard error", "the report of exec", errors)


def expiry_story_case(context):
    desk = Desk(context, "expiry-story")
    with desk.case("cli: a shell script lets a notification expire"):
        token = device_token()
        devices = [{"label": "alice", "registrations": [{"topic": TOPIC, "token": token}]}]
        desk.write("phones.json", json.dumps(devices))
        desk.provider("send-with-expiration-60s.sh", token, more=', "time_to_live": 60')
        code, output, errors = desk.execute(story(EXPIRY_STORY), "--devices", "phones.json")
        expect("exit code and errors", (0, ""), (code, errors))
        lines = [json.loads(line) for line in output.splitlines()]
        answers = [line for line in lines if "delivered" in line]
        expect("expired", [0, 1, 0], [answer["expiredCount"] for answer in answers])
        expect("delivered", [0, 0, 0], [answer["deliveredCount"] for answer in answers])


def cli_story_case(context):
    desk = Desk(context, "cli-story")
    with desk.case("cli: the same with mock-apns wait, verify and pushes"):
        desk.provider("place-order.sh", device_token())
        code, output, errors = desk.execute(story(CLI_STORY))
        expect("exit code and errors", (0, ""), (code, errors))
        lines = output.splitlines()
        for line in lines[:2]:
            expect_that(line.startswith("ok: 1 push in "), "a verification", "ok: 1 push in …", line)
        expect("the rest", ["ok: 1 push", "1", "No. 17", "1 deleted", "left with 1"], lines[2:])
        expect_that("Order placed: No. 17" in desk.read("waited"), "wait", "a table of the push", desk.read("waited"))
        expect_that("received 0 of 1 pushes within 10ms" in desk.read("nothing"), "wait in vain",
                    "how many came", desk.read("nothing"))


def failing_case(context):
    desk = Desk(context, "failing")
    with desk.case("cli: a failing verify prints its report, and exec what was refused"):
        desk.provider("place-order.sh", device_token(), more=', "apns_topic": "not a topic"')
        code, output, errors = desk.execute(
            './place-order.sh > answer.json; "$MOCK" verify --title "Order placed" --count 1'
        )
        answer = json.loads(desk.read("answer.json"))["answers"][0]
        expect("the provider's answer", ("400", "BadTopic"), (str(answer["status"]), answer["reason"]))
        expect("exit code", 1, code)
        for words in ("Expected exactly 1 push, found 0", "closest  psh_", "✘  <<<<<",
                      "hint: 1 matching push was rejected 400 BadTopic (psh_"):
            expect_that(words in output, "the report", words, output)
        for words in ("the command ended with exit code 1", "1 push, 1 rejected", "400 BadTopic  not a topic"):
            expect_that(words in errors, "the report of exec", words, errors)

    with desk.case("cli: exec tells of a provider that does not trust the certificate"):
        script = "unset CURL_CA_BUNDLE SSL_CERT_FILE; curl -sS -o /dev/null $MOCK_APNS_URL/3/device/ab 2> curl.log"
        code, output, errors = desk.execute(script)
        expect("exit code of curl and output", (60, ""), (code, output))
        port = urllib.parse.urlsplit(context.server.apns[0]).port
        expect_that(str(port) not in errors, "a port of its own", "another one", errors)
        expect_that("1 connection, 1 failed" in errors and "give it ca.pem" in errors, "the report of exec",
                    "the connection, with a hint", errors)


# Client certificates as files, and what OpenSSL, curl and Node make of them.
CERTIFICATE_STORY = r"""
set -e
"$MOCK" certs issue --topic com.example.app -o app.pem > issued.json
"$MOCK" certs issue --topic com.example.app --format p12 --password secret -o app.p12 > /dev/null
jq -r .ca issued.json > ca.pem
openssl x509 -in app.pem -noout -text > text
openssl verify -x509_strict -purpose sslclient -no-CApath -CAfile ca.pem app.pem
openssl pkcs12 -in app.p12 -passin pass:secret -nodes -out opened.pem
openssl verify -purpose sslclient -no-CApath -CAfile ca.pem opened.pem
openssl pkcs12 -in app.p12 -passin pass:wrong -nodes -noout 2> /dev/null || echo "wrong password: $?"
push() {
  curl -sS -o /dev/null -w '%{http_code}\n' --cacert "$MOCK_APNS_CA_FILE" -d '{"aps":{"alert":"Hi"}}' \
    -H 'apns-topic: com.example.app' "$@" "$MOCK_APNS_URL/3/device/abcd"
}
push --cert app.pem
push --cert-type P12 --cert app.p12:secret
node -e '
  const client = require("http2").connect(process.env.MOCK_APNS_URL, {
    ca: require("fs").readFileSync(process.env.MOCK_APNS_CA_FILE),
    pfx: require("fs").readFileSync("app.p12"), passphrase: "secret",
  });
  const stream = client.request({":method": "POST", ":path": "/3/device/abcd", "apns-topic": "com.example.app"});
  stream.on("response", (headers) => { console.log(headers[":status"]); client.close(); });
  stream.end("{}");
'
curl -fsS "$MOCK_APNS_API_URL/api/v1/pushes?order=asc" | jq -r '.pushes[].connection.tls.clientCertificate |
  "\(.subject), authenticated: \(.authenticated)"'
"$MOCK" certs list --table > listed
"$MOCK" certs revoke "$(jq -r .serial issued.json)"
push --cert app.pem || echo "revoked"
"$MOCK" pushes show latest --table > shown
"""


def certificate_case(context):
    desk = Desk(context, "certificate")
    with desk.case("cli: a client certificate is what OpenSSL, curl and Node take for one"):
        code, output, errors = desk.execute(CERTIFICATE_STORY)
        expect("exit code", 0, code)
        expect_that("error" not in errors, "standard error", "what was written", errors)
        subject = "CN=Apple Push Services: com.example.app,UID=com.example.app, authenticated: true"
        expect("what was said", [
            "app.pem: OK", "opened.pem: OK", "wrong password: 1", "200", "200", "200", subject, subject, subject,
            "000", "revoked",
        ], output.splitlines())
        shown = desk.read("shown")
        for words in ("BadCertificate", "was revoked. Use another one.", "It was revoked."):
            expect_that(words in shown, "pushes show", words, shown)
        listed = desk.read("listed")
        for words in ("com.example.app.voip", "verified", "sandbox production"):
            expect_that(words in listed, "certs list", words, listed)
        text = desk.read("text")
        for words in ("UID = com.example.app, CN = Apple Push Services: com.example.app", "CA:FALSE",
                      "TLS Web Client Authentication", "1.2.840.113635.100.6.3.1", "1.2.840.113635.100.6.3.2",
                      "1.2.840.113635.100.6.3.6", "com.example.app.voip", "com.example.app.complication"):
            expect_that(words in text, "openssl x509 -text", words, text)


def cli_cases(context):
    for case in (curl_story_case, expiry_story_case, cli_story_case, failing_case, certificate_case):
        case(context)
