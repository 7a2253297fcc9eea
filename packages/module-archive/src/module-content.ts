/** An input variable. */
export interface Input {
  readonly name: string;
  /** As written; empty when the module leaves it open. */
  readonly type: string;
  readonly description: string;
  /** Empty for a required one; otherwise an expression of the language. */
  readonly default: string;
  readonly required: boolean;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  /** Whether it can be null. */
  readonly nullable: boolean;
  /** What the author says to those who still use it; empty where it is not deprecated. */
  readonly deprecated: string;
  readonly validations: readonly Validation[];
}

/** A condition that values of an input have to meet. */
export interface Validation {
  /** As written. */
  readonly condition: string;
  readonly message: string;
}

/** An output value. */
export interface Output {
  readonly name: string;
  readonly description: string;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  /** As of an input. */
  readonly deprecated: string;
}

/** Another module that is called. */
export interface Dependency {
  readonly name: string;
  readonly source: string;
  /** A constraint; empty for any. */
  readonly version: string;
}

/** A provider that is needed. */
export interface ProviderDependency {
  readonly name: string;
  readonly namespace: string;
  readonly source: string;
  /** A constraint; empty for any. */
  readonly version: string;
  /** Configurations that whoever calls the module has to pass to it: `aws.dns`. */
  readonly aliases: readonly string[];
}

/** A managed resource. */
export interface Resource {
  readonly name: string;
  readonly type: string;
}

/** What a folder of a module has. */
export interface ModuleFolder {
  /** Within the archive, `/` between names; empty for the root. */
  readonly path: string;
  readonly name: string;
  /** Markdown. */
  readonly readme: string;
  /** Whether it declares nothing. */
  readonly empty: boolean;
  /** Which versions of Terraform or OpenTofu can run it, a constraint; empty for any. */
  readonly required_version: string;
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
  readonly dependencies: readonly Dependency[];
  readonly provider_dependencies: readonly ProviderDependency[];
  readonly resources: readonly Resource[];
}

/** A file that could not be read. */
export interface Problem {
  readonly path: string;
  /** The parser's own. */
  readonly message: string;
}

/** What was read from an archive. */
export interface ModuleContent {
  readonly root: ModuleFolder;
  readonly submodules: readonly ModuleFolder[];
  readonly examples: readonly ModuleFolder[];
  /** None when all of it could be read. */
  readonly problems: readonly Problem[];
}
