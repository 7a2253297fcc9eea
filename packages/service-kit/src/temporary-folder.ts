import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one test; gone when disposed (`using folder = temporaryFolder()`). */
export interface TemporaryFolder extends Disposable {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
}

/** Creates a private folder under the system's temporary folder. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
