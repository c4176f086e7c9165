/** Begins the name of each hourly binding key; the names sort by hour. */
export const BINDING_KEY_PREFIX = 'binding-key/'

/** Names the key for bindings made at a time, UTC milliseconds. */
export const bindingKeyName = (at: number): string =>
  `${BINDING_KEY_PREFIX}${new Date(at).toISOString().slice(0, 13)}`
