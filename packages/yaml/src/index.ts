/** Files in YAML or JSON that people write. */
export { type ReadOptions, type ReadYaml, readYaml, YamlError, type YamlMistake } from './read-yaml.ts';
