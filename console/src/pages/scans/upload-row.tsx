/** One report: uploading, refused, or accepted, and then the progress of its scan. */
import { ActionIcon, Progress } from '@mantine/core';
import { IconFile, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApiError, errorText, isApiError } from '../../api/errors.ts';
import { hasVerdict, isFinal, type Scan, scanQuery, type UploadedScan } from '../../api/scans.ts';
import { StatusBadge, ToneBadge, VerdictBadge } from '../../components/badges.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { failureText, progressLabel } from './labels.ts';
import { ScanProgress } from './scan-status.tsx';
import { isAboutTarget, type Upload } from './use-uploads.ts';

interface UploadRowProps {
  slug: string;
  upload: Upload;
  onRemove: () => void;
}

export function UploadRow({ slug, upload, onRemove }: UploadRowProps) {
  const { file, state, scan } = upload;
  return (
    <li className="upload-row">
      <IconFile size={18} stroke={1.5} aria-hidden="true" className="upload-row-icon" />
      <div className="upload-row-text">
        <div className="upload-row-name">
          <bdi className="break">{file.name}</bdi>{' '}
          <span className="upload-row-size">{sizeLabel(file.size)}</span>
        </div>
        {state === 'sending' && <Sending upload={upload} />}
        {state === 'refused' && (
          <div role="alert" className="upload-row-refusal break">
            {refusalText(upload.error)}
          </div>
        )}
        {scan && <UploadedScanStatus slug={slug} taken={scan} />}
      </div>
      {state !== 'sending' && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Remove ${file.name} from this list`}
          onClick={onRemove}
        >
          <IconX size={15} />
        </ActionIcon>
      )}
    </li>
  );
}

function Sending({ upload: { file, sent } }: { upload: Upload }) {
  return (
    <div className="upload-row-line">
      <Progress.Root size="sm" className="scan-bar-wide">
        <Progress.Section value={100 * sent} aria-label={`Sent of ${file.name}`} />
      </Progress.Root>
      <span className="tabular">{Math.floor(100 * sent)} %</span>
    </div>
  );
}

function UploadedScanStatus({ slug, taken }: { slug: string; taken: UploadedScan }) {
  const { data } = useQuery({
    ...scanQuery(slug, taken.id),
    placeholderData: { ...taken, warnings: [], unreadable: [] },
  });
  const scan: Scan = data ?? taken;
  return (
    <>
      {taken.repeated && (
        <div className="upload-row-note" role="status">
          This very report was uploaded <TimeText value={taken.created_at} />: nothing is done twice. This is
          its scan.
        </div>
      )}
      {/* The numbers of the progress change too often to be read out. */}
      <div className="upload-row-line" role="status">
        <StatusBadge status={scan.status} />
        {scan.dry_run && <ToneBadge tone="plain">Dry run</ToneBadge>}
        {hasVerdict(scan) && <VerdictBadge verdict={scan.verdict} />}
        {isFinal(scan) && <Outcome slug={slug} scan={scan} />}
      </div>
      {!isFinal(scan) && (
        <>
          <div>{progressLabel(scan)}</div>
          <ScanProgress scan={scan} wide />
        </>
      )}
    </>
  );
}

function Outcome({ slug, scan }: { slug: string; scan: Scan }) {
  const toScan = { to: '/w/$slug/scans/$scan', params: { slug, scan: scan.id } } as const;
  if (scan.error !== null) {
    return (
      <span className="break">
        {failureText(scan.error.code).title}. <Link {...toScan}>Problem</Link>
      </span>
    );
  }
  const { counts } = scan;
  return (
    <span>
      {counts && countsText(counts)}{' '}
      {counts && counts.new > 0 && !scan.dry_run ? (
        <Link {...toScan} search={{ change: 'new' }} hash="changed">
          Show the new vulnerabilities
        </Link>
      ) : (
        <Link {...toScan}>Show the scan</Link>
      )}
    </span>
  );
}

function countsText(counts: NonNullable<Scan['counts']>): string {
  const parts = [`${counts.new.toLocaleString()} new`, `${counts.fixed.toLocaleString()} fixed`];
  if (counts.reopened > 0) parts.push(`${counts.reopened.toLocaleString()} reopened`);
  parts.push(`${counts.unchanged.toLocaleString()} unchanged`);
  if (counts.closing_held > 0) parts.push(`${counts.closing_held.toLocaleString()} held`);
  if (counts.unreadable > 0) parts.push(`${counts.unreadable.toLocaleString()} unreadable`);
  return `${parts.join(', ')}.`;
}

function refusalText(error: unknown): string {
  if (isAboutTarget(error)) return 'Refused: see the problem below.';
  if (isApiError(error, 'PAYLOAD_TOO_LARGE')) {
    return `Refused: it is larger than this server accepts.${limitText(error)}`;
  }
  if (isApiError(error, 'UNSUPPORTED_MEDIA_TYPE')) return `Refused: ${error.message}`;
  if (error instanceof TypeError) {
    return 'Refused: the connection ended before the report was sent. Send it again; if it is large, it may be larger than the server accepts.';
  }
  return `Refused: ${errorText(error)}`;
}

// The limit is one of the file, of its decompressed content, or of the ratio of both.
function limitText({ message, details }: ApiError): string {
  const { max_bytes: sent, max_decompressed_bytes: decompressed } = details;
  if (typeof sent === 'number') return ` The limit is ${sizeLabel(sent)}, as sent.`;
  if (typeof decompressed === 'number') return ` The limit is ${sizeLabel(decompressed)}, decompressed.`;
  return ` ${message}`;
}

function sizeLabel(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  if (bytes < 1e6) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
