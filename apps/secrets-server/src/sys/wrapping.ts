import type { Answer, Request, Route } from '../core/backend.ts';
import { checkValueSize, textField } from '../core/fields.ts';
import { JsonText } from '../core/json/json-text.ts';
import { badRequest } from '../core/refusal.ts';
import type { Refusal } from '../core/refusal.ts';
import { wireTime } from '../core/time.ts';
import { wrapInfo } from '../identity/authorizer.ts';
import type { Identity } from '../identity/identity.ts';
import { isWrappedCaller } from '../identity/wrapped-caller.ts';
import type { Wrapping } from '../store/wrappings.ts';

/** sys/wrapping: answers stored for one reading, so that only a token for them is sent. */
export function wrappingRoutes(identity: Identity): Route[] {
  const { wrappings } = identity;
  return [
    {
      path: 'wrapping/wrap',
      operations: { update: wrap },
    },
    {
      path: 'wrapping/unwrap',
      fields: ['token'],
      unknownToken: spent,
      operations: {
        update: async (request) => {
          const wrapping = wrappingOf(identity, request);
          // Only one of several simultaneous requests gets the answer.
          const answer = await wrappings.take(wrapping);
          if (answer === undefined) throw invalid();
          return { bare: new JsonText(answer.trimEnd()) };
        },
      },
    },
    {
      path: 'wrapping/lookup',
      fields: ['token'],
      withoutToken: true,
      tokenWelcome: true,
      operations: {
        update: (request) => {
          const { path, createdTime, ttl } = wrappingOf(identity, request);
          return {
            data: { creation_path: path, creation_time: wireTime(createdTime), creation_ttl: ttl },
          };
        },
      },
    },
    {
      path: 'wrapping/rewrap',
      fields: ['token'],
      unknownToken: spent,
      operations: {
        update: async (request) => {
          const rewrapped = await wrappings.rewrap(wrappingOf(identity, request), request.now);
          if (rewrapped === undefined) throw invalid();
          return { wrapInfo: wrapInfo(rewrapped.record, rewrapped.text) };
        },
      },
    },
  ];
}

/** Returns the body byte for byte, which is then wrapped like any answer. */
function wrap({ body, wrapTtl }: Request): Answer {
  if (wrapTtl === undefined) throw badRequest('endpoint requires response wrapping to be used');
  const members = Object.keys(body.values).map(
    (name) => `${JSON.stringify(name)}:${body.text(name) ?? 'null'}`,
  );
  const text = `{${members.join(',')}}`;
  checkValueSize(text);
  return { data: new JsonText(text) };
}

/** The wrapped answer of the token in the body, or else of the caller's own token. */
function wrappingOf({ wrappings }: Identity, { caller, body, namespace, now }: Request): Wrapping {
  const text = textField(body, 'token') ?? '';
  const own = isWrappedCaller(caller) ? caller.wrapping : undefined;
  const wrapping = text === '' ? own : wrappings.find(text, now);
  if (wrapping === undefined || wrapping.namespace !== namespace) throw invalid();
  return wrapping;
}

/**
 * The refusal of an unknown token presented as the caller's own: a wrapping token that was used, has expired or never
 * existed.
 */
function spent({ body }: Request): Refusal | undefined {
  return (textField(body, 'token') ?? '') === '' ? invalid() : undefined;
}

function invalid(): Refusal {
  return badRequest('wrapping token is not valid or does not exist');
}
