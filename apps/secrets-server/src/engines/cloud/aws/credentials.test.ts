/** Tests where the engine finds its credentials without configured ones, and the limits of its reading. */
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CloudDouble } from '@gatehouse/cloud-double/double';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Environment } from '#domain/cloud/root.ts';
import { readOnly, roleX, rootKey, startProvider } from '#testing/cloud.ts';
import type { Provider } from '../provider.ts';
import { noRoot } from '../providers.ts';
import { openProvider } from './provider.ts';

const folder = temporaryFolder();
const files = {
  AWS_SHARED_CREDENTIALS_FILE: folder.file('credentials'),
  AWS_CONFIG_FILE: folder.file('config'),
};
const none = { AWS_SHARED_CREDENTIALS_FILE: folder.file('none'), AWS_CONFIG_FILE: folder.file('none') };

/** The machine's own credential services: those of a container and of an instance. */
let cloud: CloudDouble;
const asked: string[] = [];
const machine = createServer(({ method = '', url = '' }, response) => {
  asked.push(`${method} ${url}`);
  const credentials = (id: string) =>
    JSON.stringify({
      Code: 'Success',
      AccessKeyId: id,
      SecretAccessKey: 's',
      Token: 'session',
      Expiration: new Date(Date.now() + 3_600_000).toISOString(),
    });
  const answers: Readonly<Record<string, string>> = {
    'PUT /latest/api/token': 'token-of-the-instance',
    'GET /latest/meta-data/iam/security-credentials/': 'role-of-the-instance',
    'GET /latest/meta-data/iam/security-credentials/role-of-the-instance': credentials('ASIAINSTANCE'),
    'GET /container': credentials('ASIACONTAINER'),
  };
  const answer = answers[`${method} ${url}`];
  response.writeHead(answer === undefined ? 404 : 200).end(answer);
});
let address: string;

beforeAll(async () => {
  writeFileSync(
    files.AWS_SHARED_CREDENTIALS_FILE,
    `[default]\naws_access_key_id = ${rootKey.id}\naws_secret_access_key = s\n` +
      '[other]\naws_access_key_id = AKIASOMEBODYSOMEBODY\naws_secret_access_key = s\n',
  );
  writeFileSync(files.AWS_CONFIG_FILE, '');
  cloud = await startProvider();
  await new Promise<void>((resolve) => machine.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(machine.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  // The SDK reads the address of the machine's service only from the process's environment.
  vi.stubEnv('AWS_EC2_METADATA_SERVICE_ENDPOINT', address);
});
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  machine.close();
  await cloud[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** The access key that a call uses. */
async function keyWith(environment: Environment): Promise<string | undefined> {
  const closed = new AbortController();
  const root = { ...noRoot, iamEndpoint: cloud.url, stsEndpoint: cloud.url, maxRetries: 0 };
  const provider = openProvider(root, environment, closed.signal);
  // The double refuses the roles' unknown keys, but records them.
  await provider.account().catch(() => undefined);
  return cloud.calls.at(-1)?.keyId;
}

test('uses shared files first, with their profile', async () => {
  expect(await keyWith(files)).toBe(rootKey.id);
  expect(await keyWith({ ...files, AWS_PROFILE: 'other' })).toBe('AKIASOMEBODYSOMEBODY');
  expect(asked).toEqual([]);
});

test("uses the credentials of a container's role", async () => {
  const uri = { AWS_CONTAINER_CREDENTIALS_FULL_URI: `${address}/container` };
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', uri.AWS_CONTAINER_CREDENTIALS_FULL_URI);
  expect(await keyWith({ ...none, ...uri })).toBe('ASIACONTAINER');
  // The switch for the instance's service does not affect a container's.
  expect(await keyWith({ ...none, ...uri, AWS_EC2_METADATA_DISABLED: 'true' })).toBe('ASIACONTAINER');
  expect(asked).toEqual(['GET /container', 'GET /container']);
});

test("uses the credentials of an instance's role unless that is disabled", async () => {
  expect(await keyWith(none)).toBe('ASIAINSTANCE');
  asked.length = 0;
  const calls = cloud.calls.length;
  await keyWith({ ...none, AWS_EC2_METADATA_DISABLED: 'true' });
  expect([asked, cloud.calls.length]).toEqual([[], calls]);
});

test('makes no further call to remove a user if the first gets no answer', async () => {
  const paths: string[] = [];
  using page = await startPage((request) => {
    paths.push(request.url ?? '');
    request.socket.destroy();
  });
  await expect(openAt(page.url).removeUser('user')).rejects.toMatchObject({ unanswered: true });
  expect(paths).toEqual(['/']);
});

test('shares connections among the providers, so that replaced ones leave none', async () => {
  const ports = new Set<number | undefined>();
  using page = await startPage(({ socket }, response) => {
    ports.add(socket.remotePort);
    response.writeHead(200, { 'content-type': 'text/xml' }).end('<html/>');
  });
  for (let config = 0; config < 20; config++) await openAt(page.url, `AKIA${config}`).ownUserName();
  expect(ports.size).toBe(1);
});

test('stops reading an endless answer', async () => {
  let sent = 0;
  using endless = await startPage((_request, response) => {
    const send = (): void => {
      for (; !response.destroyed; sent++) if (!response.write(' '.repeat(65_536))) return;
    };
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .on('drain', send)
      .on('error', () => undefined);
    send();
  });
  const provider = openAt(endless.url);
  await expect(provider.account()).rejects.toThrow('GetCallerIdentity');
  await expect(provider.ownUserName()).rejects.toThrow('GetUser');
  // Includes bytes that were sent but are still buffered in the sockets.
  expect(sent * 65_536).toBeLessThan(64 * 1024 * 1024);
});

test('stops reading an endless list', async () => {
  let pages = 0;
  using endless = await startPage((_request, response) => {
    pages += 1;
    response
      .writeHead(200, { 'content-type': 'text/xml' })
      .end(
        `<ListAccessKeysResponse><ListAccessKeysResult><AccessKeyMetadata/><IsTruncated>true</IsTruncated>` +
          `<Marker>${pages}</Marker></ListAccessKeysResult></ListAccessKeysResponse>`,
      );
  });
  const provider = openAt(endless.url);
  await expect(provider.accessKeys('somebody')).rejects.toThrow('lists too much');
  expect(pages).toBe(33);
});

test.each([
  ['is nested deeply', 403, '<a>'.repeat(18_000) + '</a>'.repeat(18_000)],
  ['is nested deeply, with status 200', 200, '<a>'.repeat(18_000) + '</a>'.repeat(18_000)],
  ['is no XML', 502, 'Bad gateway'],
  ['has an empty error', 403, '<ErrorResponse><Error/></ErrorResponse>'],
  ['has elements as its code', 403, '<ErrorResponse><Error><Code><b>1</b></Code></Error></ErrorResponse>'],
  [
    'has elements as its message',
    403,
    '<ErrorResponse><Error><Code>A</Code><Message><b>1</b></Message></Error></ErrorResponse>',
  ],
])('says so if an answer %s and cannot be read', async (_, status, body) => {
  await expect(answered(status, body)).rejects.toThrow(
    new RegExp(`^error calling GetUser: the provider's answer can't be read \\(HTTP ${status}\\)$`),
  );
});

test("shortens a provider's code and message", async () => {
  const error = `<Code>${'C'.repeat(2000)}Exception</Code><Message>${'m'.repeat(2000)}</Message>`;
  const body = `<ErrorResponse><Error>${error}</Error></ErrorResponse>`;
  await expect(answered(403, body)).rejects.toMatchObject({
    code: 'C'.repeat(100),
    message: `error calling GetUser: ${'C'.repeat(100)}: ${'m'.repeat(500)}`,
  });
});

/** Calls a provider that answers in this way. */
async function answered(status: number, body: string): Promise<string> {
  using page = await startPage((request, response) => {
    request.resume();
    response.writeHead(status, { 'content-type': 'text/xml' }).end(body);
  });
  return await openAt(page.url).ownUserName();
}

/** A provider of which only the answers matter. */
async function startPage(answer: RequestListener): Promise<Disposable & { readonly url: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

/** @param accessKey of the engine's configuration; that of the file if empty */
function openAt(url: string, accessKey = ''): Provider {
  const keys = { accessKey, secretKey: accessKey };
  const root = { ...noRoot, ...keys, iamEndpoint: url, stsEndpoint: url, maxRetries: 0 };
  return openProvider(root, files, new AbortController().signal);
}

describe('the policies of groups', () => {
  let calls: URLSearchParams[] = [];
  /** Answers with the given XML per action; a list of an action without one is empty. */
  let answers: Readonly<Record<string, string>> = {};
  const page = startPage((request, response) => {
    void text(request).then((body) => {
      const sent = new URLSearchParams(body);
      const action = sent.get('Action') ?? '';
      const result = `<${action}Result>${answers[action] ?? ''}</${action}Result>`;
      calls.push(sent);
      response
        .writeHead(200, { 'content-type': 'text/xml' })
        .end(`<${action}Response>${result}</${action}Response>`);
    });
  });
  let provider: Provider;
  beforeAll(async () => {
    provider = openAt((await page).url);
  });
  beforeEach(() => {
    calls = [];
    answers = {};
  });
  afterAll(async () => {
    (await page)[Symbol.dispose]();
  });
  const names = (count: number): string =>
    `<PolicyNames>${Array.from({ length: count }, (_, index) => `<member>p${index}</member>`).join('')}</PolicyNames>`;
  const groups = Array.from({ length: 256 }, (_, index) => `g${index}`);
  const asked = (action: string): number => calls.filter((call) => call.get('Action') === action).length;
  const noWait = () => Promise.resolve();

  test('are read up to 64 KiB of documents in total', async () => {
    const document = JSON.stringify({ Statement: Array.from({ length: 4000 }, () => 0) });
    answers = {
      ListGroupPolicies: names(2),
      GetGroupPolicy: `<PolicyDocument>${encodeURIComponent(document)}</PolicyDocument>`,
    };
    expect(await provider.groupPolicies(['one', 'two'], '', noWait)).toEqual({
      documents: Array(4).fill(document),
      policyArns: [],
    });
    const tooLong = 'have more than 65536 characters of policies. Use fewer groups';
    calls = [];
    await expect(provider.groupPolicies(groups, '', noWait)).rejects.toThrow(tooLong);
    expect(asked('GetGroupPolicy')).toBe(Math.ceil(65_536 / document.length));
    // The role's own document counts too.
    await expect(provider.groupPolicies(['one', 'two'], ' '.repeat(40_000), noWait)).rejects.toThrow(tooLong);
  });

  test('are read up to a number', async () => {
    answers = {
      ListAttachedGroupPolicies: `<AttachedPolicies><member><PolicyArn>${readOnly}</PolicyArn></member></AttachedPolicies>`,
    };
    expect(await provider.groupPolicies(groups, '', noWait)).toMatchObject({ documents: [] });
    answers = {
      ...answers,
      ListGroupPolicies: names(200),
      GetGroupPolicy: '<PolicyDocument>{}</PolicyDocument>',
    };
    await expect(provider.groupPolicies(groups, '', noWait)).rejects.toThrow('have more than 256 policies');
    expect(asked('GetGroupPolicy')).toBeLessThanOrEqual(200);
    answers = { ListGroupPolicies: '<IsTruncated>true</IsTruncated><Marker>m</Marker>' };
    await expect(provider.groupPolicies(['one'], '', noWait)).rejects.toThrow('have more than 32 pages');
  });

  test('are read within one time limit, and no longer than someone waits for them', async () => {
    answers = { ListGroupPolicies: names(3), GetGroupPolicy: '<PolicyDocument>{}</PolicyDocument>' };
    using limits = vi.spyOn(AbortSignal, 'timeout');
    let waits = 0;
    await provider.groupPolicies(['one', 'two'], '', async () => void (waits += 1));
    expect(limits).toHaveBeenCalledTimes(1);
    // Each group has two lists and three documents. The end of a list is found without a call.
    expect(calls).toHaveLength(10);
    expect(waits).toBeGreaterThanOrEqual(calls.length);
    calls = [];
    const left = async (): Promise<void> => {
      if (asked('GetGroupPolicy') === 2) throw new HttpError(499, 'client_left', 'The client has left');
    };
    await expect(provider.groupPolicies(groups, '', left)).rejects.toMatchObject({ status: 499 });
    expect(asked('GetGroupPolicy')).toBe(2);
  });

  test.each([
    ['no JSON', 'x'],
    ['badly encoded', '%'],
    ['a list', '[]'],
    ['deeply nested', `{"Statement":${'['.repeat(1000)}${']'.repeat(1000)}}`],
  ])('are refused if a document is %s', async (_kind, document) => {
    answers = {
      ListGroupPolicies: names(1),
      GetGroupPolicy: `<PolicyDocument>${document}</PolicyDocument>`,
    };
    await expect(provider.groupPolicies(['one'], '', noWait)).rejects.toThrow(
      'Error reading the policies of groups: a document is not a valid JSON object',
    );
  });
});

test('an answer without an access key is a fault of the provider', async () => {
  using page = await startPage((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/xml' }).end('<html/>');
  });
  const provider = openAt(page.url);
  const policies = { policyArns: [], policyDocument: undefined };
  const traits = { tags: {}, externalId: '' };
  for (const answer of [
    provider.createAccessKey('somebody', []),
    provider.assumeRole(roleX, 'name', 900, policies, traits),
    provider.federationToken('name', 900, policies),
  ])
    await expect(answer).rejects.toMatchObject({ name: 'ProviderFault', status: 200 });
});
