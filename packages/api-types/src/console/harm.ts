/**
 * The ladder of guards: what is required before an operation that can do harm. An operation declares its harm with its
 * address; the guard follows from the harm, the environment and the number of records. The page asks and says why; the
 * BFF also enforces the password.
 */

/** The damage that an operation can do. */
export type Harm =
  /** Something stops working until it is undone; nothing is lost. */
  | 'stops'
  /** Can't be undone, but no stored data is lost. */
  | 'final'
  /** Deletes records that someone can create again. */
  | 'loses'
  /** Deletes values or images, or ends a release; nobody can restore them. */
  | 'destroys'
  /** Clients immediately get, and keep, what is added to a release. */
  | 'reaches'
  /** Secrets leave the console in clear text. */
  | 'discloses'
  /** Gives someone a copy of all data. */
  | 'copies'
  /** Changes who can do what. */
  | 'rights'
  /** Removes an account, or a way to sign in to it. */
  | 'account'
  /** Changes a cluster's role in replication. */
  | 'cluster'
  /** Removes data from a cluster that another one doesn't have. */
  | 'wipes';

/** The guards, from the lightest to the heaviest. */
export type Rung =
  /** None; the operation runs immediately and can be undone. */
  | 'undo'
  /** A dialog that describes the effect. */
  | 'click'
  /** Typing the name. */
  | 'name'
  /**
   * The password (or token) of the acting account within the last five minutes; in most cases also the name
   * (`isNameTyped`).
   */
  | 'password';

/** How long an entered password counts, in milliseconds. */
export const passwordCountsMs = 5 * 60_000;

interface Guards {
  readonly elsewhere: Rung;
  readonly production: Rung;
  /** `This asks because …` */
  readonly because: string;
}

const ladder: Readonly<Record<Harm, Guards>> = {
  stops: { elsewhere: 'undo', production: 'click', because: "it affects others until it's undone" },
  final: { elsewhere: 'click', production: 'name', because: "this can't be undone" },
  loses: {
    elsewhere: 'click',
    production: 'password',
    because: 'what is deleted has to be created again by hand',
  },
  destroys: { elsewhere: 'name', production: 'password', because: 'nobody can restore what this deletes' },
  reaches: {
    elsewhere: 'name',
    production: 'password',
    because: "clients get what this adds to a release immediately, and it can't be recalled",
  },
  discloses: {
    elsewhere: 'click',
    production: 'password',
    because: 'secrets leave the console in clear text',
  },
  copies: {
    elsewhere: 'click',
    production: 'password',
    because: 'anyone with the token receives a copy of all replicated data',
  },
  rights: { elsewhere: 'password', production: 'password', because: 'this changes who can do what' },
  account: {
    elsewhere: 'password',
    production: 'password',
    because: 'this removes an account, or a way to sign in to it',
  },
  cluster: {
    elsewhere: 'name',
    production: 'password',
    because: 'this changes how clusters replicate',
  },
  wipes: {
    elsewhere: 'password',
    production: 'password',
    because: 'data that only this cluster has is removed from it',
  },
};

const raised: Readonly<Record<Rung, Rung>> = {
  undo: 'click',
  click: 'name',
  name: 'name',
  password: 'password',
};

/** The guard of an operation on `count` records at once. */
export function rungOf(harm: Harm, isProduction: boolean, count = 1): Rung {
  const rung = ladder[harm][isProduction ? 'production' : 'elsewhere'];
  return count > 1 ? raised[rung] : rung;
}

/** Whether the name must be typed. Rights can be restored and tokens revoked; other such harm can't be undone. */
export function isNameTyped(harm: Harm, rung: Rung): boolean {
  return rung === 'name' || (rung === 'password' && harm !== 'rights' && harm !== 'copies');
}

/** The reason to show after `because`; names the environment if its kind decides the guard. */
export function reasonFor(harm: Harm, environment: { readonly name: string; readonly kind: string }): string {
  const { because, elsewhere, production } = ladder[harm];
  return environment.kind === 'production' && elsewhere !== production
    ? `${because}, and ${environment.name} is a production environment`
    : because;
}

/** Whether an operation requires the password in some environment. */
export function mayAskForPassword(harm: Harm | undefined): boolean {
  return harm !== undefined && rungOf(harm, true) === 'password';
}
