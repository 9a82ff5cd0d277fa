#!lua flags=no-writes
-- What a dump says about a shard as a whole. Returns {hosts, pages, tickets, turn, turn of domains never visited, turn of the others,
-- turned away by each of three bounds, buckets, refused, known, time in ms, {number of a reason, its name, …}}.
if N[nWiped] > 0 then return 'WIPING' end
local reasons, all = {}, call('HGETALL', T .. 'c')
for k = 1, #all, 2 do
  if sub(all[k], 1, 1) == '#' then
    reasons[#reasons + 1] = tonumber(all[k + 1])
    reasons[#reasons + 1] = sub(all[k], 2)
  end
end
return pack({
  N[nHosts], N[nPages], N[nTickets], N[nTurn], N[nFreshTurn], N[nVisitedTurn], N[nMaxHosts], N[nDomainHosts], N[nPageHosts],
  N[nBuckets], N[nRefused], N[nKnown], now, reasons,
})
