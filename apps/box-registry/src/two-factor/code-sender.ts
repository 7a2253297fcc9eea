import { appendFile } from 'node:fs/promises';

/** Sends a sign-in code to a user. */
export type CodeSender = ReturnType<typeof fileCodeSender>;

/**
 * Appends codes to a file that only its owner can read, one JSON object per line: for installations without an SMS
 * gateway.
 */
export function fileCodeSender(file: string) {
  return {
    /** @throws if the code can't be handed over */
    send: (message: {
      readonly username: string;
      /** The user's phone number. */
      readonly phone: string;
      readonly code: string;
    }): Promise<void> => appendFile(file, `${JSON.stringify(message)}\n`, { mode: 0o600 }),
  };
}
