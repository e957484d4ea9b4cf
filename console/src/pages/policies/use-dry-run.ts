/** Runs a dry run of the draft of a policy. Its result is the mistakes of the draft, or else its matches. */
import { useEffect, useState } from 'react';
import { isApiError, retryAfter } from '../../api/errors.ts';
import { type DryRun, dryRun, type PolicyDocument } from '../../api/policies.ts';

export interface DryRunState {
  /** True if the answer is about the present text. */
  isFresh: boolean;
  result: DryRun | null;
  /** Maps a document path to the mistake there, in the server's words. */
  problems: ReadonlyMap<string, string>;
  /** The reason why there is neither a result nor a problem. */
  error: unknown;
}

const nothing: Omit<DryRunState, 'isFresh'> = { result: null, problems: new Map(), error: null };

// The draft is sent after a pause in typing, because each dry run may cost the server seconds.
const pauseMs = 500;

/**
 * Null means that there is nothing to send. An outdated request is dropped, and one that the server had no room for,
 * because another dry run of the workspace was running, is sent again when the server says.
 */
export function useDryRun(slug: string, document: PolicyDocument | null): DryRunState {
  const [answer, setAnswer] = useState<{ text: string; state: Omit<DryRunState, 'isFresh'> }>({
    text: '',
    state: nothing,
  });
  const text = document === null ? '' : JSON.stringify(document);
  useEffect(() => {
    if (text === '') return;
    const controller = new AbortController();
    const run = async () => {
      const state = await requestDryRun(slug, JSON.parse(text) as PolicyDocument, controller.signal);
      if (controller.signal.aborted) return;
      const seconds = retryAfter(state.error);
      if (seconds === null) setAnswer({ text, state });
      else timer = setTimeout(run, seconds * 1000);
    };
    let timer = setTimeout(run, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [slug, text]);
  return { ...answer.state, isFresh: text !== '' && answer.text === text };
}

async function requestDryRun(
  slug: string,
  document: PolicyDocument,
  signal: AbortSignal,
): Promise<Omit<DryRunState, 'isFresh'>> {
  try {
    return { ...nothing, result: await dryRun(slug, document, signal) };
  } catch (error) {
    if (!isApiError(error, 'VALIDATION_FAILED')) return { ...nothing, error };
    const problems = Object.entries(error.errors).map(
      ([path, messages]) => [path, messages.join(' ')] as const,
    );
    return { ...nothing, problems: new Map(problems) };
  }
}
