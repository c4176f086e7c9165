/**
 * The network that the service of this page sells on; nothing is signed for another.
 *
 * @returns {{ id: string, chainId: number, name: string, node: string, explorer: string | null, isRealMoney: boolean }}
 */
export const chain = () =>
  JSON.parse(/** @type {HTMLElement} */ (document.querySelector('[data-chain]')).dataset.chain ?? '')
