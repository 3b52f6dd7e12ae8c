// A provider that knows only the variables of the handle, with a connection for each push.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';

export const TOPIC = 'com.example.app';
export const LIVE_TOPIC = `${TOPIC}.push-type.liveactivity`;
/** What a start has besides its content state. */
export const START = {
  'attributes-type': 'RideAttributes', attributes: { ride: 4711 }, 'input-push-token': 1,
  alert: { title: 'On the way', body: 'Here in 9 minutes' },
};

/** Sends an alert, and returns the status of the response; 0 if there was none. `bearer` is the provider token. */
export function send(apns, token, title = 'Hi', { topic = TOPIC, bearer, lifetime = 86_400, aps = {}, ...members } = {}) {
  return post(apns, `/3/device/${token}`, { aps: { alert: { title }, ...aps }, ...members }, bearer, {
    'apns-topic': topic, 'apns-push-type': 'alert', 'apns-priority': 10, 'apns-expiration': Math.floor(Date.now() / 1000) + lifetime,
  });
}

/** Sends an update of a Live Activity to a channel, and returns the status of the response. */
export function broadcast(apns, channel, title) {
  const aps = { timestamp: Math.floor(Date.now() / 1000), event: 'update', 'content-state': {}, alert: { title } };
  return post(apns, `/4/broadcasts/apps/${TOPIC}`, { aps }, undefined, {
    'apns-channel-id': channel.id, 'apns-push-type': 'liveactivity', 'apns-priority': 10, 'apns-expiration': 0,
  });
}

/** Sends a push to a Live Activity, and returns the status of the response; its timestamp is `ahead` seconds of now. */
export async function live(apns, token, event, contentState, { ahead = 0, ...aps } = {}) {
  const timestamp = Math.floor(await apns.clock.now() / 1000) + ahead;
  return post(apns, `/3/device/${token}`, { aps: { event, timestamp, 'content-state': contentState, ...aps } }, undefined,
    { 'apns-topic': LIVE_TOPIC, 'apns-push-type': 'liveactivity', 'apns-priority': 10 });
}

async function post(apns, path, payload, bearer, headers) {
  const values = apns.environment;
  const authorization = `bearer ${bearer ?? signed(values, await apns.clock.now())}`;
  const session = http2.connect(values.MOCK_APNS_URL, { ca: readFileSync(values.MOCK_APNS_CA_FILE) });
  session.on('error', () => {}); // its stream fails, too
  try {
    return await new Promise((resolve) => {
      const stream = session.request({ ':method': 'POST', ':path': path, authorization, ...headers });
      let status = 0;
      stream.on('response', (response) => { status = response[':status']; });
      stream.on('error', () => {}).on('close', () => resolve(status)).resume().end(JSON.stringify(payload));
    });
  } finally {
    session.destroy();
  }
}

function signed(values, now) {
  const part = (json) => Buffer.from(JSON.stringify(json)).toString('base64url');
  const text = `${part({ alg: 'ES256', kid: values.MOCK_APNS_KEY_ID })}.${part({ iss: values.MOCK_APNS_TEAM_ID, iat: Math.floor(now / 1000) })}`;
  const key = createPrivateKey(readFileSync(values.MOCK_APNS_KEY_FILE));
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
