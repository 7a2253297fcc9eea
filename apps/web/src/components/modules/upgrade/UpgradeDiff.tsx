import type { ModuleContent } from '@gatehouse/api-types/console/modules';

/** What an upgrade changes. */
export function UpgradeDiff(_props: { from: ModuleContent; to: ModuleContent }) {
  return null;
}
