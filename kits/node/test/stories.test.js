// The stories of kits/stories.json: one test for each, named after its identifier. Those about servers are in servers.js.
import assert, { AssertionError } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { mockAPNs, MockAPNsError } from '../index.js';
import { broadcast, live, LIVE_TOPIC, send, START, TOPIC } from './provider.js';
import './readme.js';
import './servers.js';
import { STORIES, story, told } from './story.js';

/** The message of the assertion error of an expectation. */
async function failure(expectation) {
  const error = await expectation.then(() => assert.fail('the expectation was met'), (error) => error);
  assert.ok(error instanceof AssertionError, error.stack);
  return error.message;
}

const titles = (found) => found.map((one) => one.title);

// Namespaces, and what a provider needs

story('namespace', async (t) => {
  const [one, two] = [await mockAPNs(t), await mockAPNs(t)];
  const [phone] = await Promise.all([one, two].map((apns) => apns.phone(TOPIC, { name: 'alice', token: 'ab'.repeat(32) })));
  assert.equal(await send(one, phone.token), 200);
  assert.notEqual(one.port, two.port);
  assert.equal((await one.pushes()).length, 1);
  assert.deepEqual(await two.pushes(), []);
});

story('namespace-gone', async () => {
  const ends = [];
  const apns = await mockAPNs({ after: (end) => ends.push(end), passed: false });
  await apns.pushes();
  for (const end of ends) await end();
  await assert.rejects(apns.pushes(), /no namespace/);
  const error = await new Promise((resolve) => { connect(apns.port, apns.host).on('error', resolve).on('connect', resolve); });
  assert.equal(error?.code, 'ECONNREFUSED');
});

test('parallel-tests', { concurrency: 200 }, async (t) => {
  await Promise.all(Array.from({ length: 200 }, (_, number) => t.test(`test ${number}`, async (t) => {
    const apns = await mockAPNs(t);
    const phone = await apns.phone(TOPIC, { name: 'alice' });
    assert.equal(await send(apns, phone.token, `title ${number}`), 200);
    await apns.expect({ to: phone, title: `title ${number}`, within: '30s' });
    assert.deepEqual(titles(await apns.pushes()), [`title ${number}`]);
  })));
});
told.push('parallel-tests');

story('provider-values', async (t) => {
  const apns = await mockAPNs(t);
  const values = apns.environment;
  assert.equal(values.MOCK_APNS_URL, `https://${values.MOCK_APNS_HOST}:${values.MOCK_APNS_APNS_PORT}`);
  assert.equal(await readFile(values.MOCK_APNS_CA_FILE, 'utf8'), apns.ca);
  assert.equal(await readFile(values.MOCK_APNS_KEY_FILE, 'utf8'), apns.key.pem);
  const phone = await apns.phone(TOPIC);
  assert.equal(await send(apns, phone.token), 200); // knows only these variables
  await apns.expect({ to: phone, keyId: values.MOCK_APNS_KEY_ID, teamId: values.MOCK_APNS_TEAM_ID });
});

story('provider-token', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  assert.equal(await send(apns, phone.token, 'now', { bearer: await apns.key.token() }), 200);
  await apns.clock.advance('1d');
  assert.equal(await send(apns, phone.token, 'tomorrow', { bearer: await apns.key.token() }), 200);
});

story('page', async (t) => {
  const apns = await mockAPNs(t);
  const answer = await fetch(apns.page, { headers: { accept: 'text/html' } });
  assert.match(await answer.text(), /mock-apns/);
  assert.ok(apns.page.endsWith(`?ns=${apns.namespace}`));
});

// Phones

story('push-arrives', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const list = [1, { a: 1.5, b: null, c: false }];
  await send(apns, phone.token, 'Order shipped', { aps: { badge: 1 }, orderID: '17', list });
  const push = await apns.expect({ to: phone, title: 'Order shipped' });
  assert.equal(push.payload.orderID, '17');
  assert.deepEqual(push.payload.list, list);
  assert.deepEqual(JSON.parse(Buffer.from(push.body)), push.payload);
  const { title, text, topic, type, priority, status, reason, accepted, delivery, token, collapseId } = push;
  assert.deepEqual({ title, text, topic, type, priority, token, collapseId },
    { title: 'Order shipped', text: null, topic: TOPIC, type: 'alert', priority: 10, token: phone.token, collapseId: null });
  assert.deepEqual({ status, reason, accepted, delivery }, { status: 200, reason: null, accepted: true, delivery: 'delivered' });
  assert.ok(push.headers.some(([name, value]) => name === 'apns-priority' && value === '10'));
  assert.ok(push.apnsId && push.expiration);
});

story('phone-with-token', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC, { name: 'alice', token: '0a'.repeat(32) });
  assert.equal(phone.token, '0a'.repeat(32));
  await send(apns, '0a'.repeat(32));
  await apns.expect({ device: 'alice' });
});

story('phone-offline', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC, { offline: true });
  for (const title of ['one', 'two', 'three']) await send(apns, phone.token, title);
  assert.deepEqual(await phone.inbox(), []);
  await phone.goOnline();
  assert.deepEqual(titles(await phone.inbox()), ['three']);
});

story('phone-goes-offline', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await phone.goOffline();
  await send(apns, phone.token);
  assert.deepEqual(await phone.inbox(), []);
  await apns.expect({ to: phone, delivery: 'stored-device-offline' });
});

story('app-uninstalled', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await phone.uninstallApp();
  for (const title of ['one', 'two']) assert.equal(await send(apns, phone.token, title), 410);
  assert.equal((await apns.expect({ reason: 'Unregistered', title: 'two' })).reason, 'Unregistered');
  assert.deepEqual(await apns.feedback(), [{ token: phone.token, topic: TOPIC, reported: 2, pushesAfterFirst410: 1 }]);
});

story('token-rotated', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const old = phone.token;
  assert.equal(await phone.rotateToken(), phone.token);
  assert.equal(await send(apns, old), 410);
  assert.equal(await send(apns, phone.token, 'new'), 200);
  await apns.expect({ to: phone, title: 'new' });
});

story('stored-expires', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC, { offline: true });
  await send(apns, phone.token, 'Hi', { lifetime: 3600 });
  await apns.clock.advance('3601s');
  await phone.goOnline();
  assert.deepEqual(await phone.inbox(), []);
  await apns.expect({ to: phone, query: 'is:discarded' });
});

// Expectations

story('expect-waits', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await Promise.all([apns.expect({ to: phone, title: 'late', within: 30_000 }), send(apns, phone.token, 'late')]);
});

story('expect-conditions', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC, { name: 'alice' });
  await send(apns, phone.token, 'Order shipped', { orderID: '17' });
  const conditions = {
    to: phone, device: 'alice', topic: TOPIC, type: 'alert', priority: 10, headers: { 'apns-topic': TOPIC }, keyId: apns.key.id,
    teamId: apns.key.teamId, status: 200, payload: { '/orderID': '17' }, title: { contains: 'shipped' }, query: 'is:delivered has:title',
  };
  await apns.expect(conditions);
  await failure(apns.expect({ ...conditions, payload: { '/orderID': '18' }, within: 0 }));
  await assert.rejects(apns.expect({ titel: 'Order shipped' }), /unknown condition 'titel'/);
  await assert.rejects(apns.expect({ to: phone, token: phone.token }), /use one of them/);
});

story('expect-exactly', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  for (const title of ['one', 'two']) await send(apns, phone.token, title);
  assert.deepEqual(titles(await apns.expectExactly(2, { to: phone })), ['one', 'two']);
  assert.match(await failure(apns.expectExactly(1, { to: phone })), /exactly 1 push, found 2/);
});

story('expect-none', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await apns.expectNone({ to: phone });
  await send(apns, phone.token);
  assert.match(await failure(apns.expectNone({ to: phone })), /found 1[^]*psh_/);
});

story('expect-sequence', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  for (const title of ['one', 'two', 'three']) await send(apns, phone.token, title);
  const steps = (...names) => names.map((title) => ({ title }));
  assert.deepEqual(titles(await apns.expectSequence(steps('one', 'three'))), ['one', 'three']);
  assert.match(await failure(apns.expectSequence(steps('two', 'one'), { within: 0 })), /found 1/);
  await failure(apns.expectSequence(steps('one', 'three'), { strict: true, within: 0 }));
});

story('wait-for-idle', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await send(apns, phone.token);
  await apns.waitForIdle({ quiet: 10 });
  await apns.expectExactly(1, { to: phone });
  assert.match(await failure(apns.waitForIdle({ within: 0 })), /pushes came for 0 ms/);
});

story('pushes', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await send(apns, phone.token, 'one');
  await send(apns, phone.token, 'two', { topic: 'not a topic' });
  await send(apns, phone.token, 'three');
  assert.deepEqual(titles(await apns.pushes()), ['one', 'three']);
  assert.deepEqual(titles(await apns.pushes({ outcome: 'rejected' })), ['two']);
  assert.deepEqual(titles(await apns.pushes({ title: 'three' })), ['three']);
});

story('push-rejected', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  assert.equal(await send(apns, phone.token, 'Hi', { topic: 'not a topic' }), 400);
  const { status, reason, accepted } = await apns.expect({ to: phone, reason: 'BadTopic' });
  assert.deepEqual({ status, reason, accepted }, { status: 400, reason: 'BadTopic', accepted: false });
  await apns.expectNone({ to: phone });
});

story('push-warnings', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await send(apns, phone.token, 'Hi', { aps: { badge: '1' } });
  const [warning, ...others] = (await apns.expect({ warning: 'badge-not-integer' })).warnings;
  assert.deepEqual(others, []);
  assert.ok(warning.id === 'badge-not-integer' && warning.message.includes('badge') && warning.hint);
});

story('failure-report', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await send(apns, phone.token, 'Order shiped');
  const report = await failure(apns.expect({ to: phone, title: 'Order shipped', within: 0 }));
  assert.match(report, /^Expected at least 1 push, found 0[^]*Order shiped/);
  assert.match(report, /2\/3/);
  assert.ok(report.includes(`\npage: ${apns.page} (for an hour; `), report);
});

story('failure-keeps-page', async () => {
  const ends = [];
  const apns = await mockAPNs({ after: (end) => ends.push(end) });
  await send(apns, (await apns.phone(TOPIC)).token);
  await failure(apns.expect({ title: 'Order shipped', within: 0 }));
  for (const end of ends) await end();
  assert.deepEqual(titles(await apns.pushes()), ['Hi']);
  const code = `import assert from 'node:assert';
import { mockAPNs } from '${new URL('../index.js', import.meta.url)}';
for (let number = 1; number <= 101; number += 1) {
  const ends = [];
  const apns = await mockAPNs({ after: (end) => ends.push(end) });
  const error = await apns.expect({ within: 0 }).catch((error) => error);
  for (const end of ends) await end();
  assert.equal(error.message.includes(apns.page), number <= 100, String(number));
  if (number > 100) await assert.rejects(apns.pushes(), /no namespace/);
}`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env });
});

story('failure-place', async (t) => {
  const directory = await temporary(t);
  const file = join(directory, 'orders.test.mjs');
  await writeFile(file, `import { test } from 'node:test';
import { mockAPNs } from '${new URL('../index.js', import.meta.url)}';
test('shipped', async (t) => {
  const apns = await mockAPNs(t);
  await apns.expect({ title: 'Order shipped', within: 0 });
});
`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const output = await new Promise((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=tap', file], { env }, (_, output) => resolve(output));
  });
  assert.match(output, /Expected at least 1 push, found 0/);
  assert.match(output, /stack: \|-\s+(async )?TestContext.<anonymous> \(file:.*orders\.test\.mjs:5:14\)/, output);
});

story('search-mistake', async (t) => {
  const apns = await mockAPNs(t);
  assert.match(await failure(apns.expect({ query: 'tpye:alert', within: 0 })), /did you mean 'type:alert'/);
});

// Faults, the clock, keys and channels

story('fault', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const fault = await apns.addFault({ respond: { reason: 'TooManyRequests' } }, { to: phone, times: 1 });
  assert.equal(await send(apns, phone.token), 429);
  assert.equal(await send(apns, phone.token), 200);
  assert.equal(await fault.fired(), 1);
  await fault.remove();
  await assert.rejects(fault.fired(), MockAPNsError);
});

story('fault-kinds', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const kinds = [
    ['status', { respond: { status: 503 } }, 503], ['delay', { delay: { for: '1ms' } }, 200], ['goaway', { goaway: {} }, 200],
    ['stream', { stream: { reset: 'INTERNAL_ERROR' } }, 0], ['connection', { connection: 'rst' }, 0], ['lose', { lose: true }, 200],
  ];
  for (const [title, action] of kinds) await apns.addFault(action, { title });
  for (const [title, , status] of kinds) assert.equal(await send(apns, phone.token, title), status, title);
  assert.equal((await apns.expect({ title: 'lose' })).delivery, 'not-attempted');
  await apns.removeFaults();
  for (const [title] of kinds) assert.equal(await send(apns, phone.token, title), 200, title);
  await assert.rejects(apns.addFault({ nothing: true }), /nothing/);
});

story('fault-preset', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  await apns.addPreset('too-many-requests', { times: 1 }, { to: phone });
  assert.equal(await send(apns, phone.token), 429);
  assert.equal(await send(apns, phone.token), 200);
  await assert.rejects(apns.addPreset('too-many'), /too-many-requests/);
});

story('clock', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const bearer = await apns.key.token();
  await apns.clock.freeze();
  const before = await apns.clock.now();
  await apns.clock.advance('2h');
  assert.equal(await apns.clock.now() - before, 7_200_000);
  assert.equal(await send(apns, phone.token, 'Hi', { bearer }), 403);
  await apns.expect({ reason: 'ExpiredProviderToken' });
  await apns.clock.run();
  assert.ok(Math.abs(await apns.clock.now() - Date.now()) < 3_600_000);
});

story('keys', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const key = await apns.addKey({ topics: [TOPIC] });
  const bearer = await key.token();
  assert.equal(await send(apns, phone.token, 'Hi', { bearer }), 200);
  await key.revoke();
  assert.equal(await send(apns, phone.token, 'Hi', { bearer }), 403);
});

story('channels', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(TOPIC);
  const channel = await apns.addChannel(TOPIC);
  await phone.subscribe(channel);
  assert.equal(await broadcast(apns, channel, 'Goal'), 200);
  assert.deepEqual((await apns.channels()).map((one) => ({ ...one })), [{ id: channel.id, bundleId: TOPIC, published: 1, subscribers: 1 }]);
  await apns.expect({ channel, title: 'Goal' });
});

// The app's own shapes

story('app-schema', async (t) => {
  const apns = await mockAPNs(t);
  await apns.putSchema(TOPIC, 'payload', { required: ['orderID'], properties: { orderID: { type: 'string' } } });
  const { token } = await apns.phone(TOPIC);
  assert.equal(await send(apns, token, 'one', { orderID: 17 }), 200);
  assert.equal(await send(apns, token, 'two', { orderID: '17' }), 200);
  assert.deepEqual((await apns.expectExactly(1, { fits: 'payload' })).map(({ title }) => title), ['two']);
  assert.equal((await apns.expect({ warning: 'app-schema' })).title, 'one');
});

// Live Activities

story('phone-os', async (t) => {
  const apns = await mockAPNs(t);
  const [old, later] = [await apns.phone(LIVE_TOPIC, { os: '17.1' }), await apns.phone(LIVE_TOPIC, { os: '17.4' })];
  for (const { token } of [old, later]) assert.equal(await live(apns, token, 'start', { minutes: 9 }, START), 200);
  assert.deepEqual(await old.activities(), []);
  assert.deepEqual((await later.activities()).map(({ state }) => state), ['active']);
  assert.equal((await apns.expect({ ignored: 'os-without-start' })).token, old.token);
});

story('activity', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(LIVE_TOPIC);
  assert.equal(await live(apns, phone.token, 'start', { minutes: 9 }, START), 200);
  const [{ id, token, attributesType, attributes, contentState }] = await phone.activities();
  assert.deepEqual([attributesType, attributes, contentState], ['RideAttributes', { ride: 4711 }, { minutes: 9 }]);
  assert.equal(await live(apns, token, 'update', { minutes: 5 }, { ahead: 60 }), 200);
  assert.equal(await live(apns, token, 'update', { minutes: 7 }, { ahead: 30 }), 200);
  const [activity] = await phone.activities();
  assert.deepEqual([activity.id, activity.state, activity.contentState, activity.channel], [id, 'active', { minutes: 5 }, null]);
  const update = await apns.expect({ token, ignored: { absent: true } });
  assert.deepEqual([update.activity, update.ignored], [id, null]);
  const older = await apns.expect({ token, ignored: 'stale-timestamp' });
  assert.deepEqual([older.activity, older.ignored], [id, 'stale-timestamp']);
});

story('activity-by-app', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(LIVE_TOPIC);
  const { state, token, attributes, contentState } = await phone.startActivity('RideAttributes', { ride: 4711 }, { minutes: 9 });
  assert.deepEqual([state, attributes, contentState], ['active', { ride: 4711 }, { minutes: 9 }]);
  assert.equal(await live(apns, token, 'update', { minutes: 5 }), 200);
  assert.deepEqual((await apns.expectActivity(phone)).contentState, { minutes: 5 });
  assert.equal(await live(apns, token, 'end', { minutes: 0 }, { ahead: 1 }), 200);
  assert.deepEqual((await apns.expectActivity(phone, 'ended')).contentState, { minutes: 0 });
});

story('activity-token', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(LIVE_TOPIC);
  const activity = await phone.startActivity('RideAttributes');
  const old = activity.token;
  assert.equal(await activity.rotateToken(), activity.token);
  assert.notEqual(activity.token, old);
  assert.equal(await live(apns, old, 'update', { minutes: 5 }), 410);
  assert.equal(await live(apns, activity.token, 'update', { minutes: 5 }), 200);
  await activity.dismiss();
  assert.deepEqual([activity.state, (await phone.activities())[0].state], ['dismissed', 'dismissed']);
  assert.equal(await live(apns, activity.token, 'update', { minutes: 4 }), 410);
  await apns.expectExactly(2, { reason: 'ExpiredToken' });
});

story('expect-activity', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone(LIVE_TOPIC);
  const stale = Math.floor(await apns.clock.now() / 1000) + 600;
  const [activity] = await Promise.all([
    apns.expectActivity(phone, 'active', { within: 30_000 }),
    live(apns, phone.token, 'start', { minutes: 9 }, { ...START, 'stale-date': stale }),
  ]);
  await live(apns, phone.token, 'update', { minutes: 5 });
  const report = await failure(apns.expectActivity(phone, 'stale', { within: 0 }));
  assert.match(report, new RegExp(`a Live Activity that is stale, but the phone has ${activity.id} RideAttributes: active`));
  assert.match(report, /was ignored: The token is a push-to-start token/);
  await apns.clock.advance('601s');
  assert.equal((await apns.expectActivity(phone, 'stale', { within: 0 })).id, activity.id);
});

story('attachments', async (t) => {
  const directory = await temporary(t);
  const apns = await mockAPNs(t, { name: 'ships an order' });
  const phone = await apns.phone(TOPIC);
  await send(apns, phone.token, 'Order shiped');
  process.env.MOCK_APNS_ATTACHMENTS = directory;
  await failure(apns.expect({ title: 'Order shipped', within: 0 })).finally(() => delete process.env.MOCK_APNS_ATTACHMENTS);
  const [push] = JSON.parse(await readFile(join(directory, 'ships-an-order', 'pushes.json')));
  assert.equal(push.request.payload.aps.alert.title, 'Order shiped');
  assert.match(await readFile(join(directory, 'ships-an-order', `push-${push.id}.svg`), 'utf8'), /<svg/);
});

async function temporary(t) {
  const directory = await mkdtemp(join(tmpdir(), 'kit-node-'));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

test('every-story-has-a-test', () => {
  assert.deepEqual(told.sort(), STORIES.map((one) => one.id).sort());
});
