/** Records the calls of functions, in this thread and in those that it starts, in the order in which they begin. */
import { Session } from 'node:inspector/promises';

interface RecordedFunction {
  name: string;
  /** The address of its file. */
  url: string;
  position: { lineNumber: number; columnNumber: number };
}

/** Sends a command to the inspector of a thread. */
type Post = (method: string, params: object) => Promise<unknown>;

/** Returns the calls of each thread during `work`: of this one first, then of the others, by age. */
export async function recordCalls(
  functions: readonly RecordedFunction[],
  work: () => Promise<void>,
): Promise<string[][]> {
  const session = new Session();
  session.connect();
  const own: Post = (method, params) => session.post(method as 'Debugger.enable', params);
  const others = new Map<string, Post>();
  const attached: Promise<unknown>[] = [];
  const answers = new Map<number, (result: unknown) => void>();
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
    const post: Post = (method, params) => {
      const id = answers.size;
      const message = JSON.stringify({ id, method, params });
      return new Promise((resolve, reject) => {
        answers.set(id, resolve);
        session.post('NodeWorker.sendMessageToWorker', { sessionId, message }).catch(reject);
      });
    };
    others.set(sessionId, post);
    attached.push(record(post, functions).then(() => post('Runtime.runIfWaitingForDebugger', {})));
  });
  session.on('NodeWorker.detachedFromWorker', ({ params }) => others.delete(params.sessionId));
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
    const { id, result } = JSON.parse(params.message) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  try {
    await record(own, functions);
    await session.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
    // A thread may be there already, such as the parser's, which waits a moment for the next report.
    await Promise.all(attached);
    await work();
    await Promise.all(attached);
    return await Promise.all([own, ...others.values()].map(takeCalls));
  } finally {
    await session.post('NodeWorker.disable');
    session.disconnect();
  }
}

// A breakpoint whose condition is false does not pause, and evaluates its condition each time.
async function record(post: Post, functions: readonly RecordedFunction[]): Promise<void> {
  await post('Debugger.enable', {});
  for (const { name, url, position } of functions) {
    const condition = `(globalThis.recordedCalls ??= []).push(${JSON.stringify(name)}), false`;
    await post('Debugger.setBreakpointByUrl', { url, ...position, condition });
  }
}

async function takeCalls(post: Post): Promise<string[]> {
  const expression =
    '(() => { const { recordedCalls = [] } = globalThis; delete globalThis.recordedCalls; return recordedCalls; })()';
  const answer = await post('Runtime.evaluate', { expression, returnByValue: true });
  return (answer as { result: { value: string[] } }).result.value;
}
