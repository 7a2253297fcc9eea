import { appendFile } from 'node:fs/promises';

/** Takes a sign-in code to a person. */
export type CodeSender = ReturnType<typeof fileCodeSender>;

/** Appends codes to a file that its owner alone can read, one JSON object a line: for who has no gateway to phones. */
export function fileCodeSender(file: string) {
  return {
    /** @throws when it could not be handed over */
    send: (message: {
      readonly username: string;
      /** The person's phone number. */
      readonly phone: string;
      readonly code: string;
    }): Promise<void> => appendFile(file, `${JSON.stringify(message)}\n`, { mode: 0o600 }),
  };
}
