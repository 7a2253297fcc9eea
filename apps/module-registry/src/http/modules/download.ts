import { sendEmpty } from '@gatehouse/service-kit/http';
import { openFor, sendWhole } from '@gatehouse/service-kit/send-whole';
import { Refusal, notFound } from '../../domain/refusal.ts';
import { callerOf, findCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { openLatest, openVersion, segment } from '../request.ts';
import { modulePath } from '../wire.ts';

/** GET …/:version/download: a temporary URL of the archive. Doesn't count as a download. */
export const locateArchive: Operation = (context, req, res) => {
  const caller = findCaller(context, req);
  const { module, version } = openVersion(context, req);
  const location = context.addresses.make(
    {
      id: version.id,
      file: `${module.name}-${module.provider}-${version.version}.tar.gz`,
      sha256: version.archive.sha256,
    },
    caller?.token.id,
    context.clock.now(),
  );
  // Terraform and OpenTofu read the first header; the second is the specification's.
  sendEmpty(res, { 'X-Terraform-Get': location, 'X-Registry-Get': location });
};

/** GET …/:provider/download: redirects to the download of the latest version. */
export const downloadLatest: Operation = (context, req, res) => {
  findCaller(context, req);
  const { module, version } = openLatest(context, req);
  const Location = `/v1/modules/${modulePath(module)}/${version.version}/download`;
  res.writeHead(302, { Location, 'Cache-Control': 'no-store', 'Content-Length': 0 });
  res.end();
};

/**
 * GET /v1/archives/:id/:file: returns the archive. The URL is the authorization. Counts the download once it is
 * complete.
 */
export const sendArchive: Operation = async (context, req, res) => {
  const id = segment(req, 'id');
  const checked = context.addresses.check(id, req.query, context.clock.now());
  if (checked.verdict === 'foreign') throw notFound();
  if (checked.verdict === 'expired')
    throw new Refusal('forbidden', 'The address has expired: request the download again');
  const version = context.modules.published(Number(id));
  if (version === undefined) throw notFound();
  const headers = {
    'Content-Type': 'application/gzip',
    'Content-Length': version.archive.size,
    'Content-Disposition': 'attachment',
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    ETag: `"${version.archive.sha256}"`,
  };
  if (req.method === 'HEAD') {
    res.writeHead(200, headers);
    res.end();
    return;
  }
  const bytes = await openFor(res, context.archives, version.archive.key, notFound);
  res.writeHead(200, headers);
  res.setTimeout(context.idleDeadlineMs, () => {
    res.destroy();
  });
  try {
    const isWhole = await sendWhole(bytes, res, version.archive.size);
    if (isWhole) await count(context, version, checked.tokenId);
  } catch (error) {
    // If the store fails, the body ends early.
    context.log.warn('download aborted', { error });
  }
};

async function count(
  context: Context,
  version: { readonly id: number; readonly moduleId: number },
  tokenId: string | undefined,
): Promise<void> {
  const caller = callerOf(context, tokenId === undefined ? undefined : context.tokens.get(tokenId));
  const fetcher = caller && {
    tokenId: caller.token.id,
    token: caller.token.description,
    owner: caller.account.loginName,
  };
  try {
    await context.downloads.count(version, fetcher, context.clock.now());
  } catch (error) {
    // A download doesn't fail if it can't be counted.
    context.log.warn('download not counted', { error });
  }
}
