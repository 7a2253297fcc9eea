import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

const piece = Buffer.alloc(2 ** 20, 'image of a machine');

/** Sends an image to an address that the registry handed out. @throws Error unless it is answered 200 */
export async function sendImage(address: string, mebibytes: number): Promise<void> {
  const put = request(address, { method: 'PUT', headers: { 'content-length': mebibytes * piece.length } });
  const answered = once(put, 'response');
  for (let at = 0; at < mebibytes; at += 1) {
    if (!put.write(piece)) await once(put, 'drain');
  }
  put.end();
  const [answer] = (await answered) as [IncomingMessage];
  answer.resume();
  if (answer.statusCode !== 200) throw new Error(`The upload was answered ${answer.statusCode}.`);
}
