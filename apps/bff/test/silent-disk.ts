import disk from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Has the disk answer no question about files and free space, and remove no file, until `answer` is called. */
export function silenceDisk() {
  const { rm, stat, statfs } = disk;
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const silence = <Result>(ask: (path: string, options?: object) => Promise<Result>) => {
    return (path: string, options?: object): Promise<Result> => {
      asked.push(ask.name);
      return promise.then(() => ask(path, options));
    };
  };
  const use = (functions: object) => {
    Object.assign(disk, functions);
    syncBuiltinESMExports();
  };
  use({ rm: silence(rm), stat: silence<unknown>(stat), statfs: silence<unknown>(statfs) });
  return {
    /** The questions so far. */
    asked,
    answer(): void {
      use({ rm, stat, statfs });
      resolve();
    },
  };
}
