import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { Request } from 'express';
import type { FieldFaults } from '../domain/refusal.ts';
import { Refusal } from '../domain/refusal.ts';

/** A JSON object as it was sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that a request carries. @throws Refusal `invalid argument` when its body is anything else */
export function readObject(req: Request): JsonObject {
  const body: unknown = req.body;
  if (isJsonObject(body)) return body;
  throw new Refusal('invalid argument', 'Error in provided request. The body must be a JSON object.');
}

/** Whether a change sets nothing. */
export function isEmptyChange(change: object): boolean {
  return Object.values(change).every((value) => value === undefined);
}

/**
 * Reads members of an object. A missing one is undefined, null is null; one of another type is noted as a fault and
 * read as undefined.
 */
export class MemberReader {
  readonly #object: JsonObject;
  readonly #faults: FieldFaults;
  readonly #prefix: string;

  /** @param prefix path of the object in the request, such as `attributes.`, for the names of faults */
  constructor(object: JsonObject, faults: FieldFaults, prefix = '') {
    this.#object = object;
    this.#faults = faults;
    this.#prefix = prefix;
  }

  string(name: string): string | null | undefined {
    return this.#read(name, isText, 'This field must be a string.');
  }

  /** A whole number that fits 53 bits. */
  integer(name: string): number | null | undefined {
    return this.#read(name, isInteger, 'This field must be an integer.');
  }

  boolean(name: string): boolean | null | undefined {
    return this.#read(name, isBoolean, 'This field must be true or false.');
  }

  object(name: string): JsonObject | null | undefined {
    return this.#read(name, isJsonObject, 'This field must be an object.');
  }

  strings(name: string): readonly string[] | null | undefined {
    return this.#read(name, isTexts, 'This field must be a list of strings.');
  }

  /** The version of an existing resource: a positive integer; undefined with a fault otherwise. */
  version(): number | undefined {
    const version = this.integer('version');
    if (typeof version === 'number' && version > 0) return version;
    this.#faults.add(`${this.#prefix}version`, 'Existing resource version is required for an update.');
    return undefined;
  }

  #read<Type>(name: string, is: (value: unknown) => value is Type, problem: string): Type | null | undefined {
    const sent = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    // A number in another notation, such as 22.0.
    const value = JSON.isRawJSON(sent) ? Number(JSON.stringify(sent)) : sent;
    if (value === undefined || value === null || is(value)) return value;
    this.#faults.add(this.#prefix + name, problem);
    return undefined;
  }
}

/** Half of a surrogate pair is no text: it could not be stored and answered as it was sent. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
