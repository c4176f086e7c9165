import type { Sql } from '../store/sql.ts'

/** The isolation that the statements of a sale need, and the durability that a resolved write promises. */
export const SAFE_SESSION = {
  default_transaction_isolation: 'read committed',
  synchronous_commit: 'on',
} as const

/** Throws if the session did not get {@link SAFE_SESSION}: some poolers drop such settings silently. */
export async function requireSafeSession(db: Sql): Promise<void> {
  const [session] = await db.rows<{ isolation: string; commit: string }>(
    `select current_setting('default_transaction_isolation') as isolation,
      current_setting('synchronous_commit') as commit`,
  )
  const unsafe = [
    ...(session?.isolation === SAFE_SESSION.default_transaction_isolation
      ? []
      : [`default_transaction_isolation is ${session?.isolation}`]),
    ...(session?.commit === 'off' ? ['synchronous_commit is off'] : []),
  ]
  if (unsafe.length > 0)
    throw new Error(
      `${unsafe.join(' and ')}, and a pooler drops what sessions ask for; correct it with ALTER ROLE ... SET`,
    )
}
