#!lua flags=allow-oom
-- Restarts leases. input: {id, ticket, …}. Returns {…, places of those that are not open (from 0)}.
local some = {}
for k = 1, #input, 2 do some[#some + 1] = input[k] end
read(some)
local due, closed = {}, {}
for k, id in ipairs(some) do
  if leased(id, input[2 * k]) then
    due[#due + 1] = numeral(now + leaseMs)
    due[#due + 1] = id
  else
    closed[#closed + 1] = k - 1
  end
end
if #due > 0 then call('ZADD', T .. 'e', unpack(due)) end
return finish(closed)
