/** Applies the choice of a move to its rows by SQL, which decides the pieces to copy. */
import { compareVersions } from '@gatehouse/api-types/console/box-values';
import { compareModuleVersions } from '@gatehouse/api-types/console/module-values';
import { moveClash, type MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Clock } from '@gatehouse/service-kit/clock';
import { sql, type SqlBool } from 'kysely';
import * as z from 'zod/mini';
import { bigint, type Database } from '#store/database.ts';
import type { MoveRow } from '#store/schema.ts';
import { choiceOf } from '../rows/moves.ts';

/** States that follow from the plan and the choice. The others are outcomes of pieces. */
const chosenStates = ['missing', 'left-out', 'waiting', 'copying', 'not-copied'] as const;
/** Items processed at a time. */
const pageSize = 500;
const sameName = 'An earlier item already uses this name here.';

/** The name of an item here: its owner may have another name. */
export function nameHere(name: string, { owners }: Pick<MoveChoice, 'owners'>): string {
  const [owner = '', ...rest] = name.split('/');
  return [owners.find(({ from }) => from === owner)?.to ?? owner, ...rest].join('/');
}

export type MoveChoices = ReturnType<typeof createMoveChoices>;

export function createMoveChoices(database: Database, clock: Clock) {
  const { build } = database;
  return {
    /**
     * Stores a choice and applies it.
     * @returns `changed` if the move already has another revision, or is running; `places` if items get other names
     *   here, so the registry here must be read again
     */
    async choose(move: MoveRow, choice: MoveChoice): Promise<'applied' | 'changed' | 'places'> {
      const changed = await database.run(
        build
          .updateTable('move')
          .set({
            choice: JSON.stringify(choice),
            revision: sql`revision + 1`,
            state: move.state === 'done' ? 'planned' : move.state,
            updated_at: clock.now(),
          })
          .where('id', '=', move.id)
          .where('revision', '=', move.revision)
          .where('state', 'in', ['planned', 'paused', 'done'])
          .compile(),
      );
      if (changed === 0) return 'changed';
      const isMoved = await movePlaces(database, move.id, choice);
      await applyChoice(database, { ...move, choice: JSON.stringify(choice) });
      return isMoved ? 'places' : 'applied';
    },
  };
}

/** Gives items their names of a choice. @returns whether any name changed */
async function movePlaces(database: Database, moveId: string, choice: MoveChoice): Promise<boolean> {
  const { build } = database;
  let isMoved = false;
  for await (const page of itemPages(database, moveId)) {
    const rows = await database.all(
      build
        .selectFrom('move_item')
        .select(['id', 'name', 'name_here', 'pass', 'problem_code'])
        .where('id', 'in', page)
        .compile(),
    );
    const others = rows.filter(({ name, name_here }) => nameHere(name, choice) !== name_here);
    await database.batch(
      others.map(({ id, name, pass, problem_code }) =>
        build
          .updateTable('move_item')
          .set({
            name_here: nameHere(name, choice),
            pass: pass > 0 && problem_code === null ? placeChanged : pass,
          })
          .where('id', '=', id)
          .compile(),
      ),
    );
    isMoved ||= others.length > 0;
  }
  return isMoved;
}

/** Pass of an item whose place here changed: the registry here is read again, the source isn't. */
export const placeChanged = -1;

/** Applies the choice to all rows of a move, which must not be copying. */
export async function applyChoice(database: Database, move: MoveRow): Promise<void> {
  const { build } = database;
  const choice = choiceOf(move);
  const { id } = move;
  const { kind, ids } = choice.items;
  const isNamed = ids.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`id in (${sql.join(ids)})`;
  const ofItem = sql`(select i.chosen from move_item as i where i.id = move_version.item_id)`;
  const isChosen =
    choice.versions.kind === 'newest'
      ? sql<number>`case when rank < ${bigint(choice.versions.count)} then ${ofItem} else 0 end`
      : sql<number>`${ofItem}`;
  await database.batch([
    build
      .updateTable('move_item')
      .set({
        chosen: sql<number>`case when ${isNamed} then ${bigint(kind === 'only' ? 1 : 0)} else ${bigint(kind === 'only' ? 0 : 1)} end`,
      })
      .where('move_id', '=', id)
      .compile(),
    build
      .updateTable('move_version')
      .set({ chosen: isChosen })
      .where('move_id', '=', id)
      // Unchanged rows aren't written, because a plan may have a hundred thousand.
      .where(sql<SqlBool>`chosen <> ${isChosen}`)
      .compile(),
  ]);
  if (choice.versions.kind === 'since') await leaveOutBefore(database, move, choice.versions.version);
  const doubled = await findDoubled(database, id);
  const wanted = [
    sql<boolean>`exists (select 1 from move_version as v where v.id = move_piece.version_id and v.chosen = 1)`,
    ...(choice.providers === null ? [] : [oneOf('provider', choice.providers)]),
    ...(choice.architectures === null ? [] : [oneOf('architecture', choice.architectures)]),
  ];
  const isDoubled =
    doubled.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`item_id in (${sql.join(doubled)})`;
  const state = sql<string>`case when ${isDoubled} then 'not-copied' when ${sql.join(wanted, sql` and `)} then 'missing' else 'left-out' end`;
  await database.batch([
    build
      .updateTable('move_piece')
      .set({
        state,
        detail: sql<string>`case when ${isDoubled} then cast(${sameName} as text) else '' end`,
      })
      .where('move_id', '=', id)
      .where('plan', '=', 'missing')
      .where('state', 'in', [...chosenStates])
      .where(sql<SqlBool>`state <> ${state}`)
      .compile(),
  ]);
  await sayDoubled(database, id, new Set(doubled));
}

function oneOf(column: 'provider' | 'architecture', names: readonly string[]) {
  return names.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`${sql.ref(`move_piece.${column}`)} in (${sql.join(names)})`;
}

/** Leaves out the versions of each item before one, in the order of clients. */
async function leaveOutBefore(database: Database, move: MoveRow, first: string): Promise<void> {
  const { build } = database;
  const compare = move.kind === 'boxes' ? compareVersions : compareModuleVersions;
  for await (const page of itemPages(database, move.id)) {
    const versions = await database.all(
      build
        .selectFrom('move_version')
        .select(['id', 'version'])
        .where('item_id', 'in', page)
        .where('chosen', '=', 1)
        .compile(),
    );
    const before = versions.filter(({ version }) => compare(version, first) < 0).map(({ id }) => id);
    if (before.length === 0) continue;
    await database.run(
      build.updateTable('move_version').set({ chosen: 0 }).where('id', 'in', before).compile(),
    );
  }
}

async function* itemPages(database: Database, moveId: string): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const rows = await database.all(
      database.build
        .selectFrom('move_item')
        .select('id')
        .where('move_id', '=', moveId)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pageSize)
        .compile(),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows.map(({ id }) => id);
  }
}

/** Chosen items that would get the name of a chosen item before them. */
async function findDoubled(database: Database, moveId: string): Promise<string[]> {
  const rows = await database.all(
    sql<{ id: string; place: number }>`
      select id, row_number() over (partition by lower(name_here) order by name) as place
      from move_item where move_id = ${moveId} and chosen = 1 and lower(name_here) in (
        select lower(name_here) from move_item where move_id = ${moveId} and chosen = 1
        group by lower(name_here) having count(*) > 1)`.compile(database.build),
  );
  return rows.filter(({ place }) => place > 1).map(({ id }) => id);
}

/** Marks the items that get another item's name. */
async function sayDoubled(database: Database, moveId: string, doubled: ReadonlySet<string>): Promise<void> {
  const { build } = database;
  const told = await database.all(
    build
      .selectFrom('move_item')
      .select(['id', 'clashes'])
      .where('move_id', '=', moveId)
      .where((eb) =>
        doubled.size === 0
          ? eb('clashes', 'like', '%"same-name"%')
          : eb.or([eb('clashes', 'like', '%"same-name"%'), eb('id', 'in', [...doubled])]),
      )
      .compile(),
  );
  await database.batch(
    told.map(({ id, clashes }) => {
      const others = z
        .parse(z.array(moveClash), JSON.parse(clashes))
        .filter(({ what }) => what !== 'same-name');
      const own = { what: 'same-name', detail: sameName, done: 'None of it is copied.' };
      return build
        .updateTable('move_item')
        .set({ clashes: JSON.stringify(doubled.has(id) ? [...others, own] : others) })
        .where('id', '=', id)
        .compile();
    }),
  );
}
