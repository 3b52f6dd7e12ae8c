// The server that the tests of this process share, and its debug API.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  accessSync, closeSync, constants, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Why mock-apns cannot be used, in one line that says how to go on. */
export class MockAPNsError extends Error {
  name = 'MockAPNsError';
}

/** The debug API has refused a request: why, or the report of a failed verification. */
export class Refusal extends MockAPNsError {}

/** The debug API of a server, within a namespace. */
export class API {
  #root;

  constructor(url, namespace) {
    const parts = URL.canParse(url) ? new URL(url) : {};
    if (parts.protocol !== 'http:' || !parts.hostname || !parts.port) {
      throw new MockAPNsError(`invalid MOCK_APNS_API_URL '${url}': expected a URL such as http://127.0.0.1:8197`);
    }
    this.url = parts.origin;
    this.host = parts.hostname.replace(/[[\]]/g, '');
    this.#root = `/api/v1/${namespace ? `namespaces/${namespace}/` : ''}`;
  }

  /** Sends a request, and returns the JSON of the response. `path` follows /api/v1/ or the namespace. */
  async call(method, path, body) {
    const answer = await this.text(method, path, body);
    return answer && this.#json(answer);
  }

  /** Sends a request, and returns the body of the response. */
  async text(method, path, body) {
    const request = `${method} ${this.#root}${path}`;
    const headers = { 'content-type': 'application/json' };
    if (process.env.MOCK_APNS_API_TOKEN) headers.authorization = `Bearer ${process.env.MOCK_APNS_API_TOKEN}`;
    let response;
    let answer;
    try {
      response = await fetch(this.url + this.#root + path, { method, headers, body: body && JSON.stringify(body) });
      answer = await response.text();
    } catch (error) {
      const reason = error.cause?.code ?? error.cause?.message ?? error.message;
      throw new MockAPNsError(`${request} failed at ${this.url} (${reason}): is mock-apns running there? `
        + 'MOCK_APNS_API_URL is its address');
    }
    if (response.ok) return answer;
    const { type = '', report, detail } = this.#json(answer);
    if (!type.startsWith('urn:mock-apns:')) throw this.#isOtherServer(answer);
    if (type.endsWith(':unknown-path')) {
      const server = `${response.headers.get('server')} at ${this.url}`;
      throw new MockAPNsError(`${server} does not know ${request}: update it to the version of this kit`);
    }
    if (type.endsWith(':not-authorized')) {
      throw new MockAPNsError(`mock-apns at ${this.url} wants its --api-token: set MOCK_APNS_API_TOKEN to the same`);
    }
    throw new Refusal(report ?? detail);
  }

  #json(answer) {
    try {
      return JSON.parse(answer);
    } catch {
      throw this.#isOtherServer(answer);
    }
  }

  #isOtherServer(answer) {
    const begin = answer.slice(0, 60).split('\n')[0];
    return new MockAPNsError(`${this.url} is not mock-apns, it answers '${begin}': check MOCK_APNS_API_URL`);
  }
}

/** The server of MOCK_APNS_API_URL, or one of our own. */
export class Server {
  static #shared;
  /** The port that namespaces share if theirs cannot be reached from here. */
  #port;

  /** The server of this process; the first call starts it if MOCK_APNS_API_URL is not set. */
  static shared() {
    Server.#shared ??= new Server().#opened().catch((error) => {
      Server.#shared = undefined;
      throw error;
    });
    return Server.#shared;
  }

  async #opened() {
    const url = process.env.MOCK_APNS_API_URL;
    const place = url ? { url, directory: temporaryDirectory() } : await start(findProgram());
    this.api = new API(place.url);
    this.directory = place.directory;
    this.ca = await this.api.text('GET', 'ca.pem');
    this.caFile = this.write('mock-apns-ca.pem', this.ca);
    const { name, port } = await this.addNamespace('first');
    if (!await this.#isReachable(port)) await this.#sharePort(port);
    await this.api.call('DELETE', `namespaces/${name}`);
    return this;
  }

  /** Adds a namespace, and returns its name and its port for pushes. */
  async addNamespace(name) {
    const unique = `${name.replace(/[^\w.-]+/g, '-').slice(0, 43)}-${randomBytes(10).toString('hex')}`;
    const added = await this.api.call('POST', 'namespaces', { name: unique, ttl: '1h', listener: !this.#port });
    return { name: unique, port: this.#port ?? portOf(added.apns) };
  }

  /** Writes a file for the provider, and returns its path. */
  write(name, content) {
    const file = join(this.directory, name);
    writeFileSync(file, content);
    return file;
  }

  async #sharePort(port) {
    const { listeners } = await this.api.call('GET', 'info');
    this.#port = Number(process.env.MOCK_APNS_APNS_PORT) || portOf(listeners.find((listener) => listener.secure).url);
    if (!await this.#isReachable(this.#port)) {
      throw new MockAPNsError(`no port for pushes can be reached at ${this.api.host}, neither ${port} of a namespace `
        + `nor ${this.#port}: publish one, and set MOCK_APNS_APNS_PORT to its number`);
    }
  }

  #isReachable(port) {
    return new Promise((resolve) => {
      const socket = connect({ host: this.api.host, port, timeout: 2000 });
      const end = (isReachable) => resolve(socket.destroy() && isReachable);
      socket.once('connect', () => end(true)).once('error', () => end(false)).once('timeout', () => end(false));
    });
  }
}

/** The path of the program: MOCK_APNS_BIN, or the one in this package, or the one in the PATH. */
export function findProgram(bundled = fileURLToPath(new URL('bin/mock-apns', import.meta.url))) {
  const named = process.env.MOCK_APNS_BIN;
  const inPath = (process.env.PATH ?? '').split(delimiter).map((directory) => join(directory, 'mock-apns'));
  const found = (named ? [named] : [bundled, ...inPath]).find(isProgram);
  if (found) return found;
  const seen = named ? `MOCK_APNS_BIN is '${named}', which is no program`
    : `mock-apns was not found: MOCK_APNS_BIN is not set, there is no ${bundled}, and none is in the PATH`;
  throw new MockAPNsError(`${seen}; install its package, or set MOCK_APNS_API_URL to the address of a server`);
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Starts a server that ends with this process, and returns its URL and its directory. */
async function start(program) {
  if (isForAnotherSystem(program)) {
    throw new MockAPNsError(`cannot start ${program} (it is for another system or processor than ${process.platform} `
      + `on ${process.arch}): set MOCK_APNS_BIN to another program`);
  }
  const command = ['exec', '--quiet', '--', 'sh', '-c', 'echo "$MOCK_APNS_API_URL $MOCK_APNS_CERTS_DIR"; exec cat'];
  const server = spawn(program, command, { detached: true });
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text) => { errors += text; });
  const words = () => errors.trim().replace(/\s+/g, ' ');
  const failed = (reason) => new MockAPNsError(`${program} did not start: ${words() || reason}`);
  const line = await Promise.race([
    once(createInterface(server.stdout), 'line'),
    once(server, 'close').then(([status]) => { throw failed(`it ended with ${status}`); }),
    once(server, 'error').then(([error]) => { throw failed(error.message); }),
  ]).catch((error) => { throw error instanceof MockAPNsError ? error : failed(error.message); });
  for (const handle of [server, server.stdin, server.stdout, server.stderr]) handle.unref(); // lets this process end
  const [url, directory] = line[0].split(' ');
  return { url, directory };
}

/** Whether Linux cannot run a file. `spawn` would not say so: it gives such files to a shell. */
function isForAnotherSystem(program) {
  const head = Buffer.alloc(20);
  const file = openSync(program);
  readSync(file, head);
  closeSync(file);
  const machine = { x64: 62, arm64: 183 }[process.arch];
  if (process.platform !== 'linux' || !machine || head.toString('latin1', 0, 2) === '#!') return false;
  return head.toString('latin1', 0, 4) !== '\x7fELF' || head.readUInt16LE(18) !== machine;
}

function temporaryDirectory() {
  try {
    const directory = mkdtempSync(join(tmpdir(), 'mock-apns-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    return directory;
  } catch (error) {
    throw new MockAPNsError(`cannot write temporary files (${error.message}): set TMPDIR to another directory`);
  }
}

function portOf(url) {
  return Number(url.split(':').at(-1));
}
