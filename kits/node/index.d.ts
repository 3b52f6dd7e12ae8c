/** Why mock-apns cannot be used, in one line that says how to go on. */
export class MockAPNsError extends Error {}

/** What ends with a test: the context of `node:test`, or an object whose `after` calls a function when it ends. */
export interface TestContext {
  after(end: () => Promise<void>): unknown;
  readonly name?: string;
  readonly fullName?: string;
}

/**
 * A mock APNs for a test, which is gone when the test ends. `name` is for the page and attachments.
 *
 * The first call starts the server, unless MOCK_APNS_API_URL is the address of one. A failed expectation is an
 * `AssertionError` of `node:assert`.
 */
export function mockAPNs(t: TestContext, options?: { name?: string }): Promise<MockAPNs>;

/** Milliseconds, or a text such as "2s". */
export type Duration = number | string;

/** A value, or operators of the debug API on it, such as `{ contains: 'shipped' }` or `{ lt: 10 }`. */
export type Value<T> = T | { readonly [operator: string]: unknown };

/** What a push has to be like. Only accepted ones match, unless `status`, `reason`, `outcome` or `query` differ. */
export interface Conditions {
  to?: Phone;
  token?: Value<string>;
  /** The name of the phone. */
  device?: Value<string>;
  topic?: Value<string>;
  /** The push type, such as "alert". */
  type?: Value<string>;
  priority?: Value<number>;
  /** In UNIX seconds. */
  expiration?: Value<number>;
  collapseId?: Value<string>;
  /** The title of the alert. */
  title?: Value<string>;
  /** The text of the alert. */
  body?: Value<string>;
  apnsId?: Value<string>;
  keyId?: Value<string>;
  teamId?: Value<string>;
  environment?: Value<'sandbox' | 'production'>;
  /** The delivery state, such as "delivered". */
  delivery?: Value<string>;
  channel?: Channel | string;
  /** The identifier of a warning, as in docs/lints.md. */
  warning?: Value<string>;
  /** Why the device ignored a push to a Live Activity, such as "stale-timestamp". */
  ignored?: Value<string>;
  /** The status of the service that the server forwards pushes to. */
  forwarded?: Value<number>;
  /** A schema of the app that it fits: "payload" or "content-state:RideAttributes". */
  fits?: Value<string>;
  /** Values of the payload by their JSON Pointers: `{ '/orderID': '17' }`. */
  payload?: { readonly [pointer: string]: unknown };
  /** Header fields by their names in lower case. */
  headers?: { readonly [name: string]: Value<string> };
  status?: Value<number>;
  /** Such as "BadDeviceToken". */
  reason?: Value<string>;
  outcome?: Value<'accepted' | 'rejected'>;
  /** A search as in the inspector: "type:alert is:delivered". */
  query?: string;
}

/** How long to wait: 1 second by default, and not at all for `expectNone`. */
export interface Limit {
  within?: Duration;
}

/** An effect of a fault: a `do` object of the debug API. */
export type FaultAction =
  | { respond: { reason?: string; status?: number; headers?: object; body?: string } }
  | { delay: { for: Duration; jitter?: Duration; distribution?: string } }
  | { goaway: { code?: string; lastStream?: string; debug?: string; close?: string; then?: string; respond?: object } }
  | { stream: { reset: string } }
  | { connection: 'rst' | 'fin' | 'stall' | 'blackhole' }
  | { lose: true }
  | { readonly [action: string]: unknown };

/** A namespace of a mock APNs server, with its own port, phones, pushes, faults and clock. */
export class MockAPNs {
  private constructor();
  /** The host, the port and the URL for pushes. */
  readonly host: string;
  readonly port: number;
  readonly url: string;
  /** The certificate to trust, in PEM, and as a file. */
  readonly ca: string;
  readonly caFile: string;
  readonly key: Key;
  readonly clock: Clock;
  readonly name: string;
  readonly namespace: string;
  /** The inspector's page of this namespace. */
  readonly page: string;
  /** All that a provider needs, as variables MOCK_APNS_…, for a program that is started with them. */
  readonly environment: { readonly [name: string]: string };

  /** Adds a phone with an app: `name` for reports, a `token` that the provider has, `os` such as "17.4". */
  phone(topic: string, options?: { offline?: boolean; name?: string; token?: string; os?: string }): Promise<Phone>;
  /** Adds another signing key, by default for all topics. */
  addKey(options?: { topics?: string[] }): Promise<Key>;
  /** Adds a broadcast channel for an app. */
  addChannel(topic: string): Promise<Channel>;
  /** The broadcast channels, with those that providers have created. */
  channels(): Promise<Channel[]>;
  /** Gives an app a JSON Schema, of its "payload" or "content-state:RideAttributes", for the condition `fits`. */
  putSchema(app: string, name: string, schema: object): Promise<void>;
  /** The device tokens that have become invalid, oldest first. */
  feedback(): Promise<Feedback[]>;
  /** Adds a fault for the pushes that match: the first `skip` pass, and it fires `times` times. */
  addFault(action: FaultAction, options?: Conditions & { times?: number; skip?: number }): Promise<Fault>;
  /** Adds a fault of the table in docs/reference.md, such as `addPreset('too-many-requests', { times: 1 })`. */
  addPreset(name: string, parameters?: { readonly [name: string]: unknown }, conditions?: Conditions): Promise<Fault>;
  /** Removes all faults. */
  removeFaults(): Promise<void>;
  /** Waits until a push matches, and returns the first; else fails with the closest ones and why they do not match. */
  expect(conditions: Conditions & Limit): Promise<Push>;
  /** Waits until this many pushes match, and returns them in order. Call `waitForIdle` before, to catch later ones. */
  expectExactly(count: number, conditions: Conditions & Limit): Promise<Push[]>;
  /** Fails if a push matches, or does so `within` this time. */
  expectNone(conditions?: Conditions & Limit): Promise<void>;
  /** Waits until pushes match the steps in order, and returns them; if `strict`, without others in between. */
  expectSequence(steps: Conditions[], options?: Limit & { strict?: boolean }): Promise<Push[]>;
  /** The pushes that match, oldest first. */
  pushes(conditions?: Conditions): Promise<Push[]>;
  /** Waits until a Live Activity of the phone is in a state ("active"), for milliseconds; returns the newest that is. */
  expectActivity(phone: Phone, state?: ActivityState, options?: { within?: number }): Promise<Activity>;
  /** Waits until no push has arrived for a time, in milliseconds: 100 by default, and at most 10,000 for the whole. */
  waitForIdle(options?: { quiet?: number; within?: number }): Promise<void>;
  /** Saves the pushes, and pictures of the last 20, in a directory there: by default in MOCK_APNS_ATTACHMENTS. */
  attachPushes(directory?: string): Promise<void>;
  /** Deletes the namespace, or keeps it for an hour after a failed expectation; happens when the test ends. */
  close(): Promise<void>;
}

/** What the service that a push was forwarded to made of it. */
export interface Forward {
  readonly outcome: 'same' | 'differs' | 'failed' | 'dropped';
  readonly status: number | null;
  readonly reason: string | null;
  readonly headers: [string, string][];
  readonly body: string;
  readonly durationMs: number;
  /** Whether the status or the reason is not the mock's. */
  readonly differs: boolean;
  readonly error: string | null;
}

/** A push that the server has received. */
export class Push {
  private constructor();
  readonly id: string;
  readonly apnsId: string | null;
  readonly token: string | null;
  readonly topic: string | null;
  readonly type: string;
  readonly priority: number | null;
  readonly expiration: number | null;
  readonly collapseId: string | null;
  readonly headers: [name: string, value: string][];
  /** The body as JSON; null if it is not JSON. */
  readonly payload: any;
  readonly body: Uint8Array;
  /** The title and the text of the alert. */
  readonly title: string | null;
  readonly text: string | null;
  readonly status: number;
  /** Such as "BadDeviceToken"; null if the push was accepted. */
  readonly reason: string | null;
  readonly accepted: boolean;
  /** The delivery state, such as "delivered" or "stored-device-offline". */
  readonly delivery: string;
  /** The Live Activity that it started or was for, and why the device ignored it, such as "stale-timestamp". */
  readonly activity: string | null;
  readonly ignored: string | null;
  /** The answer of the service that it was forwarded to; null if there is none. */
  readonly forward: Forward | null;
  /** What is wrong with the push, although it may have been accepted: see docs/lints.md. */
  readonly warnings: { id: string; message: string; hint: string }[];
  /** All of it, as in the debug API. */
  readonly json: any;
}

/** A phone with an app. */
export class Phone {
  private constructor();
  readonly id: string;
  /** The device token of the app, in hexadecimal digits. */
  readonly token: string;
  readonly topic: string;
  /** Connects the phone; stored notifications are delivered before this ends. */
  goOnline(): Promise<void>;
  /** Disconnects the phone; the newest push for each app is stored. */
  goOffline(): Promise<void>;
  /** Uninstalls the app: pushes to its token get 410 from now on. */
  uninstallApp(): Promise<void>;
  /** Gives the app a new token; pushes to the old one get 410 from now on. */
  rotateToken(): Promise<string>;
  /** The notifications in Notification Center, newest first. */
  inbox(): Promise<Notification[]>;
  /** Subscribes the app to a broadcast channel. */
  subscribe(channel: Channel): Promise<void>;
  /** The Live Activities, in the order of their start, with the latest dismissed ones. */
  activities(): Promise<Activity[]>;
  /** Starts a Live Activity, as the app does it itself, without a push. */
  startActivity(attributesType: string, attributes?: object, contentState?: object): Promise<Activity>;
}

export type ActivityState = 'active' | 'stale' | 'ended' | 'dismissed';

/** A Live Activity as of when it was asked for. */
export class Activity {
  private constructor();
  readonly id: string;
  /** The update token; null if it follows a channel or asked for none. */
  readonly token: string | null;
  readonly state: ActivityState;
  readonly attributesType: string;
  readonly attributes: any;
  /** The newest. */
  readonly contentState: any;
  /** The channel that it follows, in Base64. */
  readonly channel: string | null;
  /** All of it, as in the debug API. */
  readonly json: any;
  /** Dismisses it, as the user does: pushes to its token get 410 from now on. */
  dismiss(): Promise<void>;
  /** Gives it a new update token; pushes to the old one get 410 from now on. */
  rotateToken(): Promise<string | null>;
}

/** A notification in a phone's Notification Center; `push` is the identifier of its push. */
export interface Notification {
  push: string;
  title: string | null;
  subtitle: string | null;
  body: string | null;
  badge: number | null;
  sound: string | null;
}

/** A device token that is no longer valid, and the pushes to it: those answered with 410, and those after the first. */
export interface Feedback {
  token: string;
  topic: string | null;
  reported: number;
  pushesAfterFirst410: number;
}

/** A broadcast channel: its identifier in Base64, and the numbers of its accepted broadcasts and subscribed phones. */
export class Channel {
  private constructor();
  readonly id: string;
  readonly bundleId: string;
  readonly published: number;
  readonly subscribers: number;
}

/** The clock by which provider tokens and stored notifications expire. Tests move it, so they need not sleep. */
export class Clock {
  private constructor();
  now(): Promise<Date>;
  /** Moves the clock forward; everything that becomes due has happened when this ends. */
  advance(by: Duration): Promise<void>;
  /** Stops the clock; `advance` still moves it. */
  freeze(): Promise<void>;
  /** Returns the clock to the system's time. */
  run(): Promise<void>;
}

/** A key that signs provider tokens, with the private key in PEM, and as a file. */
export class Key {
  private constructor();
  readonly id: string;
  readonly teamId: string;
  readonly pem: string;
  readonly file: string;
  /** A provider token for the header `authorization`, after "bearer "; by default issued now by the server's clock. */
  token(issuedAt?: Date): Promise<string>;
  /** Revokes the key: its provider tokens are rejected from now on. */
  revoke(): Promise<void>;
}

/** A fault on the server. */
export class Fault {
  private constructor();
  readonly id: string;
  /** How often the fault has fired. */
  fired(): Promise<number>;
  /** Removes the fault. */
  remove(): Promise<void>;
}
