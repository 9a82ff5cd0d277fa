#!lua
-- Blocks a host or sets its delay; it becomes known.
-- input: {host, domain, block for ms (-1: none), delay in ms (-1: none), 1 if it is released before}.
-- Returns {…, 1 if it became known}.
local name = input[1]
local id = call('HGET', T .. 'h', name)
local isNew = not id
if isNew then id = create(name, type(input[2]) == 'number' and sub(name, -input[2]) or input[2]) end
local h = touch(id)
if not h then return finish(0) end
if input[5] == 1 then h[hReady], h[hResting], h[hFails] = min(h[hReady], now), 0, 0 end
if input[3] >= 0 then
  holdUntil(h, now + input[3], 0)
  if input[3] > 0 then leaving[id] = true end
end
if input[4] >= 0 then h[hDelay] = input[4] end
flush()
return finish(isNew and 1 or 0)
