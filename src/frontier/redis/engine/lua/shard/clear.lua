#!lua flags=allow-oom
-- Refuses all that waits at a host, in steps. input: {host, reason name} begins; {number, rank, length of that list, fingerprints of
-- its first texts} goes on. Returns {…, number, rank, length, host, texts}, the next texts; no number: everything is refused.
local MOST = 256
local number = input[1]
if type(number) == 'string' then
  local id = call('HGET', T .. 'h', number)
  number = false
  local h = id and touch(id)
  if h then
    setAside(id, h, reasonOf(input[2]))
    flush()
    number = clearings[1]
  end
  if not number then return finish() end
end
local kept = call('HGET', T .. 'z', number)
if not kept then return finish() end
local clearing = unpacked(kept)
local id, reason = clearing[1], clearing[2]
local fingerprints = input[4]
if fingerprints then
  local key = T .. 'z:' .. number .. ':' .. input[2]
  -- Another client may have continued it.
  if call('LLEN', key) == input[3] then
    local texts, refused = call('LRANGE', key, 0, #fingerprints - 1), {}
    for k, fp in ipairs(fingerprints) do
      call('HSET', bucketOf(fp), fp, reason + 3)
      refused[2 * k - 1], refused[2 * k] = fp, char(input[2]) .. texts[k]
    end
    call('HSET', T .. 'x:' .. id, unpack(refused))
    call('LTRIM', key, #fingerprints, -1)
    countRefused(reason, #fingerprints)
    N[nWaiting] = N[nWaiting] - #fingerprints
    flush()
  end
end
local ranks = clearing[4]
while #ranks > 0 do
  local rank = byte(ranks, 1)
  local key = T .. 'z:' .. number .. ':' .. rank
  local length = call('LLEN', key)
  if length > 0 then
    clearing[4] = ranks
    call('HSET', T .. 'z', number, pack(clearing))
    local h = touch(id)
    return finish(number, rank, length, h and h[hName] or '', call('LRANGE', key, 0, MOST - 1))
  end
  ranks = sub(ranks, 2)
end
call('HDEL', T .. 'z', number)
N[nClearings] = N[nClearings] - 1
return finish()
