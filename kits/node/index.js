// mock-apns in tests: a namespace of a mock APNs server for each test. index.d.ts has the types and the documentation.
import { AssertionError } from 'node:assert';
import { createPrivateKey, sign } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { API, MockAPNsError, Refusal, Server } from './server.js';

export { MockAPNsError };

export async function mockAPNs(t, { name = t.fullName ?? t.name ?? 'test' } = {}) {
  const apns = await new MockAPNs(name).open(await Server.shared());
  t.after(async () => {
    if (t.passed === false) await apns.attachPushes();
    await apns.close();
  });
  return apns;
}

/** The names of conditions, and those of the debug API's `match` object. */
const CONDITIONS = {
  to: 'token', token: 'token', device: 'device', topic: 'topic', type: 'pushType', priority: 'priority',
  expiration: 'expiration', collapseId: 'collapseId', title: 'title', body: 'body', apnsId: 'apnsId', keyId: 'keyId',
  teamId: 'teamId', environment: 'environment', delivery: 'delivery', channel: 'channel', warning: 'lint',
  ignored: 'ignored', forwarded: 'forwarded', fits: 'fits',
  payload: 'payload', headers: 'headers', status: 'verdict', reason: 'verdict', outcome: 'verdict', query: 'q',
};

/** The failures of this process. The first 100 keep their namespaces, since a server has at most 1,000. */
let failures = 0;

function match(conditions) {
  const members = {};
  for (let [name, value] of Object.entries(conditions)) {
    const member = CONDITIONS[name];
    const names = Object.keys(CONDITIONS).join(', ');
    if (!member) throw new TypeError(`unknown condition '${name}': expected one of ${names}`);
    if (value instanceof Phone) value = value.token;
    if (value instanceof Channel) value = value.id;
    if (name === 'payload') value = Object.entries(value).map(([at, equals]) => ({ at, equals }));
    if (member === 'verdict') (members.verdict ??= {})[name] = value;
    else if (member in members) throw new TypeError("'to' and 'token' are both for the device token: use one of them");
    else members[member] = value;
  }
  return members;
}

const duration = (time) => (typeof time === 'number' ? `${Math.round(time)}ms` : time);

/** The body of a verification, which is made when the failure has a place. */
const counted = (conditions, count) => () => ({ match: match(conditions), count });

export class MockAPNs {
  #api;
  #server;
  #isKept = false;

  constructor(name) {
    this.name = name;
  }

  async open(server) {
    this.#server = server;
    const { name, port } = await server.addNamespace(this.name);
    this.#api = new API(server.api.url, name);
    Object.assign(this, { namespace: name, host: server.api.host, port, ca: server.ca, caFile: server.caFile });
    this.url = `https://${this.host.includes(':') ? `[${this.host}]` : this.host}:${port}`;
    this.page = `${server.api.url}/?ns=${name}`;
    this.clock = new Clock(this.#api);
    this.key = await this.addKey();
    this.environment = {
      MOCK_APNS_HOST: this.host, MOCK_APNS_APNS_PORT: String(port), MOCK_APNS_URL: this.url,
      MOCK_APNS_CA_FILE: this.caFile, MOCK_APNS_KEY_FILE: this.key.file, MOCK_APNS_KEY_ID: this.key.id,
      MOCK_APNS_TEAM_ID: this.key.teamId, MOCK_APNS_API_URL: server.api.url,
    };
    return this;
  }

  async close() {
    if (!this.#isKept) await this.#server.api.call('DELETE', `namespaces/${this.namespace}`);
  }

  async phone(topic, { offline = false, name, token, os } = {}) {
    const body = { label: name, os, state: offline ? 'offline' : 'online', registrations: [{ topic, token }] };
    return new Phone(this.#api, await this.#api.call('POST', 'devices', body));
  }

  async addKey({ topics } = {}) {
    const made = await this.#api.call('POST', 'keys/generate', { topics });
    return new Key(this.#api, made, this.#server.write(made.fileName, made.p8));
  }

  async addChannel(topic) {
    return new Channel(await this.#api.call('POST', 'channels', { topic }));
  }

  async channels() {
    return (await this.#api.call('GET', 'channels')).channels.map((channel) => new Channel(channel));
  }

  async putSchema(app, name, schema) {
    await this.#api.call('PUT', `apps/${app}/schemas/${encodeURIComponent(name)}`, schema);
  }

  async feedback() {
    const { feedback } = await this.#api.call('GET', 'feedback');
    return feedback.map(({ token, topic, reported410: reported, pushesAfterFirst410 }) => (
      { token, topic, reported, pushesAfterFirst410 }));
  }

  async addFault(action, { times, skip = 0, ...conditions } = {}) {
    const body = { do: action, match: match(conditions), when: { times, skip } };
    return new Fault(this.#api, await this.#api.call('POST', 'faults', body));
  }

  async addPreset(name, parameters = {}, conditions = undefined) {
    const body = { ...parameters, match: conditions && match(conditions) };
    return new Fault(this.#api, await this.#api.call('POST', `faults/presets/${encodeURIComponent(name)}`, body));
  }

  async removeFaults() {
    await this.#api.call('DELETE', 'faults?all=true');
  }

  async expect({ within, ...conditions }) {
    return (await this.#verify(this.expect, 'verify', counted(conditions, { atLeast: 1 }), within))[0];
  }

  async expectExactly(count, { within, ...conditions }) {
    return this.#verify(this.expectExactly, 'verify', counted(conditions, { exactly: count }), within);
  }

  async expectNone({ within = 0, ...conditions } = {}) {
    await this.#verify(this.expectNone, 'verify', counted(conditions, { never: true }), within);
  }

  async expectSequence(steps, { strict = false, within } = {}) {
    return this.#verify(this.expectSequence, 'verify-sequence', () => ({ steps: steps.map(match), strict }), within);
  }

  async pushes(conditions = {}) {
    return this.#found('verify', counted(conditions, { atLeast: 0 })());
  }

  async expectActivity(phone, state = 'active', { within = 1000 } = {}) {
    const place = placeOf(this.expectActivity);
    for (const end = performance.now() + within; ;) {
      const { seq } = await this.#api.call('GET', 'seq');
      const activities = await phone.activities();
      const found = activities.findLast((activity) => activity.state === state);
      if (found) return found;
      const left = Math.min(100, end - performance.now());
      if (left <= 0) throw await this.#failure(await this.#reportOn(activities, state), place);
      await this.#api.call('GET', `pushes/count?after=${seq}&wait=${duration(left)}`);
    }
  }

  async #reportOn(activities, state) {
    const all = activities.map((one) => `${one.id} ${one.attributesType}: ${one.state}`).join(', ') || 'none';
    const ignored = (await this.pushes({ query: 'is:ignored' })).slice(-5)
      .map(({ id, json }) => `\n${id} was ignored: ${json.delivery.ignored.text}`);
    return `expected a Live Activity that is ${state}, but the phone has ${all}${ignored.join('')}`;
  }

  async waitForIdle({ quiet = 100, within = 10_000 } = {}) {
    const place = placeOf(this.waitForIdle);
    for (const end = performance.now() + within; performance.now() < end;) {
      const { seq } = await this.#api.call('GET', 'seq');
      const { satisfied } = await this.#api.call('GET', `pushes/count?after=${seq}&wait=${duration(quiet)}`);
      if (!satisfied) return;
    }
    throw await this.#failure(`expected no push for ${quiet} ms, but pushes came for ${within} ms`, place);
  }

  async attachPushes(directory = process.env.MOCK_APNS_ATTACHMENTS) {
    if (!directory) return;
    const folder = join(directory, this.name.replace(/[^\p{L}\p{N}_.-]+/gu, '-'));
    await mkdir(folder, { recursive: true });
    const pushes = await this.pushes({ outcome: { in: ['accepted', 'rejected'] } });
    await writeFile(join(folder, 'pushes.json'), JSON.stringify(pushes.map((push) => push.json), null, 2));
    for (const { id } of pushes.slice(-20)) {
      await writeFile(join(folder, `push-${id}.svg`), await this.#api.text('GET', `pushes/${id}/preview.svg`));
    }
  }

  async #verify(caller, route, body, within = 1000) {
    const place = placeOf(caller);
    try {
      return await this.#found(route, { ...body(), within: duration(within) });
    } catch (error) {
      throw error instanceof Refusal ? await this.#failure(error.message, place) : error;
    }
  }

  async #found(route, body) {
    const { matched } = await this.#api.call('POST', `pushes/${route}`, body);
    return Promise.all(matched.map(async (id) => new Push(await this.#api.call('GET', `pushes/${id}`))));
  }

  async #failure(report, place) {
    const unsaved = await this.attachPushes().catch((error) => `\nits pushes could not be saved: ${error.message}`);
    this.#isKept ||= ++failures <= 100;
    const page = `\npage: ${this.page} (for an hour; if the server ends with the tests, `
      + 'use mock-apns serve and MOCK_APNS_API_URL)';
    const message = report.trimEnd() + (unsaved ?? '') + (this.#isKept ? page : '');
    const failure = new AssertionError({ message, operator: 'fail' });
    failure.stack = `${failure.name} [${failure.code}]: ${message}\n${place}`;
    return failure;
  }
}

/** The stack from the caller of a function on: a stack that is taken after `await` may not have it. */
function placeOf(callee) {
  const place = {};
  Error.captureStackTrace(place, callee);
  return place.stack.split('\n').slice(1).join('\n');
}

export class Push {
  constructor(json) {
    const { apns, request, response, verdict, delivery, lints } = json;
    const { alert } = Object(request.payload?.aps);
    Object.assign(this, {
      json, id: json.id, apnsId: apns.id, token: apns.token, topic: apns.topic, type: apns.pushType,
      priority: apns.priority, expiration: apns.expiration, collapseId: apns.collapseId, headers: request.headers,
      payload: request.payload,
      body: Buffer.from(request.bodyBase64, 'base64'), title: alert?.title ?? null,
      text: typeof alert === 'string' ? alert : alert?.body ?? null, status: response.status, reason: verdict.reason,
      accepted: verdict.outcome === 'accepted', delivery: delivery.state,
      activity: delivery.activity, ignored: delivery.ignored?.code ?? null, forward: json.forward ?? null,
      warnings: lints.filter(({ severity }) => severity !== 'info')
        .map(({ id, message, hint }) => ({ id, message, hint })),
    });
  }
}

export class Phone {
  #api;

  constructor(api, { id, registrations: [{ token, topic }] }) {
    this.#api = api;
    Object.assign(this, { id, token, topic });
  }

  async goOnline() {
    await this.#api.call('PATCH', `devices/${this.id}`, { state: 'online' });
  }

  async goOffline() {
    await this.#api.call('PATCH', `devices/${this.id}`, { state: 'offline' });
  }

  async uninstallApp() {
    await this.#api.call('PATCH', `registrations/${this.token}`, { state: 'uninstalled' });
  }

  async rotateToken() {
    this.token = (await this.#api.call('POST', `registrations/${this.token}/rotate`)).token;
    return this.token;
  }

  async inbox() {
    const { notifications } = await this.#api.call('GET', `devices/${this.id}/inbox`);
    return notifications.map(({ push, title, subtitle, body, badge, sound }) => (
      { push, title, subtitle, body, badge, sound }));
  }

  async subscribe(channel) {
    await this.#api.call('POST', `devices/${this.id}/subscriptions`, { topic: this.topic, channel: channel.id });
  }

  async activities() {
    const { activities } = await this.#api.call('GET', `devices/${this.id}/activities`);
    return activities.map((activity) => new Activity(this.#api, activity));
  }

  async startActivity(attributesType, attributes = {}, contentState = {}) {
    const body = { topic: this.topic, attributesType, attributes, contentState };
    return new Activity(this.#api, await this.#api.call('POST', `devices/${this.id}/activities`, body));
  }
}

export class Activity {
  #api;

  constructor(api, json) {
    this.#api = api;
    this.#read(json);
  }

  #read(json) {
    const { id, token, state, attributesType, attributes, contentState, channel } = json;
    Object.assign(this, { json, id, token, state, attributesType, attributes, contentState, channel });
  }

  async #change(how) {
    this.#read(await this.#api.call('POST', `devices/${this.json.device}/activities/${this.id}/${how}`));
  }

  async dismiss() {
    await this.#change('dismiss');
  }

  async rotateToken() {
    await this.#change('rotate');
    return this.token;
  }
}

export class Channel {
  constructor({ id, bundleId, metrics: { published, uniqueSubscribers } }) {
    Object.assign(this, { id, bundleId, published, subscribers: uniqueSubscribers });
  }
}

export class Clock {
  #api;

  constructor(api) {
    this.#api = api;
  }

  async now() {
    return new Date((await this.#api.call('GET', 'clock')).now);
  }

  async advance(by) {
    await this.#api.call('POST', 'clock/advance', { by: duration(by) });
  }

  async freeze() {
    await this.#api.call('PUT', 'clock', { mode: 'frozen' });
  }

  async run() {
    await this.#api.call('PUT', 'clock', { mode: 'real' });
  }
}

export class Key {
  #api;

  constructor(api, { keyId, teamId, p8 }, file) {
    this.#api = api;
    Object.assign(this, { id: keyId, teamId, pem: p8, file });
  }

  async token(issuedAt) {
    const now = issuedAt ?? await new Clock(this.#api).now();
    const parts = [{ alg: 'ES256', kid: this.id }, { iss: this.teamId, iat: Math.floor(now / 1000) }];
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const signature = sign('sha256', Buffer.from(text), { key: createPrivateKey(this.pem), dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  async revoke() {
    await this.#api.call('DELETE', `keys/${this.id}`);
  }
}

export class Fault {
  #api;

  constructor(api, { id }) {
    this.#api = api;
    this.id = id;
  }

  async fired() {
    return (await this.#api.call('GET', `faults/${this.id}`)).stats.fired;
  }

  async remove() {
    await this.#api.call('DELETE', `faults/${this.id}`);
  }
}
