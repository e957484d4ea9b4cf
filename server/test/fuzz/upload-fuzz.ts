/**
 * Sends changed reports as bodies of uploads, with query parameters that are valid or nearly valid; plain, compressed
 * or damaged.
 */
import assert from 'node:assert/strict';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { clientOf, type Json, send } from '../support/client.ts';
import { type Operation, operations, problemOfAnswer } from './api-document.ts';
import { adminFor } from './api-fuzz.ts';
import type { ApiTarget } from './api-target.ts';
import type { Sample } from './corpus.ts';
import { type FuzzJob, type FuzzRow, Tally } from './fuzz-job.ts';
import { oddTexts } from './mutate.ts';
import { inputOf } from './parser-fuzz.ts';
import { Random } from './random.ts';
import { reportErrorCodes } from './service-fuzz.ts';

const uploads = operations.filter(({ operationId }) => operationId?.startsWith('uploadScan'));
/** One in this many accepted uploads is also processed, which costs ten times as much. */
const processedEvery = 8;

const valid: Record<string, readonly string[]> = {
  ref: ['main', 'feature/x', 'refs/tags/v1.0.0', 'refs/pull/7/head'],
  sha: ['a'.repeat(40), '0123456789abcdef0123456789abcdef01234567'],
  base_ref: ['main', 'refs/heads/main'],
  base_sha: ['b'.repeat(40)],
  default_branch: ['main', 'refs/heads/master'],
  category: ['nightly', 'a/b'],
  scanned_at: ['2026-01-02T03:04:05Z', '2025-12-31T23:59:59.999+05:30'],
  format: ['auto', 'auto', 'auto', 'sarif'],
  private: ['true', 'false'],
  environment: ['production'],
  file_name: ['report.json', 'résumé.sarif'],
  org_external_id: ['42'],
};

function queryOf({ parameters = [] }: Operation, random: Random): URLSearchParams {
  const query = new URLSearchParams({ repo: `up/r${random.below(20)}`, ref: 'main' });
  for (const { name, in: where, schema } of parameters) {
    if (where !== 'query' || /^repo(?:_external_id)?$/.test(name) || random.chance(0.8)) continue;
    const values = valid[name] ?? schema.enum?.map(String) ?? ['x'];
    const value = random.pick(values);
    const near = [
      `${value} `,
      `${value}x`,
      value.slice(1),
      value.toUpperCase(),
      'x'.repeat(256),
      random.pick(oddTexts),
    ];
    query.set(name, random.chance(0.9) ? value : random.pick(near).toWellFormed());
  }
  if (query.has('repo_source') && random.chance(0.9)) query.set('repo_external_id', `${random.below(5)}`);
  if (random.chance(0.03)) query.delete('repo');
  return query;
}

function bodyOf(text: string, random: Random): { body: Buffer; headers: Record<string, string> } {
  const plain = Buffer.from(text);
  const headers = {
    'content-type': random.chance(0.03)
      ? 'x'
      : random.pick(['application/json', 'application/octet-stream', 'text/xml']),
  };
  const packed = random.pick([
    ...Array.from({ length: 6 }, () => ({ body: plain, encoding: '' })),
    { body: gzipSync(plain, { level: 1 }), encoding: 'gzip' },
    { body: zstdCompressSync(plain), encoding: 'zstd' },
    { body: plain, encoding: random.pick(['gzip', 'br', 'identity', 'gzip, gzip', 'zstd']) },
  ]);
  const cut = random.chance(0.05)
    ? packed.body.subarray(0, random.below(packed.body.length + 1))
    : packed.body;
  return {
    body: cut,
    headers: packed.encoding === '' ? headers : { ...headers, 'content-encoding': packed.encoding },
  };
}

export async function fuzzUploads(
  job: FuzzJob,
  target: ApiTarget,
  samples: readonly (readonly Sample[])[],
  deadline: number,
): Promise<FuzzRow> {
  const { server, workspace, slug } = target;
  const client = clientOf(server.app, workspace.people.admin.key);
  const tally = new Tally(job);
  for (const number of tally.numbers(deadline)) {
    const random = new Random(`${job.seed}:uploads:${number}`);
    const operation = uploads[number % uploads.length] as Operation;
    const caller = adminFor(operation, target.admins);
    const { text } = inputOf(random.pick(samples), random);
    const { body, headers } = bodyOf(text, random);
    const path = `${operation.path.replace('{tenant_slug}', slug)}?${queryOf(operation, random)}`;
    const where = `${operation.method} ${path} ${JSON.stringify(headers)}`;
    try {
      const answer = await send(server.app, {
        method: 'POST',
        path,
        body,
        headers: { ...headers, ...caller.headers },
      });
      assert.equal(
        problemOfAnswer(operation, answer),
        null,
        `${where} → ${answer.status} ${answer.text.slice(0, 600)}`,
      );
      assert.ok(
        [202, 400, 413, 415, 422].includes(answer.status),
        `${where} → ${answer.status} ${answer.text}`,
      );
      if (answer.status !== 202) continue;
      tally.accepted++;
      if (number % processedEvery !== 0) continue;
      const { id, repository } = answer.body as { id: string; repository: { full_name: string } };
      const { rows } = await server.owner.query(
        'select id from repository where tenant_id = $1 and full_name = $2',
        [workspace.tenant.id, repository.full_name],
      );
      await processRepository(server, workspace.tenant.id, rows[0].id);
      const scan = (
        await client.get<Json & { error: { code: string } | null }>(`/api/v1/${slug}/scans/${id}`)
      ).body;
      if (scan.status === 'failed')
        assert.ok(reportErrorCodes.has(scan.error?.code ?? ''), JSON.stringify(scan));
      else {
        assert.equal(scan.status, 'completed', JSON.stringify(scan));
        tally.found++;
      }
    } catch (problem) {
      tally.fail(number, problem, `${where}\n${text}`);
    }
  }
  return tally.row();
}
