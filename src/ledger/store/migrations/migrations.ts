import { createHash } from 'node:crypto'
import { initial } from './initial.ts'
import type { Migration } from './migration.ts'

/** Names a migration by its text, so that a store that another text made is not taken for one of this code. */
export const namedByText = (name: string, migration: Migration): string =>
  `${name}-${createHash('sha256').update(migration('blob').join(';\n')).digest('hex').slice(0, 8)}`

export const INITIAL = namedByText('1.2.0-initial', initial)

/** In order. Names and texts are final once released; until the first release `initial` is edited in place. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  [INITIAL]: initial,
}
