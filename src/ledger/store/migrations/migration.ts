/** The statements of a migration; `bytes` is the type of byte strings, all that the two databases name differently. */
export type Migration = (bytes: 'blob' | 'bytea') => readonly string[]
