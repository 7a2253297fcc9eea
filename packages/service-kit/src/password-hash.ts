import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { HttpError } from './http-error.ts';
import { NoTurn, turns } from './turns.ts';

/** Cost of an argon2id hash. */
export interface HashCost {
  /** Memory in KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's first recommendation: 19 MiB, two passes, one lane. */
export const recommendedCost: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };

export interface HasherOptions {
  readonly cost?: HashCost;
  /** Concurrent computations, each using `cost.memory`; 2 unless given. */
  readonly concurrent?: number;
  /** Waiting computations per network; more are refused with 503 `busy`. 32 unless given. */
  readonly mostOwn?: number;
  /** Waiting computations in total; those of the busiest networks are refused first. 1,024 unless given. */
  readonly mostWaiting?: number;
}

const version = 19;
const saltBytes = 16;
const hashBytes = 32;

/**
 * Creates a hasher for argon2id, which hashes and verifies a few passwords at a time. The networks they come from take
 * turns, so that a flood of attempts blocks no others; calls without a network share one turn.
 */
export function passwordHasher(options: HasherOptions = {}) {
  const { cost = recommendedCost, concurrent = 2, mostOwn = 32, mostWaiting = 1024 } = options;
  const inTurn = turns({ atOnce: concurrent, mostOwn, mostWaiting });
  const withTurn = async <Result>(network: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await inTurn(network, work);
    } catch (error) {
      if (!(error instanceof NoTurn)) throw error;
      const whose = error.reason === 'own' ? ' from this address' : '';
      throw new HttpError(503, 'busy', `Too many sign-ins at once${whose}.`, {
        headers: { 'Retry-After': '1' },
        cause: error,
      });
    }
  };

  const decoy = format(cost, randomBytes(saltBytes), randomBytes(hashBytes));

  return {
    /** The PHC string of a password: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
    hash(password: string, network: string = ''): Promise<string> {
      const salt = randomBytes(saltBytes);
      return withTurn(network, async () => format(cost, salt, await derive(password, salt, cost)));
    },
    /**
     * Whether `password` matches `phc`. For undefined, does the same work and returns false, so that the time taken
     * doesn't reveal whether a hash exists.
     */
    verify(password: string, phc: string | undefined, network: string = ''): Promise<boolean> {
      const stored = parse(phc ?? decoy);
      return withTurn(network, async () => {
        const derived = await derive(password, stored.salt, stored.cost);
        return timingSafeEqual(derived, stored.hash) && phc !== undefined;
      });
    },
    /** Whether `phc` was created at another cost than the current one. */
    outdated(phc: string): boolean {
      const { cost: made } = parse(phc);
      return (
        made.memory !== cost.memory || made.passes !== cost.passes || made.parallelism !== cost.parallelism
      );
    },
  };
}

function derive(password: string, salt: Buffer, cost: HashCost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parameters = {
    // Different keyboards may produce different code points for the same password.
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism: cost.parallelism,
    tagLength: hashBytes,
    memory: cost.memory,
    passes: cost.passes,
  };
  argon2('argon2id', parameters, (error, key) => {
    if (error === null) resolve(key);
    else reject(error);
  });
  return promise;
}

function format(cost: HashCost, salt: Buffer, hash: Buffer): string {
  const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
  return `$argon2id$v=${version}$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

function parse(phc: string): { readonly cost: HashCost; readonly salt: Buffer; readonly hash: Buffer } {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(phc);
  if (match === null) throw new Error('a stored password hash is not in PHC form');
  const [, memory, passes, parallelism, salt = '', hash = ''] = match;
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
