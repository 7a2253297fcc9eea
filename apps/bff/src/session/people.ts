/** Who people are to the console: what they did and arranged is kept by their account, never by a name that can be given out again. */
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import { sql } from 'kysely';
import type { Database } from '#store/database.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';

/** Where somebody signs in. */
export interface SignInPlace {
  readonly environment: string;
  readonly service: ServiceName;
}

/** The id of the person whose account a service granted a token for: `<environment>/<service>/<account>`. */
export function personIdOf(
  { environment, service }: SignInPlace,
  { accountId, owner }: GrantedToken,
): string {
  return `${environment}/${service}/${owner?.id ?? accountId}`;
}

/** The account of a person's id, whichever service they signed in at. */
export function accountOf(personId: string): string {
  return personId.split('/').slice(2).join('/');
}

/** What earlier releases called the same person; undefined where they called them the same. */
function formerIdOf(place: SignInPlace, granted: GrantedToken): string | undefined {
  if (granted.owner === undefined) return undefined;
  const former = `${place.environment}/${place.service}/${granted.owner.formerKey}`;
  return former === personIdOf(place, granted) ? undefined : former;
}

/** Whether a person of a session, which may have begun under an earlier release, is the one whom a service knows. */
export function isPerson(personId: string, place: SignInPlace, granted: GrantedToken): boolean {
  return personId === personIdOf(place, granted) || personId === formerIdOf(place, granted);
}

/** Every id that an account of this installation may have in some environments. */
export function idsOfAccount(environments: readonly string[], accountId: string): readonly string[] {
  return environments.flatMap((environment) =>
    serviceNames.map((service) => `${environment}/${service}/${accountId}`),
  );
}

/**
 * Gives a person what an earlier release kept for them under a name, if it is provably theirs: the account is older than
 * the first trace of that name. Where an earlier account had the name, nothing of it is given to the one that has it now.
 */
export async function adoptFormer(
  database: Database,
  place: SignInPlace,
  granted: GrantedToken,
): Promise<void> {
  const { build } = database;
  const former = formerIdOf(place, granted);
  if (former === undefined || granted.owner === undefined) return;
  const personId = personIdOf(place, granted);
  const known = await database.get(
    build.selectFrom('person_alias').select('former_id').where('former_id', '=', former).compile(),
  );
  if (known !== undefined) return;
  const traces = await database.all(
    build
      .selectFrom('audit')
      .select((eb) => eb.fn.min('time').as('first'))
      .where('person_id', '=', former)
      .unionAll(
        build
          .selectFrom('publish_run')
          .select((eb) => eb.fn.min('created_at').as('first'))
          .where('person_id', '=', former),
      )
      .compile(),
  );
  const times = traces.flatMap(({ first }) => (first === null ? [] : [first]));
  if (times.length === 0 || Math.min(...times) < granted.owner.since) return;
  await database.batch([
    build
      .insertInto('person_alias')
      .values({ former_id: former, person_id: personId })
      .onConflict((conflict) => conflict.doNothing())
      .compile(),
    build
      .insertInto('preference')
      .columns(['person_id', 'key', 'value'])
      .expression((eb) =>
        eb
          .selectFrom('preference as old')
          .select([sql<string>`cast(${personId} as text)`.as('person_id'), 'old.key', 'old.value'])
          .where('old.person_id', '=', former)
          .where('old.key', 'not in', (own) =>
            own.selectFrom('preference as mine').select('mine.key').where('mine.person_id', '=', personId),
          ),
      )
      .compile(),
    build.deleteFrom('preference').where('person_id', '=', former).compile(),
    build.updateTable('publish_run').set({ person_id: personId }).where('person_id', '=', former).compile(),
    build
      .updateTable('publish_upload')
      .set({ person_id: personId })
      .where('person_id', '=', former)
      .compile(),
  ]);
}
