// Sends pushes with Node's own http2 over one connection.
//
// Job on stdin: {base, ca, pfx, passphrase, requests: [{method, path, headers, body}], parallel, stay}
// `pfx` is the path of a PKCS#12 file with the client certificate, if the client shows one.
// Answer on stdout: one JSON line {answers: [{status, headers, body, error}], alpn, tls}.
// With `stay` the connection is then left idle until the server ends it; a second line says how:
// {goaways: [{errorCode, lastStreamID, data}], closed: true}.
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';

const job = JSON.parse(readFileSync(0, 'utf8'));
const read = (path) => (path ? readFileSync(path) : undefined);
const session = http2.connect(job.base, { ca: read(job.ca), pfx: read(job.pfx), passphrase: job.passphrase });
session.on('error', (error) => fail(error));

const goaways = [];
session.on('goaway', (errorCode, lastStreamID, data) => {
  goaways.push({ errorCode, lastStreamID, data: data ? Buffer.from(data).toString() : '' });
});
const closed = new Promise((resolve) => session.on('close', resolve));

function fail(error) {
  console.error(error);
  process.exit(1);
}

function send({ method, path, headers, body }) {
  return new Promise((resolve) => {
    const fields = { ':method': method, ':path': path };
    for (const [name, value] of headers) fields[name] = value;
    const stream = session.request(fields);
    const answer = { status: 0, headers: [], body: '' };
    stream.setEncoding('utf8');
    stream.on('response', (_, flags, raw) => {
      for (let i = 0; i < raw.length; i += 2) {
        if (raw[i] === ':status') answer.status = Number(raw[i + 1]);
        else answer.headers.push([raw[i], raw[i + 1]]);
      }
    });
    stream.on('data', (text) => { answer.body += text; });
    stream.on('error', (error) => resolve({ error: String(error) }));
    stream.on('end', () => resolve(answer));
    stream.on('close', () => resolve(answer));
    stream.end(body || undefined); // a GET has ended by itself, and takes not even an empty body
  });
}

await new Promise((resolve) => session.once('connect', resolve));
// Asked at once: a session that the server has ended has no socket.
const tls = session.encrypted ? session.socket.getProtocol() : null;
const alpn = session.alpnProtocol ?? null;
const answers = [];
if (job.parallel) {
  answers.push(...await Promise.all(job.requests.map(send)));
} else {
  for (const request of job.requests) answers.push(await send(request));
}
console.log(JSON.stringify({ answers, alpn, tls }));

if (!job.stay) session.close();
await closed;
if (job.stay) console.log(JSON.stringify({ goaways, closed: true }));
