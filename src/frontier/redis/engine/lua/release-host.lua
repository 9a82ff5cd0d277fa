#!lua flags=allow-oom
-- A host may be asked at once, whatever it waits for. input: {host}; one that is not known changes nothing.
local id = call('HGET', T .. 'h', input[1])
local h = id and touch(id)
if h then
  h[hReady], h[hResting], h[hFails] = min(h[hReady], now), 0, 0
  flush()
end
return finish()
