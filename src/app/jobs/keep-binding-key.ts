import type { Bindings } from '../../payments/secrets/bindings.ts'

/** Looks whether the store still has the key of the hour. If the store is down, the next run looks. */
export async function keepBindingKey(bindings: Pick<Bindings, 'keep'>, now: () => number): Promise<void> {
  await bindings.keep(now()).catch(() => {})
}
