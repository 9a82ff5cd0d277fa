#!lua flags=allow-oom
-- The leases of a crawler's former runs come back, each to the end of its list, and its host waits for its delay. Calls of those
-- runs that arrive later are refused. input: {crawler, first ticket of its new run}.
-- Returns {…, {ticket, owner, errand, unproven, server, …}, pages it has settled, 1 if there is more}.
local crawler, first = input[1], input[2]
local all, some = call('HGETALL', T .. 'l'), {}
for k = 1, #all, 2 do
  local lease = leaseOf(all[k + 1])
  if lease[lOwner] == crawler and lease[lTicket] < first then some[#some + 1] = { all[k], lease } end
end
table.sort(some, function(x, y) return x[2][lTicket] < y[2][lTicket] end)
local released, closed = {}, {}
for k = 1, min(#some, 128) do
  local id, lease = some[k][1], some[k][2]
  local h = touch(id)
  local isErrand = lease[lDepth] < 0
  h[hState] = 0
  queue(id, h, lease[lDepth], lease[lText])
  if not isErrand then N[nLeased] = N[nLeased] - 1 end
  holdUntil(h, now + delayOf(h), 0)
  closed[#closed + 1] = id
  local n = #released
  released[n + 1], released[n + 2], released[n + 3] = lease[lTicket], lease[lOwner], isErrand and 1 or 0
  released[n + 4], released[n + 5] = not isErrand and h[hProven] == 0 and 1 or 0, h[hServer]
end
closeLeases(closed)
flush()
if crawler ~= OWNER then
  local buried = pack({ first, 'BURIED' })
  call('HSET', M, 'k:' .. crawler, buried, 'k+' .. crawler, buried)
end
return finish(released, tonumber(call('HGET', M, 'p:' .. crawler) or 0), #some > 128 and 1 or 0)
