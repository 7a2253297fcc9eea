import { notReceived } from '#audit/became.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { limited } from '#session/limited-sign-in.ts';
import { checkAttempt } from '#shared/console/check-attempt.ts';
import { requestCode } from '#upstreams/box-registry/sign-in.ts';
import { askedBy } from '#upstreams/transport.ts';

const place = (environment: string) => ({ environment, service: 'boxes' }) as const;

export const requestTwoFactorCode: Operation<'boxTwoFactor.requestCode'> = audited(
  {
    address: ({ body }) => ({ environment: body.environment }),
    became: notReceived,
    precondition: (context, { body, caller }) =>
      checkAttempt(
        context,
        { ...place(body.environment), credentials: { method: 'password', ...body } },
        caller.address,
      ),
  },
  async (context, { body, caller }) => {
    const { environment, login_name: login, password, delivery_method } = body;
    const registry = askedBy(caller, context.directory.boxes(environment));
    const destination = await limited(
      context.limits,
      place(environment),
      { method: 'password', login_name: login, password },
      caller.address,
      () => requestCode(registry, { login, password }, delivery_method),
    );
    return { destination };
  },
);
