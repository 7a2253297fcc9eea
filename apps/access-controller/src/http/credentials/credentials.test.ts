import { createCipheriv, createPrivateKey, generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keyRingFromFile } from '@gatehouse/service-kit/secret-box';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import { dsaOf, pemOf } from '@gatehouse/service-kit/testing/der';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { credentialsStore } from '../../store/credentials.ts';
import { openDatabase } from '../../store/database.ts';
import { openVault } from '../../store/vault.ts';
import { blamedFields, itemsOf, startController, textOf } from '../../testing/controller.ts';
import type { Answer, Client, TestController, Wire } from '../../testing/controller.ts';
import { SourceMaker } from '../../testing/sources.ts';

let controller: TestController;
let operator: Client;
let store: string;
beforeAll(async () => {
  controller = await startController();
  operator = await controller.as('operator');
  store = await new SourceMaker(controller, operator).store();
});
afterAll(() => controller[Symbol.asyncDispose]());

const key = '-----BEGIN OPENSSH PRIVATE KEY-----\nY2FuYXJ5LTU1NTU1\n-----END OPENSSH PRIVATE KEY-----\n';
const legacyKey = `-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES-128-CBC,00\r\n\r\nY2Fu\r\n-----END RSA PRIVATE KEY-----`;
const hmac = expect.stringMatching(/^[\w-]{43}$/) as unknown;

const types: readonly (readonly [string, string, Wire, Wire])[] = [
  [
    'username_password',
    'credup',
    { username: 'root', password: 'canary-11111' },
    { username: 'root', password_hmac: hmac },
  ],
  [
    'username_password_domain',
    'credupd',
    { username: 'root', password: 'canary-22222', domain: 'example.com' },
    { username: 'root', domain: 'example.com', password_hmac: hmac },
  ],
  ['password', 'credp', { password: 'canary-33333' }, { password_hmac: hmac }],
  [
    'ssh_private_key',
    'credspk',
    { username: 'root', private_key: key, private_key_passphrase: 'canary-44444' },
    { username: 'root', private_key_hmac: hmac, private_key_passphrase_hmac: hmac },
  ],
  [
    'json',
    'credjson',
    { object: { canary: 'canary-66666', nested: [1, { a: null }] } },
    { object_hmac: hmac },
  ],
];
const create = (type: string, attributes: unknown): Promise<Answer> =>
  operator.post('/v1/credentials', { credential_store_id: store, type, attributes });
const patch = (credential: Wire, attributes: unknown): Promise<Answer> =>
  operator.patch(`/v1/credentials/${textOf(credential, 'id')}`, {
    version: credential['version'],
    attributes,
  });
const attributesOf = (answer: Answer): Wire => answer.body['attributes'] as Wire;

describe.each(types)('a credential of type %s', (type, prefix, attributes, answered) => {
  test('is created and returned without its secrets', async () => {
    const created = await create(type, attributes);
    expect(created).toMatchObject({ status: 200, body: { type, version: 1 } });
    expect(textOf(created.body, 'id')).toMatch(new RegExp(`^${prefix}_`));
    expect(created.body['attributes']).toEqual(answered);
    const listed = itemsOf(await operator.get(`/v1/credentials?credential_store_id=${store}`));
    expect(listed).toContainEqual(created.body);
    expect(JSON.stringify(listed)).not.toContain('canary');
  });

  test('requires every attribute and refuses unknown ones', async () => {
    for (const name of Object.keys(attributes)) {
      if (name === 'private_key_passphrase') continue;
      for (const missing of [undefined, null, name === 'object' ? {} : ' ']) {
        const refused = await create(type, { ...attributes, [name]: missing });
        expect([refused.status, blamedFields(refused)]).toEqual([400, [`attributes.${name}`]]);
      }
      const credential = (await create(type, attributes)).body;
      for (const cleared of [null, name === 'object' ? {} : '']) {
        const refused = await patch(credential, { [name]: cleared });
        expect([refused.status, blamedFields(refused)]).toEqual([400, [`attributes.${name}`]]);
      }
      const mistyped = await create(type, { ...attributes, [name]: 5 });
      expect(blamedFields(mistyped)).toEqual([`attributes.${name}`]);
    }
    expect(blamedFields(await create(type, { ...attributes, color: 'red' }))).toEqual(['attributes']);
    expect(blamedFields(await create(type, []))).toContain('attributes');
  });

  test('shows by its hash whether its secret is the same, but not whether another credential has it', async () => {
    const credential = await create(type, attributes);
    const same = await patch(credential.body, attributes);
    expect([same.body['version'], attributesOf(same)]).toEqual([2, attributesOf(credential)]);
    const other = await create(type, attributes);
    for (const name of Object.keys(answered).filter((name) => name.endsWith('_hmac'))) {
      expect(attributesOf(other)[name]).not.toBe(attributesOf(credential)[name]);
    }
  });
});

test('changes one attribute and keeps the others', async () => {
  const before = await create('ssh_private_key', {
    username: 'root',
    private_key: key,
    private_key_passphrase: 'phrase',
  });
  const renamed = await patch(before.body, { username: 'admin' });
  expect(attributesOf(renamed)).toEqual({ ...attributesOf(before), username: 'admin' });
  const rekeyed = await patch(renamed.body, { private_key: legacyKey.replace(/Proc-Type.*\r\n.*\r\n/, '') });
  expect(attributesOf(rekeyed)).toEqual({ ...attributesOf(renamed), private_key_hmac: hmac });
  expect(attributesOf(rekeyed)['private_key_hmac']).not.toBe(attributesOf(before)['private_key_hmac']);
  const opened = await patch(rekeyed.body, { private_key_passphrase: null });
  expect(attributesOf(opened)).toEqual({
    username: 'admin',
    private_key_hmac: attributesOf(rekeyed)['private_key_hmac'],
  });
});

test('hashes a JSON credential independently of the order of its members', async () => {
  const credential = await create('json', { object: { a: 1, b: { c: 2, d: 3 } } });
  const same = await patch(credential.body, { object: { b: { d: 3, c: 2 }, a: 1 } });
  expect(attributesOf(same)).toEqual(attributesOf(credential));
  const other = await patch(same.body, { object: { a: 1, b: { c: 2, d: 4 } } });
  expect(attributesOf(other)).not.toEqual(attributesOf(credential));
});

test.each([
  ['username_password', { username: 'a\nb', password: 'x' }, ['attributes.username']],
  ['username_password_domain', { username: 'a', password: 'x', domain: '\u200b' }, ['attributes.domain']],
  ['ssh_private_key', { username: 'a', private_key: 'not a key' }, ['attributes.private_key']],
  ['ssh_private_key', { username: 'a', private_key: key.replace('END', 'STOP') }, ['attributes.private_key']],
  ['ssh_certificate', {}, ['type']],
  ['', {}, ['type']],
] as const)('for type %j, refuses %j', async (type, attributes, blamed) => {
  const refused = await create(type, attributes);
  expect([refused.status, blamedFields(refused)]).toEqual([400, expect.arrayContaining([...blamed])]);
});

const kib = 64 * 1024;
/** A key of this many characters. */
const keyOf = (length: number): string => {
  const [begin, end] = ['-----BEGIN PRIVATE KEY-----\n', '\n-----END PRIVATE KEY-----'];
  return `${begin}${'A'.repeat(length - begin.length - end.length)}${end}`;
};
test.each([
  ['password', 'password', 'x'.repeat(kib), 'x'.repeat(kib + 1)],
  ['username_password', 'password', '\u00e9'.repeat(kib / 2), '\u00e9'.repeat(kib / 2 + 1)],
  ['ssh_private_key', 'private_key', keyOf(kib), keyOf(kib + 1)],
  ['ssh_private_key', 'private_key_passphrase', 'x'.repeat(kib), 'x'.repeat(kib + 1)],
  ['json', 'object', { a: 'x'.repeat(kib - '{"a":""}'.length) }, { a: 'x'.repeat(kib) }],
] as const)('of type %s can have 64 KiB of %s', async (type, name, longest, longer) => {
  const [, , attributes = {}] = types.find(([known]) => known === type) ?? [];
  const stored = await create(type, { ...attributes, [name]: longest });
  expect(stored.status).toBe(200);
  for (const refused of [
    await create(type, { ...attributes, [name]: longer }),
    await patch(stored.body, { [name]: longer }),
  ]) {
    expect([refused.status, blamedFields(refused)]).toEqual([400, [`attributes.${name}`]]);
    expect(JSON.stringify(refused.body)).toContain('Must be at most 64 KiB.');
  }
});

describe('an encrypted private key', () => {
  const missing = {
    name: 'attributes.private_key_passphrase',
    description: expect.stringMatching(/requires its passphrase/),
  };
  const wrong = {
    name: 'attributes.private_key_passphrase',
    description: expect.stringMatching(/doesn't decrypt/),
  };
  const faultsOf = ({ status, body }: Answer): unknown => [
    status,
    (body['details'] as Wire | undefined)?.['request_fields'],
  ];
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const encrypted = { format: 'pem', cipher: 'aes-256-cbc', passphrase: 'right' } as const;
  const pkcs8 = privateKey.export({ ...encrypted, type: 'pkcs8' });
  /** Encrypts the key until "left" fails to decrypt it, or decrypts it with valid padding, as for 1 of 256 keys. */
  const exported = (type: 'pkcs8' | 'sec1', hasSoundPadding: boolean): string => {
    for (;;) {
      const pem = privateKey.export({ ...encrypted, type });
      try {
        createPrivateKey({ key: pem, passphrase: 'left' });
      } catch (error) {
        if (hasSoundPadding !== String(error).includes('bad decrypt')) return pem;
      }
    }
  };
  const sec1 = exported('sec1', false);
  const openSsh = (cipher: string): string => {
    const head = Buffer.concat([Buffer.from('openssh-key-v1\0'), Buffer.from([0, 0, 0, cipher.length])]);
    const text = Buffer.concat([head, Buffer.from(cipher), Buffer.alloc(60)]).toString('base64');
    return `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`;
  };

  test.each([
    ['PKCS#8', pkcs8],
    ['PEM', sec1],
    ['PEM with CRLF', sec1.replaceAll('\n', '\r\n')],
    ['OpenSSH', openSsh('aes256-ctr')],
  ])('in %s requires its passphrase, when created and when changed', async (_, private_key) => {
    const attributes = { username: 'root', private_key };
    expect(faultsOf(await create('ssh_private_key', attributes))).toEqual([400, [missing]]);
    const plain = await create('ssh_private_key', { username: 'root', private_key: openSsh('none') });
    expect(plain.status).toBe(200);
    expect(faultsOf(await patch(plain.body, { private_key }))).toEqual([400, [missing]]);
    const opened = await patch(plain.body, { private_key, private_key_passphrase: 'right' });
    expect(opened.status).toBe(200);
    expect(faultsOf(await patch(opened.body, { private_key_passphrase: null }))).toEqual([400, [missing]]);
    expect((await patch(opened.body, { username: 'admin' })).status).toBe(200);
  });

  test.each([
    ['PKCS#8', pkcs8],
    ['PKCS#8 that decrypts to something else', exported('pkcs8', true)],
    ['PEM', sec1],
  ])('in %s is refused with a wrong passphrase', async (_, private_key) => {
    const attributes = { username: 'root', private_key, private_key_passphrase: 'left' };
    expect(faultsOf(await create('ssh_private_key', attributes))).toEqual([400, [wrong]]);
  });

  test('is decrypted without reading the key, for which OpenSSL can take minutes', async () => {
    const iv = randomBytes(16);
    const first = hash('md5', Buffer.concat([Buffer.from('right'), iv.subarray(0, 8)]), 'buffer');
    const cipher = createCipheriv('aes-128-cbc', first, iv);
    const pem = pemOf('PRIVATE KEY', Buffer.concat([cipher.update(dsaOf(12_000)), cipher.final()]));
    const headers = `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${iv.toString('hex').toUpperCase()}\n`;
    const private_key = pem.replace('\n', `\n${headers}\n`);
    const answers = ['right', 'left'].map((private_key_passphrase) =>
      create('ssh_private_key', { username: 'root', private_key, private_key_passphrase }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 400]);
  });

  test.each([
    [100_000, [400, [wrong]]],
    [100_001, [200, undefined]],
  ])(
    'with %i rounds of key derivation has its passphrase checked only up to the limit',
    async (rounds, outcome) => {
      const longer = (match: string): string => (Number.parseInt(match, 16) + 1).toString(16);
      // The count of rounds takes one byte more, which also lengthens each enclosing element.
      const der = Buffer.from(pkcs8.replaceAll(/-----[^-]+-----/g, ''), 'base64')
        .toString('hex')
        .replace(/^3081../, longer)
        .replace(/305f(?=0609)|3052(?=3031)/g, longer)
        .replace(/3031(?=0609)|3024(?=0410)/g, longer)
        .replace('02020800', `0203${rounds.toString(16).padStart(6, '0')}`);
      const body = Buffer.from(der, 'hex').toString('base64');
      const private_key = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${body}\n-----END ENCRYPTED PRIVATE KEY-----`;
      const attributes = { username: 'root', private_key, private_key_passphrase: 'left' };
      expect(faultsOf(await create('ssh_private_key', attributes))).toEqual(outcome);
    },
  );
});

test("refuses to change a credential's type", async () => {
  const credential = (await create('password', { password: 'x' })).body;
  const refused = await operator.patch(`/v1/credentials/${textOf(credential, 'id')}`, {
    version: 1,
    type: 'json',
    name: 'x',
  });
  expect(blamedFields(refused)).toEqual(['type']);
  expect(blamedFields(await patch(credential, { username: 'root' }))).toEqual(['attributes']);
});

test('keeps secrets unreadable in the files of the service', async () => {
  for (const [type, , attributes] of types) await create(type, attributes);
  const files = readdirSync(controller.dataDir).filter((name) => name.startsWith('access-controller'));
  expect(files).toContain('access-controller-keys.json');
  for (const name of files) {
    const bytes = readFileSync(join(controller.dataDir, name));
    for (const canary of ['canary-', 'Y2FuYXJ5LTU1NTU1'])
      expect([name, bytes.includes(canary)]).toEqual([name, false]);
  }
});

describe('the key ring', () => {
  test("decrypts stored credentials after a restart and a rotation; another key ring doesn't", async () => {
    using folder = temporaryFolder();
    let id: string;
    {
      await using first = await startController({ dataDir: folder.path });
      const client = await first.as('operator');
      const maker = new SourceMaker(first, client);
      id = await maker.credential(await maker.store());
    }
    const file = folder.file('access-controller-keys.json');
    const former = keyRingFromFile(file).activeKeyId;
    keyRingFromFile(file).rotate();
    await using second = await startController({ dataDir: folder.path });
    expect((await (await second.as('operator')).get(`/v1/credentials/${id}`)).status).toBe(200);
    await second.service.close();
    // All secrets are now encrypted with the new key, so the former key can be retired.
    keyRingFromFile(file).retire(former);
    const database = openDatabase(folder.path);
    const keys = keyRingFromFile(file);
    const vault = await openVault(database, keys);
    const stored = credentialsStore(database).get(id);
    expect(stored === undefined ? undefined : vault.open(stored)).toEqual({ password: 'secret' });
    if (stored !== undefined) expect(() => vault.open({ ...stored, id: 'credup_0000000000' })).toThrow();
    await database.close();

    rmSync(file);
    await expect(startController({ dataDir: folder.path })).rejects.toThrow(/another key ring/);
    chmodSync(file, 0o644);
    await expect(startController({ dataDir: folder.path })).rejects.toThrow(/chmod 600/);
  });
});
