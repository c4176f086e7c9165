/** A row as a driver returns it: PostgreSQL returns 64-bit integers as text, SQLite as numbers. */
export type Stored = Readonly<Record<string, unknown>>

export interface Column<Member> {
  readonly name: string
  readonly read?: (stored: unknown) => Member
  readonly write?: (member: Member) => unknown
}

export type Columns<Row> = { readonly [Member in keyof Row]-?: Column<Row[Member]> }

export const same = <Member>(name: string): Column<Member> => ({ name })
export const integer = (name: string): Column<number> => ({ name, read: Number })
export const maybeInteger = (name: string): Column<number | null> => ({
  name,
  read: (stored) => (stored === null ? null : Number(stored)),
})
/** Atomic units; wider than a float's 53 bits, so they are written as decimal text. */
export const units = (name: string): Column<bigint> => ({
  name,
  read: (stored) => BigInt(stored as string),
  write: (member) => member.toString(),
})

export function reader<Row>(columns: Columns<Row>): (stored: Stored) => Row {
  const entries = Object.entries(columns as unknown as Record<string, Column<unknown>>)
  return (stored) => {
    const row: Record<string, unknown> = {}
    for (const [member, { name, read }] of entries)
      row[member] = read === undefined ? stored[name] : read(stored[name])
    return row as Row
  }
}

export function writer<Row>(columns: Columns<Row>): (part: Partial<Row>) => Record<string, unknown> {
  const byMember = columns as unknown as Record<string, Column<unknown>>
  return (part) => {
    const values: Record<string, unknown> = {}
    for (const [member, value] of Object.entries(part)) {
      const { name, write } = byMember[member]!
      values[name] = write === undefined ? value : write(value)
    }
    return values
  }
}
