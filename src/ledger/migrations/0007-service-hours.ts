import type { Migration } from './migrate.ts'

/** How paid calls went, and the minutes in which a replica was up, by UTC hour; for the public status page. */
export const serviceHours: Migration = () => [
  `create table service_hours (
    hour text not null, name text not null, count bigint not null,
    constraint service_hours_key primary key (hour, name)
  )`,
]
