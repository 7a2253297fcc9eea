/** Fields, queries, problems and operations shared by the access controller's collections. */
import * as z from 'zod/mini';
import {
  defineRecord,
  type OperationDetails,
  type RecordDetails,
  type RecordEndpoints,
} from '../contract.ts';
import type { CollectionAddresses, Container } from './addresses/collection.ts';
import { atMost } from './at-most.ts';
import { asText } from './field-kinds.ts';
import type { ProblemCode } from './problem.ts';
import { scopeSummary } from './scopes.ts';
import { environmentId } from './service.ts';

/** Visible text: no control characters, line breaks or blank letters. */
const printable = /^[^\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** A required name. @param what the record in words, for example `A host set` */
export function nameOf(what: string) {
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${what} needs a name.`),
      atMost(512, 'A name must be 512 characters or fewer.'),
      z.regex(
        printable,
        'A name can only contain printable characters. Remove line breaks and control characters.',
      ),
    );
}

/** An optional name; a record without one is shown by its ID. */
export const optionalName = z
  .string()
  .check(
    z.trim(),
    atMost(512, 'A name must be 512 characters or fewer.'),
    z.regex(
      printable,
      'A name can only contain printable characters. Remove line breaks and control characters.',
    ),
  );

export const description = asText(
  z
    .string()
    .check(
      atMost(4096, 'A description must be 4,096 characters or fewer.'),
      z.regex(
        printable,
        'A description can only contain printable characters. Remove line breaks and control characters.',
      ),
    ),
);

/** The project of a new record. @param message what to do if it is missing */
export function projectId(message: string) {
  return z.string().check(z.regex(/^p_[0-9A-Za-z]{10,}$/, message));
}

/** Most rows of one page; the controller's own limit. */
export const pageLimit = 1000;

/** Filter and paging of a list. */
export const pageQuery = {
  /** A filter expression for the controller, for example `"/item/name" contains "db"`. */
  filter: z.optional(z.string()),
  page_size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(pageLimit))),
  page_token: z.optional(z.string()),
};

/** One page of a list. */
export function pageOf<Item extends z.ZodMiniType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** Present when more pages follow. */
    next_page_token: z.optional(z.string()),
    /** The controller's estimate, before filtering. */
    est_item_count: z.int(),
  });
}

/** The collections in a record and the caller's rights on them: `{hosts: ['create', 'list']}`. */
export const collectionActions = z.record(z.string(), z.array(z.string()));

/** How a set of references changes: members are added, removed, or replaced by the given ones. */
export const setAction = z.enum(['add', 'remove', 'set']);
export type SetAction = z.output<typeof setAction>;

/** IDs of the members to add, remove or set. */
export const members = z
  .array(z.string())
  .check(z.maxLength(10_000, 'You can change up to 10,000 members at a time.'));

/** Fields of every stored source. */
export const storedSource = {
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  scope: scopeSummary,
  /** A controller may have types that this console doesn't know. */
  type: z.string(),
  name: z.string(),
  description: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  /** What the caller may do with this record. */
  authorized_actions: z.array(z.string()),
};

/** Path parameters of a collection and of its records. */
export const environmentParams = z.strictObject({ environment: environmentId });
export const idParams = z.strictObject({ environment: environmentId, id: z.string() });

/** Problems that callers handle, by kind of operation. */
export const readErrors = [
  'unauthenticated',
  'not-connected',
  'no-access',
  'forbidden',
  'not-found',
] as const;
export const listErrors = [...readErrors, 'invalid-request'] as const;
export const createErrors = [...listErrors, 'outcome-unknown'] as const;
export const writeErrors = [...createErrors, 'conflict', 'revision-required'] as const;

/** Query and answer for a picker of a project's sources. @param choice schema of one source */
export function sourceSearch<Choice extends z.ZodMiniType>(choice: Choice) {
  return {
    params: environmentParams,
    query: z.strictObject({
      /** A project. */
      scope_id: z.string(),
      /** Text that the name, description or ID contains, in any case. */
      search: z.optional(z.string().check(z.maxLength(200))),
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(pageLimit))),
    }),
    response: z.object({
      items: z.array(choice),
      /** Whether more sources match than are returned; narrow the search. */
      more: z.boolean(),
    }),
    errors: listErrors,
  };
}

/** How a list is filtered by the parent of its records. */
const listQueries = {
  environment: z.strictObject(pageQuery),
  scope_id: z.strictObject({
    /** A project; any scope with `recursive`. */
    scope_id: z.string(),
    recursive: z.optional(z.stringbool()),
    ...pageQuery,
  }),
  host_catalog_id: z.strictObject({ host_catalog_id: z.string(), ...pageQuery }),
  credential_store_id: z.strictObject({ credential_store_id: z.string(), ...pageQuery }),
} satisfies Readonly<Record<Container, z.ZodMiniType>>;

type Summary = Pick<OperationDetails, 'summary'>;

interface CollectionDetails<
  Item extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Changes extends z.ZodMiniType,
> extends Pick<RecordDetails<never, never, Item, New, Changes>, 'record' | 'fields' | 'changes'> {
  readonly list: Summary;
  readonly get: Summary;
  readonly create: Summary;
  readonly update: Summary;
  readonly delete: Summary;
}

/** Declares the five operations of a collection: paged list, get, create, and guarded update and delete. */
// @__NO_SIDE_EFFECTS__
export function defineCollection<
  A extends CollectionAddresses<string, string, Container>,
  Item extends z.ZodMiniType,
  New extends z.ZodMiniType,
  Changes extends z.ZodMiniType,
>(
  at: A,
  details: CollectionDetails<Item, New, Changes>,
): RecordEndpoints<A, typeof environmentParams, typeof idParams, Item, New, Changes> & {
  readonly list: A['list'] & {
    readonly summary: string;
    readonly errors: readonly ProblemCode[];
    readonly params: typeof environmentParams;
    readonly query: (typeof listQueries)[A['list']['container']];
    readonly response: ReturnType<typeof pageOf<Item>>;
  };
} {
  const container: A['list']['container'] = at.list.container;
  return {
    list: {
      errors: listErrors,
      ...at.list,
      ...details.list,
      params: environmentParams,
      query: listQueries[container],
      response: pageOf(details.record),
    },
    ...defineRecord(at, {
      place: environmentParams,
      one: idParams,
      record: details.record,
      fields: details.fields,
      changes: details.changes,
      get: { errors: readErrors, ...details.get },
      create: { errors: createErrors, ...details.create },
      update: { errors: writeErrors, ...details.update },
      delete: { errors: writeErrors, ...details.delete },
    }),
  };
}
