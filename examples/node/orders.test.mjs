// What the provider has to do, tested against mock-apns. Run it with `node --test`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';

import { Orders, PushRefused } from './orders.mjs';

const TOPIC = 'com.example.shop';
const server = {};

before(async () => {
  server.directory = await mkdtemp(join(tmpdir(), 'mock-apns-'));
  const port = '127.0.0.1:0'; // any free one
  const flags = ['--apns-listen', port, '--api-listen', port, '--certs-dir', server.directory, '--quiet'];
  server.process = spawn(process.env.MOCK_APNS_BIN ?? 'mock-apns', ['serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [ready] = await once(createInterface(server.process.stdout), 'line');
  server.api = `${/ api=(\S+)/.exec(ready)[1]}/api/v1`;
  const info = await call(`${server.api}/info`);
  server.credentials = {
    ca: await readFile(join(server.directory, 'ca.pem')),
    key: await readFile(info.developmentKey.path),
    keyId: info.developmentKey.keyId,
    teamId: info.developmentKey.teamId,
  };
});

after(async () => {
  server.process.kill();
  await once(server.process, 'exit');
  await rm(server.directory, { recursive: true });
});

/** Calls the debug API. The report of a failed verification becomes the message of the failed test. */
async function call(url, method = 'GET', body = undefined) {
  const answer = await fetch(url, { method, body: JSON.stringify(body) });
  const result = answer.status === 204 ? null : await answer.json();
  assert.ok(answer.ok, result?.report ?? result?.detail);
  return result;
}

/** A namespace of the server, with its own port, devices, faults, clock and journal; and a phone and a provider in it. */
async function place(t, { topic = TOPIC } = {}) {
  const { api, name, apns } = await call(`${server.api}/namespaces`, 'POST', { name: crypto.randomUUID() });
  const mock = (path, method, body) => call(`${server.api}/namespaces/${name}${path}`, method, body);
  const device = await mock('/devices', 'POST', { label: 'phone', registrations: [{ topic: TOPIC }] });
  const phone = device.registrations[0].token;
  const pauses = [];
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead, pause: async (time) => { pauses.push(time); } };
  const url = apns.replace('127.0.0.1', 'localhost');
  const orders = new Orders({ url, topic, ...server.credentials }, new Map([['alice', new Set([phone])]]), clock);
  t.after(async () => {
    orders.close();
    await mock('', 'DELETE');
  });
  const verify = (match, count = 1) => mock('/pushes/verify', 'POST', { match, count, within: '5s' });
  const fault = (action, times = 1) => mock('/faults', 'POST', { do: action, when: { times } });
  return { mock, phone, orders, clock, pauses, verify, fault };
}

test('a shipped order reaches the phone', async (t) => {
  const { orders, phone, verify } = await place(t);
  await orders.shipped('17', 'alice');
  const payload = { at: '/orderId', equals: '17' };
  await verify({ token: phone, title: 'Order shipped', delivery: 'delivered', lint: { absent: true }, payload });
});

test('a refused push is an error', async (t) => {
  const { orders } = await place(t, { topic: 'com example shop' });
  await assert.rejects(orders.shipped('17', 'alice'), new PushRefused('400 BadTopic'));
});

test('a phone without the app gets no more pushes', async (t) => {
  const { orders, phone, mock } = await place(t);
  await mock(`/registrations/${phone}`, 'PATCH', { state: 'uninstalled' });
  await orders.shipped('17', 'alice');
  await orders.shipped('18', 'alice');
  const { pushes } = await mock('/pushes');
  assert.deepEqual(pushes.map((push) => push.verdict.reason), ['Unregistered']);
});

for (const status of [429, 503]) {
  test(`a push is sent again after ${status}`, async (t) => {
    const { orders, pauses, verify, fault } = await place(t);
    await fault({ respond: { status } }, 2);
    await orders.shipped('17', 'alice');
    await verify({ verdict: { status } }, 2);
    await verify({ title: 'Order shipped' });
    assert.deepEqual(pauses, [1000, 2000]);
  });
}

test('the provider token is renewed within the hour', async (t) => {
  const { orders, clock, mock, verify } = await place(t);
  await orders.shipped('17', 'alice');
  await mock('/clock/advance', 'POST', { by: '61m' });
  clock.ahead = 61 * 60 * 1000;
  await orders.shipped('18', 'alice');
  await verify({ verification: 'verified' }, 2);
});

test('a phone that was offline shows the last push', async (t) => {
  const { orders, mock } = await place(t);
  await mock('/devices/@phone', 'PATCH', { state: 'offline' });
  for (const order of ['17', '18', '19']) await orders.shipped(order, 'alice');
  await mock('/devices/@phone', 'PATCH', { state: 'online' });
  const { notifications } = await mock('/devices/@phone/inbox');
  assert.deepEqual(notifications.map((shown) => shown.body), ['Order 19 is on its way.']);
});

for (const action of [{ goaway: { lastStream: 'zero', close: 'now' } }, { stream: { reset: 'REFUSED_STREAM' } }, { connection: 'rst' }]) {
  test(`a push survives ${Object.keys(action)}`, async (t) => {
    const { orders, verify, fault } = await place(t);
    await orders.shipped('17', 'alice');
    await fault(action);
    await orders.shipped('18', 'alice');
    await orders.shipped('19', 'alice');
    for (const equals of ['17', '18', '19']) await verify({ payload: { at: '/orderId', equals } }, { atLeast: 1 });
  });
}

test('namespaces do not affect each other', async (t) => {
  const pauses = await Promise.all([0, 1, 2].map(async (failures) => {
    const { orders, pauses, verify, fault } = await place(t);
    if (failures) await fault({ respond: { status: 503 } }, failures);
    await orders.shipped(`order ${failures}`, 'alice');
    await verify({});
    await verify({ payload: { at: '/orderId', equals: `order ${failures}` } });
    return pauses.length;
  }));
  assert.deepEqual(pauses, [0, 1, 2]);
});
