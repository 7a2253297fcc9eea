/** Reads both registries for a move, item by item, and stores the plan. It continues where it stopped. */
import type { Box } from '@gatehouse/api-types/console/boxes';
import { wantedLimit } from '@gatehouse/api-types/console/moves';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import type { InTurn } from '@gatehouse/service-kit/turns';
import { sql, type SqlBool } from 'kysely';
import { ProblemError } from '#ground/problem.ts';
import { largeRows, largeTurn } from '#sources/large-turn.ts';
import type { ArchivePlace, ListOptions, ReadOptions, SourceBox, SourceImage } from '#sources/source.ts';
import type { Database } from '#store/database.ts';
import type { MoveItemRow } from '#store/schema.ts';
import { readBox } from '#upstreams/box-registry/boxes.ts';
import { knowsArchitectures } from '#upstreams/box-registry/spoken-version.ts';
import { readModule, readVersion } from '#upstreams/module-registry/modules.ts';
import { once, type Once } from '../copy/once.ts';
import { PauseMove, pauseOfHere, pauseOfSource } from '../copy/pause-move.ts';
import { workOff } from '../copy/work-off.ts';
import { isBoxJob, isModuleJob, type BoxJob, type Job, type ModuleJob } from '../job.ts';
import { knownPieces, privacyOf, weightOf, type Items, type StoredItem } from '../rows/items.ts';
import type { Moves } from '../rows/moves.ts';
import { applyChoice, namesHere, placeChanged } from './choosing.ts';
import { anyBoxOwnerHere, boxOwnerHere, namespaceHere } from './owner-here.ts';
import { keysHere, planBox, type RegistryHere } from './plan-box.ts';
import { planModule, type VersionHere } from './plan-module.ts';
import { pieceKey, type PlaceHere, type PlannedItem } from './planned.ts';
import { storedBox, storedModule } from './stored-source.ts';

export interface PlannerParts {
  readonly clock: Clock;
  readonly database: Database;
  readonly log: Log;
  readonly moves: Moves;
  readonly items: Items;
  /** For what the source answers at length: the turns of all moves, by account. */
  readonly largeInTurn: InTurn;
}

/** Items read concurrently. */
const atOnce = 4;
/** Most items, versions and pieces of one move. Each 1,000 characters of their texts count as one. */
const mostRows = 100_000;
/** How often planning asks whether its owner may still publish here, in milliseconds. */
const mayEvery = 5_000;

/** Plans a move, from where it stopped. @throws PauseMove; the signal's reason if it is aborted */
export async function planMove(parts: PlannerParts, job: Job): Promise<void> {
  const { items, database, moves } = parts;
  const { move } = job;
  /** Whether another process has the move, because this one was suspended or cut off for longer than its lease. */
  const isLost = async (): Promise<boolean> =>
    database.shared && !(await moves.change(move.id, ['planning'], {}, move.worker));
  // A choice that was stored, but not applied, may have changed the names here.
  if (move.unapplied === 1) await applyNow(parts, job);
  const requireRight = rightHere(parts, job);
  await expand(parts, job, isLost, requireRight);
  const owners = once<PlaceHere['owner']>();
  const busy = new Set<string>();
  let rows = await items.count({ move: move.id });
  /**
   * Once an item didn't fit, no other item without rows is read, because each would cost all the work and be refused.
   */
  let isFull = false;
  await workOff(
    atOnce,
    async () => {
      job.signal.throwIfAborted();
      const item = await items.nextUnread(move.id, move.pass, [...busy]);
      if (item !== undefined) busy.add(item.id);
      return item;
    },
    async (item) => {
      using reading = readingOf(parts, job, requireRight);
      try {
        await requireRight();
        const before = item.weight;
        if (isFull && before === 0) throw new ProblemError('payload-too-large', tooLarge);
        // Its stored rows are large too.
        if (before > largeRows) await reading.largeTurn.take();
        const planned = await planItem(parts, job, item, reading, owners);
        const own = weightOf(planned);
        rows += own - before;
        if (rows > mostRows) {
          rows -= own;
          isFull = true;
          throw new ProblemError('payload-too-large', tooLarge);
        }
        if (await isLost()) throw stopped();
        await items.replace(item, move.pass, planned, job.slices);
      } catch (error) {
        const paused = pauseOfHere(error) ?? pauseOfSource(error, job.usedToken);
        const isOver = paused !== undefined || !(error instanceof ProblemError) || job.signal.aborted;
        if (isOver || (await isLost())) {
          job.cancel();
          throw paused ?? error;
        }
        await items.fail(item, move.pass, error, job.slices);
        await moves.log(move.id, error.message, { item: item.name, failed: true });
      } finally {
        busy.delete(item.id);
      }
    },
  );
  await applyNow(parts, job);
}

/** Applies the choice while the move is planned by this process. */
async function applyNow({ database }: PlannerParts, { move, choice, slices }: Job): Promise<void> {
  const isHeld = sql<SqlBool>`state = 'planning' and worker = ${move.worker}`;
  if (!(await applyChoice(database, move, choice, isHeld, slices))) throw stopped();
}

const tooLarge = `A move can have at most ${mostRows.toLocaleString('en')} boxes or modules, versions and images in total (each 1,000 characters of text count as one). Move this box or module separately.`;
const tooMany = `A move can have at most ${wantedLimit.toLocaleString('en')} boxes or modules, and these don't fit. Move them separately.`;

/** How one item or list of the source is read. A large one has its turn until it is stored. */
function readingOf(
  { largeInTurn }: PlannerParts,
  { signal, slices }: Job,
  mayCall: () => Promise<void>,
): Required<ListOptions> & Disposable {
  const turn = largeTurn(largeInTurn, slices.asker.name, signal);
  return { signal, slices, mayCall, largeTurn: turn, [Symbol.dispose]: () => turn[Symbol.dispose]() };
}

/** @returns asks from time to time, and throws PauseMove if the move's owner may no longer publish anything here */
function rightHere({ clock }: PlannerParts, { registries, here }: Job): () => Promise<void> {
  const ask = async (): Promise<void> => {
    try {
      const owner = await here.ask(() =>
        registries.kind === 'boxes' ? anyBoxOwnerHere(registries.caller) : namespaceHere(registries.caller),
      );
      if (typeof owner !== 'object') return;
      throw new PauseMove('forbidden', `${owner.refused} Resume the move when you are allowed to.`);
    } catch (error) {
      const paused = pauseOfHere(error);
      // Another failure of the registry here isn't one of the source, and it is asked again.
      if (paused !== undefined || !(error instanceof ProblemError)) throw paused ?? error;
    }
  };
  let asked = -Infinity;
  let answer = Promise.resolve();
  return () => {
    if (clock.now() - asked >= mayEvery) {
      asked = clock.now();
      answer = ask();
    }
    return answer;
  };
}

function stopped(): Error {
  return new Error('the move was stopped, or taken by another process');
}

/** Reads the items of the wanted names. Owners have many boxes. */
async function expand(
  parts: PlannerParts,
  job: Job,
  isLost: () => Promise<boolean>,
  requireRight: () => Promise<void>,
): Promise<void> {
  const { moves, items, log } = parts;
  const { move, choice, signal, slices } = job;
  await slices.giveWay();
  const wanted = await moves.wanted(move.id);
  const hereOf = namesHere(choice);
  if (move.expanded === 0) await items.forgetPlaces(move.id);
  const names = await items.names(move.id, wantedLimit, slices);
  /** Once a name didn't fit, the source lists no other owner, because each list would cost all the work. */
  let isFull = false;
  for (let at = move.expanded; at < wanted.length; at++) {
    signal.throwIfAborted();
    const name = wanted[at] ?? '';
    using reading = readingOf(parts, job, requireRight);
    try {
      await requireRight();
      if (isFull && !names.has(name)) throw new ProblemError('payload-too-large', tooMany);
      const found = await namesOf(job, name, reading);
      const added = found.filter((one) => !names.has(one));
      isFull = names.size + added.length > wantedLimit;
      if (isFull) throw new ProblemError('payload-too-large', tooMany);
      // A new owner may see fewer names.
      if (await isLost()) throw stopped();
      await items.add(move.id, added, hereOf, slices);
      for (const one of added) names.add(one);
      if (found.length === 0)
        await moves.log(move.id, `The source has nothing under ${name}.`, { failed: true });
    } catch (error) {
      const paused = pauseOfSource(error, job.usedToken);
      if (paused !== undefined || !(error instanceof ProblemError) || signal.aborted) throw paused ?? error;
      log.info('wanted name not found', { code: error.code });
      await moves.log(move.id, `${name}: ${error.message}`, { failed: true });
    }
    await moves.change(move.id, ['planning'], { expanded: at + 1 }, move.worker);
  }
}

async function namesOf(
  { registries, there }: Job,
  wanted: string,
  reading: ListOptions,
): Promise<readonly string[]> {
  const [owner = '', name, provider] = wanted.split('/');
  if (registries.kind === 'boxes') {
    if (provider !== undefined) throw new ProblemError('invalid-request', 'Enter a box as owner/name.');
    return name === undefined ? there.ask(() => registries.source.boxesOf(owner, reading)) : [wanted];
  }
  return provider === undefined
    ? there.ask(() => registries.source.modulesOf(owner, name, reading))
    : [wanted];
}

async function planItem(
  { items }: PlannerParts,
  job: Job,
  item: MoveItemRow,
  reading: ListOptions,
  owners: Once<PlaceHere['owner']>,
): Promise<PlannedItem> {
  const stored = await items.whole(item.id, job.slices);
  if (stored === undefined) throw new ProblemError('not-found', 'The item no longer exists.');
  const ownerOf: OwnerOf = (owner, ask) => owners(owner, () => job.here.ask(ask));
  if (isBoxJob(job)) return planOneBox(job, stored, reading, ownerOf);
  if (isModuleJob(job)) return planOneModule(job, stored, reading, ownerOf);
  throw new TypeError('a move is of boxes or of modules');
}

type OwnerOf = Once<PlaceHere['owner']>;

async function planOneBox(
  job: BoxJob,
  stored: StoredItem,
  reading: ListOptions,
  ownerOf: OwnerOf,
): Promise<PlannedItem> {
  const { registries, slices, there, here } = job;
  const { caller } = registries;
  const [owner = '', name = ''] = stored.item.name.split('/');
  const source =
    stored.item.pass === placeChanged
      ? await storedBox(stored, slices)
      : await there.ask(() => registries.source.box(owner, name, reading));
  const [username = '', boxName = ''] = stored.item.name_here.split('/');
  const found = await here.ask(() => readBox(caller, { username, name: boxName }));
  const place = {
    name: stored.item.name_here,
    owner: await ownerOf(username, () => boxOwnerHere(caller, username)),
    knowsArchitectures: found?.knows_architectures ?? (await here.ask(() => knowsArchitectures(caller))),
    known: await knownPieces(stored, slices),
    mayBePrivate: job.usedToken || Boolean(privacyOf(stored.item.is_private)),
  };
  return planBox(await withSizes(job, source, found, place, reading), found, place, slices);
}

/**
 * Adds the size of images that exist here and have no checksum at the source, because only the size can tell them
 * apart.
 */
async function withSizes(
  job: BoxJob,
  source: SourceBox,
  here: Box | null,
  place: Pick<RegistryHere, 'knowsArchitectures'>,
  reading: ReadOptions,
): Promise<SourceBox> {
  const { registries, signal, slices, there, usedToken } = job;
  const versionsHere = new Map(here?.versions.map((one) => [one.version, one]));
  const keyOf = keysHere(place);
  const sized = async (number: string, image: SourceImage): Promise<SourceImage> => {
    await slices.giveWay();
    const key = keyOf({ name: image.provider, architecture: image.architecture });
    const stored = versionsHere.get(number)?.providers.find((one) => keyOf(one) === key);
    if (image.checksum !== '' || image.size !== null || (stored?.size ?? null) === null) return image;
    try {
      return { ...image, size: await there.ask(() => registries.source.sizeOf(image, reading)) };
    } catch (error) {
      const paused = pauseOfSource(error, usedToken);
      if (paused !== undefined || !(error instanceof ProblemError) || signal.aborted) throw paused ?? error;
      // An image that the source no longer has must not hide the others.
      return image;
    }
  };
  const versions = [];
  for (const one of source.versions) {
    const images: SourceImage[] = [];
    for (const image of one.images) images.push(await sized(one.version, image));
    versions.push({ ...one, images });
  }
  return { ...source, versions };
}

async function planOneModule(
  job: ModuleJob,
  stored: StoredItem,
  reading: ListOptions,
  ownerOf: OwnerOf,
): Promise<PlannedItem> {
  const { registries, slices, there, here } = job;
  const { caller } = registries;
  const [namespace = '', name = '', provider = ''] = stored.item.name.split('/');
  const isStored = stored.item.pass === placeChanged;
  const before = await storedModule(stored, slices);
  const source = isStored
    ? before.module
    : await there.ask(() => registries.source.module(namespace, name, provider, reading));
  // Each version gets an address.
  if (source.versions.length > largeRows) await reading.largeTurn?.take();
  const [spaceHere = '', nameOfHere = '', providerHere = ''] = stored.item.name_here.split('/');
  const at = { namespace: spaceHere, name: nameOfHere, provider: providerHere };
  const found = await here.ask(() => readModule(caller, at));
  const known = await knownPieces(stored, slices);
  const versionsHere: VersionHere[] = [];
  for (const { version, deprecation } of found?.module.versions ?? []) {
    await slices.giveWay();
    const isKnown = (known.get(pieceKey(version, '', ''))?.sha256 ?? '') !== '';
    const whole = isKnown ? await here.ask(() => readVersion(caller, { ...at, version })) : null;
    versionsHere.push({ version, deprecation, archive: whole?.version.archive ?? null });
  }
  const isHere = new Set(versionsHere.map(({ version }) => version));
  const archives = new Map<string, ArchivePlace>(isStored ? before.archives : []);
  for (const { version } of isStored ? [] : source.versions) {
    if (isHere.has(version)) continue;
    archives.set(version, await archiveOf(job, source, version, reading));
  }
  const owner = await ownerOf('', () => namespaceHere(caller));
  const rules = { name: stored.item.name_here, owner, archives, known };
  return planModule(source, found === null ? null : versionsHere, rules, slices);
}

async function archiveOf(
  { registries, signal, there, usedToken }: ModuleJob,
  module: Parameters<ModuleJob['registries']['source']['archivePlace']>[0],
  version: string,
  reading: ListOptions,
): Promise<ArchivePlace> {
  try {
    return await there.ask(() => registries.source.archivePlace(module, version, reading));
  } catch (error) {
    const paused = pauseOfSource(error, usedToken);
    if (paused !== undefined || !(error instanceof ProblemError) || signal.aborted) throw paused ?? error;
    return { kind: 'not-copied', reason: error.message };
  }
}
