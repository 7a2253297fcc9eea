/**
 * Applies the choice of a move to its rows, which decides the pieces to copy. A move may have a hundred thousand rows, so
 * this is done in slices. Until the end the move is marked as `unapplied`, and isn't copied.
 */
import { compareVersions } from '@gatehouse/api-types/console/box-values';
import { compareModuleVersions } from '@gatehouse/api-types/console/module-values';
import { moveClash, type MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Clock } from '@gatehouse/service-kit/clock';
import type { Slices } from '@gatehouse/service-kit/slices';
import { sql, type CompiledQuery, type RawBuilder, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import type { Database } from '#store/database.ts';
import type { MoveItemRow, MoveRow } from '#store/schema.ts';
import { partSize, partsOf } from '../rows/in-parts.ts';
import type { Moves } from '../rows/moves.ts';

/** States that follow from the plan and the choice. The others are outcomes of pieces. */
const chosenStates = ['missing', 'left-out', 'waiting', 'copying', 'not-copied'] as const;
/** States of a move whose choice can change. */
const resting = ['planned', 'paused', 'done'] as const;
/** Items or versions of one statement: SQLite accepts 32,766 parameters. */
const rowsAtOnce = 200;
const sameName = 'An earlier item already uses this name here.';
/** Pass of an item whose place here changed: the registry here is read again, the source isn't. */
export const placeChanged = -1;

/** Names of items here: a thousand owners may have other names. */
export function namesHere({ owners }: Pick<MoveChoice, 'owners'>): (name: string) => string {
  // Of two names, an owner has the first.
  const others = new Map(owners.toReversed().map(({ from, to }) => [from, to]));
  return (name) => {
    const [owner = '', ...rest] = name.split('/');
    return [others.get(owner) ?? owner, ...rest].join('/');
  };
}

export type MoveChoices = ReturnType<typeof createMoveChoices>;

/** `changed` if the move already has another revision, or is running; `places` if the registry here must be read again */
type Applied = 'applied' | 'changed' | 'places';

export function createMoveChoices(database: Database, clock: Clock, moves: Pick<Moves, 'choice'>) {
  const { build } = database;
  const apply = async (id: string, slices: Slices): Promise<Applied> => {
    const find = build.selectFrom('move').selectAll().where('id', '=', id).compile();
    const move = await database.get(find);
    if (move === undefined) return 'changed';
    if (move.unapplied === 0) return 'applied';
    const isOpen = sql<SqlBool>`unapplied = 1 and revision = ${move.revision} and state in (${sql.join(resting)})`;
    if (!(await applyChoice(database, move, await moves.choice(id), isOpen, slices)))
      return (await database.get(find))?.revision === move.revision ? 'applied' : 'changed';
    const moved = build
      .selectFrom('move_item')
      .select('id')
      .where('move_id', '=', id)
      .where('pass', '=', placeChanged)
      .limit(1);
    // The mark stays until their places are read.
    if ((await database.get(moved.compile())) !== undefined) return 'places';
    const done = build.updateTable('move').set({ unapplied: 0 }).where('id', '=', id).where(isOpen);
    await database.run(done.compile());
    return 'applied';
  };
  return {
    /** Stores a choice and applies it. */
    async choose(move: MoveRow, choice: MoveChoice, slices: Slices): Promise<Applied> {
      const isSame = sql<SqlBool>`id = ${move.id} and revision = ${move.revision} and state in (${sql.join(resting)})`;
      const [, changed] = await database.batch([
        build
          .updateTable('move_text')
          .set({ choice: JSON.stringify(choice) })
          .where('move_id', '=', move.id)
          .where(sql<SqlBool>`exists (select 1 from move where ${isSame})`)
          .compile(),
        build
          .updateTable('move')
          .set({
            unapplied: 1,
            revision: sql`revision + 1`,
            state: move.state === 'done' ? 'planned' : move.state,
            updated_at: clock.now(),
          })
          .where(isSame)
          .compile(),
      ]);
      return changed === 0 ? 'changed' : apply(move.id, slices);
    },
    /** Applies the stored choice unless that was done: a process may have ended between the two. */
    apply,
  };
}

/**
 * Applies its choice to all rows of a move, in transactions of some hundred rows.
 * @param isHeld the condition on the move's row under which this may change its rows
 * @returns false if the condition no longer held
 */
export async function applyChoice(
  database: Database,
  move: MoveRow,
  choice: MoveChoice,
  isHeld: RawBuilder<SqlBool>,
  slices: Slices,
): Promise<boolean> {
  const { build } = database;
  const only = sql<SqlBool>`exists (select 1 from move where id = ${move.id} and ${isHeld})`;
  // A write of the move's row, so that a transaction that ends the condition at the same time comes before or after.
  const held = build
    .updateTable('move')
    .set({ id: move.id })
    .where('id', '=', move.id)
    .where(isHeld)
    .compile();
  const write = async (queries: readonly CompiledQuery[]): Promise<readonly number[] | undefined> => {
    const [isStill, ...changed] = await database.batch([held, ...queries]);
    return isStill === 1 ? changed : undefined;
  };
  const hereOf = namesHere(choice);
  const chosenItems = new Set<string>();
  const names = new Set<string>();
  const ids = new Set(choice.items.ids);
  const allItems = build.selectFrom('move_item').selectAll().orderBy('name');
  for await (const part of partsOf(database, 'move_item', move.id, slices, rowsAtOnce)) {
    const changes: CompiledQuery[] = [];
    for (const item of await database.all(allItems.where(part).compile())) {
      await slices.giveWay();
      const name = hereOf(item.name);
      const isChosen = ids.has(item.id) === (choice.items.kind === 'only');
      const isDoubled = isChosen && names.has(name.toLowerCase());
      if (isChosen) names.add(name.toLowerCase());
      if (isChosen) chosenItems.add(item.id);
      const to = {
        ...(name !== item.name_here && {
          name_here: name,
          ...(item.pass > 0 && item.problem_code === null && { pass: placeChanged }),
        }),
        ...(Number(isChosen) !== item.chosen && { chosen: Number(isChosen) }),
        ...(isDoubled !== item.clashes.includes('"same-name"') && { clashes: clashesOf(item, isDoubled) }),
      };
      if (Object.keys(to).length > 0)
        changes.push(build.updateTable('move_item').set(to).where('id', '=', item.id).where(only).compile());
    }
    if (changes.length > 0 && (await write(changes)) === undefined) return false;
  }
  const compare = move.kind === 'boxes' ? compareVersions : compareModuleVersions;
  const { versions } = choice;
  const allVersions = build.selectFrom('move_version').select(['id', 'item_id', 'version', 'rank', 'chosen']);
  for await (const part of partsOf(database, 'move_version', move.id, slices, rowsAtOnce)) {
    const flips: Record<0 | 1, string[]> = { 0: [], 1: [] };
    for (const { id, item_id, version, rank, chosen } of await database.all(
      allVersions.where(part).compile(),
    )) {
      await slices.giveWay();
      const isIn =
        chosenItems.has(item_id) &&
        (versions.kind === 'all' ||
          (versions.kind === 'newest' ? rank < versions.count : compare(version, versions.version) >= 0));
      if (Number(isIn) !== chosen) flips[isIn ? 1 : 0].push(id);
    }
    const flipped = ([0, 1] as const)
      .filter((to) => flips[to].length > 0)
      .map((to) =>
        build
          .updateTable('move_version')
          .set({ chosen: to })
          .where('id', 'in', flips[to])
          .where(only)
          .compile(),
      );
    if (flipped.length > 0 && (await write(flipped)) === undefined) return false;
  }
  const pieces = piecesOf(database, choice, only);
  for await (const part of partsOf(database, 'move_piece', move.id, slices, partSize))
    if ((await write([pieces(part)])) === undefined) return false;
  // A move without rows has none to change, but the condition may have ended all the same.
  return (await write([])) !== undefined;
}

/** Gives pieces the state that follows from the choice, once it is applied to items and versions. */
function piecesOf({ build }: Database, { providers, architectures }: MoveChoice, only: RawBuilder<SqlBool>) {
  const isDoubled = sql`exists (select 1 from move_item as i
    where i.id = move_piece.item_id and i.clashes like '%"same-name"%')`;
  const isIn = sql`exists (select 1 from move_version as v where v.id = move_piece.version_id and v.chosen = 1)`;
  const wanted = [isIn, ...oneOf('provider', providers), ...oneOf('architecture', architectures)];
  const state = sql<string>`case when ${isDoubled} then 'not-copied'
    when ${sql.join(wanted, sql` and `)} then 'missing' else 'left-out' end`;
  const change = build
    .updateTable('move_piece')
    .set({ state, detail: sql<string>`case when ${isDoubled} then ${sameName} else '' end` })
    .where('plan', '=', 'missing')
    .where('state', 'in', [...chosenStates])
    .where(sql<SqlBool>`state <> ${state}`)
    .where(only);
  return (part: RawBuilder<SqlBool>): CompiledQuery => change.where(part).compile();
}

function oneOf(column: 'provider' | 'architecture', names: readonly string[] | null) {
  if (names === null) return [];
  return [names.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} in (${sql.join(names)})`];
}

/** An item's clashes with, or without, the one of an item before it that has the same name here. */
function clashesOf({ clashes }: Pick<MoveItemRow, 'clashes'>, isDoubled: boolean): string {
  const others = z.parse(z.array(moveClash), JSON.parse(clashes)).filter(({ what }) => what !== 'same-name');
  const own = { what: 'same-name', detail: sameName, done: 'None of it is copied.' };
  return JSON.stringify(isDoubled ? [...others, own] : others);
}
