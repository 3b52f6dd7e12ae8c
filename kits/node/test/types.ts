// Is compiled only: what tests in TypeScript may and may not write.
import { mockAPNs, MockAPNsError, type Push } from '../index.js';

export async function allowed(): Promise<string[]> {
  const apns = await mockAPNs({ after: (end) => void end() }, { name: 'types' });
  const phone = await apns.phone('com.example.app', { offline: true });
  const push: Push = await apns.expect({ to: phone, title: { contains: 'shipped' }, payload: { '/orderID': '17' }, within: '2s' });
  await apns.addFault({ respond: { reason: 'TooManyRequests' } }, { to: phone, times: 1 });
  const ride = await apns.expectActivity(phone, 'stale', { within: 0 });
  await apns.expectNone({ token: ride.token ?? '', ignored: { absent: true } });
  const pushes = await apns.expectSequence([{ title: 'one' }, { outcome: 'rejected' }], { strict: true });
  await apns.clock.advance(1000);
  return [push, ...pushes].map((one) => one.title ?? new MockAPNsError('no title').message);
}

export async function refused(): Promise<void> {
  // @ts-expect-error: an object without after
  const apns = await mockAPNs({});
  // @ts-expect-error: a misspelled condition
  await apns.expect({ titel: 'Order shipped' });
  // @ts-expect-error: an unknown state
  await apns.expectActivity(await apns.phone('com.example.app'), 'running');
  // @ts-expect-error: a number where a text belongs
  await apns.expect({ title: 17 });
}
