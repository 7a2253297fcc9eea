import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own, with a path short enough for Unix sockets; removed by `remove`. */
export async function temporaryFolder(): Promise<{
  readonly path: string;
  readonly remove: () => Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), 'gh-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
