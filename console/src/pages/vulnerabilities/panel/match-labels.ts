/** The match rules in words: why a finding was matched with this vulnerability. */
const matchLabels: Record<string, string> = {
  new: 'New: no known vulnerability matched',
  'advisory-and-package': 'Same advisory, same package',
  secret: 'Same secret',
  'secret-masked': 'Same rule, same file, same masked line',
  fingerprint: 'Same fingerprint, which the tool promises to keep',
  code: 'Same rule, same file, same code',
  'nearest-line': 'Same rule, same file, the nearest line',
  'renamed-file': 'Same rule and same code in a file that was renamed',
  'moved-folder': 'Same rule in the same file, whose folder has moved',
  'same-result': 'Another location of the same result',
  'secret-location': 'A secret on the same line of the same file',
  pinned: 'Somebody has split it off, and it stays so',
};

export function matchLabel(method: string): string {
  return matchLabels[method] ?? method;
}
