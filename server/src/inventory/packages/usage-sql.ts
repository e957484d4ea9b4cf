/** SQL that the queries about packages share. $1 is the tenant. */
import { rowByKey, rowsByKey } from '../../db/planner-hints.ts';
import { sqlIsOpenIn, sqlSeverity } from '../../domain/packed-state.ts';

interface UsageCondition {
  /** Conditions on the version v, its usage m in a manifest, and the reference f. */
  where?: string;
}

/** SQL for `from`: the usages m, on active references f, of the versions v of the package. */
export function usagesOf(packageId: string): string {
  return `${rowsByKey('package_version v', packageId, { column: 'package_id', next: 'version' })}
    cross join lateral ${usagesOfVersion}`;
}

/** The usages of one version v. */
export const usagesOfVersion = `${rowsByKey('manifest_package m', 'v.id', {
  column: 'package_version_id',
  next: 'reference_id',
})}
    cross join lateral ${rowByKey('reference f', 'm.reference_id', { where: 'f.active' })}`;

/** SQL of a condition: the package is listed on an active reference. */
export function isUsed(packageId: string, { where = 'true' }: UsageCondition = {}): string {
  return `exists (select 1 from ${usagesOf(packageId)} where ${where})`;
}

/** SQL for `from`: the vulnerabilities l of the package that are open on tracked references, or those of `where`. */
export function openOf(packageKey: string, where = 'true'): string {
  return rowsByKey('vulnerability l', packageKey, {
    column: 'package_key',
    next: 'repository_id',
    where: `${sqlIsOpenIn('l.packed_state', 'tracked')} and ${where}`,
  });
}

/** SQL of a JSON object: the numbers of these vulnerabilities by severity. */
export function openBySeverity(packageKey: string, where?: string): string {
  return `(select coalesce(json_object_agg(s.severity, s.n), '{}')
    from (select ${sqlSeverity('l.packed_state')} as severity, count(*) as n
            from ${openOf(packageKey, where)} group by 1) s)`;
}
