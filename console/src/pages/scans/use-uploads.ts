/** Uploads reports one after the other. */
import { useEffect, useReducer, useRef } from 'react';
import { isApiError } from '../../api/errors.ts';
import { type UploadedScan, type UploadTarget, uploadReport } from '../../api/scans.ts';

export interface Upload {
  key: number;
  file: File;
  state: 'waiting' | 'sending' | 'refused' | 'taken';
  /** The sent share, from 0 to 1. */
  sent: number;
  error: unknown;
  scan: UploadedScan | null;
}

type Action =
  | { type: 'add'; files: File[]; firstKey: number }
  | { type: 'remove'; key: number }
  | { type: 'change'; key: number; change: Partial<Upload> };

function reduce(uploads: Upload[], action: Action): Upload[] {
  switch (action.type) {
    case 'add':
      return [
        ...uploads,
        ...action.files.map((file, index) => ({
          key: action.firstKey + index,
          file,
          state: 'waiting' as const,
          sent: 0,
          error: null,
          scan: null,
        })),
      ];
    case 'remove':
      return uploads.filter(({ key }) => key !== action.key);
    case 'change':
      return uploads.map((upload) => (upload.key === action.key ? { ...upload, ...action.change } : upload));
  }
}

export interface Uploads {
  uploads: Upload[];
  isSending: boolean;
  add: (files: File[]) => void;
  remove: (key: number) => void;
  /** Sends the waiting reports, and the refused ones again. It stops if the server refuses the target. */
  send: (target: UploadTarget) => Promise<void>;
}

/** Leaving the page aborts the uploads. */
export function useUploads(slug: string): Uploads {
  const [uploads, dispatch] = useReducer(reduce, []);
  const nextKey = useRef(0);
  // A report can be removed while another one is sent.
  const removed = useRef(new Set<number>());
  const leaving = useRef<AbortController | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);
  const change = (key: number, changed: Partial<Upload>) =>
    dispatch({ type: 'change', key, change: changed });
  const sendOne = async (
    { key, file }: Upload,
    target: UploadTarget,
    signal: AbortSignal,
  ): Promise<unknown> => {
    change(key, { state: 'sending', sent: 0, error: null });
    try {
      const onProgress = (sent: number) => change(key, { sent });
      const scan = await uploadReport(slug, target, file, { onProgress, signal });
      change(key, { state: 'taken', scan });
      return null;
    } catch (error) {
      change(key, { state: 'refused', error });
      return error;
    }
  };
  return {
    uploads,
    isSending: uploads.some(({ state }) => state === 'sending'),
    add: (files) => {
      dispatch({ type: 'add', files, firstKey: nextKey.current });
      nextKey.current += files.length;
    },
    remove: (key) => {
      removed.current.add(key);
      dispatch({ type: 'remove', key });
    },
    send: async (target) => {
      const signal = leaving.current?.signal;
      if (!signal) return;
      for (const upload of uploads.filter(({ state }) => state === 'waiting' || state === 'refused')) {
        if (removed.current.has(upload.key)) continue;
        const error = await sendOne(upload, target, signal);
        if (signal.aborted || isAboutTarget(error)) return;
      }
    },
  };
}

/** The fields of the form that the server may refuse. */
const targetFields = ['repo', 'ref', 'sha', 'category'] as const;

/** True if the target is wrong and not the file. The next file would fail in the same way. */
export function isAboutTarget(error: unknown): boolean {
  return isApiError(error) && targetFields.some((field) => error.errors[field] !== undefined);
}
