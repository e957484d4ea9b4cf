/** The frame of the pages before the sign-in: the name, and one card in the middle. */
import type { ReactNode } from 'react';
import { MerlonMark } from './merlon-mark.tsx';
import './outside-frame.css';

export function OutsideFrame({ children }: { children: ReactNode }) {
  return (
    <div className="outside">
      <header className="outside-name">
        <MerlonMark size={30} />
        <span>Merlon</span>
      </header>
      <main className="outside-card">{children}</main>
    </div>
  );
}
