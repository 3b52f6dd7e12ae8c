// What somebody writes first after `npm install`.
import assert from 'node:assert/strict';
import http2 from 'node:http2';
import { test } from 'node:test';
import { mockAPNs } from 'mock-apns';

test('shipped', async (t) => {
  const apns = await mockAPNs(t);
  const phone = await apns.phone('com.example.app');
  const session = http2.connect(apns.url, { ca: apns.ca });
  const request = session.request({
    ':method': 'POST', ':path': `/3/device/${phone.token}`, authorization: `bearer ${await apns.key.token()}`,
    'apns-topic': 'com.example.app',
  });
  request.end(JSON.stringify({ aps: { alert: { title: 'Order shipped' } }, orderID: '17' }));
  const status = await new Promise((resolve, reject) => {
    request.on('response', (headers) => resolve(headers[':status']));
    request.on('error', reject);
  });
  session.destroy();
  assert.equal(status, 200);
  const push = await apns.expect({ to: phone, title: 'Order shipped' });
  assert.equal(push.payload.orderID, '17');
});
