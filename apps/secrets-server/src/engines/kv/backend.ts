import type { Backend } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { backendOf } from '../../core/routes.ts';

/** The versioned key-value engine. */
export function kvBackend(_context: Context): Backend {
  return backendOf([]);
}
