#!lua
-- Offers links. Fails whole, before it writes anything, when the engine's memory is full.
-- input: {groups, reason names, notes, blocks, host names}. Returns {…, fresh by group, hosts that became known}.
for k = 1, input[1] do fresh[k] = 0 end
findHosts(input[5])
addBlocks(input[4], input[2], #input[3] > 0)
flush()
keepNotes(input[3])
growBuckets()
return finish(fresh, became)
