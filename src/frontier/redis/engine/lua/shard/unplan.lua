#!lua flags=allow-oom
-- Some links of a host are not visited again any more, unless they are just visited. input: {host}. Returns {…, 1 if there may be more}.
-- const: MOST = 256
local id = call('HGET', T .. 'h', input[1])
local h = id and touch(id)
if not h or not h[hPlans] then return finish(0) end
local forgotten = 0
for _, number in ipairs(call('HRANDFIELD', T .. 'l:' .. id, MOST)) do
  local v = not isLeasedVisit(h, number) and visitAt(id, number)
  if v then
    withdraw(id, h, number, v)
    forgetVisit(id, h, number, v)
    forgotten = forgotten + 1
  end
end
flush()
return finish(forgotten > 0 and 1 or 0)
