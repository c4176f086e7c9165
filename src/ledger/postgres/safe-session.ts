import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** What the statements of a sale were written for, and what a resolved write says. */
export const SAFE_SESSION = {
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
} as const

/**
 * Throws where a session that asked for {@link SAFE_SESSION} has less: a pooler that ignores such settings
 * drops them without a word, and those of the role, the database or the server hold.
 */
export async function requireSafeSession(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ isolation: string; commit: string }>`
    select current_setting('default_transaction_isolation') as isolation,
      current_setting('synchronous_commit') as commit`.execute(db)
  const unsafe = [
    ...(rows[0]?.isolation === SAFE_SESSION.default_transaction_isolation
      ? []
      : [`default_transaction_isolation is ${rows[0]?.isolation}`]),
    ...(rows[0]?.commit === 'off' ? ['synchronous_commit is off'] : []),
  ]
  if (unsafe.length > 0)
    throw new Error(
      `${unsafe.join(' and ')}, and a pooler drops what sessions ask for; correct it with ALTER ROLE ... SET`,
    )
}
