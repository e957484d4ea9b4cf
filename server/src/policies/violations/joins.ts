/** Joins that several statements about violations share. */
import { rowByKey, separate } from '../../db/planner-hints.ts';

/** SQL of joins: the vulnerability `w` with the id `key`, and each of its violations `v`, whatever their status. */
export function violationsOfVulnerability(key: string): string {
  return `cross join lateral ${rowByKey('vulnerability w', key)}
      cross join lateral ${separate(`select * from policy_violation v
             where v.tenant_id = $1 and v.repository_id = w.repository_id and v.target_id = ${key}`)} v`;
}
