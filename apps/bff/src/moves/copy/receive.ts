/** Receives an image or archive from the source into the spool, and verifies it during reception. */
import { createHash, type Hash } from 'node:crypto';
import { paced } from '@gatehouse/service-kit/slices';
import { ProblemError } from '#ground/problem.ts';
import { SourceError } from '#sources/source-error.ts';
import type { SourceBytes } from '#sources/source.ts';
import type { MovePieceRow } from '#store/schema.ts';
import type { Spool } from '#uploads/spool.ts';
import { UnusableImage } from '#uploads/unusable-image.ts';
import type { Job } from '../job.ts';
import type { Pieces } from '../rows/pieces.ts';

/** Bytes between two syncs to the disk. At most this many are received again after a crash. */
const segmentBytes = 16 * 1024 * 1024;
/** Progress, in bytes, after which earlier interruptions no longer count. */
const progressBytes = 1024 * 1024;

export interface Reception {
  readonly spool: Spool;
  readonly pieces: Pieces;
  /** Ensures that there is room. @throws ProblemError `storage-full` */
  readonly checkRoom: (piece: MovePieceRow, size: number) => Promise<void>;
  readonly open: (
    from: { readonly offset: number; readonly validator: string },
    signal: AbortSignal,
  ) => Promise<SourceBytes>;
  /** Most bytes. */
  readonly limit: number;
}

export interface Received {
  readonly size: number;
  readonly sha256: string;
}

/** The received bytes don't match what the source says about them, and aren't kept. */
export class WrongBytes extends ProblemError {
  override readonly name = 'WrongBytes';
}

/**
 * Receives a whole piece, from where it stopped.
 * @throws WrongBytes for another checksum than the source's; ProblemError for an interruption that may pass
 */
export async function receive(job: Job, piece: MovePieceRow, reception: Reception): Promise<Received> {
  const { spool, pieces } = reception;
  let sums = await sumsOf(piece, spool);
  let { received, size, validator } = { ...piece, received: sums.bytes };
  if (size === null || received < size || received === 0) {
    const gone = new AbortController();
    const signal = AbortSignal.any([job.signal, gone.signal]);
    try {
      const bytes = await job.there.once(() => reception.open({ offset: received, validator }, signal));
      if (bytes.offset !== received) {
        if (bytes.offset !== 0)
          throw new SourceError(
            'bad-answer',
            'The source sent a different range of the file than requested.',
          );
        received = 0;
        sums = freshSums(piece);
      }
      size = bytes.size;
      validator = bytes.validator;
      checkLimit(size ?? 0, reception.limit);
      // Refuses what can't fit. What a source announces reserves nothing.
      if (size !== null) await reception.checkRoom({ ...piece, received }, size);
      const start = received;
      const body = paced(bytes.body);
      const rest = { ended: false, failed: false };
      const segment = async function* (): AsyncGenerator<Uint8Array> {
        for (let sent = 0; sent < segmentBytes;) {
          const next = await body.next();
          if (next.done === true) {
            rest.ended = true;
            return;
          }
          sent += next.value.length;
          checkLimit(received + sent, reception.limit);
          sums.update(next.value);
          job.received(next.value.length);
          yield next.value;
        }
      };
      while (!rest.ended) {
        const end = Math.min(size ?? Infinity, received + segmentBytes);
        // Reserved before it is judged: of two files that are judged at once, one counts the other.
        await pieces.reserve(piece.id, end);
        await reception.checkRoom({ ...piece, received }, end);
        // A silent disk answers late: nothing is left behind of a move that has been abandoned since.
        job.signal.throwIfAborted();
        const { offset, failure } = await spool.write(piece.id, received, segment());
        const hasGrown = offset - start >= progressBytes;
        received = offset;
        // An image that arrived in one part is recorded with its outcome.
        await pieces.received(piece.id, { received, size, validator, ...(hasGrown && { attempts: 0 }) });
        if (failure !== undefined) throw failure;
      }
      if (size !== null && received < size) {
        throw new SourceError(
          'service-unavailable',
          'The source closed the connection before the end of the file.',
        );
      }
    } finally {
      gone.abort();
    }
  }
  const whole = checked(piece, size, received, sums);
  await spool.end(piece.id, received);
  return whole;
}

function checked(piece: MovePieceRow, size: number | null, received: number, sums: Sums): Received {
  if (size !== null && received > size) {
    throw new WrongBytes(
      'bad-answer',
      `The source announced ${size} bytes, but sent ${received}. None of it was kept.`,
    );
  }
  const { sha256, named } = sums.end();
  if (piece.checksum !== '' && named !== piece.checksum) {
    throw new WrongBytes(
      'bad-answer',
      `The received file has the ${piece.checksum_type} ${named}, but the source announced ${piece.checksum}. None of it was kept.`,
    );
  }
  return { size: received, sha256 };
}

function checkLimit(size: number, limit: number): void {
  if (size > limit)
    throw new WrongBytes(
      'payload-too-large',
      `The file is larger than the ${limit} bytes that are accepted here.`,
    );
}

interface Sums {
  /** Of bytes that were read again from the spool. */
  readonly bytes: number;
  update(chunk: Uint8Array): void;
  /** SHA-256 and the source's checksum, in hexadecimal. */
  end(): { readonly sha256: string; readonly named: string };
}

function freshSums({ checksum_type: type }: Pick<MovePieceRow, 'checksum_type'>, bytes = 0): Sums {
  const sha256 = createHash('sha256');
  const other: Hash | undefined = type === '' || type === 'sha256' ? undefined : createHash(type);
  return {
    bytes,
    update(chunk) {
      sha256.update(chunk);
      other?.update(chunk);
    },
    end() {
      const whole = sha256.digest('hex');
      return { sha256: whole, named: other?.digest('hex') ?? whole };
    },
  };
}

/** The checksums of the bytes received before; of nothing if they are gone. */
async function sumsOf(piece: MovePieceRow, spool: Spool): Promise<Sums> {
  if (piece.received === 0) return freshSums(piece);
  const sums = freshSums(piece, piece.received);
  let left = piece.received;
  try {
    for await (const chunk of spool.read(piece.id)) {
      // The bytes after that were written but not synced.
      const part = chunk.subarray(0, left);
      left -= part.length;
      sums.update(part);
      if (left === 0) return sums;
    }
  } catch (error) {
    if (!(error instanceof UnusableImage)) throw error;
  }
  return freshSums(piece);
}
