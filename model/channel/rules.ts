/** The rules that keep the promises. Each can be left out of the model, and then the search finds what it is for. */
export const RULES = {
  'one-voucher-one-call': 'A voucher that was charged answers the call it was charged for, and no other.',
  'compare-and-set': 'A row is written only if it is still the one that was read.',
  'chain-says-deposit': 'A deposit is in the channel when the chain says so, whatever the facilitator says.',
  'deposit-before-send': 'A deposit is written down before it is sent.',
  'same-deposit-once': 'Another deposit with the same voucher waits for the one before it.',
  'look-again-after-claim':
    'After a deposit is claimed, one of another replica for the same call is looked for again.',
  'look-before-each-send': 'Before a deposit is sent again, one for the same call is looked for, too.',
  'deposit-counts-while-there':
    'An earlier deposit stands for a new one only while its money is in the channel.',
  'refund-is-reserved': 'No voucher relies on money for which a refund is signed and not known to be mined.',
  'leaving-sells-nothing': 'Nothing is sold to a payer who withdraws.',
  'old-state-is-ignored': 'A state of the contract that is behind the row changes nothing.',
  'read-again-after-conflict':
    'After a write that came too late, the contract is read again before it is relied on.',
  'refund-once-a-voucher': 'One refund for each voucher.',
} as const satisfies Record<string, string>

export type Rule = keyof typeof RULES
