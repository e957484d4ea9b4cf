/**
 * `npm run ci-templates` writes the step that installs `merlon` into the templates of `deploy/ci/`, between its marks.
 * A CI template cannot include another file, so this keeps the address of the release and its version in package.json
 * alone.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const { homepage, version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  homepage: string;
  version: string;
};

export const releaseUrl = `${homepage}/releases/download/v${version}`;

// POSIX sh, without a backslash and without ''', which a Jenkinsfile would interpret.
const install = `set -e
merlon=$(mktemp -d)
for file in merlon.cjs SHA256SUMS; do
  curl -sSfL --proto-redir =https --retry 3 -o "$merlon/$file" "${releaseUrl}/$file"
done
sum=\${MERLON_SHA256:-$(awk '$2 == "merlon.cjs" { print $1 }' "$merlon/SHA256SUMS")}
echo "$sum  $merlon/merlon.cjs" | sha256sum -c -
chmod +x "$merlon/merlon.cjs"
mv "$merlon/merlon.cjs" "$merlon/merlon"
export PATH="$merlon:$PATH"`;

/** Returns the text with the step between each pair of marks, with their indentation. */
export function withInstall(text: string): string {
  return text.replaceAll(/^( *)# install merlon\n[\s\S]*?^\1# merlon is installed$/gm, (_, indent: string) =>
    ['# install merlon', ...install.split('\n'), '# merlon is installed']
      .map((line) => indent + line)
      .join('\n'),
  );
}

/** Path below the root → text. */
export function ciTemplates(): Map<string, string> {
  const paths = globSync('deploy/ci/**/*.*', { cwd: root }).concat('deploy/ci/jenkins/Jenkinsfile');
  return new Map(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]));
}

if (import.meta.main) {
  for (const [path, text] of ciTemplates())
    writeFileSync(fileURLToPath(new URL(path, root)), withInstall(text));
}
