/**
 * A box registry that users move away from: metadata and images as its clients get them, with the faults of an
 * overloaded one. Images are generated on request, so that they need no space.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface FieldBoxes extends AsyncDisposable {
  readonly url: string;
  /** `owner/name` of each. */
  readonly boxes: readonly string[];
  readonly images: readonly FieldImage[];
  /** How often each image was completely sent, by its ID. */
  readonly sent: ReadonlyMap<number, number>;
  /** Counts of its other answers. */
  readonly faults: { tooMany: number; failed: number; cut: number };
}

export interface FieldImage {
  readonly id: number;
  readonly box: string;
  readonly version: string;
  readonly provider: string;
  /** SHA-256 of its bytes. */
  readonly sha256: string;
  /** Whether the source states another one. */
  readonly isLie: boolean;
}

export interface FieldOptions {
  readonly boxes: number;
  /** Versions per box. */
  readonly versions: number;
  /** Images per version. */
  readonly images: number;
  /** Bytes per image. */
  readonly size: number;
  /** IDs of images whose stated checksum is wrong. */
  readonly lies: readonly number[];
  /** IDs of images without a stated checksum. */
  readonly unsummed: readonly number[];
  /** How often requests are refused, with 429 and 500 in turn, and how often images are cut. */
  readonly refuseEvery: number;
  readonly cutEvery: number;
}

const providers = ['virtualbox', 'libvirt', 'vmware_desktop', 'hyperv', 'parallels'];
const chunk = 64 * 1024;

/** The bytes of an image from an offset: its ID repeated at the beginning of each chunk, zeros otherwise. */
function* bytesOf(id: number, size: number, from: number): Generator<Buffer> {
  for (let at = from; at < size;) {
    const start = at - (at % chunk);
    const whole = Buffer.alloc(Math.min(chunk, size - start));
    whole.write(`image ${id} at ${start};`);
    yield whole.subarray(at - start);
    at = start + whole.length;
  }
}

function sumOf(id: number, size: number): string {
  const hash = createHash('sha256');
  for (const bytes of bytesOf(id, size, 0)) hash.update(bytes);
  return hash.digest('hex');
}

export async function startFieldBoxes(options: FieldOptions): Promise<FieldBoxes> {
  const { size, lies, unsummed, refuseEvery, cutEvery } = options;
  const sent = new Map<number, number>();
  const faults = { tooMany: 0, failed: 0, cut: 0 };
  const images: FieldImage[] = [];
  const names = Array.from(
    { length: options.boxes },
    (_, index) => `team/box-${String(index).padStart(4, '0')}`,
  );
  for (const box of names) {
    for (let version = 1; version <= options.versions; version += 1) {
      for (const provider of providers.slice(0, options.images)) {
        const id = images.length;
        images.push({
          id,
          box,
          version: `${version}.0.0`,
          provider,
          sha256: sumOf(id, size),
          isLie: lies.includes(id),
        });
      }
    }
  }
  let url = '';
  let requests = 0;
  let downloads = 0;

  const send = async (req: IncomingMessage, res: ServerResponse, id: number): Promise<void> => {
    const from = Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? '')?.[1] ?? 0);
    const etag = `"image-${id}"`;
    const isPart = from > 0 && (req.headers['if-range'] ?? etag) === etag;
    const start = isPart ? from : 0;
    downloads += 1;
    const isCut = downloads % cutEvery === 0;
    res.writeHead(isPart ? 206 : 200, {
      'content-type': 'application/octet-stream',
      'content-length': size - start,
      'accept-ranges': 'bytes',
      etag,
      ...(isPart && { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
    });
    if (isCut) {
      faults.cut += 1;
      const half = start + Math.floor((size - start) / 2);
      res.write(Buffer.concat([...bytesOf(id, half, start)]), () => res.destroy());
      return;
    }
    await pipeline(Readable.from(bytesOf(id, size, start), { objectMode: false }), res);
    sent.set(id, (sent.get(id) ?? 0) + 1);
  };
  const boxOf = (box: string) => {
    const [username, name] = box.split('/');
    const own = images.filter((image) => image.box === box);
    return {
      tag: box,
      username,
      name,
      private: false,
      short_description: `What ${name} is for`,
      description_markdown: '',
      versions: [...new Set(own.map(({ version }) => version))].map((version) => ({
        version,
        status: 'active',
        description_markdown: '',
        providers: own
          .filter((image) => image.version === version)
          .map(({ id, provider, sha256, isLie }) => ({
            name: provider,
            architecture: 'amd64',
            default_architecture: true,
            hosted: true,
            download_url: `${url}/files/${id}`,
            ...(!unsummed.includes(id) && {
              checksum: isLie ? sumOf(id + 1_000_000, chunk) : sha256,
              checksum_type: 'sha256',
            }),
          })),
      })),
    };
  };
  const server = createServer((req, res) => {
    requests += 1;
    const path = req.url ?? '';
    if (requests % refuseEvery === 0) {
      const isTooMany = (requests / refuseEvery) % 2 === 0;
      if (isTooMany) faults.tooMany += 1;
      else faults.failed += 1;
      res.writeHead(isTooMany ? 429 : 500, isTooMany ? { 'retry-after': '1' } : {}).end('busy');
      return;
    }
    const file = /^\/files\/(\d+)$/.exec(path)?.[1];
    if (file !== undefined) {
      // A killed client leaves in the middle.
      send(req, res, Number(file)).catch(() => res.destroy());
      return;
    }
    const answer = (body: object): void => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const box = /^\/api\/v2\/box\/([^/]+\/[^/]+)$/.exec(path)?.[1];
    if (box !== undefined && names.includes(box)) answer(boxOf(box));
    else if (path === '/api/v2/user/team') answer({ username: 'team', boxes: names.map((tag) => ({ tag })) });
    else res.writeHead(404, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    boxes: names,
    images,
    sent,
    faults,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
