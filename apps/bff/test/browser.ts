import { Pool } from 'undici';

/** A complete answer. */
export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed JSON body. */
  readonly json: Record<string, unknown>;
}

/** Differences of a request from the page's usual ones. */
export interface BrowserRequest {
  readonly body?: unknown;
  readonly revision?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the page that are left out. */
  readonly without?: readonly string[];
}

/** The page in one browser: keeps the cookie, and sends what the page's client sends. */
export interface Browser {
  cookie: string | undefined;
  send(method: string, path: string, request?: BrowserRequest): Promise<BrowserAnswer>;
  close(): Promise<void>;
}

/** @param origin such as `http://127.0.0.1:49152` */
export function browser(origin: string): Browser {
  const pool = new Pool(origin, { connections: 8 });
  const self: Browser = {
    cookie: undefined,
    async send(method, path, request = {}) {
      const headers: Record<string, string> = {
        'x-gatehouse': 'console',
        'sec-fetch-site': 'same-origin',
        ...(self.cookie !== undefined && { cookie: self.cookie }),
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
        ...(request.revision !== undefined && { 'if-match': `"${request.revision}"` }),
        ...request.headers,
      };
      for (const name of request.without ?? []) delete headers[name];
      const answer = await pool.request({
        method,
        path,
        headers,
        body:
          request.body === undefined
            ? null
            : typeof request.body === 'string' || Buffer.isBuffer(request.body)
              ? request.body
              : JSON.stringify(request.body),
      });
      const text = await answer.body.text();
      const set = answer.headers['set-cookie'];
      const first = Array.isArray(set) ? set[0] : set;
      if (first !== undefined) self.cookie = first.includes('Max-Age=0') ? undefined : first.split(';')[0];
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text,
        json:
          text !== '' && /[/+]json\b/.test(String(answer.headers['content-type']))
            ? (JSON.parse(text) as Record<string, unknown>)
            : {},
      };
    },
    close: () => pool.destroy(),
  };
  return self;
}
