import path from 'node:path';
import { createService as createAccessController } from '@gatehouse/access-controller';
import { endpoints } from '@gatehouse/api-types/console/endpoints';
import { createBff } from '@gatehouse/bff';
import type { Config } from '@gatehouse/bff/config/config';
import { embeddedConfig } from '@gatehouse/bff/config/embedded';
import type { EmbeddedOptions } from '@gatehouse/bff/config/embedded';
import { createService as createBoxRegistry } from '@gatehouse/box-registry';
import { startCloudDouble } from '@gatehouse/cloud-double/double';
import type { CloudDouble } from '@gatehouse/cloud-double/double';
import { contentReader } from '@gatehouse/module-archive/content-reader';
import type { ContentReader } from '@gatehouse/module-archive/content-reader';
import { createService as createModuleRegistry } from '@gatehouse/module-registry';
import { createService as createSecretsServer, installationSeed } from '@gatehouse/secrets-server';
import { openAccounts } from '@gatehouse/service-kit/accounts';
import type { AccountStore } from '@gatehouse/service-kit/accounts';
import { testClock } from '@gatehouse/service-kit/clock';
import type { TestClock } from '@gatehouse/service-kit/clock';
import { keyRingFromEnvironment } from '@gatehouse/service-kit/secret-box';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, Service } from '@gatehouse/service-kit/service';
import { signIn } from '../access-client.ts';
import type { AccessClient } from '../access-client.ts';
import { signInToBoxes } from '../boxes-client.ts';
import type { ExampleParts } from '../example-secrets.ts';
import { signInToSecrets } from '../secrets-client.ts';
import type { SecretsClient } from '../secrets-client.ts';
import type { EmbeddedEnvironment, PreparedParts } from '../stack.ts';
import { publishBoxes } from './boxes.ts';
import { configureCloud, issueCredentials, providerSeed } from './cloud.ts';
import { signInAtConsole } from './console-client.ts';
import { deskOf, refused } from './desk.ts';
import { sampleEstate } from './estate.ts';
import { changeTargets, createEstate } from './history.ts';
import type { EstateIds } from './history.ts';
import { linkSecrets } from './link-secrets.ts';
import { publishModules } from './modules.ts';
import { samplePeople } from './people.ts';
import { registerPlugins } from './plugins.ts';
import { seededRandom } from './random.ts';
import { addSecondary, enablePrimary, rehearseFailover } from './replication.ts';
import { writeSecrets } from './secrets.ts';
import { freshNotes, story } from './story.ts';
import { tourOf } from './tour.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** When the estates were created, in days before the demo starts. */
const beginning = 93;

/**
 * The estates, the largest first. Each has its own seed, so they differ from each other but not between demos.
 * `workingDays` are in days before the demo starts, `busy` is the share of the planned box downloads that happened.
 */
const estates = [
  {
    id: 'production',
    name: 'Production',
    kind: 'production',
    seed: 11,
    regions: ['eu-west', 'us-east', 'ap-south'],
    workingDays: [64, 31, 12, 5],
    busy: 1,
  },
  {
    id: 'staging',
    name: 'Staging',
    kind: 'staging',
    seed: 12,
    regions: ['eu-west', 'us-east'],
    workingDays: [31, 5],
    busy: 0.1,
  },
  {
    id: 'development',
    name: 'Development',
    kind: 'development',
    seed: 13,
    regions: ['eu-west'],
    workingDays: [12],
    busy: 0.1,
  },
] as const;

/** @param ports TCP ports of production's services; the other environments take free ones */
export function demoEnvironments(
  ports: Pick<Required<EmbeddedEnvironment>, 'accessPort' | 'secretsPort' | 'boxesPort' | 'modulesPort'>,
  pluginDirectory: string,
): readonly EmbeddedEnvironment[] {
  return estates.map(({ id, name, kind }) => ({
    id,
    name,
    kind,
    pluginDirectory,
    ...(kind === 'production' ? ports : { accessPort: 0 }),
  }));
}

/** A filled environment. Each service has its own clock. */
interface Filled {
  readonly environment: EmbeddedEnvironment;
  readonly clocks: readonly TestClock[];
  readonly sockets: Required<EmbeddedOptions['sockets']>;
  readonly ids: EstateIds;
}

/** A service that is being filled through TCP, and that the console reaches through a socket. */
interface Served {
  readonly door: Listening;
  readonly socketPath: string;
}

export type Demo = ReturnType<typeof createDemo>;

/** Creates the demo's data. @param pluginDirectory the plugin directory of all environments, created if missing */
export function createDemo(pluginDirectory: string) {
  const estate = new Map<string, EstateIds>();
  let provider: Promise<CloudDouble> | undefined;
  let production: SecretsClient | undefined;
  return {
    /** Fills the environments before the stack opens. */
    prepare: async (parts: PreparedParts): Promise<void> => {
      for (const { environment, ids } of await fillEnvironments(parts)) estate.set(environment.id, ids);
    },
    /**
     * Adds the data that needs the services' addresses: a cloud credentials engine with a provider in this process,
     * registered plugins, and targets with credentials from their environment's secrets server. Makes the secrets
     * server of staging a secondary of production's.
     */
    link: async (parts: ExampleParts): Promise<void> => {
      const signInHere = () => signInToSecrets(parts.secretsUrl, parts.loginName, parts.password);
      const secrets = await signInHere();
      if (production !== undefined && parts.environment === 'staging') {
        // Staging gets the engine and the plugins from production.
        await addSecondary(production, secrets, parts.environment, signInHere);
      } else {
        provider ??= startCloudDouble({ seed: providerSeed });
        await configureCloud(secrets, (await provider).url);
        await issueCredentials(secrets);
        await registerPlugins(secrets, pluginDirectory);
        if (parts.environment === 'production') production = secrets;
      }
      const ids = estate.get(parts.environment);
      if (ids !== undefined) await linkSecrets(parts, ids);
    },
    /** Stops the cloud provider. */
    async close(): Promise<void> {
      await (await provider)?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Fills the environments with estates that several users have worked on for three months, the last days at the
 * console. All changes go through the APIs of the services and of the console, with clocks set to the time of each
 * change. Two demos differ only in IDs.
 */
async function fillEnvironments(parts: PreparedParts): Promise<readonly Filled[]> {
  const { password } = parts;
  if (password === undefined) throw new Error('sample data needs a new data folder');
  const now = Date.now();
  await using opened = new AsyncDisposableStack();
  const clock = testClock(now - beginning * day);
  const accounts = openAccounts({ file: parts.accountsFile, clock });
  opened.defer(() => accounts.close());
  await invite(accounts, password, clock);
  // One content reader for all environments, since starting it takes longer than all that it reads here.
  const content = contentReader();
  opened.defer(() => content.close());

  const filled = await Promise.all(
    parts.environments.map((environment, index) =>
      fillEnvironment({ ...parts, password, accounts, content, now, opened }, environment, index),
    ),
  );
  const clocks = [clock, ...filled.flatMap((one) => one.clocks)];
  const origin = await openConsole(parts, filled, clock, opened);
  await tell(origin, password, filled, (ago) => {
    const at = now - ago * minute;
    for (const one of clocks) one.advance(Math.max(0, at - one.now()));
  });
  return filled;
}

/** Creates the users, one per day. */
async function invite(accounts: AccountStore, password: string, clock: TestClock): Promise<void> {
  for (const person of samplePeople) {
    await accounts.create({ ...person, password });
    clock.advance(day);
  }
}

interface Filling extends PreparedParts {
  readonly password: string;
  readonly accounts: AccountStore;
  readonly content: ContentReader;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Closes everything that `fillEnvironment` opens. */
  readonly opened: AsyncDisposableStack;
}

async function fillEnvironment(
  { accounts, content, password, keyRing, runtimeDir, now, opened }: Filling,
  environment: PreparedParts['environments'][number],
  index: number,
): Promise<Filled> {
  const plan = estates.find(({ id }) => id === environment.id);
  if (plan === undefined) throw new Error(`no sample data exists for the environment ${environment.id}`);
  const begun = now - beginning * day;
  // A separate key ring per service, since a server that is sealed wipes its own.
  const keys = () =>
    keyRing === undefined ? {} : { keys: keyRingFromEnvironment('GATEHOUSE_KEYS', keyRing) };
  const { dataDir } = environment;
  const serve = async (name: string, service: Service): Promise<Served> => {
    opened.defer(() => service.close());
    const door = await listen(service, { host: '127.0.0.1', port: 0 });
    opened.defer(() => door.drain(0));
    const socketPath = path.join(runtimeDir, `${index}-demo-${name}.sock`);
    const socket = await listen(service, { socketPath });
    opened.defer(() => socket.drain(0));
    return { door, socketPath };
  };

  const modulesClock = testClock(begun);
  const modules = await serve(
    'modules',
    await createModuleRegistry({ dataDir, accounts, content, clock: modulesClock, ...keys() }),
  );

  const clock = testClock(begun);
  // An empty seed: the estate replaces the well-known records of a new controller.
  const controller = await createAccessController({ dataDir, accounts, clock, seed: [], ...keys() });
  const access = await serve('access', controller);

  const secretsClock = testClock(begun);
  const secretsServer = await createSecretsServer({
    dataDir,
    accounts,
    clock: secretsClock,
    seed: installationSeed,
    ...keys(),
  });
  const secrets = await serve('secrets', secretsServer);
  const keeper = await signInToSecrets(secrets.door.address, 'ines.moreau', password);
  if (plan.id === 'production') await enablePrimary(keeper);
  await writeSecrets(keeper, secretsClock, seededRandom(plan.seed), environment.id, now);
  if (plan.id === 'production') {
    const admin = await signInToSecrets(secrets.door.address, 'ines.moreau', password);
    await rehearseFailover(admin, secretsClock);
  }

  const boxesClock = testClock(begun);
  let boxes: Served | undefined;
  const registry = await createBoxRegistry({
    dataDir,
    accounts,
    clock: boxesClock,
    publicUrl: () => boxes?.door.address ?? '',
    ...keys(),
  });
  boxes = await serve('boxes', registry);
  const publisher = await signInToBoxes(boxes.door.address, 'ines.moreau', password);
  await publishBoxes(publisher, boxesClock, seededRandom(plan.seed), now, plan.busy);

  // In parallel, since publishing mostly waits for the content reader.
  const [ids] = await Promise.all([
    workOnEstate(plan, (loginName) => signIn(access.door.address, loginName, password), clock, now),
    publishModules(modules.door.address, password, modulesClock, now, plan.id === 'production'),
  ]);
  return {
    environment,
    clocks: [clock, secretsClock, boxesClock, modulesClock],
    sockets: {
      access: access.socketPath,
      secrets: secrets.socketPath,
      boxes: boxes.socketPath,
      modules: modules.socketPath,
    },
    ids,
  };
}

/** Creates the estate, and changes it on the plan's days. */
async function workOnEstate(
  { seed, regions, workingDays }: (typeof estates)[number],
  as: (loginName: string) => Promise<AccessClient>,
  clock: TestClock,
  now: number,
): Promise<EstateIds> {
  const random = seededRandom(seed);
  const ids = await createEstate(await as('ines.moreau'), sampleEstate(random, regions), clock, random);
  const targets = [...ids.targets.values()];
  for (const [index, ago] of workingDays.entries()) {
    clock.advance(Math.max(0, now - ago * day - clock.now()));
    const person = ['tomasz.wrona', 'priya.raman', 'mateus.lima'][index % 3] ?? 'tomasz.wrona';
    await changeTargets(await as(person), targets, clock, random);
  }
  return ids;
}

/** Opens a console for the filled environments, behind a trusted proxy. @returns where it listens */
async function openConsole(
  { dataDir, keyRing }: PreparedParts,
  filled: readonly Filled[],
  clock: TestClock,
  opened: AsyncDisposableStack,
): Promise<string> {
  const console = { host: '127.0.0.1', port: 0, allowedHosts: [], trustedProxies: ['127.0.0.1'] };
  const config: Config = {
    console,
    environments: filled.flatMap(
      ({ environment, sockets }) => embeddedConfig({ sockets, console, environment }).environments,
    ),
    keys: keyRing === undefined ? undefined : { variable: 'GATEHOUSE_KEYS', text: keyRing },
  };
  const bff = await createBff({ config, dataDir, clock });
  opened.defer(() => bff.close());
  const door = await listen(bff.handler, { host: '127.0.0.1', port: 0 });
  opened.defer(() => door.drain(0));
  return door.address;
}

/**
 * Runs the story's shifts, and prepares the first administrator's tour.
 * @param setClocks sets all clocks to this many minutes before the demo starts
 */
async function tell(
  origin: string,
  password: string,
  filled: readonly Filled[],
  setClocks: (ago: number) => void,
): Promise<void> {
  const notes = freshNotes();
  for (const { environment, ago, who: loginName, address, mistyped, work } of story) {
    const ids = filled.find((one) => one.environment.id === environment)?.ids;
    if (ids === undefined) throw new Error(`the demo has no environment ${environment}`);
    let left = ago;
    const pass = (minutes: number) => setClocks((left -= minutes));
    setClocks(left);
    const visitor = { environment, loginName, password, address };
    if (mistyped === true) {
      await refused('sign-in-failed', signInAtConsole(origin, { ...visitor, password: `${password}x` }));
      pass(1);
    }
    const console = await signInAtConsole(origin, visitor);
    pass(1);
    await work(deskOf(console, environment, ids, password), pass, notes);
    pass(1);
    await console.signOut();
  }
  setClocks(0);
  const visitor = { environment: 'production', loginName: 'admin', password, address: '127.0.0.1' };
  const console = await signInAtConsole(origin, visitor);
  const name = 'postgres-1 eu-west';
  const shown = filled.find((one) => one.environment.id === 'production')?.ids.targets.get(name);
  if (shown === undefined) throw new Error('the tour has no target');
  await console.call(endpoints.preferences.put, {
    params: { key: 'tour' },
    body: { value: tourOf(shown, name) },
  });
  await console.signOut();
}
