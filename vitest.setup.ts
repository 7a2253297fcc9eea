import { afterAll, vi } from 'vitest';

// Files of a worker share their globals: none may find what another one put in their place.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
