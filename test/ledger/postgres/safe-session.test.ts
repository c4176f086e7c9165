import { expect, test } from 'vitest'
import { requireSafeSession } from '../../../src/ledger/postgres/safe-session.ts'
import type { Sql } from '../../../src/ledger/store/sql.ts'

const check = (isolation: string, commit: string) =>
  requireSafeSession({ rows: async () => [{ isolation, commit }] } as unknown as Sql)

test.each([
  'on',
  'local',
  'remote_write',
  'remote_apply',
])('a session that commits with %s is safe', async (commit) => {
  await check('read committed', commit)
})

test.each([
  ['serializable', 'on', /^default_transaction_isolation is serializable, and a pooler/],
  ['read committed', 'off', /^synchronous_commit is off, and a pooler/],
  [
    'repeatable read',
    'off',
    /^default_transaction_isolation is repeatable read and synchronous_commit is off, and/,
  ],
])('a session in %s that commits with %s is not, and the error names what is wrong', async (isolation, commit, line) => {
  await expect(check(isolation, commit)).rejects.toThrow(line)
})
