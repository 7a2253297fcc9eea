import { reasonFor, rungOf, type Harm } from '@gatehouse/api-types/console/harm';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { isSameServer } from '#config/config.ts';
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
  { params, session, service }: HarmfulCall,
  harm: Harm,
): Promise<ToldConnection | undefined> {
  if (session === undefined) return undefined;
  const about = config.environments.find(({ id }) => id === params['environment']);
  // A call outside environments requires the password of the sign-in.
  const environment = about ?? { id: session.environment, name: '', kind: '' };
  const isAskedHere = rungOf(harm, environment.kind === 'production') === 'password';
  if (!isAskedHere && rungOf(harm, true) !== 'password') return undefined;
  const account = accountToConfirm(session, await connections.of(session.id), environment.id, service);
  if (account?.confirmed_until != null && account.confirmed_until > clock.now()) return account;
  const reason = isAskedHere ? reasonFor(harm, environment) : await reasonElsewhere(environment.id);
  if (reason === undefined) return undefined;
  const isToken = (account ?? session).method === 'token';
  const where = about === undefined ? '' : ` in ${about.name}`;
  const name = account?.service as ServiceName | undefined;
  const whose = isToken ? name && ` for the ${nouns[name]}` : account && ` of ${account.login_name}`;
  throw new ProblemError(
    'confirmation-required',
    `The ${isToken ? 'token' : 'password'}${whose ?? ''}${where} is required because ${reason}.`,
    {
      environment: environment.id,
      ...(account !== undefined && {
        service: name,
        account: { login_name: account.login_name, method: isToken ? 'token' : 'password' },
      }),
    },
  );

  /** Why a production environment is affected too; undefined if none is. */
  async function reasonElsewhere(id: string): Promise<string | undefined> {
    const productions = config.environments.filter((one) => one.kind === 'production' && one.id !== id);
    const own = service === '' ? undefined : about?.services[service];
    if (service === '' || own === undefined || productions.length === 0) return undefined;
    if (service !== 'secrets') {
      const sharing = productions.find(({ services }) => isSameServer(own, services[service]));
      return sharing && reasonFor(harm, sharing);
    }
    const among = productions.map((one) => one.id);
    const replicas = await replicasOf(id, among);
    const replica = productions.find((one) => replicas?.environments.includes(one.id));
    if (replica !== undefined) return reasonFor(harm, replica);
    const perhaps = productions.find((one) => replicas?.unknown.includes(one.id));
    return perhaps && `${reasonFor(harm, perhaps)} that may have the same secrets`;
  }
}
