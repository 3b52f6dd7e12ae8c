// Tells the stories of kits/stories.json: those for another way to have a server are left out.
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

export const STORIES = JSON.parse(readFileSync(new URL('../../stories.json', import.meta.url))).stories;
export const told = [];
const MODE = process.env.KIT_MODE ?? 'own';

export function story(id, tell) {
  told.push(id);
  const { mode = MODE } = STORIES.find((one) => one.id === id) ?? {};
  test(id, { skip: mode === MODE ? false : `is not for the mode ${MODE}` }, tell);
}
