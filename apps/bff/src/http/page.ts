import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import type { Request, Response } from 'express';
import { ProblemError } from '#ground/problem.ts';
import { accepted, brotli, zip } from './compression.ts';
import { firstVisits, type Beginning, type ServicesOf } from './first-visits.ts';
import { endInPieces } from './pieces.ts';
import type { SecurityHeaders } from './security-headers.ts';

/** The built page, served from memory. */
export type Page = ReturnType<typeof loadPage>;

interface StaticFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
  /** Whether the name contains a hash of the content. */
  readonly immutable: boolean;
  br?: Promise<Buffer | undefined>;
  gzip?: Promise<Buffer | undefined>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};
const compressible = /^(?:text\/|application\/(?:json|manifest)|image\/svg|application\/wasm)/;
/** The build names all files here by a hash of their content. */
const hashed = '/assets/';
/** The page's checksum worker. */
const hasher = /^\/assets\/file-hasher\.worker-[\w-]+\.js$/;

/**
 * Reads the page's folder into memory. Files compressed by the build (`.br`, `.gz` beside them) are used as they are;
 * others are compressed on the first request.
 * @param webRoot folder with index.html
 * @param headers headers of all answers, except for the checksum worker
 * @param servicesOf the services that a document may call first
 * @throws Error without index.html
 */
export function loadPage(
  webRoot: string,
  headers: Pick<SecurityHeaders, 'page' | 'hasher'>,
  servicesOf: ServicesOf,
) {
  const files = readFiles(webRoot);
  const index = files.get('/index.html');
  if (index === undefined) throw new Error(`the page is not built: there is no index.html in ${webRoot}`);
  const beginningOf = firstVisits(webRoot, servicesOf);
  const documents = new Map<Beginning, StaticFile>();
  /** The page's document, with the scripts and requests of the address, so that both start immediately. */
  const documentOf = (address: string, isSignedIn: boolean): StaticFile => {
    const beginning = beginningOf(address, isSignedIn);
    const known = documents.get(beginning);
    if (known !== undefined) return known;
    const html = withRequests(withScripts(index.bytes.toString(), beginning.scripts), beginning);
    const document = staticFile(Buffer.from(html), index.type, false);
    documents.set(beginning, document);
    return document;
  };
  return {
    /** Changes with the page. */
    digest: index.etag.slice(1, 13),
    /**
     * Answers with a file of the page, or with index.html for navigations to a route of the page.
     * @param isSignedIn called for documents only
     * @throws ProblemError `not-found` for a missing file, `method-not-allowed`
     */
    async serve(req: Request, res: Response, isSignedIn: () => Promise<boolean>): Promise<void> {
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        throw new ProblemError('method-not-allowed', 'This path only supports GET and HEAD.', {
          allow: ['GET', 'HEAD'],
        });
      }
      const isDocument = req.path === '/' || isNavigation(req);
      const file = files.get(req.path) ?? (isDocument ? documentOf(req.path, await isSignedIn()) : undefined);
      if (file === undefined) throw new ProblemError('not-found', "This file doesn't exist.");
      await send(file, req, res, hasher.test(req.path) ? headers.hasher : headers.page);
    },
  };
}

async function send(
  file: StaticFile,
  req: Request,
  res: Response,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  res.setHeader('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  res.setHeader('ETag', file.etag);
  if (compressible.test(file.type)) res.setHeader('Vary', 'Accept-Encoding');
  if (req.headers['if-none-match'] === file.etag) {
    res.writeHead(304).end();
    return;
  }
  const { bytes, encoding } = await encoded(file, req.headers['accept-encoding']);
  if (encoding !== undefined) res.setHeader('Content-Encoding', encoding);
  res.writeHead(200, { 'Content-Type': file.type, 'Content-Length': bytes.length });
  await endInPieces(res, bytes);
}

/** A browser opens a document. Only then is an unknown path a route of the page. */
function isNavigation(req: Request): boolean {
  if (req.path.startsWith('/assets/')) return false;
  const mode = req.headers['sec-fetch-mode'];
  if (mode !== undefined) return mode === 'navigate';
  return /\btext\/html\b/.test(req.headers.accept ?? '') && extname(req.path) === '';
}

async function encoded(
  file: StaticFile,
  accepts: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly encoding?: 'br' | 'gzip' }> {
  if (!compressible.test(file.type) || file.bytes.length < 1024) return { bytes: file.bytes };
  if (accepted(accepts, 'br')) {
    file.br ??= brotli(file.bytes, 6);
    const bytes = await file.br;
    if (bytes !== undefined) return { bytes, encoding: 'br' };
  }
  if (accepted(accepts, 'gzip')) {
    file.gzip ??= zip(file.bytes);
    const bytes = await file.gzip;
    if (bytes !== undefined) return { bytes, encoding: 'gzip' };
  }
  return { bytes: file.bytes };
}

function staticFile(bytes: Buffer, type: string, immutable: boolean): StaticFile {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type, bytes, etag, immutable };
}

/** A document with links to the scripts that it doesn't name itself. */
function withScripts(html: string, scripts: readonly string[]): string {
  const links = scripts
    .filter((script) => !html.includes(`"/${script}"`))
    .map((script) => `    <link rel="modulepreload" crossorigin href="/${script}">\n`);
  return html.replace('  </head>', () => `${links.join('')}  </head>`);
}

/** A document whose first script (`apps/web/public/begin.js`) learns what to request. */
function withRequests(html: string, { path, always, rows }: Beginning): string {
  const told = { route: path, always: always.join(' '), rows: rows.join(' ') };
  const attributes = Object.entries(told).map(
    ([name, text]) => ` data-${name}="${text.replaceAll('&', '&amp;')}"`,
  );
  return html.replace('<script src="/begin.js"', (script) => `${script}${attributes.join('')}`);
}

function readFiles(root: string): ReadonlyMap<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const extension = extname(entry.name);
    const type = types[extension];
    // Files of unknown types, such as the build's manifest folder, source maps or compressed copies, aren't served.
    if (!entry.isFile() || type === undefined || entry.name.startsWith('.')) continue;
    const url = `/${relative(root, path).split(sep).join('/')}`;
    if (url.startsWith('/.')) continue;
    const bytes = readFileSync(path);
    files.set(url, {
      ...staticFile(bytes, type, url.startsWith(hashed)),
      ...(existsSync(`${path}.br`) && { br: Promise.resolve(readFileSync(`${path}.br`)) }),
      ...(existsSync(`${path}.gz`) && { gzip: Promise.resolve(readFileSync(`${path}.gz`)) }),
    });
  }
  return files;
}
