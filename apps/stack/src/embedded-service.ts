import { errorCode } from '@gatehouse/service-kit/error-code';
import type { InFront } from '@gatehouse/service-kit/run-alone';
import { listen } from '@gatehouse/service-kit/service';
import type { Listening, ListenTarget, Service } from '@gatehouse/service-kit/service';
import { StartError } from './start-error.ts';

/** A service that runs in this process and answers on two doors. */
export type EmbeddedService = Awaited<ReturnType<typeof embedService>>;

/** What `embedService` needs. */
export interface EmbeddedServiceOptions {
  /** Opens the service on its stored state; called again at every start. */
  readonly open: () => Promise<Service>;
  readonly host: string;
  readonly inFront: InFront;
  /** 0 takes a free one, which is kept over restarts. */
  readonly port: number;
  /** Variable that a person sets to move the port; for the message when it is taken. */
  readonly portVariable: string;
  readonly socketPath: string;
  /** Milliseconds that requests under way have when it stops. */
  readonly drainMs: number;
}

/**
 * Starts a service on its port and on its socket.
 * @throws {StartError} when the port cannot be used
 */
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
    /** Where its own clients reach it: `http://127.0.0.1:9200`. */
    url: first.url,
    /** Where the console's server reaches it. */
    socketPath,
    /** Has it answer again at the same places, on what it stored; does nothing when it is up. */
    async start(): Promise<void> {
      running ??= await up();
    },
    /** Ends it as an outage would, after requests under way; does nothing when it is down. */
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
 * Listens, and turns what the operating system refuses into one line that names the variable to change.
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
