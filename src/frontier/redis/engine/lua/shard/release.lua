#!lua flags=allow-oom
-- Tickets at servers are closed. input: {server, token, how, …}; how: 0 unasked, 1 answer, 2 trouble, 3 silence, 4 gone, 5 expired.
-- Returns {…, is down now (for each), wake}.
local down = {}
for k = 1, #input, 3 do
  local name, token, how = input[k], input[k + 1], input[k + 2]
  local s = serverNamed(name)
  local wasDown = s[sFails] > retries
  local open = s[sOpen]
  for n = 1, #open, OPEN do
    if open[n] == token then
      local takenAt, before, set = open[n + 2], open[n + 3], open[n + 4]
      for _ = 1, OPEN do table.remove(open, n) end
      if how == 0 and s[sReady] == set then
        s[sReady] = before
      elseif how == 1 or how == 2 then
        s[sFails] = 0
      elseif how == 3 and takenAt >= s[sFailedAt] then
        -- Visits that hang at the same time count once.
        s[sFails], s[sFailedAt] = s[sFails] + 1, now
        if s[sFails] >= 2 then s[sReady] = max(s[sReady], now + restMs(s[sFails] - 1)) end
      end
      break
    end
  end
  local isDown = s[sFails] > retries
  if isDown ~= wasDown then tellAll(name, s) end
  down[#down + 1] = isDown and 1 or 0
end
saveServers()
return finish(down, wake)
