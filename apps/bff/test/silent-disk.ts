import disk from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Has the disk answer no question about files and free space until `answer` is called. */
export function silenceDisk() {
  const { stat, statfs } = disk;
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked: string[] = [];
  const silence = <Result>(ask: (path: string) => Promise<Result>) => {
    return (path: string): Promise<Result> => {
      asked.push(ask.name);
      return promise.then(() => ask(path));
    };
  };
  const use = (functions: object) => {
    Object.assign(disk, functions);
    syncBuiltinESMExports();
  };
  use({ stat: silence<unknown>(stat), statfs: silence<unknown>(statfs) });
  return {
    /** The questions so far. */
    asked,
    answer(): void {
      use({ stat, statfs });
      resolve();
    },
  };
}
