import type { ModuleContent } from '@gatehouse/module-archive/module-content';
import { passArchive, tooLarge } from '@gatehouse/module-archive/read-archive';
import { HttpError } from '@gatehouse/service-kit/http';
import { judgedEachSecond, passOver, readBody } from '@gatehouse/service-kit/http-large-body';
import type { Room, StoredObject } from '@gatehouse/service-kit/object-store/object-store';
import { StoreUnavailable } from '@gatehouse/service-kit/store-error';
import type { Request, Response } from 'express';
import { addressFaults } from '../../domain/module.ts';
import { maxDescription, summaryOf } from '../../domain/readme-summary.ts';
import { Refusal, notFound } from '../../domain/refusal.ts';
import { isVersionNumber } from '../../domain/version-number.ts';
import { judgeCaller, requireCaller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { addressOf, checkText, openModule, parameter, segment } from '../request.ts';
import { sendDetail } from './read.ts';

const maxSource = 2000;

/**
 * PUT /v1/modules/:namespace/:name/:provider/:version: publishes an archive (gzip, tar). Checks and reads it as it
 * arrives, and keeps nothing of a bad one. The parameters `description` and `source` add what the archive doesn't
 * contain.
 */
export const publishVersion: Operation = async (context, req, res, slices) => {
  // Judged again while the archive arrives, and when it is published: its sender may have lost the role since.
  const { account } = requireCaller(context, req, 'publish');
  const address = addressOf(req);
  const number = segment(req, 'version');
  const [fault, ...others] = addressFaults(address);
  if (fault !== undefined) throw new Refusal('unprocessable', fault, ...others);
  if (!isVersionNumber(number))
    throw new Refusal('unprocessable', `${number} is not a version such as 1.2.0 or 1.2.0-beta.1`);
  const description = checkText(parameter(req, 'description') ?? '', 'description', maxDescription);
  const source = sourceOf(req);
  context.modules.requireFree(address, number);
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal('unprocessable', 'The archive must be sent without a content encoding');
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > context.bounds.sentBytes) throw tooLarge(context.bounds);

  const { archive, content } = await context.archiveInTurn(req, account.id, () =>
    receive(context, account.id, announced, req, res),
  );
  try {
    await context.modules.publish(
      address,
      {
        version: number,
        description: description === '' ? summaryOf(content.root.readme) : description,
        source,
        owner: account.loginName,
        archive: { key: archive.key, size: archive.size, sha256: archive.digests.sha256 ?? '' },
        content,
      },
      account.id,
      context.clock.now(),
    );
  } catch (error) {
    await removeArchive(context, archive.key);
    throw error;
  }
  const module = openModule(context, req);
  const version = context.modules.version(module.id, number);
  if (version === undefined) throw notFound('The version has since been deleted');
  await sendDetail(context, res, slices, module, version, 201);
};

/** Deletes an unreferenced archive. If that fails, it only takes space until the next start. */
export async function removeArchive({ archives, log }: Context, key: string): Promise<void> {
  try {
    await archives.remove(key);
  } catch (error) {
    log.warn('archive not removed', { error });
  }
}

async function receive(
  context: Context,
  person: string,
  announced: number,
  req: Request,
  res: Response,
): Promise<{ readonly archive: StoredObject; readonly content: ModuleContent }> {
  const { archives, bounds, content: reader, idleDeadlineMs, archiveDeadlineMs } = context;
  let content: ModuleContent | undefined;
  const left = new AbortController();
  res.once('close', () => left.abort(new HttpError(400, 'malformed', 'The upload was interrupted')));
  const { signal } = left;
  let room: Room | undefined;
  try {
    room = await archives.reserve(announced);
    const body = passArchive(
      judgedEachSecond(
        () => judgeCaller(context, req, 'publish'),
        readBody(req, res, idleDeadlineMs, archiveDeadlineMs),
      ),
      bounds,
      async (files) => {
        content = await reader.read(files);
      },
      { signal, inTurn: (work) => reader.inTurn(person, work, signal) },
    );
    const archive = await archives.receive(body, 'sha256', room);
    if (content === undefined) throw new Error('an archive was stored without being read');
    return { archive, content };
  } catch (error) {
    // Most clients read an answer only once they have sent everything.
    await passOver(req);
    if (!(error instanceof StoreUnavailable) || error.reason !== 'full') throw error;
    throw new HttpError(507, 'insufficient_storage', 'There is no space left to store the archive', {
      headers: { 'Retry-After': '30' },
      cause: error,
    });
  } finally {
    room?.release();
  }
}

function sourceOf(req: Request): string {
  const source = checkText(parameter(req, 'source') ?? '', 'source', maxSource);
  if (source === '') return '';
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url === undefined || !['https:', 'http:'].includes(url.protocol) || url.username + url.password !== '')
    throw new Refusal('malformed', 'source must be an https:// URL without credentials');
  return source;
}
