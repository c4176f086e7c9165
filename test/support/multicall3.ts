/** At the same address on every network (multicall3.com). */
export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11' as const
