// The code of the README is run.
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';

import { mockAPNs } from '../index.js';
import { send } from './provider.js';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The provider of the README. */
const orderShipped = (apns, order, token) => send(apns, token, 'Order shipped', { orderID: String(order) });

/** `test`, whose context has Vitest's function for the end of a test as well. */
const either = (name, tell) => test(`readme: ${name}`, (t) => {
  t.onTestFinished = (end) => t.after(end);
  return tell(t);
});

for (const [, block] of README.matchAll(/^```js\n([^]*?)^```/gm)) {
  const names = ['test', 'afterEach', 'assert', 'mockAPNs', 'orderShipped'];
  new Function(...names, block)(either, afterEach, assert, mockAPNs, orderShipped);
}
