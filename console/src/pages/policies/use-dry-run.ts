/** Sends the draft of a policy to the server, which answers with its mistakes, or else with its matches. */
import { useEffect, useState } from 'react';
import { isApiError } from '../../api/errors.ts';
import { type DryRun, dryRun, type PolicyDocument } from '../../api/policies.ts';

export interface Trial {
  /** True if the answer is about the present text. */
  isFresh: boolean;
  result: DryRun | null;
  /** Maps a document path to the mistake there, in the server's words. */
  problems: ReadonlyMap<string, string>;
  /** The reason why there is neither a result nor a problem. */
  error: unknown;
}

const nothing: Omit<Trial, 'isFresh'> = { result: null, problems: new Map(), error: null };

// The draft is sent after a pause in typing, because each dry run may cost the server seconds.
const pauseMs = 500;

/** Null means that there is nothing to send. An outdated request is dropped. */
export function useTrial(slug: string, document: PolicyDocument | null): Trial {
  const [answer, setAnswer] = useState<{ asked: string; trial: Omit<Trial, 'isFresh'> }>({
    asked: '',
    trial: nothing,
  });
  const asked = document === null ? '' : JSON.stringify(document);
  useEffect(() => {
    if (asked === '') return;
    const controller = new AbortController();
    const ask = async () => {
      const trial = await trialOf(slug, JSON.parse(asked) as PolicyDocument, controller.signal);
      if (!controller.signal.aborted) setAnswer({ asked, trial });
    };
    const timer = setTimeout(ask, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [slug, asked]);
  return { ...answer.trial, isFresh: asked !== '' && answer.asked === asked };
}

async function trialOf(
  slug: string,
  document: PolicyDocument,
  signal: AbortSignal,
): Promise<Omit<Trial, 'isFresh'>> {
  try {
    return { ...nothing, result: await dryRun(slug, document, signal) };
  } catch (error) {
    if (!isApiError(error, 'VALIDATION_FAILED')) return { ...nothing, error };
    const problems = Object.entries(error.errors).map(([path, said]) => [path, said.join(' ')] as const);
    return { ...nothing, problems: new Map(problems) };
  }
}
