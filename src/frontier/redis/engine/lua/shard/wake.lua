#!lua flags=allow-oom
-- Hosts that are parked try again. Those that are leased will not be parked: their marks say so. All learn about their server.
-- input: {host, in ms, its server is down (0 or 1), …}
local names = {}
for k = 1, #input, 3 do names[#names + 1] = input[k] end
local found = call('HMGET', T .. 'h', unpack(names))
for k, id in ipairs(found) do
  local h = id and touch(id)
  if h then
    h[hServerDown] = input[3 * k]
    if h[hState] == 1 then
      h[hWoken] = 1
    elseif before[id][wasClass] then
      call('ZADD', T .. 'p', 'XX', now + input[3 * k - 1], id .. before[id][wasClass])
    end
  end
end
flush()
return finish()
