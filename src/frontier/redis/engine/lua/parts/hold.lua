-- Whether this shard is held. A process that starts, or takes over, may have forgotten what it had acknowledged: who was asked, and
-- when. Whether it is another one is looked at now and then, since that costs more than most moves; it can't be another so soon.
-- const: LOOK_MS = 100
if now - N[nLookedAt] >= LOOK_MS or now < N[nLookedAt] then
  N[nLookedAt] = now
  local run = runId()
  if call('HGET', M, 'run') ~= run then
    call('HSET', M, 'run', run)
    hold()
  end
end
local isHeld = N[nHeldUntil] > now
