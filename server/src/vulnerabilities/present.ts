/** SQL of the presence of a vulnerability, whatever was decided about it. */

/**
 * SQL: true if an active tracked reference has vulnerability `v`, so that the product has it. `$1` is the workspace. A
 * branch that is not tracked is no product yet.
 */
export const sqlIsPresent = `exists (select 1 from vulnerability_reference s
                        join reference f on f.tenant_id = $1 and f.id = s.reference_id and f.tracked and f.active
                       where s.tenant_id = $1 and s.vulnerability_id = v.id and s.live)`;
