/** SBOMs in the format of CycloneDX. */

export interface BomPackage {
  purl: string;
  license?: string;
  /** The product itself names it. Other packages depend on the indirect ones. */
  direct?: boolean;
}

/** An SBOM of a product. For packages of an operating system it does not say whether they are direct. */
export function bom(packages: BomPackage[]): object {
  const product = 'product';
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: {
      tools: { components: [{ type: 'application', name: 'syft', version: '1.0.0' }] },
      component: { type: 'application', name: 'shop', 'bom-ref': product },
    },
    components: packages.map(({ purl, license }) => ({
      type: 'library',
      'bom-ref': purl,
      name: decodeURIComponent(purl.replace(/^pkg:[^/]+\//, '').replace(/@[^@]*$/, '')),
      version: decodeURIComponent(purl.replace(/\?.*$/, '').replace(/^.*@/, '')),
      purl,
      ...(license === undefined ? {} : { licenses: [{ license: { id: license } }] }),
    })),
    dependencies: [
      { ref: product, dependsOn: packages.filter(({ direct }) => direct === true).map(({ purl }) => purl) },
      ...packages.map(({ purl }) => ({ ref: purl, dependsOn: [] })),
    ],
  };
}
