/** What needs attention in an environment, found in what each service reports. */
import type { BoxSummary } from '@gatehouse/api-types/console/boxes';
import type { CredentialStore } from '@gatehouse/api-types/console/credential-sources';
import { isBreaking, isPrerelease } from '@gatehouse/api-types/console/module-values';
import type { ModuleSummary } from '@gatehouse/api-types/console/modules';
import type { PluginSummary } from '@gatehouse/api-types/console/plugins';
import type {
  ReplicationSecondary,
  ReplicationStatus,
} from '@gatehouse/api-types/console/replication-status';
import type { SecretDate } from '@gatehouse/api-types/console/secret-metadata';
import type { Connection, Session } from '@gatehouse/api-types/console/session';
import { staleFirst, type ModuleConsumer } from '#components/downloads/consumer-order.ts';
import { connectionWords } from '#components/layout/connection-words.ts';
import { versionHref } from '#components/places/boxes.ts';
import { storeHref, storesHref } from '#components/places/credential-sources.ts';
import { moduleHref, modulesHref } from '#components/places/modules.ts';
import { pluginHref, pluginsHref } from '#components/places/plugins.ts';
import { replicationHref } from '#components/places/replication.ts';
import { fullName, secretHref, secretsHref } from '#components/places/secrets.ts';
import { pluginName, stateWords } from '#components/plugins/plugin-words.ts';
import type { KnownState } from '#components/plugins/states.ts';
import { endingBefore, formatSpan } from '#components/sessions/outlive.ts';
import { counted } from '#lib/counted.ts';
import { serviceLabels } from '#lib/error-words.ts';

export interface Matter {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  readonly href: string;
  /** The label of the link. */
  readonly action: string;
}

/** More findings of a kind than this are one matter. */
const mostOfKind = 3;
/** A longer lag of a secondary, or silence, is listed, in ms. */
const lateMs = 60_000;
/** Tokens that expire sooner than this are listed, in ms. */
const soonMs = 30 * 60_000;
/** A consumer that has downloaded nothing for longer isn't listed, in ms. */
const consumingMs = 30 * 86_400_000;
/** Most consumers of a module that are named. */
const mostConsumers = 3;

/** Several matters as one, if there are too many of a kind. */
function together(
  matters: readonly Matter[],
  whole: Pick<Matter, 'title' | 'href' | 'action'>,
): readonly Matter[] {
  if (matters.length <= mostOfKind) return matters;
  const shown = matters.slice(0, mostOfKind).map(({ title }) => title);
  return [{ ...whole, id: whole.title, detail: `${shown.join('; ')}; …` }];
}

/** Services that can't be used, and tokens that expire soon. */
export function connectionMatters(
  environment: string,
  session: Session,
  connections: readonly Connection[],
  now: number,
): readonly Matter[] {
  const link = { href: `/${environment}/connections`, action: 'See connections' };
  const broken = connections
    .filter(({ state }) => state !== 'connected' && state !== 'no-access')
    .map(({ service, state, detail }): Matter => ({
      ...link,
      id: service,
      title: `${serviceLabels[service]}: ${connectionWords[state].word.toLowerCase()}`,
      detail:
        detail ??
        (state === 'not-connected' || state === 'expired'
          ? 'Connect to use its screens.'
          : "Its screens don't work until it is back."),
    }));
  const ending = endingBefore(session, connections)
    .map(({ connection }) => ({ connection, left: Date.parse(connection.expires_at ?? '') - now }))
    .filter(({ left }) => left < soonMs)
    .map(({ connection, left }): Matter => ({
      ...link,
      id: `${connection.service} ends`,
      title: `Your ${serviceLabels[connection.service].toLowerCase()} token expires in ${formatSpan(left)}`,
      detail: 'Reconnect before longer work.',
    }));
  return [
    ...together(broken, { ...link, title: `${counted(broken.length, 'service')} can't be used` }),
    ...ending,
  ];
}

/** Registered plugins that the server won't run. */
export function pluginMatters(
  environment: string,
  plugins: readonly (PluginSummary & { readonly state: KnownState | undefined })[],
): readonly Matter[] {
  const matters = plugins.flatMap(({ state, ...plugin }): readonly Matter[] => {
    if (state !== 'mismatch' && state !== 'missing') return [];
    const { word, about } = stateWords[state];
    return [
      {
        id: plugin.id,
        title: `Plugin ${pluginName(plugin)}: ${word.toLowerCase()}`,
        detail: about,
        href: pluginHref(environment, plugin.id),
        action: 'See plugin',
      },
    ];
  });
  return together(matters, {
    title: `${counted(matters.length, 'plugin')} can't run`,
    href: pluginsHref(environment),
    action: 'See plugins',
  });
}

/** Secrets whose dates have passed. */
export function secretMatters(
  environment: string,
  dates: readonly SecretDate[],
  now: number,
): readonly Matter[] {
  const matters = dates
    .filter(({ at }) => Date.parse(at) <= now)
    .map((date): Matter => {
      const since = formatSpan(now - Date.parse(date.at));
      return {
        id: `${date.mount}/${date.path} ${date.kind}`,
        title:
          date.kind === 'expires'
            ? `Secret ${fullName(date)} has expired`
            : `Secret ${fullName(date)} is due for rotation`,
        detail: `The date in its metadata passed ${since} ago.`,
        href: secretHref({ environment, ...date }),
        action: 'See secret',
      };
    });
  return together(matters, {
    title: `${counted(matters.length, 'secret')} expired or due for rotation`,
    href: secretsHref(environment),
    action: 'See secrets',
  });
}

/** Broken or slow links between clusters. */
export function replicationMatters(environment: string, status: ReplicationStatus): readonly Matter[] {
  const link = { href: replicationHref(environment), action: 'See replication' };
  if (status.mode === 'secondary') {
    const words =
      status.primary === null
        ? (['This cluster follows no primary', 'It was demoted, or made to forget its primary.'] as const)
        : status.connection === 'denied'
          ? ([
              'The primary refuses this cluster',
              status.connection_problem ?? 'Activate it again with a new token.',
            ] as const)
          : status.connection === 'disconnected'
            ? ([
                "This cluster can't reach its primary",
                status.connection_problem ?? 'Its data may be out of date.',
              ] as const)
            : lagWords('This cluster', status);
    return words === undefined ? [] : [{ ...link, id: 'replication', title: words[0], detail: words[1] }];
  }
  if (status.mode !== 'primary') return [];
  const matters = status.secondaries.flatMap((secondary): readonly Matter[] => {
    const words = secondaryWords(secondary);
    return words === undefined ? [] : [{ ...link, id: secondary.id, title: words[0], detail: words[1] }];
  });
  return together(matters, {
    ...link,
    title: `${counted(matters.length, 'secondary', 'secondaries')} with problems`,
  });
}

type Words = readonly [title: string, detail: string];

function secondaryWords(secondary: ReplicationSecondary): Words | undefined {
  const name = `Secondary ${secondary.id}`;
  if (secondary.connection === 'disconnected') {
    return secondary.cluster_id === null
      ? [`${name} has never connected`, "Its activation token hasn't been used yet."]
      : [`${name} is disconnected`, 'It continues where it stopped when it can reach this cluster again.'];
  }
  return lagWords(name, secondary);
}

function lagWords(
  name: string,
  {
    canary_age_ms: age,
    heartbeat_age_ms: silence,
  }: Pick<ReplicationSecondary, 'canary_age_ms' | 'heartbeat_age_ms'>,
): Words | undefined {
  if (age !== null && age > lateMs)
    return [`${name} lags by ${formatSpan(age)}`, 'Check the network between the two clusters.'];
  if (silence !== null && silence > lateMs)
    return [
      `${name}: no heartbeat for ${formatSpan(silence)}`,
      'Check the network between the two clusters.',
    ];
  return undefined;
}

/** Stores whose token ended, or couldn't be renewed. */
export function storeMatters(environment: string, stores: readonly CredentialStore[]): readonly Matter[] {
  return together(
    stores.map(({ id, name, attributes }) => {
      const status = attributes?.token_status;
      return {
        id,
        title:
          status === 'renewing'
            ? `The token of ${name || id} wasn't renewed`
            : `The token of ${name || id} ${status === 'expired' ? 'has expired' : 'was revoked'}`,
        detail:
          status === 'renewing'
            ? 'The controller retries until the token is renewed or expires.'
            : "Sessions on targets that use this store's libraries can't be authorized until it has a new token.",
        href: storeHref(environment, id),
        action: 'See store',
      };
    }),
    {
      title: `${counted(stores.length, 'credential store')} can't use their tokens`,
      href: storesHref(environment),
      action: 'See stores',
    },
  );
}

/** Released versions without all of their images. */
export function boxMatters(environment: string, boxes: readonly BoxSummary[]): readonly Matter[] {
  const matters = boxes.flatMap(({ tag, username, name, current_version: current }): readonly Matter[] => {
    const missing = current?.providers.filter(({ available }) => available === false) ?? [];
    if (current === null || missing.length === 0) return [];
    const names = new Intl.ListFormat('en').format([...new Set(missing.map((provider) => provider.name))]);
    return [
      {
        id: tag,
        title: `${tag} ${current.version} is released without ${missing.length === 1 ? 'its image' : 'its images'} for ${names}`,
        detail: 'Clients that ask for it get an error. Upload it, or delete the provider.',
        href: versionHref({ environment, username, name, version: current.version }),
        action: 'See version',
      },
    ];
  });
  return together(matters, {
    title: `${counted(matters.length, 'released version')} lack images`,
    href: `/${environment}/boxes?sort=updated`,
    action: 'See boxes',
  });
}

/** Consumers whose last download of a module is from before a breaking version. */
export function moduleMatters(
  environment: string,
  modules: readonly (Pick<ModuleSummary, 'namespace' | 'name' | 'provider' | 'version'> & {
    readonly consumers: readonly ModuleConsumer[];
  })[],
  now: number,
): readonly Matter[] {
  const matters = modules.flatMap(({ version: latest, consumers, ...place }): readonly Matter[] => {
    const since = new Date(now - consumingMs).toISOString();
    const behind = staleFirst(consumers).filter(
      ({ version, last_fetched_time: time }) => time > since && isBreaking(version, latest),
    );
    if (behind.length === 0 || isPrerelease(latest)) return [];
    const others = behind.length - mostConsumers;
    const named = [
      ...behind.slice(0, mostConsumers).map(({ token, version }) => `${version} by ${token}`),
      ...(others > 0 ? [counted(others, 'other')] : []),
    ];
    return [
      {
        id: `module ${place.namespace}/${place.name}/${place.provider}`,
        title: `${counted(behind.length, 'consumer')} of ${place.namespace}/${place.name}/${place.provider} ${behind.length === 1 ? 'is' : 'are'} behind a breaking version`,
        detail: `Latest: ${latest}. Last downloaded: ${new Intl.ListFormat('en').format(named)}.`,
        href: moduleHref({ environment, ...place }, { tab: 'downloads' }),
        action: 'See consumers',
      },
    ];
  });
  return together(matters, {
    title: `${counted(matters.length, 'module')} with consumers behind a breaking version`,
    href: modulesHref(environment),
    action: 'See modules',
  });
}

/** Changes of which the console doesn't know whether they were made. @param hasMore whether there are more than `count` */
export function unknownMatters(environment: string, count: number, hasMore: boolean): readonly Matter[] {
  if (count === 0) return [];
  return [
    {
      id: 'unknown',
      title: `${hasMore ? 'At least ' : ''}${counted(count, 'change')} with an unknown outcome`,
      detail: 'The answer was lost. Activity can check whether the change was made.',
      href: `/${environment}/activity?outcome=unknown`,
      action: 'See activity',
    },
  ];
}
