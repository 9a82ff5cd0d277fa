#!lua flags=allow-oom
-- Closes unused tickets; each link goes to the front of its list, and its host's time stays.
-- input: {id, ticket, parked for ms (-1: not parked), its server is down (0 or 1), 1 if no caller ever had the ticket, …}
-- const: STRIDE = 5
local some = {}
for k = 1, #input, STRIDE do some[#some + 1] = input[k] end
read(some)
local closed = {}
for k, id in ipairs(some) do
  local at = STRIDE * (k - 1) + 1
  local h = leased(id, input[at + 1])
  if h then
    closed[#closed + 1] = id
    h[hState] = 0
    if input[at + 4] == 1 and h[hRank] ~= -1 then h[hTurns] = h[hTurns] - 1 end
    local parkedMs = input[at + 2]
    if h[hRank] == -2 then
      if parkedMs >= 0 then waitsForServer(id, h, h[hText]) else visitComesBack(id, h[hText]) end
    elseif h[hRank] < 0 then
      h[hAuxiliaries] = h[hAuxiliaries] + 1
      call('LPUSH', T .. 'q:' .. id, h[hText])
    else
      N[nLeased] = N[nLeased] - 1
      N[nWaiting] = N[nWaiting] + 1
      h[hWaiting] = h[hWaiting] + 1
      addRank(h, h[hRank])
      call('LPUSH', T .. 'q:' .. id .. ':' .. char(h[hRank]), h[hText])
    end
    if parkedMs >= 0 then
      h[hLined], h[hServerDown] = 1, input[at + 3]
      -- It was woken while it was leased: it tries again at once.
      parkedUntil[id] = h[hWoken] == 1 and now or now + parkedMs
    end
  end
end
closeLeases(closed)
flush()
return finish()
