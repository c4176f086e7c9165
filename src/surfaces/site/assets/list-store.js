/**
 * Keeps what was bought of a long list, so that the same list goes on where it stopped, also after a reload. A part is kept
 * under the hash of its values, which are not kept.
 */

/** @typedef {{ header?: string, payer?: string, nonce?: string, answer?: any, payTo?: string, at: number }} Kept a signed payment, or its answer */

const NAME = 'format-checker-lists'
const DAY_MS = 86_400_000

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T | undefined>} undefined where the browser keeps nothing
 */
const inStore = (mode, act) =>
  new Promise((resolve) => {
    const opening = indexedDB.open(NAME, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('parts')
    opening.onerror = () => resolve(undefined)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction('parts', mode)
      const request = act(transaction.objectStore('parts'))
      transaction.onabort = () => resolve(undefined)
      transaction.oncomplete = () => {
        database.close()
        resolve(request.result)
      }
    }
    // Opening throws where the person blocks what sites store.
  }).catch(() => undefined)

/**
 * @param {string} endpoint
 * @param {string} body
 */
export async function partKey(endpoint, body) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${endpoint}\n${body}`))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Returns what was kept of a part within the last day.
 *
 * @param {string} key
 * @returns {Promise<Kept | undefined>}
 */
export async function findPart(key) {
  const kept = /** @type {Kept | undefined} */ (await inStore('readonly', (store) => store.get(key)))
  return kept !== undefined && Date.now() - kept.at < DAY_MS ? kept : undefined
}

/**
 * @param {string} key
 * @param {Omit<Kept, 'at'>} kept
 */
export const keepPart = (key, kept) =>
  inStore('readwrite', (store) => store.put({ ...kept, at: Date.now() }, key))

/** Called once the results are saved as a file. */
export const forgetParts = () => inStore('readwrite', (store) => store.clear())
