/** Raw bytes over a socket, for requests that no HTTP client would send. */
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

// A server that waits for more than it will get fails the test instead of holding it.
const maxWaitMs = 10_000;

/** Sends the text as it is, and reads until the server closes. */
export async function sendRaw(port: number, request: string | Buffer): Promise<RawAnswer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setTimeout(maxWaitMs, () => socket.destroy(new Error('no answer in time')));
  // The server may answer and close before it has read everything.
  socket.write(request, () => {});
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      chunks.length > 0 || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => resolve());
  });
  return parse(Buffer.concat(chunks).toString());
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    body: text.slice(end + 4),
  };
}
