#!lua
-- Plans the next visits of done links. input: {0: of those that are not planned; 1: anew, of those that are, were visited last at that time, and are not leased;
-- host, fingerprint, visited, due, gain, rank, text, note or false, 1 if a hint made it due, …}. Returns {…, how many}.
-- const: STRIDE = 9
local isAnew, names = input[1] == 1, {}
for k = 2, #input, STRIDE do names[#names + 1] = input[k] end
local found, count = call('HMGET', T .. 'h', unpack(names)), 0
for k, id in ipairs(found) do
  local host, fp, visited, due, gain, rank, text, note, hinted = unpack(input, STRIDE * k - 7, STRIDE * k + 1)
  local state = id and tonumber(call('HGET', bucketOf(fp), fp) or 0) or 0
  if not isAnew and (state == 1 or state == 2) then
    local h = touch(id)
    if h then
      planVisit(id, h, fp, state == 1, rank, text, note, visited, due, gain, hinted == 1)
      count = count + 1
    end
  elseif isAnew and state < 0 then
    local h, number = touch(id), idOf(floor(-state / 2))
    local v = h and not isLeasedVisit(h, number) and visitAt(id, number)
    if v and v[vVisited] == visited then
      withdraw(id, h, number, v)
      v = { visited, due, gain, flagsOf(state % 2 == 0, false, note), rank, fp, note or '', text }
      keepVisit(id, number, v)
      comes(id, number, v)
      count = count + 1
    end
  end
end
flush()
return finish(count)
