import type { Harm } from '@gatehouse/api-types/console/harm';
import type { SecretPlace } from '#queries/secrets.ts';
import type { MoveForm } from './move-form.ts';

export interface Preview {
  /** Secrets that will be written; undefined while unknown. */
  readonly count: number | undefined;
  /** Why the server would refuse it. */
  readonly problem: string | undefined;
  /** Undefined if harmless. */
  readonly harm?: Harm | undefined;
  /** What the destination's engine deletes later. */
  readonly laterLoss?: string | undefined;
  /** The newest version you saw, for a single secret. */
  readonly revision?: string;
}

export interface PreviewProps {
  place: SecretPlace;
  form: MoveForm;
  /** The destination is valid, and you have stopped typing. */
  isValid: boolean;
  onPreview: (preview: Preview) => void;
}
