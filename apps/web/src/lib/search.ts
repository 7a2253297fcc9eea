/**
 * The search parameters of each screen, declared once: how they are parsed, and their types. The entry, which
 * all users load, contains the declarations of all screens, so they need no other code.
 */

/** Parses a value from text; undefined if it is invalid. */
export type Param<Value> = (text: string) => Value | undefined;

type Params = Readonly<Record<string, Param<unknown>>>;
type Values<Declared extends Params> = {
  readonly [Name in keyof Declared]?: Exclude<ReturnType<Declared[Name]>, undefined>;
};

export interface Search<Declared extends Params> {
  /** For another search that extends this one. */
  readonly params: Declared;
  /** Parses the router's search object. Invalid values are omitted, so that old links still work. */
  readonly parse: (given: Readonly<Record<string, unknown>>) => Values<Declared>;
}

/** The parsed parameters of a search. */
export type SearchOf<Declared extends Search<Params>> = ReturnType<Declared['parse']>;

/**
 * Declares the search parameters of a screen: `searchOf({ q: words, sort: order })`.
 * @param settle adjusts parameters that depend on each other
 */
export function searchOf<Declared extends Params>(
  params: Declared,
  settle: (values: Values<Declared>) => NoInfer<Values<Declared>> = (values) => values,
): Search<Declared> {
  return {
    params,
    parse: (given) => {
      const values: Record<string, unknown> = {};
      for (const [name, read] of Object.entries(params)) {
        const raw = given[name];
        // The router parses `42` and `true` as JSON.
        if (!/^(?:string|number|boolean)$/.test(typeof raw)) continue;
        const value = read(String(raw));
        if (value !== undefined) values[name] = value;
      }
      return settle(values as Values<Declared>);
    },
  };
}

/** A text that matches a pattern. */
export function matching(pattern: RegExp): Param<string> {
  return (text) => (pattern.test(text) ? text : undefined);
}

/** Search text. */
export const words = matching(/^.{1,256}$/su);
export const recordId = matching(/^[A-Za-z0-9_]{1,64}$/);
/** A column's ID, preceded by `-` for descending order. */
export const order = matching(/^-?[a-z_]{1,40}$/);

/** RFC 3339. */
export const time: Param<string> = (text) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;

export function oneOf<Value extends string>(...known: readonly Value[]): Param<Value> {
  return (text) => known.find((value) => value === text);
}

/** A switch that is off by default. */
export const on: Param<true> = (text) => (text === 'true' ? true : undefined);
/** A switch that is on by default. */
export const off: Param<false> = (text) => (text === 'false' ? false : undefined);

/** A whole number within bounds. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Param<number> {
  return (text) => {
    const value = Number(text);
    return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  };
}

/** Omits the default value. */
export function unless<Value>(usual: Value, read: Param<Value>): Param<Value> {
  return (text) => {
    const value = read(text);
    return value === usual ? undefined : value;
  };
}

/** A value that one of two parsers accepts. */
export function either<First, Second>(first: Param<First>, second: Param<Second>): Param<First | Second> {
  return (text) => first(text) ?? second(text);
}

/** Parameters of every list. */
export const listSearch = searchOf({
  /** Search text. */
  q: words,
  sort: order,
});
export type ListSearch = SearchOf<typeof listSearch>;
