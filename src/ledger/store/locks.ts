import type { Sql } from './sql.ts'
import type { Store } from './store.ts'

export interface LockStore extends ReturnType<typeof lockStore> {}

export const lockStore = ({ flush }: Store) => ({
  acquireLock: flush(acquireLock),
  releaseLock: flush(releaseLock),
})

/** Takes a named lock for this owner unless another owner's lease is alive. */
export async function acquireLock(
  db: Sql,
  name: string,
  owner: string,
  now: number,
  leaseUntil: number,
): Promise<boolean> {
  const taken = await db.rows(
    `insert into locks (name, owner, lease_until) values (:name, :owner, :leaseUntil)
    on conflict (name) do update set owner = excluded.owner, lease_until = excluded.lease_until
    where locks.lease_until <= :now or locks.owner = excluded.owner returning owner`,
    { name, owner, now, leaseUntil },
  )
  return taken.length > 0
}

export async function releaseLock(db: Sql, name: string, owner: string): Promise<void> {
  await db.rows('delete from locks where name = :name and owner = :owner', { name, owner })
}
