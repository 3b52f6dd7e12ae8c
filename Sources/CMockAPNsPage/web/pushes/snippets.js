// Code that connects client libraries to this server, with the server's values filled in.

import { quoted } from "../core/api.js"

/// The clients. `lines(server)` gets `{host, port, ca, keyFile, keyId, teamId, topic, token}`; `note` is a remark.
export const CLIENTS = [
  {
    name: "curl",
    label: "curl",
    lines: (s) => `curl --http2 --cacert ${quoted(s.ca)} \\
  -H "authorization: bearer $(mock-apns token --key ${quoted(`${s.keyFile},${s.keyId},${s.teamId}`)})" \\
  -H ${quoted(`apns-topic: ${s.topic}`)} -H 'apns-push-type: alert' \\
  -d '{"aps":{"alert":{"title":"Hello","body":"from curl"}}}' \\
  ${quoted(`https://${s.host}:${s.port}/3/device/${s.token}`)}`,
    note: "The command mock-apns token signs a provider token with the development key.",
  },
  {
    name: "apnswift",
    label: "APNSwift",
    lines: (s) => `let client = APNSClient(
  configuration: .init(
    authenticationMethod: .jwt(
      privateKey: try .init(pemRepresentation: String(contentsOfFile: ${double(s.keyFile)}, encoding: .utf8)),
      keyIdentifier: ${double(s.keyId)},
      teamIdentifier: ${double(s.teamId)}
    ),
    environment: .custom(url: ${double(`https://${s.host}`)}, port: ${s.port})
  ),
  eventLoopGroupProvider: .createNew,
  responseDecoder: JSONDecoder(),
  requestEncoder: JSONEncoder()
)
try await client.sendAlertNotification(
  APNSAlertNotification(
    alert: .init(title: .raw("Hello"), body: .raw("from APNSwift")),
    expiration: .immediately, priority: .immediately, topic: ${double(s.topic)}
  ),
  deviceToken: ${double(s.token)}
)`,
    note: "APNSwift uses the system's trust store: add the certificate there (update-ca-certificates, or Keychain).",
  },
  {
    name: "apns2",
    label: "apns2 (Go)",
    lines: (s) => `key, err := token.AuthKeyFromFile(${double(s.keyFile)})
if err != nil { log.Fatal(err) }
pem, err := os.ReadFile(${double(s.ca)})
if err != nil { log.Fatal(err) }
roots := x509.NewCertPool()
roots.AppendCertsFromPEM(pem)

client := apns2.NewTokenClient(&token.Token{AuthKey: key, KeyID: ${double(s.keyId)}, TeamID: ${double(s.teamId)}})
client.Host = ${double(`https://${s.host}:${s.port}`)}
client.HTTPClient = &http.Client{Transport: &http2.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}

response, err := client.Push(&apns2.Notification{
  DeviceToken: ${double(s.token)},
  Topic:       ${double(s.topic)},
  Payload:     []byte(\`{"aps":{"alert":{"title":"Hello","body":"from Go"}}}\`),
})`,
    note: "http2 is the package golang.org/x/net/http2.",
  },
  {
    name: "node-apn",
    label: "node-apn",
    lines: (s) => `import apn from "@parse/node-apn"
import { readFileSync } from "node:fs"

const provider = new apn.Provider({
  token: { key: ${double(s.keyFile)}, keyId: ${double(s.keyId)}, teamId: ${double(s.teamId)} },
  address: ${double(s.host)},
  port: ${s.port},
  ca: [readFileSync(${double(s.ca)})],
})
const note = new apn.Notification({ topic: ${double(s.topic)}, pushType: "alert" })
note.alert = { title: "Hello", body: "from Node" }
console.log(await provider.send(note, ${double(s.token)}))
await provider.shutdown()`,
  },
  {
    name: "pushy",
    label: "pushy (Java)",
    lines: (s) => `ApnsClient client = new ApnsClientBuilder()
    .setApnsServer(${double(s.host)}, ${s.port})
    .setTrustedServerCertificateChain(new File(${double(s.ca)}))
    .setSigningKey(ApnsSigningKey.loadFromPkcs8File(
        new File(${double(s.keyFile)}), ${double(s.teamId)}, ${double(s.keyId)}))
    .build();

String payload = "{\\"aps\\":{\\"alert\\":{\\"title\\":\\"Hello\\",\\"body\\":\\"from Java\\"}}}";
client.sendNotification(new SimpleApnsPushNotification(
    ${double(s.token)},
    ${double(s.topic)}, payload)).get();`,
  },
  {
    name: "aioapns",
    label: "aioapns (Python)",
    lines: (s) => `import asyncio, ssl
from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol

class MockAPNs(APNsTLSClientProtocol):
    APNS_SERVER = ${double(s.host)}
    APNS_PORT = ${s.port}

async def main():
    client = APNs(
        key=open(${double(s.keyFile)}).read(), key_id=${double(s.keyId)}, team_id=${double(s.teamId)},
        topic=${double(s.topic)}, ssl_context=ssl.create_default_context(cafile=${double(s.ca)}),
    )
    client.pool.protocol_class = MockAPNs
    result = await client.send_notification(NotificationRequest(
        device_token=${double(s.token)},
        message={"aps": {"alert": {"title": "Hello", "body": "from Python"}}},
        push_type=PushType.ALERT,
    ))
    print(result.status, result.description)

asyncio.run(main())`,
    note: "aioapns only knows Apple's hosts. Another host needs a protocol class.",
  },
]

/// A string literal that is valid in Swift, Go, JavaScript, Java and Python.
function double(text) {
  return JSON.stringify(String(text))
}
