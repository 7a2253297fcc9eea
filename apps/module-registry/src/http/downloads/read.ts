import { dateOf } from '@gatehouse/service-kit/clock';
import { sendJson } from '@gatehouse/service-kit/http';
import { gather, listText, sendParts } from '@gatehouse/service-kit/parts';
import type { Consumer } from '../../domain/module.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isPrerelease, oldestFirst } from '../../domain/version-number.ts';
import { keptDays } from '../../store/downloads.ts';
import { findCaller, requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { openModule, parameter } from '../request.ts';
import { modulePath, wireTime } from '../wire.ts';

/**
 * Most rows of an answer, for users and for strangers. One day has at most one row for each of a module's 2,000
 * versions.
 */
const maxDaily = { known: 20_000, strange: 2_000 };

/** GET /v2/modules/:namespace/:name/:provider/downloads/summary. */
export const readSummary: Operation = (context, req, res) => {
  findCaller(context, req);
  const module = openModule(context, req);
  const { week, month, year, total } = context.downloads.summary(module, context.clock.now());
  sendJson(res, 200, {
    data: {
      type: 'module-downloads-summary',
      id: modulePath(module),
      attributes: { week, month, year, total },
    },
  });
};

/**
 * GET /v2/modules/:namespace/:name/:provider/downloads/daily: downloads by day and version, of the last `days` (90).
 * If those have too many rows, only of the newest days that fit, beginning with `since`.
 */
export const readDaily: Operation = (context, req, res, slices) => {
  const caller = findCaller(context, req);
  const module = openModule(context, req);
  const days = parameter(req, 'days') ?? '90';
  if (!/^[1-9][0-9]{0,2}$/.test(days) || Number(days) > keptDays)
    throw new Refusal('malformed', `days must be a number from 1 to ${keptDays}`);
  const most = caller === undefined ? maxDaily.strange : maxDaily.known;
  const first = context.downloads.firstDay(module.id, Number(days), most, context.clock.now());
  const texts = context.downloads.daily(module.id, first).map((rows) => [JSON.stringify(rows).slice(1, -1)]);
  return sendParts(res, slices, listText({ meta: { since: dateOf(first) } }, 'data', texts));
};

/**
 * GET …/:provider/consumers: the tokens that downloaded the module, with the versions, most recent first. Requires a role in the
 * registry.
 */
export const listConsumers: Operation = async (context, req, res, slices) => {
  requireCaller(context, req);
  const module = openModule(context, req);
  const offered: string[] = [];
  for (const { version, deprecation } of context.modules.choices(module.id)) {
    await slices.giveWay();
    if (deprecation?.state !== 'revoked' && !isPrerelease(version)) offered.push(version);
  }
  const consumers: Consumer[] = [];
  for (const some of context.downloads.consumers(module.id)) {
    await slices.giveWay();
    consumers.push(...some);
  }
  consumers.sort((one, other) => other.lastTime - one.lastTime || (one.tokenId < other.tokenId ? -1 : 1));
  const behind = behindOf(offered, new Set(consumers.map(({ version }) => version)));
  const texts = consumers.values().map((consumer) => [
    JSON.stringify({
      token_id: consumer.tokenId,
      token: consumer.token,
      owner: consumer.owner,
      version: consumer.version,
      downloads: consumer.downloads,
      last_fetched_at: wireTime(consumer.lastTime),
      behind: behind.get(consumer.version) ?? 0,
    }),
  ]);
  await sendParts(res, slices, await gather(slices, listText({}, 'consumers', texts)));
};

/** For each downloaded version, the number of newer offered versions. */
function behindOf(offered: readonly string[], fetched: ReadonlySet<string>): ReadonlyMap<string, number> {
  const behind = new Map<string, number>();
  const isOffered = new Set(offered);
  let newer = 0;
  for (const version of oldestFirst(fetched.union(isOffered)).reverse()) {
    behind.set(version, newer);
    if (isOffered.has(version)) newer += 1;
  }
  return behind;
}
