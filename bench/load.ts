import { Pool } from 'undici';
import type { Path } from './servers.ts';

/** One request of a closed loop: what connection `slot` sends as its `turn`-th. */
export interface Request {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Says what to send next, and is told what came back. */
export interface Work {
  readonly next: (slot: number) => Request;
  readonly answered: (slot: number, body: string) => void;
}

export interface LoadOptions {
  readonly path: Path;
  readonly work: Work;
  /** Requests under way at once, each on a connection of its own. */
  readonly connections: number;
  readonly seconds: number;
}

/** Keeps every connection busy for a while. Answers requests per second; throws on the first answer that is not 200. */
export async function load({ path, work, connections, seconds }: LoadOptions): Promise<number> {
  const pool = new Pool(path.origin, { connections, pipelining: 1 });
  let done = 0;
  const started = performance.now();
  const end = started + seconds * 1000;
  const loop = async (slot: number): Promise<void> => {
    while (performance.now() < end) {
      const { method, path: target, headers, body } = work.next(slot);
      const answer = await pool.request({ method, path: target, headers, body: body ?? null });
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        throw new Error(`${path.name}: ${method} ${target} answered ${answer.statusCode}`);
      work.answered(slot, text);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, slot) => loop(slot)));
  const rate = done / ((performance.now() - started) / 1000);
  await pool.close();
  return rate;
}
