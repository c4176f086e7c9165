/** Names of the hourly binding keys begin with this, and sort by their hour. */
export const BINDING_KEY_PREFIX = 'binding-key/'

/** The name of the key for bindings made at a time (UTC milliseconds). */
export const bindingKeyName = (at: number): string =>
  `${BINDING_KEY_PREFIX}${new Date(at).toISOString().slice(0, 13)}`
