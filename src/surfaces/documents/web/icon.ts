/** The one icon, at its own address and at the one browsers ask for unasked. */
import { readFileSync } from 'node:fs'
import type { StaticDocument } from '../../../http/body/static-document.ts'

const ICON = new URL('../../../../agent-card/icon.svg', import.meta.url)

/** Reads the icon that ships with the service. */
export function icons(): readonly StaticDocument[] {
  const body = readFileSync(ICON, 'utf8')
  return ['/icon.svg', '/favicon.ico'].map((route) => ({ route, body, contentType: 'image/svg+xml' }))
}
