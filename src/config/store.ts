import type { CleanSettings } from './settings.ts'

export type StoreConfig =
  | { readonly kind: 'sqlite'; readonly dataDir: string }
  | { readonly kind: 'postgres'; readonly url: string }

export function readStore(env: CleanSettings): StoreConfig | string[] {
  const { DATA_DIR, DATABASE_URL, SECRET_KEY, CARD_KEY, RECEIPT_KEY, SIGNER_SOCKET } = env
  if (DATABASE_URL === undefined) {
    if (DATA_DIR === undefined) return missing({ DATA_DIR }, 'live mode needs it, or DATABASE_URL')
    return { kind: 'sqlite', dataDir: DATA_DIR }
  }
  if (DATA_DIR !== undefined)
    return ['DATA_DIR: contradicts DATABASE_URL; there is one store, so set one of them']
  const needed = SIGNER_SOCKET === undefined ? { SECRET_KEY, CARD_KEY, RECEIPT_KEY } : { SECRET_KEY }
  const faults = missing(needed, 'DATABASE_URL needs it, the same on every replica')
  if (faults.length > 0) return faults
  return { kind: 'postgres', url: DATABASE_URL }
}

export const missing = (
  settings: Readonly<Record<string, unknown>>,
  why = 'live mode needs it and has no default for it',
): string[] =>
  Object.entries(settings)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name}: missing; ${why}`)
