/**
 * What a series looks at, for policies: the types of problems that it looks for, and the image that it has scanned
 * last. Only a complete report that is not late says either.
 */
import type { Tx } from '../../db/database.ts';
import { newId } from '../../domain/ids.ts';
import { types } from '../../domain/packed-state.ts';
import type { AssetType } from '../../policies/definition/facts.ts';
import type { PreparedRun } from '../prepare/prepared-report.ts';
import type { LookedAt } from './import-store.ts';

/** `before`: as the series' last report left it. Makes the image known where it is new. */
export async function describeCoverage(
  tx: Tx,
  tenantId: string,
  before: LookedAt,
  { analysisTypes, image, findings }: Pick<PreparedRun, 'analysisTypes' | 'image' | 'findings'>,
): Promise<LookedAt> {
  // A scanner of several kinds names one with its findings alone: what it shows no more has been looked for and fixed,
  // as the import closes it.
  const looked = new Set([...before.analysis_types, ...analysisTypes]);
  // Grype's SARIF names the image with each finding: one without any does not say that it was something else.
  const standing = findings.digests.length === 0 ? before : { asset_id: null, asset_tag: null };
  return {
    analysis_types: types.filter((type) => looked.has(type)),
    asset_id: image === null ? standing.asset_id : await getOrCreateAsset(tx, tenantId, image.name),
    asset_tag: image === null ? standing.asset_tag : image.tag,
  };
}

const containerImage: AssetType = 'container_image';

async function getOrCreateAsset(tx: Tx, tenantId: string, name: string): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const [row] = await tx.query<{ id: string }>(
      'select id from asset where tenant_id = $1 and type = $2 and name = $3',
      [tenantId, containerImage, name],
    );
    return row?.id;
  };
  const known = await find();
  if (known !== undefined) return known;
  const [made] = await tx.query<{ id: string }>(
    `insert into asset (tenant_id, id, name, type) values ($1, $2, $3, $4)
     on conflict (tenant_id, type, name) do nothing returning id`,
    [tenantId, newId(), name, containerImage],
  );
  // Another import may have been first: then its row is there by now.
  const id = made?.id ?? (await find());
  if (id === undefined) throw new Error('an image that is known has no row');
  return id;
}
