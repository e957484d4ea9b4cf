/** Calls the given function at most once in two seconds, to report progress. */
export function everyTwoSeconds(): (act: () => void) => void {
  let last = performance.now();
  return (act) => {
    if (performance.now() - last < 2_000) return;
    last = performance.now();
    act();
  };
}
