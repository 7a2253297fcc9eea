/** JSON as it is answered. */
export interface Wire {
  readonly [name: string]: unknown;
}

/** An answer of the server. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** As it came, byte for byte. */
  readonly text: string;
  /** Empty when the answer has none. */
  readonly body: Wire;
  /** Member `data` of the envelope; empty when there is none. */
  readonly data: Wire;
}

/** Sends requests with one token, or with none. Paths are below `/v1/`, encoded by the caller. */
export interface Client {
  readonly token: string | undefined;
  /** @param body a value, or JSON text that is sent as it is */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireAnswer>;
  read(path: string): Promise<WireAnswer>;
  list(path: string): Promise<WireAnswer>;
  write(path: string, body?: unknown): Promise<WireAnswer>;
  /** Sends a merge patch. */
  patch(path: string, body: unknown): Promise<WireAnswer>;
  delete(path: string): Promise<WireAnswer>;
}

/** A client that presents `token`, whatever it is. */
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
