/**
 * A registry like Vagrant Cloud, as its API is documented and its clients know it: without the embedded registry's own
 * additions, with images in a store on another origin, extra fields, and HTML pages for unknown paths.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  cloudTime,
  wireOf,
  type CloudBox,
  type CloudProvider,
  type CloudVersion,
  type Json,
} from './vagrant-cloud-wire.ts';

export const cloudPassword = 'a cloud password';

/** A request as it arrived. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface VagrantCloud extends AsyncDisposable {
  readonly url: string;
  /** The origin of its object store. */
  readonly storeUrl: string;
  /** Requests to the API and the store. */
  readonly seen: Seen[];
  readonly seenByStore: Seen[];
  /** Answers instead of the registry, if it returns true. */
  intercept: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** The same for the store. */
  interceptStore: ((req: IncomingMessage, res: ServerResponse) => boolean) | undefined;
  /** Origin of the callbacks of direct uploads; its own unless set. */
  callbackOrigin: string | undefined;
  /** Required at sign-in, if set. */
  code: string | undefined;
  image(tag: string, version: string, provider: string): Buffer | undefined;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const page = '<!DOCTYPE html><html><head><title>404</title></head><body><h1>Not found</h1></body></html>';

export async function startVagrantCloud(): Promise<VagrantCloud> {
  const boxes = new Map<string, CloudBox>();
  const tokens = new Set<string>();
  /** Uploads by their object's name. */
  const uploads = new Map<string, { readonly to: CloudProvider; readonly direct: boolean; image?: Buffer }>();
  let issued = 0;

  const boxOf = (username: string, name: string): CloudBox => {
    const box = boxes.get(`${username}/${name}`);
    if (box === undefined) throw new Refused(404, 'Resource not found!');
    return box;
  };
  const versionOf = (box: CloudBox, number: string): CloudVersion => {
    const version = box.versions.get(number);
    if (version === undefined) throw new Refused(404, 'Resource not found!');
    return version;
  };
  const providerOf = (version: CloudVersion, name: string): CloudProvider => {
    const provider = version.providers.get(name);
    if (provider === undefined) throw new Refused(404, 'Resource not found!');
    return provider;
  };

  const { wireBox, wireVersion, wireProvider } = wireOf(() => self.url);

  const operations: readonly [string, RegExp, (names: readonly string[], body: Json) => Json | null][] = [
    [
      'GET',
      /^\/api\/v1\/search$/,
      () => ({
        boxes: [...boxes.values()].filter((box) => wireBox(box)['current_version'] !== null).map(wireBox),
      }),
    ],
    [
      'GET',
      /^\/api\/v1\/authenticate$/,
      () => ({ user: { username: 'ada', avatar_url: 'https://x.example/a.png' } }),
    ],
    ['DELETE', /^\/api\/v1\/authenticate$/, () => null],
    [
      'GET',
      /^\/api\/v1\/user\/(\w+)$/,
      ([username]) => ({
        username,
        avatar_url: '',
        profile_html: null,
        profile_markdown: null,
        boxes: [...boxes.values()].map(wireBox),
      }),
    ],
    [
      'POST',
      /^\/api\/v1\/boxes$/,
      (_names, body) => {
        const { username, name, short_description, description, is_private } = body['box'] as Record<
          string,
          string
        >;
        const tag = `${username}/${name}`;
        if (username !== 'ada') throw new Refused(403, 'Forbidden');
        if (boxes.has(tag)) throw new Refused(422, 'Type has already been taken');
        const box = {
          username,
          name: name ?? '',
          short_description: short_description ?? '',
          description: description ?? '',
          isPrivate: Boolean(is_private),
          versions: new Map<string, CloudVersion>(),
        };
        boxes.set(tag, box);
        return wireBox(box);
      },
    ],
    ['GET', /^\/api\/v1\/box\/(\w+)\/([\w.-]+)$/, ([user = '', name = '']) => wireBox(boxOf(user, name))],
    [
      'PUT',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)$/,
      ([user = '', name = ''], body) => {
        const box = boxOf(user, name);
        Object.assign(box, body['box']);
        return wireBox(box);
      },
    ],
    [
      'DELETE',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)$/,
      ([user = '', name = '']) => {
        const box = boxOf(user, name);
        boxes.delete(`${user}/${name}`);
        return wireBox(box);
      },
    ],
    [
      'POST',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/versions$/,
      ([user = '', name = ''], body) => {
        const box = boxOf(user, name);
        const { version: number = '', description = '' } = body['version'] as Record<string, string>;
        const version = {
          version: number,
          description,
          status: 'unreleased',
          providers: new Map<string, CloudProvider>(),
        };
        box.versions.set(number, version);
        return wireVersion(box, version);
      },
    ],
    [
      'GET',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/version\/([\w.-]+)$/,
      ([user = '', name = '', number = '']) => {
        const box = boxOf(user, name);
        return wireVersion(box, versionOf(box, number));
      },
    ],
    [
      'PUT',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/version\/([\w.-]+)\/(release|revoke)$/,
      ([user = '', name = '', number = '', how]) => {
        const box = boxOf(user, name);
        const version = versionOf(box, number);
        if (version.providers.size === 0) throw new Refused(422, 'must have at least one provider');
        version.status = how === 'release' ? 'active' : 'revoked';
        return wireVersion(box, version);
      },
    ],
    [
      'POST',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/version\/([\w.-]+)\/providers$/,
      ([user = '', name = '', number = ''], body) => {
        const box = boxOf(user, name);
        const version = versionOf(box, number);
        const {
          name: called = '',
          url,
          checksum,
          checksum_type,
        } = body['provider'] as Record<string, string>;
        const provider = {
          name: called,
          original_url: url || null,
          checksum: checksum || null,
          checksum_type: checksum_type || null,
          image: undefined,
        };
        version.providers.set(called, provider);
        return wireProvider(box, version, provider);
      },
    ],
    [
      'GET',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/version\/([\w.-]+)\/provider\/(\w+)$/,
      ([user = '', name = '', number = '', called = '']) => {
        const box = boxOf(user, name);
        const version = versionOf(box, number);
        return wireProvider(box, version, providerOf(version, called));
      },
    ],
    [
      'PUT',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/version\/([\w.-]+)\/provider\/(\w+)$/,
      ([user = '', name = '', number = '', called = ''], body) => {
        const box = boxOf(user, name);
        const version = versionOf(box, number);
        const provider = providerOf(version, called);
        Object.assign(provider, body['provider']);
        return wireProvider(box, version, provider);
      },
    ],
    [
      'GET',
      /^\/api\/v1\/box\/(\w+)\/([\w.-]+)\/version\/([\w.-]+)\/provider\/(\w+)\/upload(\/direct)?$/,
      ([user = '', name = '', number = '', called = '', direct]) => {
        const object = `o${++issued}`;
        uploads.set(object, {
          to: providerOf(versionOf(boxOf(user, name), number), called),
          direct: direct !== undefined,
        });
        const callback = `${self.callbackOrigin ?? self.url}/api/v1/box/${user}/${name}/version/${number}/provider/${called}/upload/direct/${object}`;
        return {
          upload_path: `${self.storeUrl}/bucket/${object}?X-Amz-Signature=x`,
          ...(direct !== undefined && { callback }),
          extra: 'field',
        };
      },
    ],
    [
      'PUT',
      /^\/api\/v1\/box\/\w+\/[\w.-]+\/version\/[\w.-]+\/provider\/\w+\/upload\/direct\/(\w+)$/,
      ([object = '']) => {
        const upload = uploads.get(object);
        if (upload?.image === undefined) throw new Refused(422, 'Nothing was uploaded');
        upload.to.image = upload.image;
        return {};
      },
    ],
  ];

  const answer = (req: IncomingMessage, path: string, body: Json): Json | null | undefined => {
    if (req.method === 'POST' && path === '/api/v1/authenticate') {
      const { user, two_factor: factor } = body as Readonly<
        Record<string, Readonly<Record<string, unknown>> | undefined>
      >;
      if (user?.['login'] !== 'ada' || user['password'] !== cloudPassword)
        throw new Refused(401, 'Bad credentials');
      if (self.code !== undefined && factor?.['code'] !== self.code) throw new Refused(406, '2FA');
      const token = `${String(++issued).padStart(4, '0')}.atlasv1.${'t'.repeat(40)}`;
      tokens.add(token);
      return { description: 'x', token, token_hash: 'abc', created_at: cloudTime };
    }
    for (const [method, form, work] of operations) {
      const match = req.method === method ? form.exec(path) : null;
      if (match === null) continue;
      const token = /^Bearer (.+)$/.exec(req.headers.authorization ?? '')?.[1];
      if (token === undefined || !tokens.has(token))
        throw new Refused(path === '/api/v1/search' && token === undefined ? 200 : 401, 'Bad credentials');
      return work(match.slice(1), body);
    }
    return undefined;
  };

  const api = createServer((req, res) => {
    const { pathname: path } = new URL(req.url ?? '/', self.url);
    self.seen.push({ method: req.method ?? '', path, headers: req.headers });
    if (self.intercept?.(req, res) === true) return;
    for (const [name, value] of [
      ['Limit', 100],
      ['Remaining', 99],
      ['Reset', 1_600_000_000],
    ] as const)
      res.setHeader(`X-RateLimit-${name}`, value);
    const file = /^\/(\w+)\/boxes\/([\w.-]+)\/versions\/([\w.-]+)\/providers\/(\w+)\.box$/.exec(path);
    if (file !== null) {
      const [user = '', name = '', number = '', called = ''] = file.slice(1);
      res.writeHead(302, { location: `${self.storeUrl}/files/${user}/${name}/${number}/${called}` }).end();
      return;
    }
    void readAll(req).then((bytes) => {
      try {
        const found = answer(req, path, bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as Json));
        if (found === undefined) res.writeHead(404, { 'content-type': 'text/html; charset=utf-8' }).end(page);
        else if (found === null) res.writeHead(204).end();
        else
          res
            .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private' })
            .end(JSON.stringify(found));
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const factor = { default_delivery_method: 'app', delivery_methods: ['app', 'sms'] };
        res.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8' }).end(
          JSON.stringify(
            error.status === 200
              ? { boxes: [] }
              : {
                  errors: [error.message],
                  success: false,
                  ...(error.status === 406 && { two_factor: factor }),
                },
          ),
        );
      }
    });
  });
  const store = createServer((req, res) => {
    const { pathname: path } = new URL(req.url ?? '/', self.storeUrl);
    self.seenByStore.push({ method: req.method ?? '', path, headers: req.headers });
    if (self.interceptStore?.(req, res) === true) return;
    const xml = { 'content-type': 'application/xml' };
    if (req.headers.authorization !== undefined) {
      res.writeHead(400, xml).end('<Error><Message>Only one auth mechanism allowed</Message></Error>');
      return;
    }
    if (req.method === 'GET') {
      const [, , user, name, number = '', called = ''] = path.split('/');
      const bytes = self.image(`${user}/${name}`, number, called);
      if (bytes === undefined) res.writeHead(404, xml).end('<Error><Code>NoSuchKey</Code></Error>');
      else res.writeHead(200, { 'content-length': bytes.length, etag: '"x"', 'x-amz-id-2': 'x' }).end(bytes);
      return;
    }
    const upload = uploads.get(path.split('/').at(-1) ?? '');
    void readAll(req).then((bytes) => {
      if (upload === undefined || bytes.length !== Number(req.headers['content-length'])) {
        res.writeHead(403, xml).end('<Error><Code>AccessDenied</Code></Error>');
        return;
      }
      upload.image = bytes;
      if (!upload.direct) upload.to.image = bytes;
      res.writeHead(200, { etag: '"x"' }).end();
    });
  });
  const urls = await Promise.all(
    [api, store].map(async (server) => {
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  const self: VagrantCloud = {
    url: urls[0] ?? '',
    storeUrl: urls[1] ?? '',
    seen: [],
    seenByStore: [],
    intercept: undefined,
    interceptStore: undefined,
    callbackOrigin: undefined,
    code: undefined,
    image: (tag, version, provider) => boxes.get(tag)?.versions.get(version)?.providers.get(provider)?.image,
    async [Symbol.asyncDispose]() {
      for (const server of [api, store]) {
        server.closeAllConnections();
        await new Promise((resolve) => {
          server.close(resolve);
        });
      }
    },
  };
  return self;
}

async function readAll(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
