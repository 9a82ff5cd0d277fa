#!lua flags=allow-oom
-- The leases of a crawler's former runs come back, each to the end of its list, and its host waits for its delay. Calls of those
-- runs that arrive later are refused. input: {crawler, first ticket of its new run, ticket that it has open, …}.
-- Returns {…, {ticket, kind as in take.lua, server, …}, pages it has settled, 1 if there is more}.
local crawler, first, isOpen = input[1], input[2], {}
for k = 3, #input do isOpen[input[k]] = true end
local all, some = call('ZRANGE', T .. 'e', 0, -1), {}
for from = 1, #all, 1000 do
  local found = call('HMGET', T .. 'i', unpack(all, from, min(from + 999, #all)))
  for k, record in ipairs(found) do
    local h = decoded(record)
    if h and h[hState] == 1 and h[hOwner] == crawler and h[hTicket] < first and not isOpen[h[hTicket]] then some[#some + 1] = { all[from + k - 1], h[hTicket] } end
  end
end
table.sort(some, function(x, y) return x[2] < y[2] end)
local released, closed = {}, {}
for k = 1, min(#some, 128) do
  local id = some[k][1]
  local h = touch(id)
  local kind = leaseComesBack(id, h)
  holdUntil(h, now + delayOf(h), 0)
  closed[#closed + 1] = id
  local n = #released
  released[n + 1], released[n + 2], released[n + 3] = h[hTicket], kind, h[hServer]
end
closeLeases(closed)
flush()
if crawler ~= OWNER then
  local fenced = pack({ first, 'FENCED' })
  call('HSET', M, 'k:' .. crawler, fenced, 'k+' .. crawler, fenced)
end
return finish(released, tonumber(call('HGET', M, 'p:' .. crawler) or 0), #some > 128 and 1 or 0)
