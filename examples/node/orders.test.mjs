// What the provider has to do, tested against mock-apns. Run it with `node --test`.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mockAPNs } from 'mock-apns';

import { Orders, PushRefused } from './orders.mjs';

const TOPIC = 'com.example.shop';

/** A mock APNs, and in it a phone and the provider under test, whose pauses take no time. */
async function place(t, { topic = TOPIC, offline = false } = {}) {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC, { offline });
  const pauses = [];
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead, pause: async (time) => { pauses.push(time); } };
  const { url, ca, key: { pem: key, id: keyId, teamId } } = apns;
  const orders = new Orders({ url, topic, ca, key, keyId, teamId }, new Map([['alice', new Set([phone.token])]]), clock);
  t.after(() => orders.close());
  return { apns, phone, orders, clock, pauses };
}

test('a shipped order reaches the phone', async (t) => {
  const { apns, phone, orders } = await place(t);
  await orders.shipped('17', 'alice');
  const push = await apns.expect({ to: phone, type: 'alert', title: 'Order shipped', delivery: 'delivered' });
  assert.equal(push.payload.orderId, '17');
  assert.deepEqual(push.warnings, []);
});

test('a refused push is an error', async (t) => {
  const { orders } = await place(t, { topic: 'com example shop' });
  await assert.rejects(orders.shipped('17', 'alice'), new PushRefused('400 BadTopic'));
});

test('a phone without the app gets no more pushes', async (t) => {
  const { apns, phone, orders } = await place(t);
  await phone.uninstallApp();
  await orders.shipped('17', 'alice');
  await orders.shipped('18', 'alice');
  await apns.expectExactly(1, { to: phone, reason: 'Unregistered' });
});

for (const status of [429, 503]) {
  test(`a push is sent again after ${status}`, async (t) => {
    const { apns, orders, pauses } = await place(t);
    await apns.addFault({ respond: { status } }, { times: 2 });
    await orders.shipped('17', 'alice');
    await apns.expectExactly(2, { status });
    await apns.expectExactly(1, { title: 'Order shipped' });
    assert.deepEqual(pauses, [1000, 2000]);
  });
}

test('the provider token is renewed within the hour', async (t) => {
  const { apns, orders, clock } = await place(t);
  await orders.shipped('17', 'alice');
  await apns.clock.advance('61m');
  clock.ahead = 61 * 60 * 1000;
  await orders.shipped('18', 'alice');
  await apns.expectExactly(2, { query: 'auth:verified' });
});

test('a phone that was offline shows the last push', async (t) => {
  const { phone, orders } = await place(t, { offline: true });
  for (const order of ['17', '18', '19']) await orders.shipped(order, 'alice');
  await phone.goOnline();
  assert.deepEqual((await phone.inbox()).map((shown) => shown.body), ['Order 19 is on its way.']);
});

for (const action of [{ goaway: { lastStream: 'zero', close: 'now' } }, { stream: { reset: 'REFUSED_STREAM' } }, { connection: 'rst' }]) {
  test(`a push survives ${Object.keys(action)}`, async (t) => {
    const { apns, orders } = await place(t);
    await orders.shipped('17', 'alice');
    await apns.addFault(action, { times: 1 });
    await orders.shipped('18', 'alice');
    await orders.shipped('19', 'alice');
    for (const order of ['17', '18', '19']) await apns.expect({ payload: { '/orderId': order } });
  });
}

test('tests do not affect each other', { concurrency: true }, async (t) => {
  await Promise.all([0, 1, 2].map((failures) => t.test(`${failures} failures`, async (t) => {
    const { apns, orders, pauses } = await place(t);
    if (failures) await apns.addFault({ respond: { status: 503 } }, { times: failures });
    await orders.shipped(`order ${failures}`, 'alice');
    assert.deepEqual((await apns.pushes()).map((push) => push.payload.orderId), [`order ${failures}`]);
    assert.equal(pauses.length, failures);
  })));
});
