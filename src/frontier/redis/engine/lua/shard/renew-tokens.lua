#!lua flags=allow-oom
-- Tokens last as long as their leases, which are about to be renewed. One that ran out meanwhile counts again, if there is room.
-- input: {server, token, …}. Returns {…, wake, places in the list (from 0) of those without room}.
local lost = {}
for k = 1, #input, 2 do
  local s = serverNamed(input[k])
  local open, isThere = s[sOpen], false
  for n = 1, #open, OPEN do
    if open[n] == input[k + 1] then
      open[n + 1] = now + leaseMs
      isThere = true
    end
  end
  if not isThere and openAt(s) < perServer then
    local n = #open
    open[n + 1], open[n + 2], open[n + 3], open[n + 4], open[n + 5] = input[k + 1], now + leaseMs, now, 0, -1
  elseif not isThere then
    lost[#lost + 1] = (k - 1) / 2
  end
end
saveServers()
return finish(wake, lost)
