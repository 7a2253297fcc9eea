import { consoleHeader } from '@gatehouse/api-types/contract';
import { request } from 'undici';

/** The password of `admin` everywhere in a benchmark. */
export const password = 'bench-of-the-gatehouse';

/** The id of the environment that the console is given. */
export const environment = 'bench';

const pageHeaders = { [consoleHeader.name]: consoleHeader.value, 'sec-fetch-site': 'same-origin' };

/** Headers of a request to the console within a session. */
export function headersOfSession(cookie: string): Record<string, string> {
  return { cookie, ...pageHeaders };
}

/** The console's configuration: one environment with one service. */
export function configurationText(service: 'access' | 'secrets' | 'boxes', origin: string): string {
  return `environments:\n  - id: ${environment}\n    name: Bench\n    kind: development\n    services:\n      ${service}:\n        url: ${origin}\n`;
}

/**
 * Signs in to one service through the console. Answers the session's cookie.
 * @param to the environment
 * @param chosen the password of its `admin`
 */
export async function signInToConsole(
  origin: string,
  service: 'access' | 'secrets' | 'boxes',
  to = environment,
  chosen = password,
): Promise<string> {
  const answer = await request(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...pageHeaders },
    body: JSON.stringify({
      environment: to,
      service,
      credentials: { method: 'password', login_name: 'admin', password: chosen },
    }),
  });
  await answer.body.dump();
  const cookie = [answer.headers['set-cookie']].flat()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`The console did not sign in: ${answer.statusCode}`);
  return cookie;
}
