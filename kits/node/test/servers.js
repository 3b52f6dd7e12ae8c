// The stories about the program, and about servers that cannot be used. Those that end in an error run in a process of their own.
import assert from 'node:assert';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { mockAPNs } from '../index.js';
import { findProgram } from '../server.js';
import { send, TOPIC } from './provider.js';
import { story } from './story.js';

const KIT = new URL('../index.js', import.meta.url).href;
/** Uses the kit, and prints what went wrong. */
const USE = `import { mockAPNs, MockAPNsError } from '${KIT}';
const ends = [];
await mockAPNs({ after: (end) => ends.push(end) }).catch((error) => console.log(error instanceof MockAPNsError ? error.message : error.stack));
for (const end of ends) await end();`;

/** Runs code with these variables; undefined removes one. Returns its output, without the end of the last line. */
async function run(environment, { code = USE, before = [], cwd } = {}) {
  const env = { ...process.env, ...environment };
  delete env.NODE_TEST_CONTEXT;
  const [program, ...command] = [...before, process.execPath, '--input-type=module', '--eval', code];
  return new Promise((resolve) => {
    execFile(program, command, { env, cwd }, (_, output, errors) => resolve((output + errors).trimEnd()));
  });
}

function isOneLineWith(text, ...parts) {
  assert.ok(!text.includes('\n') && parts.every((part) => text.includes(part)), text);
}

async function withDirectory(use) {
  const directory = await mkdtemp(join(tmpdir(), 'kit-node-'));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Calls `use` with the URL of a server that gives one answer to every request. */
async function withAnswer(status, server, body, use) {
  const http = createServer((request, response) => response.writeHead(status, { server }).end(body)).listen(0, '127.0.0.1');
  await once(http, 'listening');
  try {
    await use(`http://127.0.0.1:${http.address().port}`);
  } finally {
    http.closeAllConnections();
    http.close();
  }
}

async function withBusyPort(use) {
  const busy = net.createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  await use(busy.address().port);
  busy.close();
}

const info = async (url) => (await fetch(`${url}/api/v1/info`)).json();

story('own-server', async (t) => {
  const [one, two] = await Promise.all([mockAPNs(t), mockAPNs(t)]);
  assert.equal(one.environment.MOCK_APNS_API_URL, two.environment.MOCK_APNS_API_URL);
});

story('own-server-ends', async () => {
  const code = `import { mockAPNs } from '${KIT}';
const apns = await mockAPNs({ after() {} });
console.log(JSON.stringify([apns.environment.MOCK_APNS_API_URL, apns.caFile]));
process.stdin.resume();`;
  const process_ = spawn(process.execPath, ['--input-type=module', '--eval', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(process_.stdout), 'line');
  const [url, file] = JSON.parse(line);
  assert.ok(existsSync(file));
  const { pid } = await info(url);
  process_.kill('SIGKILL');
  await promisify(execFile)('tail', ['--pid', pid, '-f', '/dev/null']); // waits for the end of the server
  assert.ok(!existsSync(dirname(file)));
});

story('program-found', () => withDirectory(async (directory) => {
  const saved = { ...process.env };
  const places = ['named', 'bundled', 'path'].map((name) => join(directory, name, 'mock-apns'));
  for (const place of places) {
    await mkdir(dirname(place));
    await writeFile(place, '#!/bin/sh\n');
    await chmod(place, 0o755);
  }
  try {
    Object.assign(process.env, { MOCK_APNS_BIN: places[0], PATH: dirname(places[2]) });
    assert.equal(findProgram(places[1]), places[0]);
    delete process.env.MOCK_APNS_BIN;
    assert.equal(findProgram(places[1]), places[1]);
    await rm(places[1]);
    assert.equal(findProgram(places[1]), places[2]);
  } finally {
    Object.assign(process.env, saved);
  }
}));

story('exec-server', async (t) => {
  const apns = await mockAPNs(t);
  assert.equal(apns.environment.MOCK_APNS_API_URL, process.env.MOCK_APNS_API_URL);
  assert.equal(process.env.MOCK_APNS_BIN, undefined);
});

story('api-url-alone', async (t) => {
  const apns = await mockAPNs(t);
  assert.ok(!existsSync((await info(process.env.MOCK_APNS_API_URL)).caFile));
  assert.equal(await send(apns, (await apns.phone(TOPIC)).token), 200);
  for (const file of [apns.caFile, apns.key.file]) assert.ok(file.startsWith(tmpdir()));
});

story('published-port', () => withDirectory(async (directory) => {
  const listen = ['--apns-listen', '127.0.0.2:0', '--apns-listen', '127.0.0.1:0', '--api-listen', '127.0.0.1:0'];
  const { KIT_PROGRAM, MOCK_APNS_API_URL: _, ...env } = process.env;
  const server = spawn(KIT_PROGRAM, ['serve', '--quiet', ...listen, '--certs-dir', directory], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [ready] = await once(createInterface(server.stdout), 'line');
    const [, api] = / api=(\S+)/.exec(ready);
    const { url } = (await info(api)).listeners.find((listener) => listener.url.includes('127.0.0.1'));
    const code = `import assert from 'node:assert';
import { mockAPNs } from '${KIT}';
import { send, TOPIC } from '${new URL('provider.js', import.meta.url)}';
const ends = [];
for (const title of ['one', 'two']) {
  const apns = await mockAPNs({ after: (end) => ends.push(end) });
  assert.equal(apns.url, '${url}');
  assert.equal(await send(apns, (await apns.phone(TOPIC)).token, title), 200);
  assert.deepEqual((await apns.pushes()).map((push) => push.title), [title]);
}
for (const end of ends) await end();`;
    assert.equal(await run({ MOCK_APNS_API_URL: api, MOCK_APNS_APNS_PORT: new URL(url).port }, { code }), '');
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}));

story('api-token', async () => {
  assert.equal(await run({ MOCK_APNS_API_TOKEN: 'secret' }), '');
  const before = [process.env.MOCK_APNS_BIN, 'exec', '--quiet', '--', 'env', '-u', 'MOCK_APNS_API_TOKEN'];
  isOneLineWith(await run({ MOCK_APNS_API_TOKEN: 'secret' }, { before }), 'set MOCK_APNS_API_TOKEN');
});

story('bad-url', async () => {
  for (const url of ['127.0.0.1', 'https://127.0.0.1:1', 'http://:1', 'http://127.0.0.1:99999', 'http://[::1']) {
    isOneLineWith(await run({ MOCK_APNS_API_URL: url }), `'${url}'`, 'http://127.0.0.1:8197');
  }
});

story('unknown-host', async () => {
  const url = 'http://nowhere.invalid:8197';
  isOneLineWith(await run({ MOCK_APNS_API_URL: url }), url, 'is mock-apns running there?');
});

story('nothing-listens', async () => {
  let url;
  await withBusyPort((port) => { url = `http://127.0.0.1:${port}`; });
  isOneLineWith(await run({ MOCK_APNS_API_URL: url }), url, 'ECONNREFUSED', 'is mock-apns running there?');
});

story('another-server', () => withAnswer(200, 'nginx', '<html>\nWelcome', async (url) => {
  isOneLineWith(await run({ MOCK_APNS_API_URL: url }), url, 'is not mock-apns', "'<html>'");
}));

story('old-server', async () => {
  const problem = JSON.stringify({ type: 'urn:mock-apns:problem:unknown-path', detail: 'Path not found' });
  await withAnswer(404, 'mock-apns/0.0.9', problem, async (url) => {
    isOneLineWith(await run({ MOCK_APNS_API_URL: url }), 'mock-apns/0.0.9', 'update it');
  });
});

story('missing-program', async () => {
  isOneLineWith(await run({ MOCK_APNS_BIN: '/nowhere/mock-apns' }), '/nowhere/mock-apns', 'no program', 'install');
  isOneLineWith(await run({ MOCK_APNS_BIN: undefined, PATH: '/nowhere' }), 'PATH', 'install', 'MOCK_APNS_API_URL');
});

story('wrong-architecture', () => withDirectory(async (directory) => {
  const content = (await readFile(process.env.MOCK_APNS_BIN)).subarray(0, 4096);
  content.writeUInt16LE(22, 18); // s390, which nobody tests on
  const file = join(directory, 'mock-apns');
  await writeFile(file, content, { mode: 0o755 });
  isOneLineWith(await run({ MOCK_APNS_BIN: file }), file, process.arch);
}));

story('busy-port', () => withBusyPort(async (port) => {
  isOneLineWith(await run({ MOCK_APNS_APNS_LISTEN: `127.0.0.1:${port}` }), 'is in use', String(port), 'choose another');
}));

story('read-only-home', async () => {
  assert.equal(await run({ HOME: '/proc' }, { cwd: '/proc' }), '');
});

story('no-temporary-directory', async (t) => {
  isOneLineWith(await run({ TMPDIR: '/dev/null/nowhere' }), '/dev/null/nowhere', 'set TMPDIR');
  const { MOCK_APNS_API_URL } = (await mockAPNs(t)).environment;
  isOneLineWith(await run({ TMPDIR: '/dev/null/nowhere', MOCK_APNS_API_URL }), '/dev/null/nowhere', 'set TMPDIR');
});
