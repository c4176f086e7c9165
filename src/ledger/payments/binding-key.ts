/** The names sort by hour. */
export const BINDING_KEY_PREFIX = 'binding-key/'

/** `at`: when the binding is made, UTC milliseconds. */
export const bindingKeyName = (at: number): string =>
  `${BINDING_KEY_PREFIX}${new Date(at).toISOString().slice(0, 13)}`
