import Database from 'better-sqlite3'

/** What a caller was told is kept: a query, what it asks for, and the values it may find. */
export type Claim = readonly [query: string, id: string, ...found: readonly unknown[]]

/** Notes a claim; a later one of the same name replaces it. */
export type Tell = (name: string, claim: Claim) => void

/** What a file has lost: all of it if it is damaged, or claims. */
export function lossesOf(file: string, kept: ReadonlyMap<string, Claim>): readonly string[] {
  const database = new Database(file)
  try {
    database.pragma('synchronous = OFF')
    const health = database.pragma('integrity_check', { simple: true })
    if (health !== 'ok') return [String(health)]
    const statements = new Map<string, Database.Statement>()
    return [...kept.values()].flatMap(([query, id, ...allowed]) => {
      const statement = statements.get(query) ?? database.prepare(query).pluck()
      statements.set(query, statement)
      const found = statement.get(id)
      return allowed.includes(found) ? [] : [`${query} ${found}`]
    })
  } catch (error) {
    return [String(error)]
  } finally {
    database.close()
  }
}
