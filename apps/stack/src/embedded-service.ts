import { errorCode } from '@gatehouse/service-kit/error-code';
import type { InFront } from '@gatehouse/service-kit/run-alone';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, ListenTarget, Service } from '@gatehouse/service-kit/service';
import { StartError } from '@gatehouse/service-kit/start-error';

/** A service in this process, with a port and a socket. */
export type EmbeddedService = Awaited<ReturnType<typeof embedService>>;

export interface EmbeddedServiceOptions {
  /** Opens the service on its stored state. Called at every start. */
  readonly open: () => Promise<Service>;
  readonly host: string;
  readonly inFront: InFront;
  /** 0 takes a free port, and keeps it over restarts. */
  readonly port: number;
  /** The variable that sets the port, for the message if the port is taken. */
  readonly portVariable: string;
  readonly socketPath: string;
  /** How long pending requests may take when the service stops, in milliseconds. */
  readonly drainMs: number;
}

/** Starts a service on its port and on its socket. @throws {StartError} if the port can't be used */
export async function embedService(options: EmbeddedServiceOptions) {
  const { open, host, inFront, portVariable, socketPath, drainMs } = options;
  let port = options.port;

  const up = async () => {
    const service = await open();
    const doors: Listening[] = [];
    try {
      const tcp = await listenOrExplain(service, { host, port, ...inFront }, portVariable);
      doors.push(tcp);
      port = tcp.port;
      doors.push(await listen(service, { socketPath }));
      return { service, doors, url: tcp.address };
    } catch (error) {
      await Promise.all(doors.map((door) => door.drain(0)));
      await service.close();
      throw error;
    }
  };
  const first = await up();
  let running: Awaited<ReturnType<typeof up>> | undefined = first;

  return {
    name: first.service.name,
    /** The URL for its own clients: `http://127.0.0.1:9200`. */
    url: first.url,
    /** The socket for the console's server. */
    socketPath,
    /** Starts the service again at the same addresses, with its stored state. Does nothing if it runs. */
    async start(): Promise<void> {
      running ??= await up();
    },
    /** Stops the service as an outage would, after pending requests. Does nothing if it is stopped. */
    async stop(): Promise<void> {
      if (running === undefined) return;
      const { service, doors } = running;
      running = undefined;
      await Promise.all(doors.map((door) => door.drain(drainMs)));
      await service.close();
    },
  };
}

/**
 * Listens, and turns a refusal of the operating system into one line that names the variable to change.
 * @throws {StartError}
 */
export async function listenOrExplain(
  target: Parameters<typeof listen>[0],
  where: Extract<ListenTarget, { readonly port: number }>,
  portVariable: string,
): Promise<Listening> {
  try {
    return await listen(target, where);
  } catch (error) {
    const place = `${where.host} port ${where.port}`;
    switch (errorCode(error)) {
      case 'EADDRINUSE':
        throw new StartError(
          `${place} is in use. Stop the program that uses it, or set ${portVariable} to another port.`,
        );
      case 'EACCES':
        throw new StartError(
          `${place} isn't allowed for this user. Set ${portVariable} to a port above 1023.`,
        );
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
        throw new StartError(`${where.host} isn't an address of this machine. Set GATEHOUSE_HOST to one.`);
      default:
        throw error;
    }
  }
}
