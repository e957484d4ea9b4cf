/** A workspace of uploads for tests of what a decision covers, with a policy about code and secrets. */
import assert from 'node:assert/strict';
import { policyOf } from '../support/policies.ts';
import { createUploadWorkspace, sha } from './upload-workspace.ts';

/** The question to the gate about an upload. */
const asked = ({
  base_sha: _,
  ...upload
}: {
  repo: string;
  ref: string;
  sha: string;
  base_ref: string;
  base_sha: string;
}) => upload;

export async function createDecidedWorkspace() {
  const workspace = await createUploadWorkspace(
    policyOf('no-leaks', '{fact: type, operator: in, value: [sast, iac, secret]}'),
  );
  const { gate, onlyVulnerability, decide, upload: up, newRepository, adminKey: A, client } = workspace;

  /** A repository whose default branch shows only this, and an admin has rejected it. */
  async function rejected(...reports: object[]) {
    const repo = newRepository();
    for (const report of reports) await up(A, { repo, ref: 'main', sha: sha('a') }, report);
    const { id } = await onlyVulnerability(repo);
    await decide(client, 'reject', id);
    assert.equal((await gate({ repo, ref: 'main', sha: sha('a') })).verdict, 'pass');
    const main = { repo, ref: 'main', sha: sha('e') };
    const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
    const mainVerdict = async (report: object) => {
      await up(A, main, report);
      return (await gate(main)).verdict;
    };
    return { repo, id, pull, mainVerdict };
  }

  return { ...workspace, asked, rejected };
}
