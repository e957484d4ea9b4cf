/** A record of a CVE with CISA's assessment (SSVC), as in its published files. */
export function ssvcRecord(
  cveId: string,
  { automatable, total }: { automatable: boolean; total: boolean },
  day: string,
): object {
  const options = [
    { Exploitation: 'active' },
    { Automatable: automatable ? 'yes' : 'no' },
    { 'Technical Impact': total ? 'total' : 'partial' },
  ];
  const content = { options, timestamp: `${day}T00:00:00Z`, version: '2.0.3' };
  const metrics = [{ other: { type: 'ssvc', content } }];
  const adp = [{ providerMetadata: { shortName: 'CISA-ADP' }, metrics }];
  return { cveMetadata: { cveId }, containers: { adp } };
}
