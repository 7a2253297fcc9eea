/**
 * A module registry with only the protocol: discovery, versions and downloads. Each requires a token; archives are at
 * addresses that require none.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const protocolToken = 'protocol-token';

/** A request as it arrived. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

export interface ProtocolRegistry extends AsyncDisposable {
  /** Resets what a test has set. */
  reset(): void;
  readonly url: string;
  readonly port: number;
  readonly seen: Seen[];
  /** The answer of discovery; 404 if undefined. */
  discovery: unknown;
  /** Base path of its modules. */
  base: string;
  /** Versions by module: `acme/net/aws`. */
  readonly versions: Map<string, string[]>;
  /** The answer of a download, with the location in a header or in the body. */
  download: (res: ServerResponse) => void;
  /** Files by path, without the query. */
  readonly files: Map<string, Uint8Array | ((req: IncomingMessage, res: ServerResponse) => void)>;
}

/** Answers downloads with a header. */
export const inHeader =
  (location: string, name = 'X-Terraform-Get') =>
  (res: ServerResponse): void => {
    res.writeHead(204, { [name]: location }).end();
  };

const initial = {
  discovery: { 'modules.v1': '/api/registry/' },
  base: '/api/registry/',
  download: inHeader('/files/net.tar.gz'),
};

export async function startProtocolRegistry(): Promise<ProtocolRegistry> {
  const server = createServer((req, res) => {
    const { pathname: path } = new URL(req.url ?? '/', self.url);
    self.seen.push({ method: req.method ?? '', path: req.url ?? '', headers: req.headers });
    const json = (status: number, body: unknown): void => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const file = self.files.get(path);
    if (typeof file === 'function') return file(req, res);
    if (file !== undefined) return void res.writeHead(200, { 'content-length': file.length }).end(file);
    if (path === '/.well-known/terraform.json' && self.discovery !== undefined)
      return json(200, self.discovery);
    const found = new RegExp(`^${self.base}([^/]+/[^/]+/[^/]+)/(?:(versions)|([^/]+)/download)$`).exec(path);
    if (found === null) return void res.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>');
    if (req.headers.authorization !== `Bearer ${protocolToken}`) return json(401, { errors: ['canary'] });
    const versions = self.versions.get(found[1] ?? '');
    if (versions === undefined || (found[3] !== undefined && !versions.includes(found[3])))
      return json(404, { errors: ['canary'] });
    if (found[2] === undefined) return self.download(res);
    json(200, { modules: [{ versions: versions.map((version) => ({ version })) }] });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const self: ProtocolRegistry = {
    url: `http://127.0.0.1:${port}`,
    port,
    seen: [],
    ...initial,
    versions: new Map(),
    files: new Map(),
    reset() {
      self.seen.length = 0;
      self.files.clear();
      self.versions.clear();
      Object.assign(self, initial);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  return self;
}
