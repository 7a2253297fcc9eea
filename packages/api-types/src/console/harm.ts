/**
 * The ladder of guards: what is asked before an operation that can do harm. With its address an operation declares the
 * harm; what is asked follows from that, from the environment, and from how much is hit at once. The page asks, and says
 * why; a password is asked for by the BFF as well.
 */

/** What an operation can do that its caller may regret. */
export type Harm =
  /** Something stops working until it is undone; nothing is lost. */
  | 'stops'
  /** Can't be undone, but nothing that is stored is lost. */
  | 'final'
  /** Records are lost that someone can create again. */
  | 'loses'
  /** Values or images are lost, or a release ends, and nobody can restore it. */
  | 'destroys'
  /** Clients get at once what is added to a release, and keep it. */
  | 'reaches'
  /** Secrets leave in clear text. */
  | 'discloses'
  /** A copy of all data is given away. */
  | 'copies'
  /** Decides who may do what. */
  | 'rights'
  /** Takes away an account, or how someone signs in to it. */
  | 'account'
  /** Changes what a cluster is to others that it replicates with. */
  | 'cluster'
  /** Clears all data of a cluster. */
  | 'wipes';

/** What is asked, from the lightest to the heaviest. */
export type Rung =
  /** Nothing: it is done at once, and can be undone. */
  | 'undo'
  /** One dialog that says what it does. */
  | 'click'
  /** The name, typed. */
  | 'name'
  /** The password (or token) of the account that acts, within the last five minutes; of most, the name too (`isNameTyped`). */
  | 'password';

/** How long a password that was entered again counts, in milliseconds. */
export const passwordCountsMs = 5 * 60_000;

interface Guards {
  readonly elsewhere: Rung;
  readonly production: Rung;
  /** `This asks because …` */
  readonly because: string;
}

const ladder: Readonly<Record<Harm, Guards>> = {
  stops: { elsewhere: 'undo', production: 'click', because: 'others notice it until it is undone' },
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
  wipes: { elsewhere: 'password', production: 'password', because: 'all data of the cluster is deleted' },
};

const raised: Readonly<Record<Rung, Rung>> = {
  undo: 'click',
  click: 'name',
  name: 'name',
  password: 'password',
};

/** What is asked before an operation that hits `count` records at once. */
export function rungOf(harm: Harm, isProduction: boolean, count = 1): Rung {
  const rung = ladder[harm][isProduction ? 'production' : 'elsewhere'];
  return count > 1 ? raised[rung] : rung;
}

/** Whether a name is typed: rights can be given back and tokens revoked, everything else at this height can't. */
export function isNameTyped(harm: Harm, rung: Rung): boolean {
  return rung === 'name' || (rung === 'password' && harm !== 'rights' && harm !== 'copies');
}

/** Why it is asked, to follow `because`; where an environment decides that, it is named. */
export function reasonFor(harm: Harm, environment: { readonly name: string; readonly kind: string }): string {
  const { because, elsewhere, production } = ladder[harm];
  return environment.kind === 'production' && elsewhere !== production
    ? `${because}, and ${environment.name} is a production environment`
    : because;
}

/** Whether an operation may ask for the password anywhere. */
export function mayAskForPassword(harm: Harm | undefined): boolean {
  return harm !== undefined && rungOf(harm, true) === 'password';
}
