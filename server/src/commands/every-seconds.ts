/** Calls the given function at most once in `seconds`, to report progress. */
export function everySeconds(seconds: number): (act: () => void) => void {
  let last = performance.now();
  return (act) => {
    if (performance.now() - last < seconds * 1000) return;
    last = performance.now();
    act();
  };
}
