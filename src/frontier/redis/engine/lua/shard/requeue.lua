#!lua
-- Refused links wait again, at the end of their lists, as if they had never been tried. input: {fingerprint, host, …}.
-- Returns {…, how many}.
local requeued, names, seen = 0, {}, {}
for k = 2, #input, 2 do names[#names + 1] = input[k] end
local found = call('HMGET', T .. 'h', unpack(names))
for k, id in ipairs(found) do
  local fp = input[2 * k - 1]
  local kept = id and call('HGET', T .. 'x:' .. id, fp)
  local state = kept and tonumber(call('HGET', bucketOf(fp), fp) or 0)
  local h = state and state >= 3 and touch(id)
  if h then
    call('HSET', bucketOf(fp), fp, 0)
    call('HDEL', T .. 'x:' .. id, fp)
    countRefused(state - 3, -1)
    queue(id, h, byte(kept, 1), untried(sub(kept, 2)))
    requeued = requeued + 1
  end
end
flush()
return finish(requeued)
