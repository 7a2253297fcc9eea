import path from 'node:path';
import { createService as createAccessController } from '@gatehouse/access-controller';
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

const minute = 60_000;
const day = 24 * 60 * minute;

/** When the estates began, in days before the demo starts: somebody creates them, others change them later. */
const beginning = 93;

/**
 * The estates, the largest first; a seed each, so that they differ and stay the same; days of work, days ago; which part
 * of the planned downloads of boxes there were.
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

/**
 * The environments of the demo.
 * @param ports TCP ports of production's services; the others take free ones
 */
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

/** The services of an environment that are being filled, each under a clock of its own. */
interface Filled {
  readonly environment: EmbeddedEnvironment;
  readonly clocks: readonly TestClock[];
  readonly sockets: Required<EmbeddedOptions['sockets']>;
  readonly ids: EstateIds;
}

/** A service that is being filled: over TCP for the filling, over a socket for the console. */
interface Served {
  readonly door: Listening;
  readonly socketPath: string;
}

/** What the demo shows. */
export type Demo = ReturnType<typeof createDemo>;

/** Makes a demo of new folders. @param pluginDirectory of the environments; made when missing */
export function createDemo(pluginDirectory: string) {
  const estate = new Map<string, EstateIds>();
  let provider: Promise<CloudDouble> | undefined;
  let production: SecretsClient | undefined;
  return {
    /** Writes it, before anything opens. */
    prepare: async (parts: PreparedParts): Promise<void> => {
      for (const { environment, ids } of await fillEnvironments(parts)) estate.set(environment.id, ids);
    },
    /**
     * Fills what needs addresses: a cloud credentials engine with a provider that is this process, registered plugins, and
     * targets that take credentials from the secrets server of their environment. The secrets server of staging becomes a
     * secondary of production's.
     */
    link: async (parts: ExampleParts): Promise<void> => {
      const signInHere = () => signInToSecrets(parts.secretsUrl, parts.loginName, parts.password);
      const secrets = await signInHere();
      if (production !== undefined && parts.environment === 'staging') {
        // It has what production has.
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
    /** Stops the provider. */
    async close(): Promise<void> {
      await (await provider)?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Fills the environments with estates that several people have worked on for three months, the last days of it at the
 * console. Everything goes through the APIs of the services and of the console, under clocks that are set to
 * the time of each change; nothing but ids differs between two demos.
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
  // One for all of them: starting it takes longer than all that it reads here.
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

/** Everyone begins some days after one another. */
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
  /** Closes what is opened here. */
  readonly opened: AsyncDisposableStack;
}

async function fillEnvironment(
  { accounts, content, password, keyRing, runtimeDir, now, opened }: Filling,
  environment: PreparedParts['environments'][number],
  index: number,
): Promise<Filled> {
  const plan = estates.find(({ id }) => id === environment.id);
  if (plan === undefined) throw new Error(`there is no sample estate called ${environment.id}`);
  const begun = now - beginning * day;
  // One ring each: a server that is sealed wipes its own.
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
  // Without the well-known objects of an empty controller: the estate is all there is.
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

  // At the same time: publishing mostly waits for what reads the archives.
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

/** Creates the estate, which people change on the plan's days. */
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

/** The console over the filled environments, for people behind a proxy. @returns where it listens */
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

/** Lets the people of the story work. @param setClocks to so many minutes ago */
async function tell(
  origin: string,
  password: string,
  filled: readonly Filled[],
  setClocks: (ago: number) => void,
): Promise<void> {
  const notes = freshNotes();
  for (const { environment, ago, who: loginName, address, mistyped, work } of story) {
    const ids = filled.find((one) => one.environment.id === environment)?.ids;
    if (ids === undefined) throw new Error(`the demo has no environment called ${environment}`);
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
}
