-- How all that waits at a host is refused: its lists are set aside at once, so that the host is as if it were empty, and refused in
-- steps, since only a client can compute the fingerprints of the texts.
local clearings = {}
local function setAside(id, h, reason)
  writeTexts()
  if h[hAuxiliaries] > 0 then
    N[nAuxiliaries] = N[nAuxiliaries] - h[hAuxiliaries]
    call('DEL', T .. 'q:' .. id, T .. 'y:' .. id)
    if h[hState] == 1 and h[hRank] == -1 then call('SADD', T .. 'y:' .. id, sub(h[hText], 1, 8)) end
    h[hAuxiliaries] = 0
  end
  if h[hWaiting] == 0 then return end
  local number = call('HINCRBY', M, 'clearings', 1)
  local ranks = ''
  for k = 1, #h[hRanks] do
    local rank = byte(h[hRanks], k)
    local key = T .. 'q:' .. id .. ':' .. char(rank)
    if call('EXISTS', key) == 1 then
      call('RENAME', key, T .. 'z:' .. number .. ':' .. rank)
      ranks = ranks .. char(rank)
    end
  end
  h[hWaiting], h[hRanks] = 0, ''
  call('HSET', T .. 'z', number, pack({ id, reason, now, ranks }))
  N[nClearings] = N[nClearings] + 1
  clearings[#clearings + 1] = number
end
