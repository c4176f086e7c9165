import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

export const keyValueStore = ({ read, flush }: Store) => ({
  findFact: read(findFact),
  ensureFact: flush(ensureFact),
  replaceFact: flush(replaceFact),
})

const FIND = 'select value from facts where name = :name'
const ENSURE = 'insert into facts (name, value) values (:name, :value) on conflict (name) do nothing'
const REPLACE = 'update facts set value = :value where name = :name and value = :seen'

export const findFact = async (db: Sql, name: string): Promise<string | null> =>
  (await db.rows<{ readonly value: string }>(FIND, { name }))[0]?.value ?? null

export async function ensureFact(db: Sql, name: string, value: string): Promise<string> {
  await db.rows(ENSURE, { name, value })
  return readFact(db, name)
}

/** Compare-and-set: replaces `seen` by `value` and returns the value. The fact must exist. */
export async function replaceFact(db: Sql, name: string, seen: string, value: string): Promise<string> {
  await db.rows(REPLACE, { name, seen, value })
  return readFact(db, name)
}

async function readFact(db: Sql, name: string): Promise<string> {
  const value = await findFact(db, name)
  if (value === null) throw new Error('a fact that is not there')
  return value
}
