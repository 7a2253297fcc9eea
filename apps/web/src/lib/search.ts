/**
 * What an address says beside its path, declared once for each screen: how it is read, and its type. The entry that
 * everybody loads holds the declarations of all screens, so they need nothing but this.
 */

/** Reads one value, as text; undefined for what is not understood. */
export type Param<Value> = (text: string) => Value | undefined;

type Params = Readonly<Record<string, Param<unknown>>>;
type Values<Declared extends Params> = {
  readonly [Name in keyof Declared]?: Exclude<ReturnType<Declared[Name]>, undefined>;
};

export interface Search<Declared extends Params> {
  /** For another search that holds the same and more. */
  readonly params: Declared;
  /** Reads what the router makes of an address; what is not understood is left out: an old link still leads somewhere. */
  readonly parse: (given: Readonly<Record<string, unknown>>) => Values<Declared>;
}

/** What an address of a declared search may say. */
export type SearchOf<Declared extends Search<Params>> = ReturnType<Declared['parse']>;

/**
 * Declares the search parameters of a screen: `searchOf({ q: words, sort: order })`.
 * @param settle what one parameter says of another
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
        // The router reads `42` and `true` as what they are in JSON.
        if (!/^(?:string|number|boolean)$/.test(typeof raw)) continue;
        const value = read(String(raw));
        if (value !== undefined) values[name] = value;
      }
      return settle(values as Values<Declared>);
    },
  };
}

/** A text of a form. */
export function matching(pattern: RegExp): Param<string> {
  return (text) => (pattern.test(text) ? text : undefined);
}

/** What people type into a search. */
export const words = matching(/^.{1,256}$/su);
export const recordId = matching(/^[A-Za-z0-9_]{1,64}$/);
/** The id of a column, with `-` before it for descending. */
export const order = matching(/^-?[a-z_]{1,40}$/);

export function oneOf<Value extends string>(...known: readonly Value[]): Param<Value> {
  return (text) => known.find((value) => value === text);
}

/** A switch that is off unless the address says otherwise. */
export const on: Param<true> = (text) => (text === 'true' ? true : undefined);
/** A switch that is on unless the address says otherwise. */
export const off: Param<false> = (text) => (text === 'false' ? false : undefined);

/** A whole number in bounds. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): Param<number> {
  return (text) => {
    const value = Number(text);
    return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
  };
}

/** What holds without being said is left out. */
export function unless<Value>(usual: Value, read: Param<Value>): Param<Value> {
  return (text) => {
    const value = read(text);
    return value === usual ? undefined : value;
  };
}

/** What either of two understands. */
export function either<First, Second>(first: Param<First>, second: Param<Second>): Param<First | Second> {
  return (text) => first(text) ?? second(text);
}

/** What the address of every list may say. */
export const listSearch = searchOf({
  /** Words to search for. */
  q: words,
  sort: order,
});
export type ListSearch = SearchOf<typeof listSearch>;
