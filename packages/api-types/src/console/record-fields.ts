/** What the collections of the access controller have in common: fields, queries, problems, the five operations. */
import * as z from 'zod/mini';
import {
  defineRecord,
  type OperationDetails,
  type RecordDetails,
  type RecordEndpoints,
} from '../contract.ts';
import type { CollectionAddresses, Container } from './addresses/collection.ts';
import { asText } from './field-kinds.ts';
import type { ProblemCode } from './problem.ts';
import { scopeSummary } from './scopes.ts';
import { environmentId } from './service.ts';

/** What people see: no control characters, no line breaks, no blank letters. */
const printable = /^[^\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]*$/u;

/** A name that a record must have. @param what the record in words, for example `A host set` */
export function nameOf(what: string) {
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${what} needs a name.`),
      z.maxLength(512, 'A name must be 512 characters or fewer.'),
      z.regex(
        printable,
        'A name can only contain printable characters. Remove line breaks and control characters.',
      ),
    );
}

/** A name that a record may go without: then it is shown by its id. */
export const optionalName = z
  .string()
  .check(
    z.trim(),
    z.maxLength(512, 'A name must be 512 characters or fewer.'),
    z.regex(
      printable,
      'A name can only contain printable characters. Remove line breaks and control characters.',
    ),
  );

export const description = asText(
  z
    .string()
    .check(
      z.maxLength(4096, 'A description must be 4,096 characters or fewer.'),
      z.regex(
        printable,
        'A description can only contain printable characters. Remove line breaks and control characters.',
      ),
    ),
);

/** A project, as the place of a new record. @param message what to do where there is none */
export function projectId(message: string) {
  return z.string().check(z.regex(/^p_[0-9A-Za-z]{10,}$/, message));
}

/** Rows of one page at most: the controller's own cap. */
export const pageLimit = 1000;

/** How a list is narrowed and paged. */
export const pageQuery = {
  /** A filter expression of the controller, for example `"/item/name" contains "db"`. */
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
    /** The controller's estimate before any filter. */
    est_item_count: z.int(),
  });
}

/** Collections below a record and what the caller may do in them: `{hosts: ['create', 'list']}`. */
export const collectionActions = z.record(z.string(), z.array(z.string()));

/** How a set of references is changed: members are added, removed, or replaced by exactly those that are given. */
export const setAction = z.enum(['add', 'remove', 'set']);
export type SetAction = z.output<typeof setAction>;

/** Ids of the members of a change. */
export const members = z
  .array(z.string())
  .check(z.maxLength(10_000, 'You can change up to 10,000 members at a time.'));

/** What every stored source tells of itself. */
export const storedSource = {
  id: z.string(),
  /** The controller's version, as an opaque string. */
  revision: z.string(),
  scope: scopeSummary,
  /** A controller may have others than this console knows. */
  type: z.string(),
  name: z.string(),
  description: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  /** What the caller may do with this record. */
  authorized_actions: z.array(z.string()),
};

/** The place of a collection, and of one of its records. */
export const environmentParams = z.strictObject({ environment: environmentId });
export const idParams = z.strictObject({ environment: environmentId, id: z.string() });

/** The problems that callers of an operation on records handle, by what it does. */
export const readErrors = ['unauthenticated', 'not-connected', 'forbidden', 'not-found'] as const;
export const listErrors = [...readErrors, 'invalid-request'] as const;
export const createErrors = [...listErrors, 'outcome-unknown'] as const;
export const writeErrors = [...createErrors, 'conflict', 'revision-required'] as const;

/** What a picker of a project's sources asks and is answered. @param choice one source */
export function sourceSearch<Choice extends z.ZodMiniType>(choice: Choice) {
  return {
    params: environmentParams,
    query: z.strictObject({
      /** A project. */
      scope_id: z.string(),
      /** Text that name, description or id holds, in any case. */
      search: z.optional(z.string().check(z.maxLength(200))),
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(pageLimit))),
    }),
    response: z.object({
      items: z.array(choice),
      /** Whether there are more than are answered: narrow the search. */
      more: z.boolean(),
    }),
    errors: listErrors,
  };
}

/** How a list is narrowed, by what holds its records. */
const listQueries = {
  environment: z.strictObject(pageQuery),
  scope_id: z.strictObject({
    /** A project; any scope with recursive. */
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

/**
 * Declares the five operations of a collection: lists page by page, creates, changes and deletes what the person saw.
 */
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
