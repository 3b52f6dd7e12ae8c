// Orders: tells a customer's phones that an order was shipped, with Node's own http2.
import { createPrivateKey, sign } from 'node:crypto';
import http2 from 'node:http2';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const TOKEN_AGE = 50 * 60 * 1000; // APNs refuses provider tokens that are older than an hour
const ATTEMPTS = 4;

/** APNs refused the push, and sending it again would not help. */
export class PushRefused extends Error {}

/** Signs provider tokens, and renews them in time. */
class ProviderToken {
  #value;
  #issued = -Infinity;

  constructor({ key, keyId, teamId }, now) {
    Object.assign(this, { key: createPrivateKey(key), keyId, teamId, now });
  }

  get value() {
    if (this.now() - this.#issued > TOKEN_AGE) {
      this.#issued = this.now();
      const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
      const head = part({ alg: 'ES256', kid: this.keyId });
      const claims = part({ iss: this.teamId, iat: Math.floor(this.#issued / 1000) });
      const signature = sign('sha256', Buffer.from(`${head}.${claims}`), { key: this.key, dsaEncoding: 'ieee-p1363' });
      this.#value = `${head}.${claims}.${signature.toString('base64url')}`;
    }
    return this.#value;
  }
}

export class Orders {
  #session;

  /**
   * @param apns url, topic, ca (PEM, for a server other than Apple's), and the signing key: key (PEM), keyId, teamId
   * @param tokens a Map of customers to the Sets of device tokens of their phones
   * @param clock now and sleep, which tests replace
   */
  constructor(apns, tokens, { now = Date.now, pause = sleep } = {}) {
    Object.assign(this, { apns, tokens, pause, providerToken: new ProviderToken(apns, now) });
  }

  async shipped(order, customer) {
    const alert = { title: 'Order shipped', body: `Order ${order} is on its way.` };
    const payload = { aps: { alert, sound: 'default' }, orderId: order };
    for (const token of this.tokens.get(customer)) {
      const { status, reason } = await this.#send(token, payload, `order-${order}`);
      if (status === 410) this.tokens.get(customer).delete(token); // the app was uninstalled
      else if (status !== 200) throw new PushRefused(`${status} ${reason}`);
    }
  }

  async #send(token, payload, collapseId) {
    for (let attempt = 1; ; attempt += 1) {
      let answer;
      try {
        // If an answer was lost, the push is sent twice. With a collapse ID, the phone still shows it once.
        answer = await this.#request(token, payload, collapseId);
      } catch (error) {
        if (attempt === ATTEMPTS) throw error;
        continue; // with a new connection, if this one ended
      }
      if (![429, 503].includes(answer.status) || attempt === ATTEMPTS) return answer;
      await this.pause(1000 * 2 ** (attempt - 1));
    }
  }

  async #request(token, payload, collapseId) {
    const session = this.#connected();
    const stream = session.request({
      ':method': 'POST',
      ':path': `/3/device/${token}`,
      authorization: `bearer ${this.providerToken.value}`,
      'apns-topic': this.apns.topic,
      'apns-push-type': 'alert',
      'apns-collapse-id': collapseId,
    });
    stream.setTimeout(10_000, () => session.destroy()); // a silent connection
    let status;
    stream.once('response', (headers) => { status = headers[':status']; });
    stream.end(JSON.stringify(payload));
    const body = await text(stream);
    if (!status) throw new Error('the stream ended without an answer');
    return { status, ...(body ? JSON.parse(body) : {}) };
  }

  #connected() {
    if (!this.#session || this.#session.closed || this.#session.destroyed) {
      this.#session = http2.connect(this.apns.url, { ca: this.apns.ca });
      this.#session.on('error', () => {}); // its streams fail with the same error
    }
    return this.#session;
  }

  close() {
    this.#session?.close();
  }
}
