/**
 * Feeds for the demo, in the form in which CISA and FIRST publish theirs, for the advisories of its packages. They have
 * a dozen entries, so that a list shows exploited vulnerabilities. They never replace the real feeds.
 */

// Columns: CVE, date of the entry, date until which it must be fixed, vendor, product, name, known use by ransomware.
const exploited = `
CVE-2021-44228 | 2021-12-10 | 2021-12-24 | Apache | Log4j2 | Remote code execution | Known
CVE-2021-45046 | 2023-05-01 | 2023-05-22 | Apache | Log4j2 | Deserialization of untrusted data | Known
CVE-2022-22965 | 2022-04-04 | 2022-04-25 | VMware | Spring Framework | Remote code execution on JDK 9 and later | Unknown
CVE-2021-39144 | 2023-03-10 | 2023-03-31 | XStream | XStream | Remote code execution | Unknown
CVE-2023-46604 | 2023-11-02 | 2023-11-23 | Apache | ActiveMQ | Deserialization of untrusted data | Known
CVE-2025-24813 | 2025-04-01 | 2025-04-22 | Apache | Tomcat | Path equivalence | Unknown
CVE-2023-4863 | 2023-09-13 | 2023-10-04 | Google | Chromium WebP | Heap-based buffer overflow | Unknown
CVE-2023-4911 | 2023-11-21 | 2023-12-12 | GNU | GNU C Library | Buffer overflow | Unknown
CVE-2023-44487 | 2023-10-10 | 2023-10-31 | IETF | HTTP/2 | Rapid reset attack | Unknown
`;

// Columns: CVE, probability of exploitation within thirty days, share of CVEs with a lower one. Both are rounded.
const predicted = `
CVE-2021-44228,0.99,0.999
CVE-2021-45046,0.99,0.999
CVE-2021-45105,0.97,0.998
CVE-2022-22965,0.99,0.999
CVE-2021-39144,0.98,0.999
CVE-2023-46604,0.99,0.999
CVE-2022-42889,0.99,0.999
CVE-2022-1471,0.95,0.997
CVE-2025-24813,0.94,0.997
CVE-2023-4863,0.93,0.996
CVE-2023-4911,0.81,0.996
CVE-2023-44487,0.94,0.998
CVE-2023-38545,0.78,0.995
CVE-2022-29078,0.33,0.982
CVE-2016-1000027,0.32,0.981
CVE-2022-22950,0.36,0.983
`;

export function kevFeed(now: Date): string {
  const vulnerabilities = exploited
    .trim()
    .split('\n')
    .map((line) => {
      const [cveID, dateAdded, dueDate, vendorProject, product, vulnerabilityName, ransomware] =
        line.split(' | ');
      return {
        cveID,
        dateAdded,
        dueDate,
        vendorProject,
        product,
        vulnerabilityName,
        knownRansomwareCampaignUse: ransomware,
      };
    });
  const dateReleased = now.toISOString();
  const count = vulnerabilities.length;
  return JSON.stringify({ catalogVersion: 'demo', dateReleased, count, vulnerabilities });
}

export function epssFeed(now: Date): string {
  return `#model_version:v0.demo,score_date:${now.toISOString()}\ncve,epss,percentile${predicted}`;
}
