// A line for each story, and the errors of those that fail.
const mode = process.env.KIT_MODE ?? 'own';

export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if (type === 'test:stderr' || type === 'test:stdout') yield data.message;
    if (data.nesting !== 0 || data.skip !== undefined) continue;
    if (type === 'test:pass') yield `ok   kit node ${mode}: ${data.name}\n`;
    if (type === 'test:fail') {
      const { error } = data.details;
      yield `${error.cause?.stack ?? error.cause ?? error.stack}\nFAIL kit node ${mode}: ${data.name}\n`;
    }
  }
}
