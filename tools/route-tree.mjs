// The page's route tree, which its types and tests need and git doesn't contain. The build and the development server
// write it automatically.
import { Generator, getConfig } from '@tanstack/router-generator';
import { inRoot } from './folders.mjs';

/** Writes `apps/web/src/routeTree.gen.ts` if the routes changed since. */
export default async function writeRouteTree() {
  const root = inRoot('apps', 'web');
  await new Generator({ config: getConfig({}, root), root }).run();
}
