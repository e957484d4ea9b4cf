/**
 * The generated client over the console's own way of sending: `api.GET('/api/v1/{tenant_slug}/repositories', …)`.
 * Paths, parameters and answers are those of the OpenAPI document.
 */
import { createMerlonClient, type operations } from '@merlon/client';
import { send } from './http.ts';

export type { components, operations } from '@merlon/client';

/** What an operation answers with 200, by its name in the OpenAPI document. */
export type Answer<Operation extends keyof operations> = operations[Operation] extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export const api = createMerlonClient({ baseUrl: location.origin, key: '', fetch: send });

/** The body of an answer; a refusal has been thrown before. */
export async function body<T>(answer: Promise<{ data?: T }>): Promise<T> {
  const { data } = await answer;
  if (data === undefined) throw new Error('The server answered without a body.');
  return data;
}
