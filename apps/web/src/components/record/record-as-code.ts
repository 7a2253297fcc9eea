/** Records of the access controller as code for its clients: command line, API, Terraform provider. */
import type { Revised } from '#queries/records.ts';
import {
  changesNote,
  codeSetUp,
  curlCommand,
  hclBlock,
  hclName,
  hclString,
  shellCommand,
  shellWord,
  type CodeForms,
  type HclValue,
  type NewCode,
} from '../form/as-code.ts';
import type { EditCode } from './record-kind.ts';

const variables = { addressVariable: 'BOUNDARY_ADDR', tokenVariable: 'BOUNDARY_TOKEN' } as const;

/** The names of a kind of records in each client. */
export interface CodeNames {
  /** In the API: `host-sets`. */
  readonly collection: string;
  /** On the command line: `host-sets`, with the type if it requires one: `static`. */
  readonly command: string;
  readonly type: string;
  /** The type in the API, if it differs. */
  readonly wireType?: string;
  /** In the Terraform provider: `boundary_host_set_static`. */
  readonly resource: string;
  /** Command-line flags that differ from the field's name with hyphens. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Fields besides `attributes` that hold maps of texts. */
  readonly maps?: readonly string[];
  /** Fields that the contract declares secret: their values are never written. */
  readonly secrets?: ReadonlySet<string>;
  /** Where the command line reads a secret from, if not from the variable named like the field. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** A text, a switch, or a map of texts. */
type CodeValue = string | boolean | Readonly<Record<string, string>>;
type Fields = Readonly<Record<string, CodeValue>>;

export interface CodeRecord {
  /** The container's fields: `{ host_catalog_id: … }`. */
  readonly place: Fields;
  readonly fields: Fields;
  /** Fields under `attributes` in the API. */
  readonly attributes?: Fields;
}

function isSet(value: CodeValue): boolean {
  return typeof value === 'object'
    ? Object.values(value).some((text) => text !== '')
    : value !== '' && value !== false;
}

function setOf(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => isSet(value))
      .map(([name, value]) => [name, typeof value === 'object' ? setTexts(value) : value]),
  );
}

function setTexts(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function flags({ secrets, sources = {}, flags: own = {} }: CodeNames, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const flag = `-${own[name] ?? name.replaceAll('_', '-')}`;
    if (secrets?.has(name)) return [`${flag}=${sources[name] ?? `env://${name.toUpperCase()}`}`];
    if (typeof value === 'object')
      return Object.entries(value).map(
        ([key, text]) => `${flag}=${shellWord(`${key}=${text === '' ? 'null' : text}`)}`,
      );
    return [`${flag}=${shellWord(value === '' ? 'null' : String(value))}`];
  });
}

/** Replaces secrets by placeholders. */
function withoutSecrets({ secrets }: CodeNames, fields: Fields): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secrets?.has(name) ? `<${name.replaceAll('_', ' ')}>` : value,
    ]),
  );
}

/** Empty texts clear a field: null in the API. */
function cleared(fields: Fields): Readonly<Record<string, unknown>> {
  const orNull = (text: CodeValue): CodeValue | null => (text === '' ? null : text);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, orNull(text)]))
        : orNull(value),
    ]),
  );
}

/**
 * The values of a form: fields and `attributes`. HMACs of secrets are omitted.
 * @param maps fields besides `attributes` that hold maps of texts
 */
export function codeFieldsOf(
  values: unknown,
  maps: readonly string[] = [],
): { fields: Fields; attributes: Fields } {
  const members = new Map<string, unknown>(
    Object.entries(typeof values === 'object' && values !== null ? values : {}),
  );
  const held = maps.flatMap((name) => {
    const texts = textsOf(members.get(name));
    return Object.keys(texts).length === 0 ? [] : [[name, texts] as const];
  });
  return {
    fields: { ...plainOf(values), ...Object.fromEntries(held) },
    attributes: plainOf(members.get('attributes')),
  };
}

function plainOf(from: unknown): Readonly<Record<string, string | boolean>> {
  return Object.fromEntries(
    Object.entries(typeof from === 'object' && from !== null ? from : {}).filter(
      (entry): entry is [string, string | boolean] =>
        (typeof entry[1] === 'string' || typeof entry[1] === 'boolean') && !entry[0].endsWith('_hmac'),
    ),
  );
}

function textsOf(from: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(plainOf(from)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** Code that creates a record. */
export function createAsCode(names: CodeNames, { place, fields, attributes = {} }: CodeRecord): CodeForms {
  const [held, set, setAttributes] = [setOf(place), setOf(fields), setOf(attributes)];
  return {
    cli: shellCommand(`boundary ${names.command} create ${names.type}`, [
      ...flags(names, { ...held, ...set, ...setAttributes }),
    ]),
    http: curlCommand({
      ...variables,
      method: 'POST',
      path: `/v1/${names.collection}`,
      body: {
        ...held,
        type: names.wireType ?? names.type,
        ...set,
        ...(Object.keys(setAttributes).length > 0 && {
          attributes: withoutSecrets(names, setAttributes),
        }),
      },
    }),
    terraform: block(names, { ...held, ...set, ...setAttributes }),
  };
}

/** Code that makes changes; the Terraform block is the whole record after them. */
export function updateAsCode(
  names: CodeNames,
  { id, revision }: { readonly id: string; readonly revision: string },
  changes: Pick<CodeRecord, 'fields' | 'attributes'>,
  after: CodeRecord,
): CodeForms {
  return {
    cli: shellCommand(`boundary ${names.command} update ${names.type}`, [
      `-id=${shellWord(id)}`,
      `-version=${revision}`,
      ...flags(names, { ...changes.fields, ...changes.attributes }),
    ]),
    http: curlCommand({
      ...variables,
      method: 'PATCH',
      path: `/v1/${names.collection}/${id}`,
      body: {
        version: Number(revision),
        ...cleared(changes.fields),
        ...(changes.attributes &&
          Object.keys(changes.attributes).length > 0 && {
            attributes: withoutSecrets(names, changes.attributes),
          }),
      },
    }),
    terraform: block(names, setOf({ ...after.place, ...after.fields, ...after.attributes })),
  };
}

/**
 * The code for edits of a kind.
 * @param placedOf the record's names in the clients, and the fields of its container
 */
export function editAsCode<Item extends Revised & { readonly id: string }>(
  placedOf: (item: Item) => {
    readonly names: CodeNames;
    readonly place: Readonly<Record<string, string>>;
  },
): EditCode<Item, unknown, unknown> {
  return {
    of: (changes, { item, values }) => {
      const { names, place } = placedOf(item);
      return updateAsCode(names, item, codeFieldsOf(changes, names.maps), {
        place,
        ...codeFieldsOf(values, names.maps),
      });
    },
    note: (hasChanges, { cli = '' }) =>
      `${changesNote(hasChanges, codeSetUp.access)}${hasChanges && /(?:env|file):\/\//.test(cli) ? ' Put each secret where env:// or file:// points.' : ''}`,
  };
}

/** The code for a new record, from the form's values. */
export function newAsCode(
  names: CodeNames,
  place: Readonly<Record<string, string>>,
  values: unknown,
): NewCode {
  return {
    forms: createAsCode(names, { place, ...codeFieldsOf(values, names.maps) }),
    setUp: codeSetUp.access,
  };
}

/** A set of references, as named by the clients. */
export interface CodeMembers {
  readonly collection: string;
  /** `set-hosts` */
  readonly action: string;
  /** The fields and their members. The command line has one flag per member. */
  readonly members: readonly {
    readonly field: string;
    readonly flag: string;
    readonly ids: readonly string[];
  }[];
}

/** Code that replaces the members of a set: command line and API. */
export function setMembersAsCode(
  { id, revision }: { readonly id: string; readonly revision: string },
  { collection, action, members }: CodeMembers,
): Pick<CodeForms, 'cli' | 'http'> {
  return {
    cli: shellCommand(`boundary ${collection} ${action}`, [
      `-id=${shellWord(id)}`,
      `-version=${revision}`,
      ...members.flatMap(({ flag, ids }) =>
        (ids.length === 0 ? ['null'] : ids).map((member) => `-${flag}=${shellWord(member)}`),
      ),
    ]),
    http: curlCommand({
      ...variables,
      method: 'POST',
      path: `/v1/${collection}/${id}:${action}`,
      body: {
        version: Number(revision),
        ...Object.fromEntries(members.map(({ field, ids }) => [field, ids])),
      },
    }),
  };
}

function block({ resource, secrets }: CodeNames, args: Fields): string {
  const values: Record<string, HclValue> = {};
  for (const [name, value] of Object.entries(args))
    values[name] = secrets?.has(name)
      ? { expression: `var.${name}` }
      : typeof value === 'object'
        ? { expression: mapOf(value) }
        : value;
  const label = args['name'];
  return hclBlock('resource', [resource, hclName(typeof label === 'string' ? label : 'this')], values);
}

function mapOf(texts: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(texts)
    .map(([name, text]) => `${name} = ${hclString(text)}`)
    .join(', ')} }`;
}
