import { createHash } from 'node:crypto';
import { sendJson } from '@gatehouse/service-kit/http';
import { clientLeft, HttpError } from '@gatehouse/service-kit/http-error';
import { judgedEachSecond } from '@gatehouse/service-kit/http-large-body';
import { ObjectMissing } from '@gatehouse/service-kit/object-store/object-store';
import { paced } from '@gatehouse/service-kit/slices';
import { NoTurn, turns } from '@gatehouse/service-kit/turns';
import { currentConditions, withoutConditions } from '@gatehouse/service-kit/write-queue';
import type { Request, Response } from 'express';
import { unknownArchitecture, type Provider } from '../../domain/box.ts';
import {
  checksumFault,
  checksumTypes,
  isChecksumType,
  type Checksum,
  type ChecksumType,
} from '../../domain/checksum.ts';
import { architectureFault, maxName, maxUrl, providerNameFault, urlFault } from '../../domain/names.ts';
import { Faults, Refusal, unprocessable } from '../../domain/refusal.ts';
import { openVersion, openProvider } from '../access.ts';
import { FieldReader, readGroup } from '../body.ts';
import { askerOf } from '../caller.ts';
import type { Operation, Context } from '../context.ts';
import { removeImages } from '../uploads/uploads.ts';
import { type Api, apiOf } from '../wire/api.ts';
import { wireProvider } from '../wire/box.ts';

const known = ['name', 'url', 'checksum', 'checksum_type'];
const knownWithArchitecture = [...known, 'architecture', 'default_architecture'];
const maxChecksum = 128;

/** The fields of a provider. A missing or null field is undefined; an empty one clears the value (null). */
export interface ProviderFields {
  readonly name?: string;
  readonly architecture?: string;
  readonly isDefault?: boolean;
  readonly url?: string | null;
  readonly checksum?: Checksum | null;
}

/**
 * Reads the fields of a request about a provider, grouped or not. Version 1 of the API ignores architectures.
 * @param current the present checksum: a request may change a part of it
 * @throws Refusal `unprocessable` if there are none
 */
export function readProviderFields(
  api: Api,
  req: Request,
  faults: Faults,
  current: Checksum | null,
): ProviderFields {
  const architectures = api.version !== 1;
  const group = readGroup(req, 'provider', architectures ? knownWithArchitecture : known);
  const fields = new FieldReader(group, faults);
  const name = fields.text('name', maxName);
  const url = fields.text('url', maxUrl);
  const architecture = architectures ? fields.text('architecture', maxName) : undefined;
  const isDefault = architectures ? fields.boolean('default_architecture') : undefined;
  const value = fields.text('checksum', maxChecksum);
  const type = fields.text('checksum_type', maxChecksum);
  for (const fault of [
    name === undefined ? undefined : providerNameFault(name),
    architecture === undefined ? undefined : architectureFault(architecture),
    url === undefined || url === '' ? undefined : urlFault(url),
  ]) {
    if (fault !== undefined) faults.add(fault);
  }
  const checksum = readChecksum(value, type, current, faults);
  return {
    ...(name !== undefined && { name }),
    ...(architecture !== undefined && { architecture }),
    ...(isDefault !== undefined && { isDefault }),
    ...(url !== undefined && { url: url === '' ? null : url }),
    ...(checksum !== undefined && { checksum }),
  };
}

function readChecksum(
  value: string | undefined,
  type: string | undefined,
  current: Checksum | null,
  faults: Faults,
): Checksum | null | undefined {
  if (value === undefined && (type === undefined || type === '')) return undefined;
  if (value === '') return null;
  const wholeType = type === undefined || type === '' ? current?.type : type.toLowerCase();
  const wholeValue = (value ?? current?.value)?.toLowerCase();
  // A kind without a value has no effect: the value may come later.
  if (wholeValue === undefined && isChecksumType(wholeType ?? '')) return undefined;
  if (wholeType === undefined || !isChecksumType(wholeType)) {
    faults.add(`Checksum type must be one of ${checksumTypes.join(', ')}`);
    return undefined;
  }
  return checked({ type: wholeType, value: wholeValue ?? '' }, faults);
}

function checked(
  checksum: { readonly type: ChecksumType; readonly value: string },
  faults: Faults,
): Checksum {
  const fault = checksumFault(checksum);
  if (fault !== undefined) faults.add(fault);
  return checksum;
}

/**
 * POST …/version/:version/providers: creates a provider. Without a URL, its image must be uploaded. The first
 * architecture of a name becomes its default, whatever the request contains.
 */
export const createProvider: Operation = async (context, req, res) => {
  const { box, version } = openVersion(context, req, 'publish');
  const api = apiOf(context, req);
  const faults = new Faults();
  const fields = readProviderFields(api, req, faults, null);
  const { name, architecture = unknownArchitecture, isDefault = false, url = null, checksum = null } = fields;
  faults.refuseAny();
  if (name === undefined) throw unprocessable("Name can't be blank");
  const provider = await context.providers.create(
    version.id,
    {
      name,
      architecture: api.version === 1 ? undefined : architecture,
      isDefault,
      url,
      checksum,
    },
    context.clock.now(),
  );
  sendJson(res, 200, wireProvider(api, box, version, provider));
};

/** DELETE …/version/:version/provider/:provider: deletes a provider with its image. */
export const deleteProvider: Operation = async (context, req, res) => {
  const { box, version, provider } = openProvider(context, req, 'publish');
  await removeImages(context, await context.providers.remove(provider.id));
  sendJson(res, 200, wireProvider(apiOf(context, req), box, version, provider));
};

/** GET …/version/:version/provider/:provider. */
export const readProvider: Operation = (context, req, res) => {
  const { box, version, provider } = openProvider(context, req);
  sendJson(res, 200, wireProvider(apiOf(context, req), box, version, provider));
};

/**
 * PUT …/version/:version/provider/:provider. Missing and null fields keep their values; an empty URL means that the
 * image will be uploaded.
 */
export const updateProvider: Operation = async (context, req, res) => {
  const api = apiOf(context, req);
  const opened = () => {
    const access = openProvider(context, req, 'publish');
    const faults = new Faults();
    const change = readProviderFields(api, req, faults, access.provider.checksum);
    faults.refuseAny();
    return { ...access, change };
  };
  const before = opened();
  await computeMissingDigest(context, req, res, before.provider, before.change.checksum);
  // Opened again, since computing takes long: the caller may have lost the right, or the record may have changed.
  const { box, version, provider, change } = opened();
  const updated = await context.providers.update(
    provider.id,
    { ...change, nameMustBeNew: api.version === 1 },
    context.clock.now(),
  );
  await removeImages(context, updated.removed);
  sendJson(res, 200, wireProvider(api, box, version, updated.provider));
};

/** Reading a whole image takes long, so an account reads one at a time. */
const digestsInTurn = turns({ atOnce: 4, ownAtOnce: 1, mostOwn: 16, mostWaiting: Infinity });
/** The checksums that are being computed or wait for that, by image and type. */
const computing = new Map<string, Promise<void>>();
/** How long a request waits for a checksum, in milliseconds. Clients wait longer. */
const digestWaitMs = 10_000;

/**
 * Computes the image's checksum of the kind that the provider will have, if it is missing, since a release must know
 * whether the image matches. Comes before the change, after which the image isn't sent without it.
 * @throws Refusal `busy` if that takes too long. It continues while the right lasts, so that the repeated request
 *   succeeds; if the client leaves before an answer, only if it has begun
 */
async function computeMissingDigest(
  context: Context,
  req: Request,
  res: Response,
  { id, image }: Provider,
  wanted: Checksum | null | undefined,
): Promise<void> {
  if (image === null || wanted === null || wanted === undefined) return;
  const { type } = wanted;
  if (image.digests[type] !== undefined) return;
  const { judge } = currentConditions();
  const compute = async (): Promise<void> => {
    judge();
    if (res.closed && !res.writableFinished) throw clientLeft();
    try {
      const stream = (await context.images.read(image.key)) as AsyncIterable<Uint8Array>;
      const digest = await digestOf(judgedEachSecond(judge, stream), type);
      await context.providers.recordDigests(id, image.key, { [type]: digest });
    } catch (error) {
      // Another image has taken its place, with all its checksums.
      if (!(error instanceof ObjectMissing)) throw error;
    }
  };
  const key = `${image.key} ${type}`;
  const known = computing.get(key);
  const computed = known ?? digestsInTurn(askerOf(context, req).name, () => withoutConditions(compute));
  if (known === undefined) {
    computing.set(key, computed);
    computed
      .catch((error: unknown) => context.log.info('checksum not computed', { error }))
      .finally(() => computing.delete(key));
  }
  const notYet = () =>
    new Refusal(
      'busy',
      `The ${type} checksum of the image isn't computed yet. Repeat the change in a few minutes`,
    );
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(late.resolve, digestWaitMs, 'late');
  try {
    if ((await Promise.race([computed, late.promise])) === 'late') throw notYet();
  } catch (error) {
    // The request that began it has lost its right or its client, which this one may still have.
    if (known !== undefined && (error instanceof Refusal || error instanceof HttpError)) throw notYet();
    if (!(error instanceof NoTurn)) throw error;
    throw new Refusal(
      'busy',
      'Checksums of 16 other images are being computed for you. Wait until some are done',
    );
  } finally {
    clearTimeout(timer);
  }
  if (res.closed) throw clientLeft();
}

/** The checksum of a stream's bytes, in lower-case hexadecimal. @throws the stream's errors */
async function digestOf(stream: AsyncIterable<Uint8Array>, type: ChecksumType): Promise<string> {
  const hash = createHash(type);
  for await (const chunk of paced(stream)) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}
