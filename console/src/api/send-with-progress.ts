/** Sends a request and reports how much of its body is sent, which `fetch` cannot do. Only `http.ts` calls it. */

interface Sending {
  method: string;
  headers: Record<string, string>;
  body: string | Blob | null;
  signal: AbortSignal | null;
}

/** Rejects as `fetch` does: with a TypeError if no answer comes, with an AbortError if the request was aborted. */
export function sendWithProgress(
  url: string,
  { method, headers, body, signal }: Sending,
  onProgress: (sent: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const callOff = () => request.abort();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener('load', () => {
      const answered = new Headers();
      const requestId = request.getResponseHeader('x-request-id');
      if (requestId !== null) answered.set('x-request-id', requestId);
      resolve(new Response(request.responseText, { status: request.status, headers: answered }));
    });
    request.addEventListener('error', () => reject(new TypeError('no answer')));
    request.addEventListener('abort', () => reject(new DOMException('called off', 'AbortError')));
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', callOff));
    signal?.addEventListener('abort', callOff);
    if (signal?.aborted) reject(new DOMException('called off', 'AbortError'));
    else request.send(body);
  });
}
