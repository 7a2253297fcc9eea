import { reasonFor, rungOf, type Harm } from '@gatehouse/api-types/console/harm';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { RecordingGuard } from '#ground/call.ts';
import { ProblemError } from '#ground/problem.ts';
import { nouns } from '#ground/service-nouns.ts';
import { accountToConfirm } from '#session/confirmed.ts';
import type { ToldConnection } from '#session/connections.ts';
import type { ActiveSession } from '#session/session.ts';
import type { Context } from './context.ts';

interface HarmfulCall {
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly session: ActiveSession | undefined;
  readonly service: ServiceName | '';
  /** Whether a secrets server's replicas are changed too. */
  readonly isReplicated: boolean;
}

/** The guard of one call. */
export function guardOf(
  context: Pick<Context, 'clock' | 'config' | 'connections' | 'replicasOf'>,
  call: HarmfulCall,
): RecordingGuard {
  let isPassed = false;
  /** The account at each service whose token is used, or that confirmed the effect. */
  const accounts = new Map<string, string>();
  return {
    record: () => Promise.resolve(),
    async pass(harm) {
      const confirmed = harm === undefined ? undefined : await demandPassword(context, call, harm);
      if (confirmed !== undefined) this.actsAs(confirmed, confirmed.account_id);
      await this.record();
      isPassed = true;
    },
    actsAs({ environment, service }, accountId) {
      const place = `${environment}/${service}`;
      if ((accounts.get(place) ?? accountId) !== accountId)
        throw new ProblemError('not-connected', 'Another account has been connected. Try again.', {
          environment,
          service: service as ServiceName,
        });
      accounts.set(place, accountId);
    },
    get isPassed() {
      return isPassed;
    },
  };
}

/**
 * @param service where the effect is; empty for no service
 * @returns the account that confirmed the effect; undefined if none needs to
 * @throws ProblemError `confirmation-required` if the effect requires a recently entered password
 */
export async function demandPassword(
  {
    config,
    clock,
    connections,
    replicasOf,
  }: Pick<Context, 'clock' | 'config' | 'connections' | 'replicasOf'>,
  { params, session, service, isReplicated }: HarmfulCall,
  harm: Harm,
): Promise<ToldConnection | undefined> {
  if (session === undefined) return undefined;
  const about = config.environments.find(({ id }) => id === params['environment']);
  // A call outside environments requires the password of the sign-in.
  const environment = about ?? { id: session.environment, name: '', kind: '' };
  const strictest =
    rungOf(harm, environment.kind === 'production') === 'password'
      ? environment
      : await productionWith(environment.id);
  if (strictest === undefined) return undefined;
  const account = accountToConfirm(session, await connections.of(session.id), environment.id, service);
  if (account?.confirmed_until != null && account.confirmed_until > clock.now()) return account;
  const isToken = (account ?? session).method === 'token';
  const where = about === undefined ? '' : ` in ${about.name}`;
  const name = account?.service as ServiceName | undefined;
  const whose = isToken ? name && ` for the ${nouns[name]}` : account && ` of ${account.login_name}`;
  throw new ProblemError(
    'confirmation-required',
    `The ${isToken ? 'token' : 'password'}${whose ?? ''}${where} is required because ${reasonFor(harm, strictest)}.`,
    {
      environment: environment.id,
      ...(account !== undefined && {
        service: name,
        account: { login_name: account.login_name, method: isToken ? 'token' : 'password' },
      }),
    },
  );

  /** A production environment with a replica, if that matters. */
  async function productionWith(id: string) {
    if (!isReplicated || rungOf(harm, true) !== 'password') return undefined;
    const same = (await replicasOf(id))?.environments ?? [];
    return config.environments.find((one) => one.kind === 'production' && same.includes(one.id));
  }
}
