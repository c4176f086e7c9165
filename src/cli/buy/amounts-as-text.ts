/** A value as JSON, amounts as decimal text: JSON's numbers are too narrow for them. */
export const withAmountsAsText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? each.toString() : each))
