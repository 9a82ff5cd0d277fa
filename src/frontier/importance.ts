/**
 * The strategy `important`: a host's turns are in proportion to the importance that it has received. Its *share* decides: that importance, and
 * a floor, per turn that it has had and the one that it would have now. A turn is a page ticket that was leased, whatever becomes of it.
 * `lua/shard/take.lua` has the same numbers.
 */
export function shareOf(received: number, turns: number): number {
  return (received + FLOOR) / (turns + 1)
}

/** What every host has without having received it, so that hosts that have received nothing take turns, too. */
const FLOOR = 2 ** -10

/** The probability that the next turn goes to the hosts in turn, whatever they have received: nobody starves, however much others receive. */
export const IN_TURN = 1 / 8
