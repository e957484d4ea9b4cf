/**
 * `POST /ingest/v1/{tenant_slug}/scans`, and the same under `/manage/v1`: it accepts a report exactly as the scanner
 * wrote it.
 */

import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { readClock } from '../../db/commit-watermark.ts';
import { tenantReadTx, tenantTx } from '../../db/database.ts';
import { commitPattern } from '../../domain/commit.ts';
import { DomainError } from '../../domain/domain-error.ts';
import { malformedRequest, unsupportedMediaType, validationFailed } from '../../domain/errors.ts';
import { goesWith } from '../../domain/field-rules.ts';
import { formatId } from '../../domain/ids.ts';
import { sources } from '../../domain/packed-state.ts';
import { checkedEnvironment, isPlainName, plainNameRule } from '../../domain/plain-name.ts';
import { parseBranch, parseReference, referenceTypes } from '../../domain/reference-name.ts';
import { repositorySources } from '../../domain/repository-enums.ts';
import { isRepositoryName } from '../../domain/repository-name.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { principalOf } from '../../http/access.ts';
import { statusOf } from '../../http/error-answers.ts';
import { bindingOf, mayDecideWhereBlocked, type Principal, roleAtLeast } from '../../http/principal.ts';
import { extendedObject, oneOf } from '../../http/schema.ts';
import type { Server } from '../../http/server.ts';
import { ReportError } from '../../parsers/report.ts';
import { ScanItem, scanItem } from '../scans/schema.ts';
import { findScan, type ScanRow } from '../scans/store.ts';
import { acceptReport, type ReportInput } from './intake.ts';
import { receiveLimits } from './receive-limits.ts';
import type { receiveReport as ReceiveReport } from './receive-report.ts';
import { parseScanTime } from './scan-time.ts';
import { withinWaitingBytes } from './waiting-bytes.ts';
import type { WaitingReport } from './waiting-report.ts';
import { idempotencyKeyOf, withinBinding } from './within-binding.ts';

const shownNames = [
  'repo',
  'category',
  'file_name',
  'repo_source',
  'repo_external_id',
  'org_external_id',
] as const;

function text(description: string, maxLength = 255) {
  return Type.Optional(Type.String({ minLength: 1, maxLength, description }));
}

const yesOrNo = (description: string) => Type.Optional(oneOf(['true', 'false'], description));

const UploadQuery = Type.Object({
  repo: Type.String({
    minLength: 3,
    maxLength: 255,
    description: 'Repository: org/name. A new one is created.',
  }),
  ref: text('Scanned reference: short or full name. Without it: the default branch.'),
  ref_type: Type.Optional(oneOf(referenceTypes, 'Type of the reference that a short `ref` names.')),
  sha: Type.Optional(Type.String({ pattern: commitPattern, description: 'Scanned commit.' })),
  base_ref: text('Target branch of a pull request.'),
  base_sha: Type.Optional(
    Type.String({
      pattern: commitPattern,
      description: 'Newest commit of the target branch that the scanned code of a pull request contains.',
    }),
  ),
  default_branch: text('Default branch of the repository. Without it: the first branch of a report.'),
  category: text(
    'Name that keeps several reports of one tool apart. It stands before the category of the report.',
  ),
  scanned_at: text('Time of the scan in RFC 3339 with an offset, not before 1990. Without it: now.', 64),
  source: Type.Optional(
    oneOf(
      sources,
      'What was scanned: the current files or the history of the commits. Without it, the report decides.',
    ),
  ),
  format: text('Format of the report. Without it, it is recognised from the content.', 64),
  partial: yesOrNo('true: the report covers only a part of the repository, so it fixes nothing.'),
  dry_run: yesOrNo('true: the scan shows what would change, and changes nothing.'),
  force: yesOrNo('true: fix vulnerabilities without the mass-closure check. Only admins may do this.'),
  environment: text(
    'Environment where the reference is deployed, such as production. Upper case counts as lower case.',
  ),
  file_name: text('Path of the file, by which several reports of one commit are told apart.'),
  repo_source: Type.Optional(oneOf(repositorySources, 'VCS of the repository.')),
  repo_external_id: text('Id of the repository at the VCS, by which a renamed repository is recognised.'),
  org_external_id: text('Id of the organization at the VCS.'),
  private: yesOrNo('Whether the repository is private.'),
});

const UploadHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'A repeated upload with the same key answers with the first scan.',
    }),
  ),
});

type UploadRequest = FastifyRequest<{
  Querystring: Static<typeof UploadQuery>;
  Headers: Static<typeof UploadHeaders>;
}>;

const UploadedScan = extendedObject('UploadedScan', ScanItem, {
  repeated: Type.Boolean({
    description: 'True: the same report was uploaded a moment ago, and this is its scan.',
  }),
});

/** CI uses the first with a key, and people at the console use the second; both do the same. */
const addresses = [
  {
    url: '/ingest/v1/:tenant_slug/scans',
    operationId: 'uploadScan',
    summary: 'Upload a report; the answer comes at once, and the report is processed afterwards',
    more: {},
  },
  {
    url: '/manage/v1/:tenant_slug/scans',
    operationId: 'uploadScanByHand',
    summary: 'Upload a report, like /ingest/v1, also with a session',
    more: { forConsole: true },
  },
] as const;

// Returns the base path under which the sender may read the scan.
function readsOf({ credential }: Principal): string {
  return credential.type === 'session' ? '/console/api/v1' : '/api/v1';
}

export function uploadRoutes(app: Server): void {
  // The encapsulated context limits the parser to this route: only here a body is a stream of any type.
  app.register(async (room) => {
    room.removeAllContentTypeParsers();
    room.addContentTypeParser(/^multipart\//, (_request, _body, done) =>
      done(
        unsupportedMediaType('Send the report itself as the body, such as curl --data-binary @report.json.'),
      ),
    );
    room.addContentTypeParser('*', (_request, body, done) => done(null, body));
    for (const { url, operationId, summary, more } of addresses) {
      (room as unknown as Server).post(url, {
        config: {
          access: { scopes: ['scans:write'], role: 'member' },
          limit: 'uploads',
          conflicts: true,
          boundKeys: true,
          ...more,
        },
        bodyLimit: receiveLimits(app.deps.config).maxBytes,
        schema: {
          operationId,
          tags: ['Scans'],
          summary,
          description:
            'The body is the report as the scanner wrote it, plain, or compressed with Content-Encoding gzip or zstd. ' +
            'An Idempotency-Key makes a second attempt safe for 24 hours.',
          querystring: UploadQuery,
          headers: UploadHeaders,
          response: { 202: UploadedScan },
        },
        handler: async (request, reply) => {
          const principal = principalOf(request);
          const [{ getFormat, receiveReport }, now] = await Promise.all([
            loadReceiver(),
            // The clocks of nodes differ, and the times of reports order them.
            tenantReadTx(app.deps.db, principal.tenant.id, readClock),
          ]);
          const input = inputOf(request.query, principal, getFormat, now);
          const { scan, repeated } = await takeUpload(app, request, input, now, receiveReport);
          const id = formatId('scan', scan.id);
          return reply
            .code(202)
            .header('location', `${readsOf(principal)}/${principal.tenant.slug}/scans/${id}`)
            .send({ ...scanItem(scan), repeated });
        },
      });
    }
  });
}

/** Receives the report and makes it a scan, while the sender keeps access and the workspace has room for it. */
async function takeUpload(
  app: Server,
  request: UploadRequest,
  input: ReportInput,
  arrivedAt: Date,
  receiveReport: typeof ReceiveReport,
): Promise<{ scan: ScanRow; repeated: boolean }> {
  const { db, queue, secret, config } = app.deps;
  const principal = principalOf(request);
  const tenantId = principal.tenant.id;
  const { headers } = request;
  const maxWaitingBytes = config.maxWaitingMb * 1024 * 1024;
  const boss = await queue.open();
  const body = request.body as Readable | undefined | null;
  if (!body) throw malformedRequest('The request has no body: send the report.');

  const accept = async (report: WaitingReport) => {
    // The upload may have taken minutes, so the key, session or membership may have ended since.
    await app.checkStill(request);
    const binding = bindingOf(principal);
    return tenantTx(db, tenantId, async (tx) => {
      const allowed = await withinBinding(tx, input, binding);
      const { scanId, repeated } = await acceptReport(tx, boss, report, allowed, arrivedAt, {
        maxWaitingBytes,
        idempotencyKey: idempotencyKeyOf(headers['idempotency-key'], binding),
      });
      const scan = await findScan(tx, scanId);
      if (!scan) throw new Error('the scan is not there');
      return { scan, repeated };
    });
  };
  const { signal, stop } = watchAccess(app, request);
  const room = { maxBytes: maxWaitingBytes, declared: Number(headers['content-length'] ?? 0) };
  return withinWaitingBytes(db, tenantId, room, (add) => {
    const encoding = headers['content-encoding'] ?? '';
    const checks = { encoding, format: input.format, limits: receiveLimits(config), add, signal };
    return receiveReport({ db, secret }, tenantId, body, checks, accept);
  }).finally(stop);
}

// A body that never ends must keep no room for reports when its sender has lost access.
const checkEveryMs = 1_000;

/** The signal aborts when the sender has lost access, with the error that says so. */
function watchAccess(app: Server, request: FastifyRequest): { signal: AbortSignal; stop: () => void } {
  const lost = new AbortController();
  const timer = setInterval(() => {
    app.checkStill(request).catch((error: unknown) => {
      // Any other error means that access cannot be checked now; it is checked again at the end.
      if (error instanceof DomainError && statusOf(error) < 500) lost.abort(error);
    });
  }, checkEveryMs);
  return { signal: lost.signal, stop: () => clearInterval(timer) };
}

// The formats take ten megabytes, and a process that answers may never receive a report.
async function loadReceiver() {
  const [{ getFormat }, { receiveReport }] = await Promise.all([
    import('../../parsers/formats.ts'),
    import('./receive-report.ts'),
  ]);
  return { getFormat, receiveReport };
}

/** Throws 422 with all errors. `getFormat` throws for a format that is unknown. */
function inputOf(
  query: Static<typeof UploadQuery>,
  principal: Principal,
  getFormat: (name: string) => unknown,
  now: Date,
): ReportInput {
  const errors: Record<string, Sentence[]> = {};
  const read = <T>(field: keyof typeof query, parse: (text: string, field: string) => T): T | null => {
    const text = query[field];
    if (text === undefined) return null;
    try {
      return parse(text, field);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      errors[field] = [error.message];
      return null;
    }
  };
  if (!isRepositoryName(query.repo)) errors.repo = ['Must be org/name.'];
  if ((query.repo_source === undefined) !== (query.repo_external_id === undefined)) {
    errors.repo_external_id = [goesWith('repo_source')];
  }
  if (query.force === 'true' && !roleAtLeast(principal.role, 'admin')) {
    errors.force = ['Only an admin may skip the mass-closure check.'];
  }
  for (const field of shownNames) {
    if (!isPlainName(query[field] ?? '')) errors[field] = [plainNameRule];
  }
  const format = query.format?.toLowerCase() ?? 'auto';
  try {
    if (format !== 'auto') getFormat(format);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    errors.format = [error.message];
  }
  const input: ReportInput = {
    repository: {
      fullName: query.repo,
      source: query.repo_source ?? null,
      externalId: query.repo_external_id ?? null,
      organizationExternalId: query.org_external_id ?? null,
      isPrivate: query.private === undefined ? null : query.private === 'true',
    },
    reference: read('ref', (name) => parseReference(name, query.ref_type)),
    defaultBranch: read('default_branch', parseBranch),
    sha: query.sha ?? null,
    baseRef: read('base_ref', (name, field) => parseReference(name, 'branch', field)),
    baseSha: query.base_sha ?? null,
    environment: read('environment', checkedEnvironment),
    scannedAt: read('scanned_at', (text, field) => parseScanTime(text, field, now)),
    category: query.category ?? null,
    format,
    source: query.source ?? null,
    partial: query.partial === 'true',
    dryRun: query.dry_run === 'true',
    force: query.force === 'true',
    // The scope is the one that `POST …/decisions` needs; without it the documents of an upload are suggestions.
    mayDecide: principal.scopes.includes('vulnerabilities:write'),
    mayOverridePolicy: mayDecideWhereBlocked(principal),
    fileName: query.file_name ?? null,
    uploadedBy: principal.user.id,
  };
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return input;
}
