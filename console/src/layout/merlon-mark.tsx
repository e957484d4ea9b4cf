/** The logo of the product: a piece of battlement. The text beside it carries the name, so the logo has no label. */
export function MerlonMark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0f5c66" />
      <path fill="#fff" d="M5 26V10h5v5h3.5V6h5v9H22v-5h5v16h-9v-4a2 2 0 0 0-4 0v4z" />
    </svg>
  );
}
