/** An input variable. */
export interface Input {
  readonly name: string;
  /** As written; empty if the module doesn't set one. */
  readonly type: string;
  readonly description: string;
  /** Empty for a required input; otherwise an HCL expression. */
  readonly default: string;
  readonly required: boolean;
  readonly sensitive: boolean;
  readonly ephemeral: boolean;
  /** Whether the value can be null. */
  readonly nullable: boolean;
  /** The author's advice to current users; empty if it isn't deprecated. */
  readonly deprecated: string;
  readonly validations: readonly Validation[];
}

/** A condition that an input's values must meet. */
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
  /** As for an input. */
  readonly deprecated: string;
}

/** A called module. */
export interface Dependency {
  readonly name: string;
  readonly source: string;
  /** A version constraint; empty for any. */
  readonly version: string;
}

/** A required provider. */
export interface ProviderDependency {
  readonly name: string;
  readonly namespace: string;
  readonly source: string;
  /** A version constraint; empty for any. */
  readonly version: string;
  /** Configurations that callers must pass to the module: `aws.dns`. */
  readonly aliases: readonly string[];
}

/** A managed resource. */
export interface Resource {
  readonly name: string;
  readonly type: string;
}

/** The contents of a module's folder. */
export interface ModuleFolder {
  /** Path in the archive, with `/` between names; empty for the root. */
  readonly path: string;
  readonly name: string;
  /** Markdown. */
  readonly readme: string;
  /** Whether the folder declares nothing. */
  readonly empty: boolean;
  /** The versions of Terraform or OpenTofu that can run it, as a constraint; empty for any. */
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
  /** The parser's message. */
  readonly message: string;
}

/** The content of an archive. */
export interface ModuleContent {
  readonly root: ModuleFolder;
  readonly submodules: readonly ModuleFolder[];
  readonly examples: readonly ModuleFolder[];
  /** Empty if everything could be read. */
  readonly problems: readonly Problem[];
}
