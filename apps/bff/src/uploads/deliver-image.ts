/** One delivery of an image to a registry, from the first byte to the check of the registry's record. */
import { createHash } from 'node:crypto';
import type { ChecksumType, Provider } from '@gatehouse/api-types/console/boxes';
import { paced } from '@gatehouse/service-kit/slices';
import { ProblemError } from '#ground/problem.ts';
import {
  readProvider,
  readVersion,
  updateProvider,
  type ProviderPlace,
} from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { prepareUpload, sendImage } from '#upstreams/box-registry/images.ts';
import { lostFile, UnusableImage } from './unusable-image.ts';

/** Expected properties of an image. */
export interface Expected {
  readonly checksum: string;
  readonly checksum_type: ChecksumType | null;
}

export interface Image {
  readonly size: number;
  /** Its bytes from the beginning. A piece keeps its bytes until the second piece after it is requested. */
  read(): AsyncIterable<Uint8Array>;
}

/** The version is released, and nobody agreed to add to it: its clients would get the image immediately. */
export class ReleasedSince extends ProblemError {
  override readonly name = 'ReleasedSince';
}

/** Time without progress after which a delivery counts as interrupted, in milliseconds. */
const stallMs = 60_000;

interface HowToSend {
  /** Whether the registry's existing image may be lost. */
  readonly mayReplace: (stored: Provider) => boolean;
  /** Whether clients of a released version may get the image. */
  readonly mayAdd: boolean;
  readonly signal: AbortSignal;
  readonly progress: (bytes: number) => void;
  /** Receives the SHA-256 before the last bytes are sent. From then on the registry may have the image. */
  readonly whole?: (sha256: string) => Promise<void>;
}

/**
 * Sends the image in one request. The caller must have the account's turn (`transfers.sending`).
 * @param progress receives the number of sent bytes
 * @returns its SHA-256, in hexadecimal
 * @throws UnusableImage for an image that has another checksum or isn't complete; its last bytes aren't sent then
 * @throws ReleasedSince also if the version is released while the image is sent; its last bytes aren't sent then
 */
export async function send(
  caller: BoxesCaller,
  at: ProviderPlace,
  image: Image,
  expected: Expected,
  { mayReplace, mayAdd, signal, progress, whole }: HowToSend,
): Promise<string> {
  const stored = await storedProvider(caller, at);
  if (!stored.hosted) {
    throw new ProblemError(
      'invalid-request',
      'The provider in the registry now links to an image by its address, so no file can be uploaded. Remove the address first.',
      about(caller),
    );
  }
  if (stored.available === true && !mayReplace(stored)) {
    throw new ProblemError(
      'conflict',
      "The registry has an image for this provider that you haven't agreed to replace. Retry the delivery to replace it.",
      about(caller),
    );
  }
  /** Why the image must not be sent, whatever became of the connection then. */
  let refusal: ProblemError | undefined;
  const checkRelease = async (): Promise<void> => {
    if (mayAdd || (await readVersion(caller, at))?.status !== 'active') return;
    refusal = new ReleasedSince(
      'conflict',
      "The version is released in the registry, and you haven't agreed to add this image to it. Retry the delivery to add it.",
      about(caller),
    );
    throw refusal;
  };
  await checkRelease();
  const prepared = await prepareUpload(caller, at, caller.registry.uploadWay);
  const sha256 = createHash('sha256');
  const type = expected.checksum === '' ? null : expected.checksum_type;
  const other = type === null || type === 'sha256' ? undefined : createHash(type);
  let computed = '';
  const stalled = new AbortController();
  let timer = setTimeout(() => undefined, 0);
  const moved = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => stalled.abort(), stallMs);
    timer.unref();
  };

  async function* body(): AsyncGenerator<Uint8Array> {
    let sent = 0;
    let read = 0;
    let held: Uint8Array | undefined;
    for await (const chunk of paced(image.read())) {
      read += chunk.length;
      sha256.update(chunk);
      other?.update(chunk);
      if (held !== undefined) {
        yield held;
        sent += held.length;
        moved();
        progress(sent);
      }
      held = chunk;
    }
    computed = sha256.digest('hex');
    const actual = other?.digest('hex') ?? computed;
    // Withholds the last chunk, because a registry that doesn't verify would keep the image.
    if (type !== null && actual !== expected.checksum) {
      refusal = new UnusableImage(
        'invalid-request',
        `The ${type} of the sent file is ${actual}, which isn't the planned checksum. The file wasn't kept. Send the right file, or correct the planned checksum first.`,
      );
    } else if (read !== image.size) {
      refusal = lostFile();
    }
    if (refusal !== undefined) throw refusal;
    await checkRelease();
    await whole?.(computed);
    if (held !== undefined) {
      yield held;
      // The registry may process the image for a while: its own deadline starts here.
      clearTimeout(timer);
      progress(sent + held.length);
    }
  }

  moved();
  try {
    await sendImage(
      caller,
      prepared,
      { length: image.size, body: body(), beforeCallback: checkRelease },
      AbortSignal.any([signal, stalled.signal]),
    );
  } catch (error) {
    throw refusal ?? error;
  } finally {
    clearTimeout(timer);
  }
  return computed;
}

/**
 * Reads the provider back and compares the registry's record of the image.
 * @returns that record
 * @throws ProblemError `bad-answer` if it isn't the sent image
 */
export async function verify(
  caller: BoxesCaller,
  at: ProviderPlace,
  image: Pick<Image, 'size'>,
  expected: Expected,
  sha256: string,
): Promise<Provider> {
  let stored = await storedProvider(caller, at);
  if (stored.available === false || (stored.size !== null && stored.size !== image.size)) {
    throw new ProblemError('bad-answer', "The registry doesn't have the whole image.", about(caller));
  }
  const wanted = expected.checksum === '' ? { checksum: sha256, checksum_type: 'sha256' as const } : expected;
  // Without a checksum, clients couldn't detect a broken download. The console knows it already.
  if (stored.checksum === '') stored = await updateProvider(caller, at, wanted);
  if (stored.checksum !== wanted.checksum || stored.checksum_type !== wanted.checksum_type) {
    throw new ProblemError(
      'bad-answer',
      "The provider's checksum in the registry doesn't match the image: someone else may have changed it.",
      about(caller),
    );
  }
  return stored;
}

async function storedProvider(caller: BoxesCaller, at: ProviderPlace): Promise<Provider> {
  const stored = await readProvider(caller, at);
  if (stored !== null) return stored;
  throw new ProblemError(
    'not-found',
    'The provider is no longer in the registry. Create it there again.',
    about(caller),
  );
}

function about({ transport: { environment, service } }: BoxesCaller) {
  return { environment, service };
}
