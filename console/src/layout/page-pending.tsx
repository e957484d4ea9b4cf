/** Shown while the code of a page loads. */
import { LoadingState } from '../components/loading-state.tsx';

export function PagePending() {
  return <LoadingState label="Loading the page" />;
}
