import type { Server, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { rateLimiter } from './rate-limit.ts';

/** Length of a record's header, which ends with the length of its content in two bytes. */
const headerBytes = 5;
/** Records below this size count for the limit of all connections, in bytes. */
const smallBytes = 512;
/** Small records accepted for every request, whatever other clients send, and bytes for each further one. */
const [alwaysSmall, bytesPerSmall] = [8, 4096];
/**
 * Limit for further small records of all TLS connections of this process. A change of the key, which looks like data,
 * takes about 16 µs.
 */
const ofAll = rateLimiter({ burst: 3_000, perSecond: 20_000 });
/** Records of any size accepted for a request, and required mean size of further ones, in bytes. */
const [mostRecords, meanBytes] = [3_072, 85];

/**
 * What a TLS server reads from so that connections that send too many small records are cut.
 * @returns wraps a connection before its handshake
 */
export function meterRecords(server: Server): (socket: Socket) => Duplex {
  server.on('secureConnection', (socket: Socket) => {
    const connection = meteredOf(socket);
    for (const name of ['remoteAddress', 'remotePort'] as const)
      Object.defineProperty(socket, name, { value: connection?.[name] });
  });
  return (socket) => new MeteredConnection(socket);
}

/** Counts a connection's records from zero, because a request has arrived. */
export function restartRecords(socket: Socket): void {
  meteredOf(socket)?.restart();
}

/** What an open TLS connection reads from, which Node keeps in undocumented properties. */
function meteredOf(socket: Socket): MeteredConnection | undefined {
  let found: unknown = socket;
  for (const name of ['_handle', '_parentWrap', 'stream'])
    found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  return found instanceof MeteredConnection ? found : undefined;
}

/**
 * What TLS reads instead of a connection itself, to cut the connection before too many records of a few bytes are
 * decrypted: OpenSSL processes all that it gets in one step, and doesn't report those that carry no data.
 */
class MeteredConnection extends Duplex {
  readonly #socket: Socket;
  readonly #header = Buffer.alloc(headerBytes);
  /** Bytes of the current header that have arrived, and of the record's content that have not. */
  #known = 0;
  #lacking = 0;
  /** Since the last request. */
  #records = 0;
  #small = 0;
  #bytes = 0;

  constructor(socket: Socket) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket
      .on('data', (bytes: Buffer) => {
        if (!this.#mayCome(bytes)) socket.destroy();
        else if (!this.push(bytes)) socket.pause();
      })
      .once('end', () => this.push(null))
      .once('error', (error) => this.destroy(error))
      .once('close', () => this.destroy());
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  /** Counts from zero, because a request has arrived. */
  restart(): void {
    this.#records = 0;
    this.#small = 0;
    this.#bytes = 0;
  }

  #mayCome(bytes: Buffer): boolean {
    this.#bytes += bytes.length;
    for (let at = 0; at < bytes.length;) {
      const length = Math.min(bytes.length - at, this.#lacking);
      this.#lacking -= length;
      at += length;
      if (at === bytes.length) return true;
      this.#header[this.#known] = bytes[at] ?? 0;
      this.#known += 1;
      at += 1;
      if (this.#known < headerBytes) continue;
      this.#known = 0;
      this.#lacking = this.#header.readUInt16BE(headerBytes - 2);
      if (!this.#mayBegin(this.#lacking)) return false;
    }
    return true;
  }

  #mayBegin(length: number): boolean {
    this.#records += 1;
    if (this.#records > mostRecords + this.#bytes / meanBytes) return false;
    if (length >= smallBytes) return true;
    this.#small += 1;
    return this.#small <= alwaysSmall + this.#bytes / bytesPerSmall || ofAll.take('').allowed;
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
