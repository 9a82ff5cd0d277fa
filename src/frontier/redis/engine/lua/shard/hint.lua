#!lua flags=allow-oom
-- Makes planned links due that were visited before they changed. input: {most, host, fingerprint, changed, least ms after the last visit, …}.
-- Returns {…, how many are due earlier because of it}.
local names, hinted = {}, 0
for k = 2, #input, 4 do names[#names + 1] = input[k] end
for k, id in ipairs(call('HMGET', T .. 'h', unpack(names))) do
  if hinted >= input[1] then break end
  local fp = input[4 * k - 1]
  local state = id and tonumber(call('HGET', bucketOf(fp), fp) or 0) or 0
  local h, number = state < 0 and touch(id), idOf(floor(-state / 2))
  local v = h and not isLeasedVisit(h, number) and visitAt(id, number)
  if v and v[vVisited] < input[4 * k] then
    local due = max(now, v[vVisited] + input[4 * k + 1])
    if due < v[vDue] and not isDue(id, v, number) then
      v[vDue], v[vFlags] = due, v[vFlags] + 1 - v[vFlags] % 2
      keepVisit(id, number, v)
      comes(id, number, v)
      hinted = hinted + 1
    end
  end
end
return finish(hinted)
