// Shares a byte budget fairly: small parts get all they need, large ones the same share each.

/**
 * @param sizes what each part needs; a size may be capped at the budget.
 * @returns what each part gets, at most its size; the sum is at most `budget`.
 */
export function shareBytes(sizes: readonly number[], budget: number): number[] {
  const order = sizes.map((_, index) => index).sort((a, b) => sizes[a]! - sizes[b]!);
  const shares = new Array<number>(sizes.length).fill(0);
  let left = Math.max(0, budget);
  for (const [rank, index] of order.entries()) {
    const share = Math.min(sizes[index]!, Math.floor(left / (order.length - rank)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
