import type { Sql } from '../sql.ts'

export async function findFact(db: Sql, name: string): Promise<string | null> {
  const [fact] = await db.rows<{ readonly value: string }>('select value from facts where name = :name', {
    name,
  })
  return fact?.value ?? null
}

export async function ensureFact(db: Sql, name: string, value: string): Promise<string> {
  await db.rows('insert into facts (name, value) values (:name, :value) on conflict (name) do nothing', {
    name,
    value,
  })
  return readFact(db, name)
}

export async function replaceFact(db: Sql, name: string, seen: string, value: string): Promise<string> {
  await db.rows('update facts set value = :value where name = :name and value = :seen', { name, seen, value })
  return readFact(db, name)
}

async function readFact(db: Sql, name: string): Promise<string> {
  const value = await findFact(db, name)
  if (value === null) throw new Error('a fact that is not there')
  return value
}
