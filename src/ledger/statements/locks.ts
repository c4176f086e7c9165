import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'

/** Takes the lock if it is free, already ours, or its lease is over. */
export async function acquireLock(
  db: Kysely<Schema>,
  name: string,
  owner: string,
  now: number,
  leaseUntil: number,
): Promise<boolean> {
  const row = await db
    .insertInto('locks')
    .values({ name, owner, lease_until: leaseUntil })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ owner, lease_until: leaseUntil })
        .where(({ or, eb }) => or([eb('locks.lease_until', '<=', now), eb('locks.owner', '=', owner)])),
    )
    .returning('owner')
    .executeTakeFirst()
  return row !== undefined
}

export async function releaseLock(db: Kysely<Schema>, name: string, owner: string): Promise<void> {
  await db.deleteFrom('locks').where('name', '=', name).where('owner', '=', owner).execute()
}
