/** JSON as it is answered. */
export interface Wire {
  readonly [name: string]: unknown;
}

/** An answer of a service. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty when the answer has none, or none that is JSON. */
  readonly body: Wire;
}

/** Sends requests with one token, or with none. Paths begin with a slash, encoded by the caller. */
export interface Client {
  readonly token: string | undefined;
  /** @param body a value, or text or bytes that are sent as they are */
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<WireAnswer>;
  get(path: string): Promise<WireAnswer>;
  post(path: string, body?: unknown): Promise<WireAnswer>;
  put(path: string, body?: unknown): Promise<WireAnswer>;
  delete(path: string, body?: unknown): Promise<WireAnswer>;
}

/** A client that presents `token`, whatever it is. */
export function clientOf(url: string, token: string | undefined): Client {
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body:
          typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text !== '' ? (JSON.parse(text) as Wire) : {},
    };
  };
  return {
    token,
    send,
    get: (path) => send('GET', path),
    post: (path, body) => send('POST', path, body),
    put: (path, body) => send('PUT', path, body),
    delete: (path, body) => send('DELETE', path, body),
  };
}
