/** The JSON of an answer. */
export interface Wire {
  readonly [name: string]: unknown;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body byte for byte. */
  readonly text: string;
  /** Empty if the answer has no body. */
  readonly body: Wire;
  /** The member `data` of the envelope; empty if there is none. */
  readonly data: Wire;
}

/** Sends requests with or without a token. Paths are below `/v1/` and encoded by the caller. */
export interface Client {
  readonly token: string | undefined;
  /** @param body a value, or JSON text that is sent unchanged */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireAnswer>;
  read(path: string): Promise<WireAnswer>;
  list(path: string): Promise<WireAnswer>;
  write(path: string, body?: unknown): Promise<WireAnswer>;
  patch(path: string, body: unknown): Promise<WireAnswer>;
  delete(path: string): Promise<WireAnswer>;
}

/** Creates a client with a token, valid or not. */
export function clientOf(url: string, token: string | undefined): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${url}/v1/${path}`, {
      method,
      headers: {
        ...(token !== undefined && { 'x-vault-token': token }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = text === '' ? {} : (JSON.parse(text) as Wire);
    const { data } = parsed;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: parsed,
      data: typeof data === 'object' && data !== null ? (data as Wire) : {},
    };
  };
  return {
    token,
    send,
    read: (path) => send('GET', path),
    list: (path) => send('GET', `${path}${path.includes('?') ? '&' : '?'}list=true`),
    write: (path, body) => send('POST', path, body ?? {}),
    patch: (path, body) => send('PATCH', path, body, { 'content-type': 'application/merge-patch+json' }),
    delete: (path) => send('DELETE', path),
  };
}
